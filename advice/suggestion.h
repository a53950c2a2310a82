/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for advice: from the past runs of one group to what should be
 * asked for next time, or why nothing can be said.  Pure functions without
 * I/O; an advisor is one file (advise_*.c) and one row in advisors.c.
 */
#ifndef SW_ADVICE_SUGGESTION_H
#define SW_ADVICE_SUGGESTION_H

#include "advice/method.h"

enum sw_resource {
	SW_RESOURCE_MEMORY,	/* bytes on each node */
	SW_RESOURCE_TIME,	/* seconds */
	SW_RESOURCE_CORES,	/* of the whole job on a node */
	SW_RESOURCE_GPUS,
	SW_RESOURCE_TASKS,
	SW_RESOURCE_NODES,
};

enum {
	SW_RETRIES_MAX = 4,
	SW_BACKTEST_RUNS_MAX = 200,	/* newest of memory that are replayed */
	SW_STATISTIC_SIZE = 96,
	SW_WHY_SIZE = 512,
};

/* The advice held against the group's own past, in the order of time. */
struct sw_backtest {
	size_t of;		/* runs that were asked about */
	size_t fits;		/* would have had enough at once */
	double saved_gib_hours;	/* against what was asked for; NAN */
	double saved_core_hours;
	double saved_gpu_hours;
	double saved_cost;	/* in the policy's currency; NAN */
};

/*
 * The very number that is suggested, held against the runs of the past: a
 * backtest replays what would have been suggested at the time, which is
 * another number for each.  A run whose need is not known well enough to tell
 * is not counted.
 */
struct sw_fit {
	size_t of, fits;
};

/* Why nothing is named beyond the last of what to request after a failure. */
enum sw_retry_limit {
	SW_RETRY_LIMIT_NONE,	/* there are more steps than are named */
	SW_RETRY_LIMIT_NODE,	/* a node has no more */
	SW_RETRY_LIMIT_KNOWN,	/* no larger request or node is known */
	SW_RETRY_LIMIT_BEYOND,	/* what is suggested is more than those */
};

struct sw_suggestion {
	enum sw_resource resource;
	/*
	 * Withheld: "why" says why, "remedy" what would; the numbers are
	 * NAN.  Otherwise suggested may equal current: it fits already.
	 */
	bool is_withheld;
	bool is_few;		/* withheld, for too few runs */
	double current;		/* asked for now; NAN */
	double suggested;
	/* What to request after a failure, first to last. */
	double retries[SW_RETRIES_MAX];
	size_t retry_count;
	enum sw_retry_limit retry_limit;
	bool is_lower_bound;	/* a step up after an OOM: need not known */
	double risk;		/* that a run needs more, 0 to 1; NAN */
	size_t runs;		/* that it rests on */
	char statistic[SW_STATISTIC_SIZE];	/* "98th percentile + 4 %" */
	double margin;		/* above the largest need seen; ratio; NAN */
	struct sw_backtest backtest;
	struct sw_fit fit;
	char why[SW_WHY_SIZE];		/* one sentence */
	char remedy[SW_WHY_SIZE];	/* "" */
};

struct sw_advisor {
	enum sw_resource resource;
	const char *name;	/* "memory" */
	const char *unit;	/* "bytes", "seconds", "cores", "count" */
	/*
	 * runs are of one group, by their ends; the last is the one that the
	 * user asks about.  query.group is not used.  0 (also withheld), or -1
	 * (errno ENOMEM).
	 */
	int (*advise)(const struct sw_runs *runs, const struct sw_query *query,
		      const struct sw_policy *policy,
		      struct sw_suggestion *suggestion);
};

/* All advisors, NULL-terminated. */
extern const struct sw_advisor *const sw_advisors[];

#endif
