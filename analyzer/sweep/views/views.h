/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forms of the morning page: text, JSON, CSV and HTML. */
#ifndef SW_ANALYZER_SWEEP_VIEWS_VIEWS_H
#define SW_ANALYZER_SWEEP_VIEWS_VIEWS_H

#include <stdio.h>

#include "analyzer/print/style.h"
#include "analyzer/sweep/page/page.h"

struct sw_sweep_options {
	size_t rows_max;	/* per list; 0: all */
	struct sw_report_style style;
};

void sw_sweep_text(FILE *out, const struct sw_sweep_page *page,
		   const struct sw_sweep_options *options);
void sw_sweep_json(FILE *out, const struct sw_sweep_page *page);
void sw_sweep_csv(FILE *out, const struct sw_sweep_page *page);
/* Return 0, or -1 if writing failed. */
int sw_sweep_html(FILE *out, const struct sw_sweep_page *page,
		  const struct sw_sweep_options *options);

#endif
