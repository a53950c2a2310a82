/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The past of one group as the choice of memory needs it: the newest runs, sums
 * over all of them, and what each way of foretelling (memory_expert.h) said of
 * a run before it was seen.
 */
#ifndef SW_ADVICE_MEMORY_PAST_H
#define SW_ADVICE_MEMORY_PAST_H

#include <stdint.h>

#include "advice/line.h"
#include "advice/method.h"

enum {
	SW_MEMORY_WINDOW = 512,		/* newest runs that are kept */
	SW_MEMORY_HELD_MAX = 4,		/* views of before: memory_group.h */
	SW_MEMORY_EXPERTS_MAX = 16,
	SW_MEMORY_ASKED_MAX = 256,	/* of which the end is awaited */
};

struct sw_memory_run {
	double input_bytes;		/* NAN: not known */
	double need_bytes;		/* the floor at least */
	double requested_bytes;		/* NAN: not known, or of a retry */
	double seen_bytes;		/* need as measured, without a floor */
	double enough_bytes;		/* request it ended well with; NAN */
	bool had_too_little;		/* killed: seen_bytes were not enough */
	double seconds;			/* its weight */
	/* By each expert, before it was seen; NAN: no opinion. */
	double foretold[SW_MEMORY_EXPERTS_MAX];
};

/* Of all runs up to one: enough to look back to how things were then. */
struct sw_memory_view {
	size_t count;
	double largest_bytes, least_bytes, largest_input;
	double seconds, cost;		/* sums; cost: of need times seconds */
	struct sw_line_sums line;	/* of need over input */
	struct sw_line_sums power;	/* of their logarithms */
	double slow_log, quick_log;	/* of need, moving means */
};

/* One that was asked about and has not ended. */
struct sw_memory_asked {
	double start_seconds, input_bytes;
	double foretold[SW_MEMORY_EXPERTS_MAX];
};

/* A run where its input stands among those of the others. */
struct sw_memory_input {
	double input_bytes;
	size_t index;
};

struct sw_memory_past {
	struct sw_memory_run *runs;	/* run i is at i % room */
	size_t room;
	struct sw_memory_input *inputs;	/* that are known, in order */
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

/* The index of the oldest run that a view still has. */
static inline size_t sw_memory_view_first(const struct sw_memory_view *view)
{
	return view->count > SW_MEMORY_WINDOW ?
		view->count - SW_MEMORY_WINDOW : 0;
}

/* The first of the inputs that is not below this one; input_count: none. */
size_t sw_memory_past_find_input(const struct sw_memory_past *past,
				 double input_bytes);

void sw_memory_past_fini(struct sw_memory_past *past);

/* 0, or -1 (errno ENOMEM). */
int sw_memory_past_add(struct sw_memory_past *past,
		       const struct sw_memory_run *run);

/* What was foretold of one that is asked about; lost if there is no room. */
void sw_memory_past_ask(struct sw_memory_past *past,
			const struct sw_query *query, const double *foretold);

/* What was foretold of a run that ended, taken out.  False: was not asked. */
bool sw_memory_past_answer(struct sw_memory_past *past,
			   const struct sw_run *run, double *foretold);

#endif
