/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings with their evidence, and the rules that could not be evaluated. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/report/html/report_html.h"
#include "analyzer/report/text/report_text.h"
#include "analyzer/report/words.h"
#include "common/text.h"
#include "common/units.h"

/* Format a value with its unit; "" for NAN. */
static char *value_words(char *buf, size_t size, double value,
			 const char *unit)
{
	buf[0] = '\0';
	if (isnan(value))
		return buf;
	if (!strcmp(unit, "bytes") && value >= 0 && value < 1e19)
		return sw_size_format(buf, size, (uint64_t)value);
	if (!strcmp(unit, "seconds") && value >= 0 && value < 1e12)
		return sw_duration_format(buf, size, (uint64_t)
				(value * (double)SW_USEC_PER_SEC));
	if (!strcmp(unit, "ratio"))
		snprintf(buf, size, "%.3g %%", value * 100);
	else if (!strcmp(unit, "count"))
		snprintf(buf, size, "%.12g", value);
	else
		snprintf(buf, size, "%.4g %s", value, unit);
	return buf;
}

static void write_evidence(const struct sw_page *page,
			   const struct sw_finding *finding)
{
	static const struct sw_html_column columns[] = {
		{ "counter", SW_HTML_HEAD }, { "value", SW_HTML_NUMBER },
		{ "threshold", SW_HTML_NUMBER }, { "when", SW_HTML_TEXT },
	};
	char value[64], threshold[64], when[64], caption[224];
	size_t i;

	snprintf(caption, sizeof(caption), "confidence %.0f %%, from %s",
		 finding->confidence * 100, finding->because);
	sw_html_details(page->html, "Evidence", false);
	sw_html_table(page->html, caption, columns, 4);
	for (i = 0; i < finding->evidence_count; i++) {
		const struct sw_evidence *e = &finding->evidence[i];
		uint64_t at = finding->view ? sw_view_realtime_usec(
				      finding->view, e->when_usec) :
					      SW_MISSING;

		sw_html_row(page->html, (const char *const[]){
			e->counter,
			value_words(value, sizeof(value), e->value, e->unit),
			value_words(threshold, sizeof(threshold), e->threshold,
				    e->unit),
			sw_is_missing(at) ? "the whole run" :
				sw_realtime_words(when, sizeof(when), at),
		});
	}
	sw_html_close(page->html);
}

static void write_finding(const struct sw_page *page,
			  const struct sw_finding *finding)
{
	static const char *const marks[] = {
		[SW_INFO] = "i", [SW_WARNING] = "!", [SW_CRITICAL] = "X",
	};
	static const enum sw_html_tone tones[] = {
		[SW_INFO] = SW_HTML_INFO, [SW_WARNING] = SW_HTML_WARNING,
		[SW_CRITICAL] = SW_HTML_CRITICAL,
	};
	const struct sw_rule *rule = sw_rule_find(finding->id);
	char head[256], where[512];

	snprintf(head, sizeof(head), "%s: %s (%s)",
		 sw_severity_word(finding->severity),
		 rule ? sw_finding_title(finding, rule) : "", finding->id);
	sw_html_box(page->html, tones[finding->severity],
		    marks[finding->severity], head);
	if (*sw_where_words(where, sizeof(where), page->result, finding))
		sw_page_paragraph(page, "", "In %s.", where);
	sw_html_paragraph(page->html, finding->sentence);
	write_evidence(page, finding);
	sw_html_close(page->html);
}

void sw_report_html_findings(const struct sw_page *page)
{
	const struct sw_findings *findings = &page->result->findings;
	size_t i;

	if (findings->count)
		sw_page_heading(page, "Findings");
	for (i = 0; i < findings->count; i++)
		write_finding(page, &findings->items[i]);
}

void sw_report_html_not_evaluated(const struct sw_page *page)
{
	static const struct sw_html_column columns[] = {
		{ "finding", SW_HTML_HEAD }, { "because", SW_HTML_TEXT },
	};
	const struct sw_result *result = page->result;
	size_t i;

	if (!result->not_evaluated_count)
		return;
	sw_page_heading(page, "Not evaluated");
	sw_text_report_not_evaluated(page);
	sw_html_details_of_screen(page->html, "Each, with its reason");
	sw_html_table(page->html, "findings that could not be evaluated",
		      columns, 2);
	for (i = 0; i < result->not_evaluated_count; i++)
		sw_html_row(page->html, (const char *const[]){
			result->not_evaluated[i].id,
			result->not_evaluated[i].because,
		});
	sw_html_close(page->html);
}
