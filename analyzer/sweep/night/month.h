/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each group requested and had in each night of a month, by itself: so
 * that a change of its request is seen, and what became of it.
 */
#ifndef SW_ANALYZER_SWEEP_NIGHT_MONTH_H
#define SW_ANALYZER_SWEEP_NIGHT_MONTH_H

#include "analyzer/sweep/night/night.h"

/* A group in one night. */
struct sw_month_night {
	uint64_t from_seconds;
	uint64_t jobs, out_of_memory;
	/* The request of memory on a node: one in 20, half, 19 in 20 of jobs.
	 */
	uint64_t least_mib, median_mib, most_mib;
	uint64_t mib_seconds, core_usec;
	uint64_t out_of_memory_mib_seconds;
};

struct sw_month_group {
	struct sw_keyed_entry entry;   /* the key of its tally */
	struct sw_month_night *nights; /* by time, after sw_month_settle() */
	size_t count;
	const char *user, *label; /* of the key */
	char key[];
};

/* All zero is empty. */
struct sw_month {
	struct sw_keyed groups;
	size_t nights;
};

/* A group that requests less memory than before. */
struct sw_taken {
	const struct sw_month_group *group;
	uint64_t since_seconds; /* the first night of the new request */
	uint64_t before_mib, now_mib;
	uint64_t before_jobs, now_jobs;
	uint64_t before_out_of_memory, now_out_of_memory;
	/*
	 * What the jobs since then had, less than with the request before;
	 * what those had that ran out of memory is taken off.
	 */
	double gib_hours;
};

struct sw_takens {
	struct sw_taken *items;
	size_t count;
};

/* 0, or -1 (errno ENOMEM). */
int sw_month_add(struct sw_month *month, const struct sw_night *night);
void sw_month_settle(struct sw_month *month);
void sw_month_fini(struct sw_month *month);

/* NULL: it had no jobs. */
const struct sw_month_group *sw_month_find(const struct sw_month *month,
					   const struct sw_tally *tally);

/*
 * Of a settled month, those that saved most first; nights in which jobs of a
 * group requested different amounts do not count.  0, or -1 (errno ENOMEM).
 */
int sw_month_taken(const struct sw_month *month, struct sw_takens *takens);

#endif
