/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the recorder's reported cost with its CPU clock. */
#ifndef BENCH_RECORDER_ACCOUNT_H
#define BENCH_RECORDER_ACCOUNT_H

#include "bench/recorder_run.h"

enum { RECORDER_LOOKS_MAX = 4096 };

/* Reading of the recorder's CPU clock from outside, and of its helpers'. */
struct recorder_look {
	/* CLOCK_BOOTTIME right before and after the reading. */
	uint64_t since_usec, until_usec;
	uint64_t cpu_nsec;
};

struct recorder_account {
	uint64_t begin_usec;	/* all tasks ran from here ... */
	uint64_t end_usec;	/* ... to here */
	uint64_t total_nsec;	/* of the clock, at the very end */
	size_t look_count;
	struct recorder_look looks[RECORDER_LOOKS_MAX];
};

/*
 * Read the task's profile into the recorder's part of *costs.  Returns -1 with
 * *error if it disagrees with the clock or lacks a task.
 */
int recorder_account_read(const struct recorder_account *account,
			  const struct recorder_task *task,
			  struct recorder_costs *costs,
			  struct sw_error *error);

#endif
