/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorder's own way to the programs of a step, beside a storm of them. */
#ifndef BENCH_STORM_RECORDER_H
#define BENCH_STORM_RECORDER_H

#include <stdint.h>
#include <sys/types.h>

/* What the recorder knows in the end. */
struct storm_verdict {
	uint64_t started, ended, lost;
};

/* A process of its own, on other CPUs than the first. */
struct storm_recorder {
	pid_t pid;
	int ask, answer;	/* pipes */
};

/*
 * Follows this process and what it starts, with all that a recorder has.
 * 0, or -1 where it cannot be, which was told to stderr.
 */
int storm_recorder_start(struct storm_recorder *recorder);

/* 0, or -1 where it did not answer. */
int storm_recorder_end(struct storm_recorder *recorder,
		       struct storm_verdict *verdict);

#endif
