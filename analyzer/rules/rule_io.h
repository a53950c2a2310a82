/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers shared by the rules about I/O. */
#ifndef SW_ANALYZER_RULE_IO_H
#define SW_ANALYZER_RULE_IO_H

#include "analyzer/view/view.h"

/* Return the share of the run spent waiting for I/O; NAN if unknown. */
double sw_io_wait_ratio(const struct sw_view *view);

/* Return true if threads waited for a network file system. */
bool sw_io_is_elsewhere(const struct sw_view_wait *wait);

#endif
