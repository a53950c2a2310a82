/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that has the recorder's BPF programs loaded once, on all CPUs
 * except the first, and attaches and detaches them on request.
 */
#ifndef BENCH_STORM_SWITCH_H
#define BENCH_STORM_SWITCH_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Nothing attached; the same right after attaching and detaching, which shows
 * the precision of the measurement; another process followed; and the spawner
 * itself followed.
 */
enum storm_phase {
	STORM_NONE, STORM_CONTROL, STORM_OTHER, STORM_OWN, STORM_PHASES
};

/* Records of everything followed, and the number of lost ones. */
struct storm_records {
	uint64_t forks, execs, exits, lost;
};

struct storm_switch {
	pid_t pid;
	int ask, answer;	/* pipes */
};

/* 0, or -1 if BPF is not available, reported on stderr. */
int storm_switch_start(struct storm_switch *sw, pid_t spawner, pid_t other);

/* 0, or -1. */
int storm_switch_to(struct storm_switch *sw, enum storm_phase phase);

/*
 * Run time of the recorder's BPF programs, by the kernel's statistics, which
 * have a cost (including their clock): they are on from one call to the next,
 * and again from the third on.  0, or -1.
 */
int storm_switch_clock(struct storm_switch *sw, uint64_t *nsec);

/* Return the records of the whole time.  0, or -1. */
int storm_switch_end(struct storm_switch *sw, struct storm_records *records);

/* The spawner gets the first CPU; processes loaded beside it the others. */
void storm_pin(int is_spawner);

#endif
