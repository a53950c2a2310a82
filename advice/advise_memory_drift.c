/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determine whether the memory need grows, or only the inputs do. */
#include "advice/advise_memory.h"

#include <math.h>
#include <stdlib.h>

#include "advice/memory_expert.h"
#include "advice/replay.h"
#include "advice/whole.h"

static size_t greatest_divisor(size_t a, size_t b)
{
	while (b) {
		size_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

size_t sw_memory_place_of(const struct sw_memory_question *question, size_t i)
{
	size_t count = question->runs.count, step;

	if (!question->is_grown_input)
		return i;
	for (step = (size_t)((double)count * 0.618034) | 1;
	     greatest_divisor(step, count) > 1; step += 2)
		;
	return i * step % count;
}

/*
 * Test the ratio of each run's need to its prediction (expert NULL: the need
 * itself).  *from: the first run from which the ratio is steady.
 */
static int test_drift(const struct sw_memory_question *question,
		      const struct sw_memory_group *group,
		      const struct sw_memory_expert *expert,
		      struct sw_drift *drift, size_t *from)
{
	struct sw_runs newest = sw_runs_newest(&question->runs,
					       SW_WHOLE_RUNS_MAX);
	size_t first = question->runs.count - newest.count, count = 0, at;
	size_t counted = 0;
	size_t *indices = calloc(newest.count + 1, sizeof(*indices));
	double *values = calloc(newest.count + 1, sizeof(*values));
	int status = -1;

	if (!indices || !values)
		goto out;
	for (size_t i = 0; i < newest.count; i++) {
		const struct sw_run *run = &newest.items[i];
		const struct sw_query query = {
			.input_bytes = run->input_bytes,
			.requested_bytes = sw_run_first_request(run),
		};
		struct sw_memory_ground ground;
		double scale = 1;

		if (!sw_replay_is_counted(run))
			continue;
		counted++;
		if (expert) {
			sw_memory_ground_init(&ground, &group->past,
					      &group->past.now, &query);
			scale = expert->foretell(&ground);
		}
		if (!(scale > 0))
			continue;
		values[count] = fmax(run->need_bytes,
				     question->policy->floor_bytes) / scale;
		indices[count++] = first + i;
	}
	status = sw_drift_steady(values, count, question->policy->min_runs,
				 drift, &at);
	*from = at == 0 ? 0 : at < count ? indices[at] : question->runs.count;
	/* Inputs explain nothing if known for too few runs. */
	if (2 * count < counted)
		*from = question->runs.count;
out:
	free(values);
	free(indices);
	return status;
}

/* Does the drift vanish once the input is taken into account? */
static int is_of_input(const struct sw_memory_question *question,
		       const struct sw_memory_group *group)
{
	static const size_t curves[] = { SW_MEMORY_LINE, SW_MEMORY_POWER };
	struct sw_drift drift;
	size_t i, from;

	if (!(question->query->input_bytes >= 0))
		return 0;
	for (i = 0; i < sizeof(curves) / sizeof(*curves); i++) {
		if (test_drift(question, group, &sw_memory_experts[curves[i]],
			       &drift, &from) < 0)
			return -1;
		if (from == 0)
			return 1;
	}
	return 0;
}

/* *from is 0 without drift, or if needs shrank: they may grow again. */
static int test_growth(struct sw_memory_question *question,
		       const struct sw_memory_group *group,
		       const struct sw_memory_expert *expert, size_t *from)
{
	int status = test_drift(question, group, expert, &question->drift,
				from);

	if (!(question->drift.ratio > 1))
		*from = 0;
	return status;
}

int sw_memory_find_drift(struct sw_memory_question *question,
			 const struct sw_memory_group *group)
{
	const struct sw_memory_expert *expert = question->reason.expert;
	bool is_curve = expert == &sw_memory_experts[SW_MEMORY_LINE] ||
		expert == &sw_memory_experts[SW_MEMORY_POWER];
	bool is_by_input = expert && expert->is_by_input;
	size_t from;
	int answer;

	/*
	 * An expert on near inputs would find the run itself: exclude it at
	 * first.
	 */
	if (test_growth(question, group, is_curve ? expert : NULL, &from) < 0)
		return -1;
	if (from == 0)
		return 0;
	answer = is_of_input(question, group);
	if (answer < 0)
		return -1;
	if (answer > 0) {
		question->is_grown_input = true;
		question->drift = (struct sw_drift){ .p = 1, .ratio = 1 };
		return 0;
	}
	if (is_by_input && !is_curve &&
	    test_growth(question, group, expert, &from) < 0)
		return -1;
	question->from = from;
	return 0;
}
