/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows a step's programs as the recorder does, beside a storm of them. */
#ifndef BENCH_STORM_RECORDER_H
#define BENCH_STORM_RECORDER_H

#include <stdint.h>
#include <sys/types.h>

/* The recorder's final counts. */
struct storm_verdict {
	uint64_t started, ended, lost;
};

/* A process of its own, on all CPUs except the first. */
struct storm_recorder {
	pid_t pid;
	int ask, answer;	/* pipes */
};

/*
 * Follow this process and its children, with everything a recorder loads.  0,
 * or -1 on failure, reported on stderr.
 */
int storm_recorder_start(struct storm_recorder *recorder);

/* 0, or -1 if it did not answer. */
int storm_recorder_end(struct storm_recorder *recorder,
		       struct storm_verdict *verdict);

#endif
