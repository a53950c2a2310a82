/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's section of rules that could not be asked, by their reasons. */
#include <stdio.h>
#include <string.h>

#include "analyzer/print/paragraph.h"
#include "analyzer/report/text/report_text.h"
#include "analyzer/rules/rule.h"

enum { IDS_SIZE = 512 };

static bool is_same_reason(const struct sw_not_evaluated *one,
			   const struct sw_not_evaluated *two)
{
	return !strcmp(one->because, two->because);
}

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

/* Notes of the family of note[index] that share its reason, from there on. */
static size_t count_notes(const struct sw_result *result, size_t index)
{
	const struct sw_not_evaluated *note = result->not_evaluated;
	size_t i, count = 0;

	for (i = index; i < result->not_evaluated_count; i++)
		count += is_of_family(note[index].id, note[i].id) &&
			 is_same_reason(&note[index], &note[i]);
	return count;
}

/* "gpu.*" in place of all of them, else "gpu.idle". */
static size_t add_id(char *ids, size_t used, const struct sw_result *result,
		     size_t index)
{
	const char *id = result->not_evaluated[index].id;
	size_t all = count_rules(id);
	const char *comma = used ? ", " : "";
	int length;

	if (all > 1 && count_notes(result, index) == all)
		length = snprintf(ids + used, IDS_SIZE - used, "%s%.*s*",
				  comma, (int)family_length(id), id);
	else
		length = snprintf(ids + used, IDS_SIZE - used, "%s%s", comma,
				  id);
	used += (size_t)length;
	return used < IDS_SIZE ? used : IDS_SIZE - 1;
}

/* Is it in "gpu.*" already? */
static bool is_named(const struct sw_result *result, size_t first,
		     size_t index)
{
	const struct sw_not_evaluated *note = result->not_evaluated;
	size_t i;

	for (i = first; i < index; i++) {
		if (is_same_reason(&note[i], &note[index]) &&
		    is_of_family(note[i].id, note[index].id))
			return count_notes(result, i) ==
			       count_rules(note[i].id);
	}
	return false;
}

static void write_reason(const struct sw_text_report *report, size_t first)
{
	const struct sw_result *result = report->result;
	const struct sw_not_evaluated *note = result->not_evaluated;
	char ids[IDS_SIZE], text[IDS_SIZE + sizeof(note->because) + 2];
	size_t i, used = 0;

	for (i = first; i < result->not_evaluated_count; i++) {
		if (is_same_reason(&note[first], &note[i]) &&
		    !is_named(result, first, i))
			used = add_id(ids, used, result, i);
	}
	snprintf(text, sizeof(text), "%s: %s", ids, note[first].because);
	sw_paragraph_print(report->out, text, "  ", "    ", report->style);
}

void sw_text_report_not_evaluated(const struct sw_text_report *report)
{
	const struct sw_result *result = report->result;
	size_t i, j;

	if (result->not_evaluated_count)
		sw_text_report_heading(report, "Not evaluated");
	for (i = 0; i < result->not_evaluated_count; i++) {
		for (j = 0; j < i; j++) {
			if (is_same_reason(&result->not_evaluated[j],
					   &result->not_evaluated[i]))
				break;
		}
		if (j == i)
			write_reason(report, i);
	}
}
