/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of methods that choose how much memory to request: stepwell's
 * and, for comparison, published ones.  A method is one file (method_*.c) and
 * one row in methods.c; learner.h runs it.  It learns runs in the order of
 * their ends and never sees the one it is asked about.
 */
#ifndef SW_ADVICE_METHOD_H
#define SW_ADVICE_METHOD_H

#include <stdbool.h>

#include "advice/policy.h"
#include "advice/run.h"

/* Facts about a run before it starts. */
struct sw_query {
	size_t group;		/* from 0; the group's runs do the same work */
	double input_bytes;	/* NAN: not known */
	double requested_bytes;	/* by the user; NAN: not known */
	double start_seconds;	/* since the Epoch; NAN */
	/* For advisors: the current request; NULL: that of the last run. */
	const struct sw_run *asked;
};

struct sw_memory_settings;

/* State shared by all groups: the site's policy, and sums over all runs. */
struct sw_memory_site {
	const struct sw_policy *policy;
	const struct sw_memory_settings *settings;
	double cost;		/* sum of need times seconds of all runs */
	size_t count;
};

/* Question to a method. */
struct sw_asking {
	const struct sw_memory_site *site;
	const struct sw_query *query;
	unsigned attempt;	/* from 1 */
	double failed_bytes;	/* of the attempt before; NAN: none */
};

struct sw_method {
	const char *name;	/* "krr": the word behind --method */
	const char *title;	/* title: "KRR: largest seen + 15 %" */
	const char *source;	/* paper, or program and revision */
	size_t group_size;	/* state kept for each group, zeroed */
	void (*fini)(void *group);	/* NULL: nothing to free */
	bool learns_bounds;	/* false: never given lower bounds */
	/*
	 * Learn a run that ended.  Attempts killed when out of memory have
	 * is_lower_bound set, and as need_bytes the memory they had.  Returns
	 * 0, or -1 (errno ENOMEM).
	 */
	int (*learn)(void *group, struct sw_memory_site *site,
		     const struct sw_run *run);
	/* Bytes for the first attempt; NAN: the caller decides. */
	double (*ask)(void *group, const struct sw_asking *asking);
	/* For attempts 2, 3, ...; NAN, or NULL: the caller doubles. */
	double (*again)(void *group, const struct sw_asking *asking);
	/*
	 * Probability that the run needs more than bytes, the answer; NAN, or
	 * NULL: not known.
	 */
	double (*risk)(void *group, const struct sw_asking *asking,
		       double bytes);
};

/* All methods, NULL-terminated; stepwell's is the first. */
extern const struct sw_method *const sw_methods[];
const struct sw_method *sw_method_find(const char *name);

#endif
