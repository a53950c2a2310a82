/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Style of text on a stream. */
#ifndef SW_ANALYZER_STYLE_H
#define SW_ANALYZER_STYLE_H

#include <stdbool.h>

struct sw_report_style {
	unsigned width;		/* columns, at least 40 */
	bool has_color;
	bool is_utf8;
	bool is_beside_slurm;	/* a client or daemon of Slurm is installed */
};

/* Begin and end of bold text or color; "" without color. */
static inline const char *sw_style_bold(const struct sw_report_style *style)
{
	return style->has_color ? "\033[1m" : "";
}

static inline const char *sw_style_plain(const struct sw_report_style *style)
{
	return style->has_color ? "\033[0m" : "";
}

#endif
