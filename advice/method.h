/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for methods that choose how much memory to ask for: stepwell's
 * and, to be measured against, those of others.  A method is one file
 * (method_*.c) and one row in methods.c; learner.h has it work.  It learns
 * runs in the order of their ends and never sees the one that it is asked
 * about.
 */
#ifndef SW_ADVICE_METHOD_H
#define SW_ADVICE_METHOD_H

#include <stdbool.h>

#include "advice/policy.h"
#include "advice/run.h"

/* What is known of a run before it starts. */
struct sw_query {
	size_t group;		/* from 0; runs of a group are the same work */
	double input_bytes;	/* NAN: not known */
	double requested_bytes;	/* by the user; NAN: not known */
	double start_seconds;	/* since the Epoch; NAN */
	/* For advisors: what is asked for now; NULL: as the last run did. */
	const struct sw_run *asked;
};

struct sw_memory_settings;

/* What is known beside a group: the site's policy, and sums over all runs. */
struct sw_memory_site {
	const struct sw_policy *policy;
	const struct sw_memory_settings *settings;
	double cost;		/* of all runs: needs times seconds */
	size_t count;
};

/* What is asked of a method. */
struct sw_asking {
	const struct sw_memory_site *site;
	const struct sw_query *query;
	unsigned attempt;	/* from 1 */
	double failed_bytes;	/* what the attempt before had; NAN: none */
};

struct sw_method {
	const char *name;	/* "krr": the word behind --method */
	const char *title;	/* "KRR: largest seen + 15 %" */
	const char *source;	/* paper, or program and revision */
	size_t group_size;	/* what is kept of each group; zeroed at first */
	void (*fini)(void *group);	/* NULL: there is nothing to free */
	bool learns_bounds;	/* else these are kept from it */
	/*
	 * A run that ended.  Attempts that were killed for want of memory
	 * come with is_lower_bound and what they had as need_bytes.  0, or -1
	 * (errno ENOMEM).
	 */
	int (*learn)(void *group, struct sw_memory_site *site,
		     const struct sw_run *run);
	/* Bytes for the first attempt; NAN: no opinion, the caller's own. */
	double (*ask)(void *group, const struct sw_asking *asking);
	/* For attempts 2, 3, ...; NAN, or NULL: the caller doubles. */
	double (*again)(void *group, const struct sw_asking *asking);
	/*
	 * That the run needs more than bytes, the answer; NAN, or NULL: not
	 * known.
	 */
	double (*risk)(void *group, const struct sw_asking *asking,
		       double bytes);
};

/* All methods, NULL-terminated; stepwell's is the first. */
extern const struct sw_method *const sw_methods[];
const struct sw_method *sw_method_find(const char *name);

#endif
