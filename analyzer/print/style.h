/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a stream wants its text. */
#ifndef SW_ANALYZER_STYLE_H
#define SW_ANALYZER_STYLE_H

#include <stdbool.h>

struct sw_report_style {
	unsigned width;		/* columns; at least 40 */
	bool has_color;
	bool is_utf8;
};

#endif
