/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find in the history what a failed run coincides with: failures/origin.h. */
#ifndef SW_ANALYZER_HISTORY_ORIGIN_H
#define SW_ANALYZER_HISTORY_ORIGIN_H

#include "analyzer/compare/fingerprint.h"
#include "analyzer/failures/origin.h"
#include "analyzer/history/history.h"

/*
 * Ask the newest runs of its group and cluster.  own is a whole job, print its
 * fingerprint; it may be in the history, which may know its end better.  Return
 * 1, 0 if it has not failed, or -1 with *error.
 */
int sw_history_origin(struct sw_history *history,
		      const struct sw_history_run *own,
		      const struct sw_fingerprint *print,
		      struct sw_origin_told *told, struct sw_error *error);

#endif
