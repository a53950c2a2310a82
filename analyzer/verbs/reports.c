/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Table of report formats. */
#include <stddef.h>

#include "analyzer/report/report.h"

extern const struct sw_report_format sw_report_text, sw_report_brief,
	sw_report_json, sw_report_html;

const struct sw_report_format *const sw_report_formats[] = {
	&sw_report_text,
	&sw_report_brief,
	&sw_report_json,
	&sw_report_html,
	NULL,
};
