/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as one HTML page, from the verdict down to the details. */
#include "analyzer/report/html/report_html.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analyzer/report/text/report_text.h"
#include "analyzer/report/words.h"
#include "common/text.h"
#include "common/units.h"
#include "config.h"

enum { VERDICT_SIZE = 1536 };

/* The title of a job also contains its name. */
static void title_words(char *buf, size_t size, const struct sw_result *result)
{
	char title[SW_JOBID_TEXT_SIZE + 8];
	const char *name = result->job ? result->job->total.name : NULL;

	snprintf(buf, size, "%.255s", sw_title_of(title, sizeof(title),
						  result));
	if (name && result->view->slurm.is_slurm)
		sw_text_add(buf, size, ": %.128s", name);
}

static void write_head(const struct sw_page *page)
{
	char text[VERDICT_SIZE];

	title_words(text, sizeof(text), page->result);
	sw_html_heading(page->html, 1, text);
	sw_html_lead(page->html, sw_verdict_words(text, sizeof(text),
						  page->result));
	if (*sw_unseen_ends_words(text, sizeof(text), page->result->view))
		sw_page_text(page, "Not known: ", "", text);
	sw_text_report_facts(page);
	if (page->result->view->user)
		sw_page_line(page, "user", "%s", page->result->view->user);
}

/* The variable is that of reproducible builds (reproducible-builds.org/specs). */
void sw_report_html_origin(const struct sw_page *page)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	uint64_t seconds = (uint64_t)time(NULL);
	char text[128], when[64];

	if (epoch && sw_count_parse(epoch, 0, UINT32_MAX, &seconds) < 0)
		seconds = (uint64_t)time(NULL);
	sw_realtime_words(when, sizeof(when), seconds * SW_USEC_PER_SEC);
	snprintf(text, sizeof(text), "Page written %s by " PACKAGE_STRING ".",
		 when);
	sw_html_note(page->html, text);
}

static void write_sections(const struct sw_page *page)
{
	const struct sw_result *result = page->result;

	write_head(page);
	sw_report_html_limits(page);
	sw_report_html_findings(page);
	sw_text_report_advice(page);
	sw_text_report_use(page);
	sw_report_html_over(page);
	if (result->job && !sw_job_is_plain(result->job)) {
		sw_text_report_steps(page);
		sw_text_report_balance(page);
	}
	sw_report_html_nodes(page);
	sw_report_html_tasks(page);
	sw_text_report_programs(page);
	sw_report_html_programs(page);
	sw_report_html_not_evaluated(page);
	sw_text_report_recording(page);
}

/* Write how the whole job ended, and then each component. */
static void write_components(const struct sw_page *page)
{
	const struct sw_result *whole = page->result;
	struct sw_page part = *page;
	char text[VERDICT_SIZE];
	size_t i;

	title_words(text, sizeof(text), whole);
	sw_html_heading(page->html, 1, text);
	sw_html_lead(page->html, sw_verdict_words(text, sizeof(text), whole));
	for (i = 0; i < whole->component_count; i++) {
		part.result = whole->components[i];
		write_sections(&part);
	}
}

static int write(FILE *out, const struct sw_result *result,
		 const struct sw_report_style *style)
{
	/* The style of the page does not depend on the terminal. */
	const struct sw_report_style own = {
		.width = 80, .is_utf8 = true,
		.is_beside_slurm = style->is_beside_slurm,
	};
	struct sw_page page = { out, result, &own, NULL };
	char title[VERDICT_SIZE];

	title_words(title, sizeof(title), result);
	page.html = sw_html_begin(out, title);
	if (!page.html)
		return -1;
	if (result->component_count)
		write_components(&page);
	else
		write_sections(&page);
	sw_report_html_origin(&page);
	return sw_html_end(page.html);
}

const struct sw_report_format sw_report_html = {
	.name = "html",
	.help = "the whole report as a page for a browser",
	.write = write,
};
