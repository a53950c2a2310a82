/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of advice: from past runs of one group to the next request, or
 * the reason for giving none.  Pure functions without I/O; an advisor is one
 * file (advise_*.c) and one row in advisors.c.
 */
#ifndef SW_ADVICE_SUGGESTION_H
#define SW_ADVICE_SUGGESTION_H

#include "advice/method.h"

enum sw_resource {
	SW_RESOURCE_MEMORY,	/* bytes on each node */
	SW_RESOURCE_TIME,	/* seconds */
	SW_RESOURCE_CORES,	/* of the job on each node */
	SW_RESOURCE_GPUS,
	SW_RESOURCE_TASKS,
	SW_RESOURCE_NODES,
};

enum {
	SW_RETRIES_MAX = 4,
	SW_BACKTEST_RUNS_MAX = 200,	/* newest runs replayed for memory */
	SW_STATISTIC_SIZE = 96,
	SW_WHY_SIZE = 512,
};

/* The advice compared with the group's own past, in order of time. */
struct sw_backtest {
	size_t of;		/* runs with a prediction */
	size_t fits;		/* runs that would have fitted at once */
	double saved_gib_hours;	/* against the actual requests; NAN */
	double saved_core_hours;
	double saved_gpu_hours;
	double saved_cost;	/* in the policy's currency; NAN */
};

/*
 * The suggested number itself compared with past runs: a backtest replays what
 * would have been suggested at the time, a different number for each run.  A
 * run whose need is not known well enough is not counted.
 */
struct sw_fit {
	size_t of, fits;
};

/* Reason for ending the list of requests after a failure. */
enum sw_retry_limit {
	SW_RETRY_LIMIT_NONE,	/* more steps exist than are listed */
	SW_RETRY_LIMIT_NODE,	/* a node has no more */
	SW_RETRY_LIMIT_KNOWN,	/* no larger request or node is known */
	SW_RETRY_LIMIT_BEYOND,	/* the suggestion exceeds those known */
};

struct sw_suggestion {
	enum sw_resource resource;
	/*
	 * Withheld: why says the reason, remedy what helps; the numbers are
	 * NAN.  Otherwise suggested may equal current: it fits already.
	 */
	bool is_withheld;
	bool is_few;		/* withheld, for too few runs */
	double current;		/* current request; NAN */
	double suggested;
	/* Requests after a failure, in order. */
	double retries[SW_RETRIES_MAX];
	size_t retry_count;
	enum sw_retry_limit retry_limit;
	bool is_lower_bound;	/* step up after an OOM kill, need not known */
	double risk;		/* that a run needs more, 0 to 1; NAN */
	size_t runs;		/* runs it is based on */
	char statistic[SW_STATISTIC_SIZE];	/* "98th percentile + 4 %" */
	double margin;		/* ratio to the largest need seen; NAN */
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
	 * runs are of one group, ordered by end time; the last is the one the
	 * user asks about.  query.group is not used.  Returns 0 (also if
	 * withheld), or -1 (errno ENOMEM).
	 */
	int (*advise)(const struct sw_runs *runs, const struct sw_query *query,
		      const struct sw_policy *policy,
		      struct sw_suggestion *suggestion);
};

/* All advisors, NULL-terminated. */
extern const struct sw_advisor *const sw_advisors[];

#endif
