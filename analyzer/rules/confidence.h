/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a finding can be trusted, by how much of the run was recorded. */
#ifndef SW_ANALYZER_CONFIDENCE_H
#define SW_ANALYZER_CONFIDENCE_H

#include "analyzer/view/view.h"

/*
 * best, of a run that was recorded whole; less by the share of the run that
 * was not, and for one of few samples.
 */
double sw_confidence(const struct sw_view *view, double best);

#endif
