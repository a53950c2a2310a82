/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The past of one group. */
#include "advice/memory_past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights of the newest run in the moving means. */
static const double slow_weight = 0.05, quick_weight = 0.3;

void sw_memory_past_fini(struct sw_memory_past *past)
{
	free(past->runs);
	free(past->asked);
	*past = (struct sw_memory_past){ 0 };
}

/* Run i moves to where a room of that size has it. */
static int grow(struct sw_memory_past *past)
{
	size_t room = past->room ? 2 * past->room : 8;
	struct sw_memory_run *runs;

	if (past->now.count < past->room ||
	    past->room == SW_MEMORY_WINDOW + SW_MEMORY_HELD_MAX)
		return 0;
	if (room > SW_MEMORY_WINDOW)
		room = SW_MEMORY_WINDOW + SW_MEMORY_HELD_MAX;
	/* Nothing has gone round yet, so all stay where they are. */
	runs = realloc(past->runs, room * sizeof(*runs));
	if (!runs)
		return -1;
	past->runs = runs;
	past->room = room;
	return 0;
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
	past->runs[now->count % past->room] = *run;
	if (now->count == 0 || need < now->least_bytes)
		now->least_bytes = need;
	now->largest_bytes = fmax(now->largest_bytes, need);
	now->seconds += run->seconds;
	now->cost += need * run->seconds;
	move(&now->slow_log, log(need), slow_weight, now->count);
	move(&now->quick_log, log(need), quick_weight, now->count);
	if (run->input_bytes >= 0) {
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
	size_t room = past->asked_room ? 2 * past->asked_room : 4;
	struct sw_memory_asked *asked;

	if (past->asked_count == SW_MEMORY_ASKED_MAX) {
		/* The oldest will hardly come any more. */
		memmove(past->asked, past->asked + 1,
			--past->asked_count * sizeof(*past->asked));
	} else if (past->asked_count == past->asked_room) {
		asked = realloc(past->asked, room * sizeof(*asked));
		if (!asked)
			return;
		past->asked = asked;
		past->asked_room = room;
	}
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
