/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a recording lacks a table. */
#ifndef SW_ANALYZER_ABSENCE_H
#define SW_ANALYZER_ABSENCE_H

#include "analyzer/view/view.h"

/* The recorder's own message about a source that it could not read, or NULL. */
const char *sw_absence_reason(const struct sw_view *view, const char *table);

#endif
