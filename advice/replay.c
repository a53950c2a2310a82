/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replay runs against a method and add up wastage and failures. */
#include "advice/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/learner.h"

#define BYTES_PER_GB 1e9
#define SECONDS_PER_HOUR 3600.0

/* Sizey's protocol: smaller groups are left out; share of runs for testing. */
enum { SIZEY_RUNS_MIN = 34, SIZEY_TEST_PERCENT = 70 };

struct replay {
	struct sw_learner learner;
	const struct sw_policy *policy;
	const struct sw_replay_run *runs;
	bool is_warm_only, has_risks;
	struct sw_replay_sum *sums;
	size_t *learned;	/* finished runs, by group */
	sw_replay_seen_f seen;
	void *context;
};

bool sw_replay_is_counted(const struct sw_run *run)
{
	return (run->state == SW_RUN_COMPLETED ||
		run->state == SW_RUN_UNKNOWN) &&
	       !run->is_lower_bound && run->need_bytes > 0;
}

static int learn(struct replay *replay, size_t index)
{
	const struct sw_replay_run *item = &replay->runs[index];
	bool is_whole = sw_replay_is_counted(&item->run);

	if (!is_whole && !(item->run.is_lower_bound &&
			   item->run.need_bytes > 0))
		return 0;
	if (is_whole)
		replay->learned[item->group]++;
	return sw_learner_learn(&replay->learner, item->group, &item->run);
}

/* Without an answer use the user's request, or else all memory. */
static double first_of(struct replay *replay, const struct sw_query *query,
		       struct sw_replay_sum *sum)
{
	const struct sw_policy *policy = replay->policy;
	double bytes = sw_learner_ask(&replay->learner, query);

	if (!(bytes > 0)) {
		sum->without_suggestion++;
		bytes = query->requested_bytes > 0 ? query->requested_bytes :
						     policy->cap_bytes;
	}
	return fmin(fmax(bytes, policy->floor_bytes), policy->cap_bytes);
}

static double next_of(struct replay *replay, const struct sw_query *query,
		      double failed_bytes, unsigned attempt)
{
	double bytes = sw_learner_again(&replay->learner, query, failed_bytes,
					attempt);

	if (!(bytes > failed_bytes))
		bytes = 2 * failed_bytes;
	return fmin(bytes, replay->policy->cap_bytes);
}

static double gb_hours(double bytes, const struct sw_run *run)
{
	/* A run of unknown duration has no wastage. */
	if (!(run->elapsed_seconds > 0))
		return 0;
	return bytes / BYTES_PER_GB * run->elapsed_seconds / SECONDS_PER_HOUR;
}

static void count(struct replay *replay, size_t index)
{
	const struct sw_replay_run *item = &replay->runs[index];
	const struct sw_run *run = &item->run;
	struct sw_replay_sum *sum = &replay->sums[item->group];
	const struct sw_policy *policy = replay->policy;
	const struct sw_query query = {
		.group = item->group,
		.input_bytes = policy->uses_input ? run->input_bytes : NAN,
		.requested_bytes = sw_run_first_request(run),
		.start_seconds = run->start_seconds,
	};
	struct sw_replay_seen seen = {
		.index = index, .known = replay->learned[item->group],
		.risk = NAN,
	};
	double first, bytes;
	unsigned attempts = 1;

	bytes = first = first_of(replay, &query, sum);
	if (replay->has_risks)
		seen.risk = sw_learner_risk(&replay->learner, &query, first);
	while (bytes < run->need_bytes) {
		sum->failures++;
		sum->wasted_gb_hours +=
			gb_hours(bytes * policy->time_to_failure, run);
		if (attempts >= policy->max_attempts ||
		    bytes >= policy->cap_bytes)
			break;
		bytes = next_of(replay, &query, bytes, ++attempts);
	}
	sum->runs++;
	sum->failed_runs += first < run->need_bytes;
	if (bytes < run->need_bytes)
		sum->retries_exhausted++;
	else
		sum->wasted_gb_hours += gb_hours(bytes - run->need_bytes, run);
	sum->needed_gb_hours += gb_hours(run->need_bytes, run);
	sum->requested_gb_hours += gb_hours(run->requested_bytes, run);
	sum->ratio_sum += bytes / run->need_bytes;
	seen.first_bytes = first;
	seen.last_bytes = bytes;
	seen.attempts = attempts;
	if (replay->seen)
		replay->seen(replay->context, &seen);
}

static void ask(struct replay *replay, size_t index)
{
	const struct sw_replay_run *item = &replay->runs[index];

	if (sw_replay_is_counted(&item->run) &&
	    (replay->learned[item->group] || !replay->is_warm_only))
		count(replay, index);
}

/* Time of a run; ties are ordered by index, so that a replay is repeatable. */
struct moment {
	double seconds;
	size_t index;
};

static int compare_moments(const void *left, const void *right)
{
	const struct moment *a = left, *b = right;

	if (a->seconds != b->seconds)
		return a->seconds < b->seconds ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static double end_of(const struct sw_run *run)
{
	return isnan(run->end_seconds) ?
		run->start_seconds + run->elapsed_seconds : run->end_seconds;
}

static bool has_times(const struct sw_run *run)
{
	return isfinite(run->start_seconds) && isfinite(end_of(run)) &&
	       end_of(run) >= run->start_seconds;
}

/*
 * Starts and ends, each sorted by time.  Groups that contain a run without
 * times are replayed before, in the given order, each run learned at once.
 */
struct moments {
	struct moment *starts, *ends;
	size_t count;
};

static int split(struct replay *replay, size_t run_count, size_t group_count,
		 struct moments *moments)
{
	bool *is_timed = malloc((group_count ? group_count : 1) *
				sizeof(*is_timed));
	size_t i;
	int rc = 0;

	if (!is_timed)
		return -1;
	for (i = 0; i < group_count; i++)
		is_timed[i] = true;
	for (i = 0; i < run_count; i++)
		is_timed[replay->runs[i].group] &=
			has_times(&replay->runs[i].run);
	for (i = 0; i < run_count && rc == 0; i++) {
		const struct sw_run *run = &replay->runs[i].run;

		if (is_timed[replay->runs[i].group]) {
			moments->starts[moments->count] = (struct moment){
				run->start_seconds, i };
			moments->ends[moments->count++] = (struct moment){
				end_of(run), i };
			continue;
		}
		ask(replay, i);
		rc = learn(replay, i);
	}
	free(is_timed);
	return rc;
}

static int replay_moments(struct replay *replay, struct moments *moments)
{
	size_t i, ended = 0;

	qsort(moments->starts, moments->count, sizeof(*moments->starts),
	      compare_moments);
	qsort(moments->ends, moments->count, sizeof(*moments->ends),
	      compare_moments);
	for (i = 0; i < moments->count; i++) {
		/* A run that ends as it starts does not see itself. */
		while (moments->ends[ended].seconds <
		       moments->starts[i].seconds) {
			if (learn(replay, moments->ends[ended++].index) < 0)
				return -1;
		}
		ask(replay, moments->starts[i].index);
	}
	return 0;
}

static int replay_online(struct replay *replay, size_t run_count,
			 size_t group_count)
{
	size_t size = (run_count ? run_count : 1) * sizeof(struct moment);
	struct moments moments = {
		.starts = malloc(size), .ends = malloc(size),
	};
	int rc = -1;

	if (moments.starts && moments.ends &&
	    split(replay, run_count, group_count, &moments) == 0)
		rc = replay_moments(replay, &moments);
	free(moments.starts);
	free(moments.ends);
	return rc;
}

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t draw(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static void shuffle(size_t *items, size_t item_count, uint64_t *seed)
{
	size_t i;

	for (i = item_count; i > 1; i--) {
		size_t other = (size_t)(draw(seed) % i);
		size_t kept = items[i - 1];

		items[i - 1] = items[other];
		items[other] = kept;
	}
}

static int replay_shuffled(struct replay *replay, size_t *items,
			   size_t item_count, uint64_t *seed)
{
	size_t tests = (item_count * SIZEY_TEST_PERCENT + 99) / 100, i;

	if (item_count < SIZEY_RUNS_MIN)
		return 0;
	shuffle(items, item_count, seed);
	for (i = 0; i < item_count; i++) {
		if (i >= item_count - tests)
			ask(replay, items[i]);
		if (learn(replay, items[i]) < 0)
			return -1;
	}
	return 0;
}

static bool is_in_protocol(const struct sw_run *run)
{
	return sw_replay_is_counted(run) && run->elapsed_seconds > 0;
}

/* items: the runs of the protocol by group; firsts: start of each group. */
static int replay_sizey(struct replay *replay, size_t run_count,
			size_t group_count, uint64_t seed)
{
	size_t *firsts = calloc(group_count + 2, sizeof(*firsts));
	size_t *items = malloc((run_count ? run_count : 1) * sizeof(*items));
	size_t i;
	int rc = firsts && items ? 0 : -1;

	for (i = 0; rc == 0 && i < run_count; i++) {
		if (is_in_protocol(&replay->runs[i].run))
			firsts[replay->runs[i].group + 2]++;
	}
	for (i = 2; rc == 0 && i < group_count + 2; i++)
		firsts[i] += firsts[i - 1];
	for (i = 0; rc == 0 && i < run_count; i++) {
		if (is_in_protocol(&replay->runs[i].run))
			items[firsts[replay->runs[i].group + 1]++] = i;
	}
	for (i = 0; rc == 0 && i < group_count; i++)
		rc = replay_shuffled(replay, &items[firsts[i]],
				     firsts[i + 1] - firsts[i], &seed);
	free(firsts);
	free(items);
	return rc;
}

int sw_replay(const struct sw_method *method, const struct sw_policy *policy,
	      const struct sw_replay_options *options,
	      const struct sw_replay_run *runs, size_t run_count,
	      struct sw_replay_sum *sums, size_t group_count,
	      sw_replay_seen_f seen, void *context)
{
	struct replay replay = {
		.policy = policy, .runs = runs,
		.is_warm_only = options->is_warm_only,
		.has_risks = options->has_risks, .sums = sums,
		.seen = seen, .context = context,
	};
	int rc;

	memset(sums, 0, group_count * sizeof(*sums));
	replay.learned = calloc(group_count ? group_count : 1,
				sizeof(*replay.learned));
	if (!replay.learned)
		return -1;
	sw_learner_init(&replay.learner, method, policy);
	rc = options->order == SW_REPLAY_SIZEY ?
		replay_sizey(&replay, run_count, group_count, options->seed) :
		replay_online(&replay, run_count, group_count);
	sw_learner_fini(&replay.learner);
	free(replay.learned);
	return rc;
}
