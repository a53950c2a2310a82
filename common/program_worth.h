/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which programs of a step are kept, where there is no room for all: those that
 * failed, then those with most CPU time.
 */
#ifndef SW_COMMON_PROGRAM_WORTH_H
#define SW_COMMON_PROGRAM_WORTH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/delta.h"
#include "common/missing.h"

enum { SW_PROGRAMS_KEPT = 24 };

struct sw_program_worth {
	bool has_failed; /* a process of it */
	uint64_t cpu_usec;
	const char *name;
};

/* Compare as qsort(3) does; the one to keep comes first. */
static inline int sw_program_worth_compare(const struct sw_program_worth *a,
					   const struct sw_program_worth *b)
{
	uint64_t a_usec = sw_zero_if_missing(a->cpu_usec),
		 b_usec = sw_zero_if_missing(b->cpu_usec);

	if (a->has_failed != b->has_failed)
		return a->has_failed ? -1 : 1;
	if (a_usec != b_usec)
		return a_usec > b_usec ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Processes of a program: how many ended, and how, as far as it is known. */
struct sw_program_ends {
	uint64_t ended, exited_ok, exited_nonzero, killed;
};

/* Return true if some are known to have ended, but not how. */
static inline bool sw_program_has_unknown_end(const struct sw_program_ends *ends)
{
	uint64_t known = sw_add_u64(
		sw_add_u64(ends->exited_ok, ends->exited_nonzero),
		ends->killed);

	return !sw_is_missing(ends->ended) && ends->ended > 0 &&
	       (sw_is_missing(known) || known < ends->ended);
}

#endif
