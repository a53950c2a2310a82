/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of sw_view_sum(); only view_sum*.c include this. */
#ifndef SW_ANALYZER_VIEW_SUM_INTERNAL_H
#define SW_ANALYZER_VIEW_SUM_INTERNAL_H

#include "analyzer/job/view_sum.h"
#include "analyzer/view/view_internal.h"

void sw_view_sum_given(struct sw_view *total,
		       const struct sw_view *const *view, size_t count,
		       enum sw_sum how);
int sw_view_sum_nearby(struct sw_view *total, const struct sw_view *const *view,
		       size_t count);

/*
 * Programs of any views; memory of the steps of a node (total has its reader
 * and times), or of the node that needed most.
 */
int sw_view_sum_programs(struct sw_view *total,
			 const struct sw_view *const *view, size_t count);
int sw_view_sum_memory(struct sw_view *total,
		       const struct sw_view *const *view, size_t count);
int sw_view_take_memory(struct sw_view *total,
			const struct sw_view *const *view,
			const uint64_t *shift_usec, size_t count);

#endif
