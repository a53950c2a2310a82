/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fingerprint of a recorded run. */
#ifndef SW_ANALYZER_FINGERPRINT_VIEW_H
#define SW_ANALYZER_FINGERPRINT_VIEW_H

#include "analyzer/compare/fingerprint.h"
#include "analyzer/view/view.h"

/*
 * Fill it from a view.  state, and whether a finding says that the run failed,
 * are the caller's; node_kind is by the site's catalogue, or NULL: the model of
 * the processors stands for it.  Of the programs, those that failed are kept
 * first, then those with most CPU time.
 */
void sw_fingerprint_of_view(struct sw_fingerprint *print,
			    const struct sw_view *view, enum sw_run_state state,
			    bool has_failure, const char *node_kind);

/*
 * The same of the sum of views (of steps, and of nodes; none: itself), without
 * a finding that the run failed: the environment is that of the part that used
 * most CPU time, and the mount the one that a part waited for longest.
 */
void sw_fingerprint_of_sum(struct sw_fingerprint *print,
			   const struct sw_view *view,
			   const struct sw_view *const *parts, size_t count,
			   enum sw_run_state state, const char *node_kind);

#endif
