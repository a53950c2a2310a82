/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways of foretelling a run's need from those before it: simple ones, none
 * right for every group.  Which one to follow, and how far above it to stay,
 * is chosen by what each would have cost (memory_rule.h).
 */
#ifndef SW_ADVICE_MEMORY_EXPERT_H
#define SW_ADVICE_MEMORY_EXPERT_H

#include "advice/memory_past.h"

/* Those that are spoken of by name, at their places among all. */
enum {
	SW_MEMORY_LARGEST,
	SW_MEMORY_LEVEL,
	SW_MEMORY_LINE = 7,
	SW_MEMORY_POWER,
	SW_MEMORY_REQUEST = 12,
};

enum { SW_MEMORY_NEAR = 12 };

/* Needs of runs with such an input, nearest first, of equals newest first. */
struct sw_memory_near {
	bool is_known;		/* looked for by the first who asks */
	double distance[SW_MEMORY_NEAR], need[SW_MEMORY_NEAR];
	size_t index[SW_MEMORY_NEAR];
	size_t count;
	double largest_of_same;	/* with that very input; 0: none */
};

/* What something is foretold from. */
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
	 * Bytes, from the runs of the view, of which there is one or more;
	 * NAN: no opinion.
	 */
	double (*foretell)(struct sw_memory_ground *ground);
};

extern const struct sw_memory_expert sw_memory_experts[];
extern const size_t sw_memory_expert_count;

/* By all experts; foretold has SW_MEMORY_EXPERTS_MAX items. */
void sw_memory_foretell(const struct sw_memory_past *past,
			const struct sw_memory_view *view,
			const struct sw_query *query, double *foretold);

#endif
