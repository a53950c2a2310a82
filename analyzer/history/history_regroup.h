/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts the runs of the history into the groups that other rules give. */
#ifndef SW_ANALYZER_HISTORY_REGROUP_H
#define SW_ANALYZER_HISTORY_REGROUP_H

#include "analyzer/grouping/job_group.h"
#include "analyzer/history/history.h"

/* All rows in one transaction; *moved is how many changed their group. */
int sw_history_regroup(struct sw_history *history,
		       const struct sw_group_rules *rules, size_t *moved,
		       struct sw_error *error);

#endif
