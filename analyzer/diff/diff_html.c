/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparison as a page: its text, and both runs over time. */
#include "analyzer/diff/diff_page.h"
#include "analyzer/report/html/report_html.h"

int sw_diff_html(FILE *out, const struct sw_diff *diff,
		 const struct sw_report_style *style)
{
	/* The style of the page does not depend on the terminal. */
	const struct sw_report_style own = {
		.width = 80, .is_utf8 = true,
		.is_beside_slurm = style->is_beside_slurm,
	};
	struct sw_page page = { out, NULL, &own, NULL };
	char title[2 * SW_DIFF_NAME + 16], words[SW_DIFF_WORDS];

	snprintf(title, sizeof(title), "%s beside %s", diff->b.name,
		 diff->a.name);
	page.html = sw_html_begin(out, title);
	if (!page.html)
		return -1;
	sw_html_heading(page.html, 1, title);
	sw_html_lead(page.html, sw_diff_words(words, sizeof(words), diff));
	sw_diff_page(&page, diff);
	if (diff->a.loaded && diff->b.loaded)
		sw_report_html_sides(&page, &diff->a.loaded->result,
				     &diff->b.loaded->result);
	sw_report_html_origin(&page);
	return sw_html_end(page.html);
}
