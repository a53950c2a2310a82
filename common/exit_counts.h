/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often processes of one program ended with each status or signal, except
 * status 0.  Bounded: further kinds are counted together.
 */
#ifndef SW_COMMON_EXIT_COUNTS_H
#define SW_COMMON_EXIT_COUNTS_H

#include <stdint.h>

enum {
	SW_EXIT_KINDS_MAX = 8,	/* that are told apart */
	/* A kind is an exit status, or this plus the number of a signal. */
	SW_EXIT_SIGNAL = 256,
	SW_EXIT_KINDS = SW_EXIT_SIGNAL + 128	/* stands for any other kind */
};

/* Zeroed: none. */
struct sw_exit_counts {
	uint64_t processes[SW_EXIT_KINDS_MAX];
	uint64_t other;		/* processes of further kinds */
	uint16_t kind[SW_EXIT_KINDS_MAX];
	uint16_t count;		/* of kinds */
};

/* Add processes of a kind; return its index, or SW_EXIT_KINDS_MAX for other. */
unsigned sw_exit_counts_add(struct sw_exit_counts *counts, unsigned kind,
			    uint64_t processes);

/* Set a cumulative count, which never decreases. */
void sw_exit_counts_raise(struct sw_exit_counts *counts, unsigned kind,
			  uint64_t processes);

/* Add all counts of another program, or of the same one elsewhere. */
void sw_exit_counts_merge(struct sw_exit_counts *counts,
			  const struct sw_exit_counts *more);

/* Return the number of processes of a kind; 0 if it is not told apart. */
uint64_t sw_exit_counts_of(const struct sw_exit_counts *counts, unsigned kind);

#endif
