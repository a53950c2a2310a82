/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which runs of the history a run tries again, as analyzer/retries/ has it. */
#ifndef SW_ANALYZER_HISTORY_PAST_H
#define SW_ANALYZER_HISTORY_PAST_H

#include "analyzer/history/history.h"
#include "analyzer/retries/lineage.h"
#include "analyzer/view/view_past.h"

/*
 * Of the same group, cluster, name and element of an array.  When a job was
 * submitted is known where it was imported from sacct, too.
 * own is of a whole job and may be in the history.  0, or -1 with *error.
 */
int sw_history_past(struct sw_history *history,
		    const struct sw_history_run *own,
		    const struct sw_retry_settings *settings,
		    struct sw_view_past *past, struct sw_error *error);

#endif
