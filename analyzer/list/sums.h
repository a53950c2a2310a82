/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of "stepwell list" for groups and days. */
#ifndef SW_ANALYZER_LIST_SUMS_H
#define SW_ANALYZER_LIST_SUMS_H

#include "analyzer/list/row.h"

/*
 * Add up the runs by group or day, as sw_list_columns say; runs whose group or
 * day is unknown have a line of their own, which sorts last.  The runs are
 * sorted.  0, or -1 if out of memory.
 */
int sw_list_add_up(struct sw_list_rows *sums, struct sw_list_rows *runs,
		   enum sw_list_by by);

#endif
