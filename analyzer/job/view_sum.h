/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Views added up: the steps of a job on one node, and nodes.  What one part
 * does not know is left out of a sum; what none knows stays missing.
 */
#ifndef SW_ANALYZER_VIEW_SUM_H
#define SW_ANALYZER_VIEW_SUM_H

#include "analyzer/view/view.h"

enum sw_sum {
	/*
	 * Of one node: what ran at the same time is added by time, and what
	 * was asked for is the largest, for batch and extern hold the others.
	 */
	SW_SUM_STEPS,
	/*
	 * Of one node likewise, of which each part had a recording of its
	 * own: what these cost and lost adds up.
	 */
	SW_SUM_FILES,
	/*
	 * Requests add up; memory is that of the node that needed most, since
	 * it is asked for per node.
	 */
	SW_SUM_NODES,
};

/*
 * total becomes the sum of count > 0 parts, which must outlive it and of
 * which the first gives the identity and the clock.  0, or -1 with *error (no
 * memory).
 */
int sw_view_sum(struct sw_view *total, const struct sw_view *const *parts,
		size_t count, enum sw_sum how, struct sw_error *error);

#endif
