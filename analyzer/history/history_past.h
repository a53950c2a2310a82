/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find runs in the history that a run repeats, by analyzer/retries/. */
#ifndef SW_ANALYZER_HISTORY_PAST_H
#define SW_ANALYZER_HISTORY_PAST_H

#include "analyzer/history/history.h"
#include "analyzer/retries/lineage.h"
#include "analyzer/view/view_past.h"

/*
 * Consider runs of the same group, cluster, name and array element.  Submit
 * times are known only if the job was also imported from sacct.  own is a whole
 * job and may be in the history.  Return 0, or -1 with *error.
 */
int sw_history_past(struct sw_history *history,
		    const struct sw_history_run *own,
		    const struct sw_retry_settings *settings,
		    struct sw_view_past *past, struct sw_error *error);

#endif
