/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code shared by the rules about placement. */
#ifndef SW_ANALYZER_RULE_PLACE_H
#define SW_ANALYZER_RULE_PLACE_H

#include "analyzer/view/view.h"

/*
 * Return true if a task's binding is known and was observed for min_share of
 * the step's time.  A binding that changes all the time is not meaningful.
 */
bool sw_place_is_settled(const struct sw_view *view,
			 const struct sw_place_task *task, double min_share);

#endif
