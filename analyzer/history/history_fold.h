/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups that are samples of the same work: of one user, with names that differ
 * in a number or the like (sw_family_name()), whose runs had the same programs
 * and requested as many CPUs, nodes, tasks and GPUs.  A run whose programs are
 * not known is folded with none.  The groups themselves stay as they are.
 */
#ifndef SW_ANALYZER_HISTORY_FOLD_H
#define SW_ANALYZER_HISTORY_FOLD_H

#include "analyzer/grouping/job_group.h"
#include "analyzer/history/history.h"

struct sw_history_fold {
	char name[SW_JOB_GROUP_SIZE]; /* "alice/kmers_s*" */
	size_t names;		      /* groups; below 2: nothing is folded */
	struct sw_history_runs runs;  /* of all of them */
};

/*
 * The newest runs, at most limit, of group and those that are folded with it.
 * own, which may be NULL and in no history yet, is a run of the group and
 * says which programs and request; otherwise its newest run does.  What a rule
 * of the site puts into a group is not folded.  0, or -1 with *error.
 */
int sw_history_fold(struct sw_history *history, const char *group,
		    const struct sw_history_run *own,
		    const struct sw_group_rules *rules, size_t limit,
		    struct sw_history_fold *fold, struct sw_error *error);
void sw_history_fold_fini(struct sw_history_fold *fold);

/*
 * For a name that has no runs, with whose it is or one's own: the newest of the
 * groups with which its runs would be folded, requesting so many CPUs (NAN:
 * any), allocated.  errno ENOENT: there is none, or their programs differ.
 */
int sw_history_find_relative(struct sw_history *history, const char *what,
			     double cores, char **group,
			     struct sw_error *error);

/*
 * The groups of whole jobs as sw_history_each_group() has them (names 1), and
 * what is folded with how many names.  Of those a group stands by itself only
 * where min_runs of it ended well.
 */
typedef int (*sw_history_folded_f)(void *context, const char *group,
				   size_t runs, size_t names);
int sw_history_each_folded(struct sw_history *history, unsigned min_runs,
			   sw_history_folded_f seen, void *context,
			   struct sw_error *error);

#endif
