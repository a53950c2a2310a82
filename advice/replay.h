/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays past runs in the order of time against a method: what it would have
 * asked for, knowing only what had ended by then, and what that would have
 * wasted and broken.
 *
 * Wastage is peak-based, in GB-hours of 1e9 bytes as the literature has it
 * (Bader et al., Sizey, CLUSTER 2024): for failed attempts what they held for
 * time_to_failure of the run's time, and for the last one what lay above the
 * need.  What a run does not use below its peak is not counted.
 */
#ifndef SW_ADVICE_REPLAY_H
#define SW_ADVICE_REPLAY_H

#include <stdint.h>

#include "advice/method.h"

/*
 * A run and the group that it is of.  Of a retry a method is shown the first
 * attempt's request: its own grew because that failed, which tells the need.
 */
struct sw_replay_run {
	struct sw_run run;
	size_t group;
};

enum sw_replay_order {
	/*
	 * By start; a run is learned when it ended before the next one
	 * starts.  Without times in the given order, each learned at once.
	 */
	SW_REPLAY_ONLINE,
	/*
	 * Sizey's protocol: of each group with at least 34 runs 30 % drawn at
	 * random are learned first, the others come shuffled, each learned at
	 * once.
	 */
	SW_REPLAY_SIZEY,
};

struct sw_replay_options {
	enum sw_replay_order order;
	uint64_t seed;
	bool is_warm_only;	/* count runs whose group has one that ended */
	bool has_risks;		/* ask for them, which takes its time */
};

/* Sums over the counted runs of a group. */
struct sw_replay_sum {
	size_t runs;		/* that were counted */
	size_t failures;	/* failed attempts */
	size_t failed_runs;	/* runs with at least one */
	size_t retries_exhausted;	/* after policy.max_attempts */
	size_t without_suggestion;	/* the user's request was taken */
	double wasted_gb_hours;
	double needed_gb_hours;
	/* As the user asked; NAN where the request of a run is not known. */
	double requested_gb_hours;
	double ratio_sum;	/* of allocation to need, for the mean */
};

/*
 * Whether the need of a run is known, so that it can be asked about and
 * counted.  One of which only a lower bound of the need is known is learned,
 * and never asked about: what it would have wasted or broken cannot be told.
 * One that ended otherwise, with no bound, is not even learned.
 */
bool sw_replay_is_counted(const struct sw_run *run);

/* What became of a counted run. */
struct sw_replay_seen {
	size_t index;
	double first_bytes, last_bytes;
	unsigned attempts;
	size_t known;		/* runs of its group that had ended before */
	double risk;		/* that was stated; NAN */
};

typedef void (*sw_replay_seen_f)(void *context,
				 const struct sw_replay_seen *seen);

/*
 * sums has one item for each group.  0, or -1 (errno ENOMEM).  seen may be
 * NULL.
 */
int sw_replay(const struct sw_method *method, const struct sw_policy *policy,
	      const struct sw_replay_options *options,
	      const struct sw_replay_run *runs, size_t count,
	      struct sw_replay_sum *sums, size_t group_count,
	      sw_replay_seen_f seen, void *context);

#endif
