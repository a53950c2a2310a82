/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Add up views: steps of a job on one node, and nodes.  Values that a part
 * lacks are left out of a sum; values that all parts lack stay missing.
 */
#ifndef SW_ANALYZER_VIEW_SUM_H
#define SW_ANALYZER_VIEW_SUM_H

#include "analyzer/view/view.h"

enum sw_sum {
	/*
	 * Steps on one node: simultaneous use is added over time, and the
	 * request is the largest, since batch and extern hold the others.
	 */
	SW_SUM_STEPS,
	/*
	 * Likewise, with a separate recording for each part: their cost and
	 * gaps add up.
	 */
	SW_SUM_FILES,
	/*
	 * Requests add up; memory is that of the node that needed most, since
	 * it is requested per node.
	 */
	SW_SUM_NODES,
};

/*
 * Make total the sum of count > 0 parts, which must outlive it; the first part
 * provides identity and clock.  Return 0, or -1 with *error (out of memory).
 */
int sw_view_sum(struct sw_view *total, const struct sw_view *const *parts,
		size_t count, enum sw_sum how, struct sw_error *error);

#endif
