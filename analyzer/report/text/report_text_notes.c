/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's section of rules that could not be asked, by their reasons. */
#include <string.h>

#include "advice/text.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/report/text/report_text.h"
#include "analyzer/rules/rule.h"
#include "common/text.h"

/* The length of "gpu." of "gpu.idle". */
static size_t family_length(const char *id)
{
	return strcspn(id, ".") + 1;
}

static bool is_of_family(const char *id, const char *other)
{
	return !strncmp(id, other, family_length(id));
}

static size_t count_rules(const char *id)
{
	const struct sw_rule *const *rule;
	size_t count = 0;

	for (rule = sw_rules; *rule; rule++)
		count += is_of_family(id, (*rule)->id);
	return count;
}

static size_t count_notes(const struct sw_result *result, const char *id)
{
	size_t i, count = 0;

	for (i = 0; i < result->not_evaluated_count; i++)
		count += is_of_family(id, result->not_evaluated[i].id);
	return count;
}

/* "gpu.*" in place of all of them, else "gpu.idle". */
static void add_id(char *ids, const struct sw_result *result, size_t index)
{
	const char *id = result->not_evaluated[index].id;
	size_t all = count_rules(id);
	bool is_all = all > 1 && count_notes(result, index) == all;

	sw_text_add(ids, IDS_SIZE, "%s%.*s%s", *ids ? ", " : "",
		    is_all ? (int)family_length(id) : -1, id,
		    is_all ? "*" : "");
}

/* Is it in "gpu.*" already? */
static bool is_named(const struct sw_result *result, size_t first,
		     size_t index)
{
	const struct sw_not_evaluated *note = result->not_evaluated;
	size_t i;

	for (i = 0; i < index; i++) {
		if (is_of_family(result->not_evaluated[i].id,
				 result->not_evaluated[index].id))
			return false;
	}
	return false;
}

static void write_reason(const struct sw_page *page, size_t first)
{
	const struct sw_result *result = page->result;
	const struct sw_not_evaluated *note = result->not_evaluated;
	char ids[IDS_SIZE] = "", text[IDS_SIZE + sizeof(note->because) + 2];
	size_t i;

	for (i = first; i < result->not_evaluated_count; i++) {
		if (is_same_reason(&note[first], &note[i]) &&
		    !is_named(result, first, i))
			add_id(ids, result, i);
	}
	snprintf(text, sizeof(text), "%s: %s", ids, note[first].because);
	sw_paragraph_print(page->out, text, "  ", "    ", page->style);
}

void sw_text_report_not_evaluated(const struct sw_page *page)
{
	const struct sw_result *result = page->result;
	size_t i, j;

	if (result->not_evaluated_count)
		sw_page_heading(page, "Not evaluated");
	for (i = 0; i < result->not_evaluated_count; i++) {
		for (j = 0; j < i; j++) {
			if (is_same_reason(&result->not_evaluated[j],
					   &result->not_evaluated[i]))
				break;
		}
		if (j == i)
			write_reason(page, i);
	}
	if (!*text)
		return;
	sw_text_add(text, sizeof(text), " (--json says why)");
	fputs("\n", report->out);
	sw_paragraph_print(report->out, text, "Not evaluated: ", "  ",
			   report->style);
}
