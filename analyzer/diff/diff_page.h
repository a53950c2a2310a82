/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts that text and HTML of a comparison share. */
#ifndef SW_ANALYZER_DIFF_PAGE_H
#define SW_ANALYZER_DIFF_PAGE_H

#include "analyzer/diff/diff.h"
#include "analyzer/report/page.h"

/* The names of both runs, their values side by side, and what is equal. */
void sw_diff_page(const struct sw_page *page, const struct sw_diff *diff);

#endif
