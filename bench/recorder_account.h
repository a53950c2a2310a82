/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a recorder says that it cost, held against its CPU clock. */
#ifndef BENCH_RECORDER_ACCOUNT_H
#define BENCH_RECORDER_ACCOUNT_H

#include "bench/recorder_run.h"

enum { RECORDER_LOOKS_MAX = 4096 };

/* A look at the recorder's CPU clock from outside, and at its helpers'. */
struct recorder_look {
	/* CLOCK_BOOTTIME: it was not before, and not after. */
	uint64_t since_usec, until_usec;
	uint64_t cpu_nsec;
};

struct recorder_account {
	uint64_t begin_usec;	/* all tasks were up from then ... */
	uint64_t end_usec;	/* ... to then */
	uint64_t total_nsec;	/* of the clock, at the very end */
	size_t look_count;
	struct recorder_look looks[RECORDER_LOOKS_MAX];
};

/*
 * Reads the task's profile into the recorder's part of *costs.  Returns -1
 * with *error where it does not agree with the clock, or did not see all.
 */
int recorder_account_read(const struct recorder_account *account,
			  const struct recorder_task *task,
			  struct recorder_costs *costs,
			  struct sw_error *error);

#endif
