/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replay past runs in order of time against a method: what it would have
 * requested, knowing only the runs that had ended by then, and the wastage and
 * failures that follow.
 *
 * Wastage is peak-based, in GB-hours of 1e9 bytes as in the literature (Bader
 * et al., Sizey, CLUSTER 2024): the allocation of failed attempts for
 * time_to_failure of the run's time, and that of the last attempt above the
 * need.  Memory that a run does not use below its peak is not counted.
 */
#ifndef SW_ADVICE_REPLAY_H
#define SW_ADVICE_REPLAY_H

#include <stdint.h>

#include "advice/method.h"

/*
 * A run and its group.  For a retry the method sees the first attempt's
 * request: its own grew because that failed, which reveals the need.
 */
struct sw_replay_run {
	struct sw_run run;
	size_t group;
};

enum sw_replay_order {
	/*
	 * By start; a run is learned if it ended before the next one starts.
	 * Without times in the given order, each learned at once.
	 */
	SW_REPLAY_ONLINE,
	/*
	 * Sizey's protocol: 30 % of each group of at least 34 runs, drawn at
	 * random, are learned first; the others follow shuffled, each learned
	 * at once.
	 */
	SW_REPLAY_SIZEY,
};

struct sw_replay_options {
	enum sw_replay_order order;
	uint64_t seed;
	bool is_warm_only;	/* only groups with a finished run */
	bool has_risks;		/* query risks, which takes time */
};

/* Sums over the counted runs of a group. */
struct sw_replay_sum {
	size_t runs;		/* counted runs */
	size_t failures;	/* failed attempts */
	size_t failed_runs;	/* runs with at least one */
	size_t retries_exhausted;	/* after policy.max_attempts */
	size_t without_suggestion;	/* the user's request was used */
	double wasted_gb_hours;
	double needed_gb_hours;
	/* By the user's requests; NAN if one is not known. */
	double requested_gb_hours;
	double ratio_sum;	/* of allocation to need, for the mean */
};

/*
 * Is the need of a run known, so that it can be predicted and counted?  A run
 * with only a lower bound is learned but never predicted: its wastage and
 * failures are not known.  A run that ended otherwise, without a bound, is not
 * even learned.
 */
bool sw_replay_is_counted(const struct sw_run *run);

/* Result of a counted run. */
struct sw_replay_seen {
	size_t index;
	double first_bytes, last_bytes;
	unsigned attempts;
	size_t known;		/* finished runs of its group at that time */
	double risk;		/* stated risk; NAN */
};

typedef void (*sw_replay_seen_f)(void *context,
				 const struct sw_replay_seen *seen);

/*
 * Replay runs; sums has one item for each group, seen may be NULL.  Returns 0,
 * or -1 (errno ENOMEM).
 */
int sw_replay(const struct sw_method *method, const struct sw_policy *policy,
	      const struct sw_replay_options *options,
	      const struct sw_replay_run *runs, size_t count,
	      struct sw_replay_sum *sums, size_t group_count,
	      sw_replay_seen_f seen, void *context);

#endif
