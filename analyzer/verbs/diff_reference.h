/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run that "diff RUN" compares with: the last good one of its group. */
#ifndef SW_ANALYZER_VERBS_DIFF_REFERENCE_H
#define SW_ANALYZER_VERBS_DIFF_REFERENCE_H

#include "analyzer/history/history_prints.h"
#include "analyzer/report/loaded.h"
#include "analyzer/verbs/operand.h"

struct sw_diff_reference {
	struct sw_history_prints prints;
	const struct sw_history_print *print; /* NULL: not in the history */
	struct sw_operand_run files;
	struct sw_loaded loaded;
	bool is_loaded;	    /* its recording was found */
	const char *chosen; /* how, in words; NULL: there is none */
};

/*
 * Find the newest successful run of the group of "of" that ended before it
 * started, or else the newest other one: by the history, or else among the
 * recordings in the folders (of: in that of its file, if that was named).
 * Claims of other users do not count.  history may be NULL.  Free with
 * sw_diff_reference_fini(); the result must not be moved.
 */
void sw_diff_reference_find(struct sw_diff_reference *reference,
			    const struct sw_loaded *of,
			    const struct sw_operand_run *of_files,
			    struct sw_history *history,
			    const struct sw_settings *settings);
void sw_diff_reference_fini(struct sw_diff_reference *reference);

#endif
