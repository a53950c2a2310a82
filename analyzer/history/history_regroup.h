/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assign the runs of the history to groups by new rules. */
#ifndef SW_ANALYZER_HISTORY_REGROUP_H
#define SW_ANALYZER_HISTORY_REGROUP_H

#include "analyzer/grouping/job_group.h"
#include "analyzer/history/history.h"

/* All rows in one transaction; *moved: runs with a new group. */
int sw_history_regroup(struct sw_history *history,
		       const struct sw_group_rules *rules, size_t *moved,
		       struct sw_error *error);

#endif
