/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a step, read again from its profile. */
#ifndef SW_ANALYZER_VIEW_SAMPLES_H
#define SW_ANALYZER_VIEW_SAMPLES_H

#include "analyzer/view/view_internal.h"
#include "analyzer/view/wait_track.h"
#include "common/step_limits.h"

/*
 * Have all of them judged by limits, which is empty but for its "take".  After
 * CPU, GPUs and the node.  0, or -1 without memory.
 */
int sw_view_read_samples(const struct sw_view *view,
			 const struct sw_view_parts *parts,
			 const struct sw_wait_track *waits,
			 struct sw_step_limits *limits);

#endif
