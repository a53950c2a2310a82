/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collect all jobs of a time from Slurm's accounting, with their rows from the
 * recorders' summaries, in one pass.  Profiles are not read, since users can
 * write them.
 */
#ifndef SW_ANALYZER_COLLECT_H
#define SW_ANALYZER_COLLECT_H

#include "analyzer/sweep/night/night.h"

struct sw_collect {
	const struct sw_settings *settings;
	uint64_t from_seconds, until_seconds;
	uint64_t shard, shards;	/* some users only; 1 of 1: all */
	/*
	 * After each window, with the time up to which jobs were read; or NULL.
	 */
	void (*progress)(void *context, uint64_t until_seconds, uint64_t jobs);
	/* Report what was left out; the text is safe to print. */
	void (*complain)(void *context, const char *text);
	void *context;
};

/*
 * Collect into an initialized night.  Return 0, or -1 with *error (ENOENT:
 * there is no sacct).
 */
int sw_collect(struct sw_night *night, const struct sw_collect *collect,
	       struct sw_error *error);

#endif
