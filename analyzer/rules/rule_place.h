/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules on placement have in common. */
#ifndef SW_ANALYZER_RULE_PLACE_H
#define SW_ANALYZER_RULE_PLACE_H

#include "analyzer/view/view.h"

/*
 * Is a task's binding known, and was it seen under it for this share of the
 * step's time?  What changes all the time says nothing.
 */
bool sw_place_is_settled(const struct sw_view *view,
			 const struct sw_place_task *task, double min_share);

#endif
