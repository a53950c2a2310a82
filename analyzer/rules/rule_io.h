/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rules of I/O share. */
#ifndef SW_ANALYZER_RULE_IO_H
#define SW_ANALYZER_RULE_IO_H

#include "analyzer/view/view.h"

/* The share of the time that waits for I/O took; NAN. */
double sw_io_wait_ratio(const struct sw_view *view);

/* Whether threads waited for a file system that is on another machine. */
bool sw_io_is_elsewhere(const struct sw_view_wait *wait);

#endif
