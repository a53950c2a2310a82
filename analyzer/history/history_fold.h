/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups that are samples of the same work: of one user, with names that differ
 * in a number or the like (sw_family_name()), whose runs had the same programs
 * and requested the same CPUs, nodes, tasks and GPUs.  Runs with unknown
 * programs are not folded.  The groups themselves are not changed.
 */
#ifndef SW_ANALYZER_HISTORY_FOLD_H
#define SW_ANALYZER_HISTORY_FOLD_H

#include "analyzer/grouping/job_group.h"
#include "analyzer/history/history.h"

struct sw_history_fold {
	char name[SW_JOB_GROUP_SIZE]; /* "alice/kmers_s*" */
	size_t names;		      /* groups; below 2: not folded */
	struct sw_history_runs runs;  /* of all groups */
};

/*
 * Find the newest runs, up to limit, of group and the groups folded with it.
 * own, which may be NULL and in no history yet, is a run of the group that
 * gives programs and request; otherwise its newest run does.  Groups made by a
 * rule of the site are not folded.  Return 0, or -1 with *error.
 */
int sw_history_fold(struct sw_history *history, const char *group,
		    const struct sw_history_run *own,
		    const struct sw_group_rules *rules, size_t limit,
		    struct sw_history_fold *fold, struct sw_error *error);

/*
 * For a name without runs, with its user or the caller's: find the newest group
 * with which its runs would be folded, requesting this many CPUs (NAN: any).
 * *group is allocated.  errno ENOENT: none, or their programs differ.
 */
int sw_history_find_relative(struct sw_history *history, const char *what,
			     double cores, char **group,
			     struct sw_error *error);

/*
 * List the groups of whole jobs like sw_history_each_group() (names is 1), and
 * folds with the number of their names.  A group in a fold is listed itself
 * only if at least min_runs of its runs succeeded.
 */
typedef int (*sw_history_folded_f)(void *context, const char *group,
				   size_t runs, size_t names);
int sw_history_each_folded(struct sw_history *history, unsigned min_runs,
			   sw_history_folded_f seen, void *context,
			   struct sw_error *error);

#endif
