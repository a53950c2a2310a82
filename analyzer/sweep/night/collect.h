/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one pass: all jobs of a time from Slurm's accounting, each with what the
 * recorders' summaries have of it.  Profiles are not read: users can write
 * those.
 */
#ifndef SW_ANALYZER_COLLECT_H
#define SW_ANALYZER_COLLECT_H

#include "analyzer/sweep/night/night.h"

struct sw_collect {
	const struct sw_settings *settings;
	uint64_t from_seconds, until_seconds;
	uint64_t shard, shards;	/* jobs of some users alone; 1 of 1: all */
	/* After each window of time, up to when jobs were read; may be NULL. */
	void (*progress)(void *context, uint64_t until_seconds, uint64_t jobs);
	/* Something was left out, in words that are safe to print. */
	void (*complain)(void *context, const char *text);
	void *context;
};

/*
 * Into a night that was initialised.  0, or -1 with *error (ENOENT: there is
 * no sacct).
 */
int sw_collect(struct sw_night *night, const struct sw_collect *collect,
	       struct sw_error *error);

#endif
