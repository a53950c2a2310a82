/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and usage of each group in each night of a month, to detect a
 * changed request and its effect.
 */
#ifndef SW_ANALYZER_SWEEP_NIGHT_MONTH_H
#define SW_ANALYZER_SWEEP_NIGHT_MONTH_H

#include "analyzer/sweep/night/night.h"

enum { SW_MONTH_JOBS_MIN = 8 }; /* before and after a change */

/* A group in one night. */
struct sw_month_night {
	uint64_t from_seconds;
	uint64_t jobs, out_of_memory;
	/* Memory request per node: 5th, 50th and 95th percentile of jobs. */
	uint64_t least_mib, median_mib, most_mib;
	uint64_t mib_seconds, core_usec;
	uint64_t out_of_memory_mib_seconds;
};

struct sw_month_group {
	struct sw_keyed_entry entry;   /* key of the tally */
	struct sw_month_night *nights; /* by time, after sw_month_settle() */
	size_t count;
	const char *user, *label; /* in the key */
	char key[];
};

/* Zeroed: empty. */
struct sw_month {
	struct sw_keyed groups;
	size_t nights;
};

/* A group that requests less memory than before. */
struct sw_taken {
	const struct sw_month_group *group;
	uint64_t since_seconds; /* first night of the new request */
	uint64_t before_mib, now_mib;
	uint64_t before_jobs, now_jobs;
	uint64_t before_out_of_memory, now_out_of_memory;
	/*
	 * Reduction for jobs since then, compared with the previous request,
	 * less the memory of jobs that ran out of it.
	 */
	double gib_hours;
};

struct sw_takens {
	struct sw_taken *items;
	size_t count;
};

/* Return 0, or -1 (errno ENOMEM). */
int sw_month_add(struct sw_month *month, const struct sw_night *night);
void sw_month_settle(struct sw_month *month);
void sw_month_fini(struct sw_month *month);

/* Return NULL if it had no jobs. */
const struct sw_month_group *sw_month_find(const struct sw_month *month,
					   const struct sw_tally *tally);

/*
 * List groups of a settled month by savings, largest first; nights with
 * different requests in a group do not count.  Return 0, or -1 (errno ENOMEM).
 */
int sw_month_taken(const struct sw_month *month, struct sw_takens *takens);

#endif
