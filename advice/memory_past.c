/* SPDX-License-Identifier: GPL-2.0-or-later */
/* History of one group. */
#include "advice/memory_past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"

/* Weights of the newest run in the moving means. */
static const double slow_weight = 0.05, quick_weight = 0.3;

void sw_memory_past_fini(struct sw_memory_past *past)
{
	free(past->runs);
	free(past->inputs);
	free(past->asked);
	*past = (struct sw_memory_past){ 0 };
}

/* Run i moves to i % room. */
static int grow(struct sw_memory_past *past)
{
	size_t room = past->room ? 2 * past->room : 8;
	struct sw_memory_input *inputs;
	struct sw_memory_run *runs;

	if (past->now.count < past->room ||
	    past->room == SW_MEMORY_WINDOW + SW_MEMORY_HELD_MAX)
		return 0;
	if (room > SW_MEMORY_WINDOW)
		room = SW_MEMORY_WINDOW + SW_MEMORY_HELD_MAX;
	/* The ring has not wrapped yet, so all runs stay where they are. */
	runs = realloc(past->runs, room * sizeof(*runs));
	if (!runs)
		return -1;
	past->runs = runs;
	inputs = realloc(past->inputs, room * sizeof(*inputs));
	if (!inputs)
		return -1;
	past->inputs = inputs;
	past->room = room;
	return 0;
}

size_t sw_memory_past_find_input(const struct sw_memory_past *past,
				 double input_bytes)
{
	size_t low = 0, high = past->input_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (past->inputs[middle].input_bytes < input_bytes)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void put_input(struct sw_memory_past *past, double input_bytes,
		      size_t index)
{
	size_t place = sw_memory_past_find_input(past, input_bytes);

	memmove(&past->inputs[place + 1], &past->inputs[place],
		(past->input_count++ - place) * sizeof(*past->inputs));
	past->inputs[place] = (struct sw_memory_input){ input_bytes, index };
}

/* Remove the input of the run that the next one overwrites. */
static void drop_input(struct sw_memory_past *past, size_t index)
{
	double input_bytes = sw_memory_past_run(past, index)->input_bytes;
	size_t place;

	if (!(input_bytes >= 0))
		return;
	place = sw_memory_past_find_input(past, input_bytes);
	while (past->inputs[place].index != index)
		place++;
	memmove(&past->inputs[place], &past->inputs[place + 1],
		(--past->input_count - place) * sizeof(*past->inputs));
}

static void move(double *mean, double value, double weight, size_t count)
{
	*mean += (value - *mean) * fmax(weight, 1 / (double)(count + 1));
}

int sw_memory_past_add(struct sw_memory_past *past,
		       const struct sw_memory_run *run)
{
	struct sw_memory_view *now = &past->now;
	double need = run->need_bytes;

	if (grow(past) < 0)
		return -1;
	if (now->count >= past->room)
		drop_input(past, now->count - past->room);
	past->runs[now->count % past->room] = *run;
	if (now->count == 0 || need < now->least_bytes)
		now->least_bytes = need;
	now->largest_bytes = fmax(now->largest_bytes, need);
	now->seconds += run->seconds;
	now->cost += need * run->seconds;
	move(&now->slow_log, log(need), slow_weight, now->count);
	move(&now->quick_log, log(need), quick_weight, now->count);
	if (run->input_bytes >= 0) {
		put_input(past, run->input_bytes, now->count);
		now->largest_input = fmax(now->largest_input,
					  run->input_bytes);
		sw_line_sums_add(&now->line, run->input_bytes, need, 1);
		sw_line_sums_add(&now->power, log(run->input_bytes + 1),
				 log(need), 1);
	}
	now->count++;
	return 0;
}

static bool is_same(double one, double other)
{
	return one == other || (isnan(one) && isnan(other));
}

void sw_memory_past_ask(struct sw_memory_past *past,
			const struct sw_query *query, const double *foretold)
{
	struct sw_memory_asked *asked;

	/* The run of the oldest query is unlikely to end any more. */
	if (past->asked_count == SW_MEMORY_ASKED_MAX)
		memmove(past->asked, past->asked + 1,
			--past->asked_count * sizeof(*past->asked));
	if (sw_grow(&past->asked, past->asked_count, sizeof(*past->asked)) < 0)
		return;
	asked = &past->asked[past->asked_count++];
	asked->start_seconds = query->start_seconds;
	asked->input_bytes = query->input_bytes;
	memcpy(asked->foretold, foretold, sizeof(asked->foretold));
}

bool sw_memory_past_answer(struct sw_memory_past *past,
			   const struct sw_run *run, double *foretold)
{
	size_t i = past->asked_count;

	while (i-- > 0) {
		struct sw_memory_asked *asked = &past->asked[i];

		if (!is_same(asked->start_seconds, run->start_seconds) ||
		    (!isnan(asked->input_bytes) &&
		     asked->input_bytes != run->input_bytes))
			continue;
		memcpy(foretold, asked->foretold, sizeof(asked->foretold));
		memmove(asked, asked + 1,
			(--past->asked_count - i) * sizeof(*asked));
		return true;
	}
	return false;
}
