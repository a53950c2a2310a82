/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays sets against each side. */
#include "bench/advice_sides.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OURS "stepwell"

enum { RISKS = SW_RISK_HIGH + 1 };

const double advice_times[ADVICE_TIMES] = { 1.0, 0.5 };

static const char *const risk_names[RISKS] = {
	[SW_RISK_LOW] = "low", [SW_RISK_MEDIUM] = "medium",
	[SW_RISK_HIGH] = "high",
};

static void add_ours(struct advice_sides *sides,
		     const struct sw_method *method, bool is_without_input)
{
	int risk;

	for (risk = 0; risk < RISKS; risk++) {
		struct advice_side *side = &sides->items[sides->count++];

		*side = (struct advice_side){
			.method = method, .risk = (enum sw_risk)risk,
			.is_ours = true,
			.is_without_input = is_without_input,
			.failure_price = NAN,
		};
		snprintf(side->label, sizeof(side->label), "%s %s%s",
			 method->name, risk_names[risk],
			 is_without_input ? " -input" : "");
	}
}

static void add_other(struct advice_sides *sides,
		      const struct sw_method *method)
{
	struct advice_side *side = &sides->items[sides->count++];

	*side = (struct advice_side){
		.method = method, .risk = sw_policy_default.risk,
		.is_published = strcmp(method->name, "request") != 0,
		.failure_price = NAN,
	};
	snprintf(side->label, sizeof(side->label), "%s", method->name);
}

int advice_sides_init(struct advice_sides *sides)
{
	const struct sw_method *ours = sw_method_find(OURS);
	const struct sw_method *const *method;
	size_t count = 0;

	for (method = sw_methods; *method; method++)
		count++;
	*sides = (struct advice_sides){
		.items = calloc(count + 2 * RISKS, sizeof(*sides->items)),
	};
	if (!sides->items)
		return -1;
	if (ours)
		add_ours(sides, ours, false);
	for (method = sw_methods; *method; method++) {
		if (*method != ours)
			add_other(sides, *method);
	}
	if (ours)
		add_ours(sides, ours, true);
	return 0;
}

void advice_sides_fini(struct advice_sides *sides)
{
	free(sides->items);
	*sides = (struct advice_sides){ 0 };
}

const struct advice_side *advice_sides_find(const struct advice_sides *sides,
					    const char *method,
					    enum sw_risk risk,
					    bool is_without_input)
{
	size_t i;

	for (i = 0; i < sides->count; i++) {
		const struct advice_side *side = &sides->items[i];

		if (!strcmp(side->method->name, method) &&
		    (!side->is_ours ||
		     (side->risk == risk &&
		      side->is_without_input == is_without_input)))
			return side;
	}
	return NULL;
}

static void add_row(struct advice_row *sum, const struct sw_backtest_row *row,
		    double share)
{
	sum->tasks += share * (double)row->tasks;
	sum->failures += share * (double)row->failures;
	sum->failed_tasks += share * (double)row->failed_tasks;
	sum->retries_exhausted += share * (double)row->retries_exhausted;
	sum->wasted_gib_hours += share * row->wasted_gib_hours;
	sum->mean_ratio += share * row->mean_ratio;
	sum->median_ratio += share * row->median_ratio;
}

static struct sw_policy policy_of(const struct advice_side *side,
				  const struct sw_trace *trace,
				  double time_to_failure)
{
	struct sw_policy policy = sw_policy_default;

	policy.risk = side->risk;
	policy.uses_input = !side->is_without_input;
	policy.cap_bytes = sw_backtest_cap(trace);
	policy.time_to_failure = time_to_failure;
	policy.failure_price = side->failure_price;
	return policy;
}

static int replay_once(struct advice_row *rows, const struct sw_trace *trace,
		       const struct advice_side *side,
		       const struct sw_replay_options *options,
		       double time_to_failure, double share)
{
	struct sw_policy policy = policy_of(side, trace, time_to_failure);
	struct sw_backtest_result result;
	size_t i;
	int rc;

	rc = sw_backtest_init(&result, trace, side->method, &policy, options);
	if (rc == 0) {
		for (i = 0; i < result.count; i++)
			add_row(&rows[i], &result.rows[i], share);
		add_row(&rows[i], &result.total, share);
	}
	sw_backtest_fini(&result);
	return rc;
}

/* Copy the trace without input sizes: they are neither queried nor learned. */
static int strip(struct sw_trace *stripped, const struct sw_trace *trace)
{
	size_t i;

	*stripped = *trace;
	stripped->runs = malloc((trace->count + 1) * sizeof(*trace->runs));
	if (!stripped->runs)
		return -1;
	for (i = 0; i < trace->count; i++) {
		stripped->runs[i] = trace->runs[i];
		stripped->runs[i].run.input_bytes = NAN;
	}
	return 0;
}

static size_t size_of(size_t known)
{
	size_t size = 0;

	while (size + 1 < ADVICE_SIZES && known > (size_t)1 << size)
		size++;
	return size;
}

static void take_promise(void *context, const struct sw_replay_seen *seen)
{
	struct advice_promise *promises = context;
	struct advice_promise *promise = &promises[size_of(seen->known)];

	if (isnan(seen->risk))
		return;
	promise->runs++;
	promise->promised += seen->risk;
	promise->failed += seen->attempts > 1;
}

/*
 * Replay again with risks: each promise costs as much time as the advice
 * itself.
 */
static int keep_promises(struct advice_result *result,
			 const struct advice_side *side,
			 const struct sw_trace *trace,
			 const struct sw_replay_options *options)
{
	struct sw_policy policy = policy_of(side, trace, advice_times[0]);
	struct sw_replay_sum *sums = calloc(trace->group_count + 1,
					    sizeof(*sums));
	struct sw_replay_options asked = *options;
	int rc = -1;

	asked.has_risks = true;
	if (sums)
		rc = sw_replay(side->method, &policy, &asked, trace->runs,
			       trace->count, sums, trace->group_count,
			       take_promise, result->promises);
	free(sums);
	return rc;
}

static int replay_all(struct advice_result *result,
		      const struct advice_side *side,
		      const struct sw_trace *trace,
		      const struct advice_protocol *protocol)
{
	double share = 1 / (double)protocol->seed_count;
	size_t i, j;

	for (i = 0; i < ADVICE_TIMES; i++) {
		for (j = 0; j < protocol->seed_count; j++) {
			struct sw_replay_options options = {
				.order = protocol->order,
				.seed = protocol->seeds[j],
				.is_warm_only = true,
			};

			if (replay_once(result->rows[i], trace, side, &options,
					advice_times[i], share) < 0 ||
			    (i == 0 && side->is_ours &&
			     keep_promises(result, side, trace, &options) < 0))
				return -1;
		}
	}
	return 0;
}

static int make_rows(struct advice_result *result,
		     const struct sw_trace *trace)
{
	size_t i;

	*result = (struct advice_result){ 0 };
	for (i = 0; i < ADVICE_TIMES; i++) {
		result->rows[i] = calloc(trace->workflow_count + 1,
					 sizeof(*result->rows[i]));
		if (!result->rows[i])
			return -1;
	}
	return 0;
}

int advice_result_copy(struct advice_result *result,
		       const struct advice_result *other,
		       const struct sw_trace *trace)
{
	size_t i;

	if (make_rows(result, trace) < 0)
		return -1;
	memcpy(result->promises, other->promises, sizeof(result->promises));
	for (i = 0; i < ADVICE_TIMES; i++)
		memcpy(result->rows[i], other->rows[i],
		       (trace->workflow_count + 1) * sizeof(*result->rows[i]));
	return 0;
}

int advice_result_init(struct advice_result *result,
		       const struct advice_side *side,
		       const struct sw_trace *trace,
		       const struct advice_protocol *protocol)
{
	struct sw_trace stripped = *trace;
	int rc = 0;

	if (make_rows(result, trace) < 0)
		return -1;
	if (side->is_without_input)
		rc = strip(&stripped, trace);
	if (rc == 0)
		rc = replay_all(result, side, &stripped, protocol);
	if (side->is_without_input)
		free(stripped.runs);
	return rc;
}

void advice_result_fini(struct advice_result *result)
{
	size_t i;

	for (i = 0; i < ADVICE_TIMES; i++)
		free(result->rows[i]);
	*result = (struct advice_result){ 0 };
}
