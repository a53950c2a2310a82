/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that has the recorder's BPF programs loaded once, on other CPUs
 * than the first, and brings them to bear and off again as it is told.
 */
#ifndef BENCH_STORM_SWITCH_H
#define BENCH_STORM_SWITCH_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Nothing of it there; the same right after it was brought and taken away,
 * which shows what the measurement is worth; somebody else followed; and the
 * spawner itself.
 */
enum storm_phase {
	STORM_NONE, STORM_CONTROL, STORM_OTHER, STORM_OWN, STORM_PHASES
};

/* Records of all that was followed, and those that found no room. */
struct storm_records {
	uint64_t forks, execs, exits, lost;
};

struct storm_switch {
	pid_t pid;
	int ask, answer;	/* pipes */
};

/* 0, or -1 where BPF cannot be had, which was told to stderr. */
int storm_switch_start(struct storm_switch *sw, pid_t spawner, pid_t other);

/* 0, or -1. */
int storm_switch_to(struct storm_switch *sw, enum storm_phase phase);

/*
 * How long the recorder's BPF programs have run, by the kernel's statistics,
 * which cost something (their clock is in it): they are kept from one call to
 * the next one, and from the third one on again.  0, or -1.
 */
int storm_switch_clock(struct storm_switch *sw, uint64_t *nsec);

/* What was told in the time.  0, or -1. */
int storm_switch_end(struct storm_switch *sw, struct storm_records *records);

/* The spawner has the first CPU, and what is loaded beside it the others. */
void storm_pin(int is_spawner);

#endif
