/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * History of one group for the choice of memory: the newest runs, sums over all
 * of them, and each predictor's (memory_expert.h) value for a run before it
 * ended.
 */
#ifndef SW_ADVICE_MEMORY_PAST_H
#define SW_ADVICE_MEMORY_PAST_H

#include <stdint.h>

#include "advice/line.h"
#include "advice/method.h"

enum {
	SW_MEMORY_WINDOW = 512,		/* newest runs kept */
	SW_MEMORY_HELD_MAX = 4,		/* earlier views: memory_group.h */
	SW_MEMORY_EXPERTS_MAX = 16,
	SW_MEMORY_ASKED_MAX = 256,	/* queries whose run has not ended */
};

struct sw_memory_run {
	double input_bytes;		/* NAN: not known */
	double need_bytes;		/* at least the floor */
	double requested_bytes;		/* NAN: not known, or a retry */
	double seen_bytes;		/* need as measured, without a floor */
	double enough_bytes;		/* request of a successful run; NAN */
	bool had_too_little;		/* killed: seen_bytes were not enough */
	double seconds;			/* weight of the run */
	/* Predictions by expert, made before the run; NAN: none. */
	double foretold[SW_MEMORY_EXPERTS_MAX];
};

/* Sums over all runs up to one: enough to restore the state at that time. */
struct sw_memory_view {
	size_t count;
	double largest_bytes, least_bytes, largest_input;
	double seconds, cost;		/* sums; cost: of need times seconds */
	struct sw_line_sums line;	/* need over input */
	struct sw_line_sums power;	/* their logarithms */
	double slow_log, quick_log;	/* moving means of log need */
};

/* A queried run that has not ended. */
struct sw_memory_asked {
	double start_seconds, input_bytes;
	double foretold[SW_MEMORY_EXPERTS_MAX];
};

/* A run in the list sorted by input. */
struct sw_memory_input {
	double input_bytes;
	size_t index;
};

struct sw_memory_past {
	struct sw_memory_run *runs;	/* run i is at i % room */
	size_t room;
	struct sw_memory_input *inputs;	/* the known ones, sorted */
	size_t input_count;
	struct sw_memory_view now;
	struct sw_memory_asked *asked;
	size_t asked_count;
};

static inline const struct sw_memory_run *
sw_memory_past_run(const struct sw_memory_past *past, size_t index)
{
	return &past->runs[index % past->room];
}

/* Return the index of the oldest run still available to a view. */
static inline size_t sw_memory_view_first(const struct sw_memory_view *view)
{
	return view->count > SW_MEMORY_WINDOW ?
		view->count - SW_MEMORY_WINDOW : 0;
}

/* Return the first input that is not below this one; input_count: none. */
size_t sw_memory_past_find_input(const struct sw_memory_past *past,
				 double input_bytes);

void sw_memory_past_fini(struct sw_memory_past *past);

/* 0, or -1 (errno ENOMEM). */
int sw_memory_past_add(struct sw_memory_past *past,
		       const struct sw_memory_run *run);

/* Store the predictions for a queried run; dropped if there is no room. */
void sw_memory_past_ask(struct sw_memory_past *past,
			const struct sw_query *query, const double *foretold);

/* Take the predictions of a run that ended.  Returns false if never queried. */
bool sw_memory_past_answer(struct sw_memory_past *past,
			   const struct sw_run *run, double *foretold);

#endif
