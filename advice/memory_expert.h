/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simple predictors of a run's need from earlier runs, none right for every
 * group.  The choice of one, and of the margin above it, is by what each would
 * have cost (memory_rule.h).
 */
#ifndef SW_ADVICE_MEMORY_EXPERT_H
#define SW_ADVICE_MEMORY_EXPERT_H

#include "advice/memory_past.h"

/* Indices of the predictors referred to by name. */
enum {
	SW_MEMORY_LARGEST,
	SW_MEMORY_LEVEL,
	SW_MEMORY_LINE = 7,
	SW_MEMORY_POWER,
	SW_MEMORY_REQUEST = 12,
};

enum { SW_MEMORY_NEAR = 12 };

/* Needs of runs with such an input, nearest first, newest first if equal. */
struct sw_memory_near {
	bool is_known;		/* computed on first use */
	double distance[SW_MEMORY_NEAR], need[SW_MEMORY_NEAR];
	size_t index[SW_MEMORY_NEAR];
	size_t count;
	double largest_of_same;	/* with exactly that input; 0: none */
};

/* Input of a prediction. */
struct sw_memory_ground {
	const struct sw_memory_past *past;
	const struct sw_memory_view *view;
	const struct sw_query *query;
	struct sw_memory_near near;
};

void sw_memory_ground_init(struct sw_memory_ground *ground,
			   const struct sw_memory_past *past,
			   const struct sw_memory_view *view,
			   const struct sw_query *query);

struct sw_memory_expert {
	const char *words;	/* "line on input size", for the sentences */
	bool is_by_input;
	bool can_add;		/* a margin in bytes makes sense, too */
	/*
	 * Predict bytes from the runs of the view, at least one; NAN: no
	 * prediction.
	 */
	double (*foretell)(struct sw_memory_ground *ground);
};

extern const struct sw_memory_expert sw_memory_experts[];
extern const size_t sw_memory_expert_count;

/* Predict by all experts; foretold has SW_MEMORY_EXPERTS_MAX items. */
void sw_memory_foretell(const struct sw_memory_past *past,
			const struct sw_memory_view *view,
			const struct sw_query *query, double *foretold);

#endif
