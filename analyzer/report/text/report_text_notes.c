/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's line on the rules that could not be evaluated. */
#include <stdio.h>
#include <string.h>

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

/* Notes of the rule's family among the first so many. */
static size_t count_notes(const struct sw_result *result, const char *id,
			  size_t end)
{
	size_t i, count = 0;

	for (i = 0; i < end; i++)
		count += is_of_family(id, result->not_evaluated[i].id);
	return count;
}

/* "gpu.*" in place of all of them, else "gpu.idle"; why is in the JSON. */
void sw_text_report_not_evaluated(const struct sw_page *page)
{
	const struct sw_result *result = page->result;
	size_t i, end = result->not_evaluated_count;
	char text[1024] = "";

	for (i = 0; i < end; i++) {
		const char *id = result->not_evaluated[i].id;
		size_t rules = count_rules(id);
		bool is_all = rules > 1 &&
			      count_notes(result, id, end) == rules;

		if (is_all && count_notes(result, id, i) > 0)
			continue;
		sw_text_add(text, sizeof(text), "%s%.*s%s", *text ? ", " : "",
			    is_all ? (int)family_length(id) : -1, id,
			    is_all ? "*" : "");
	}
	if (!*text)
		return;
	sw_text_add(text, sizeof(text), " (--json says why)");
	fputs("\n", page->out);
	sw_paragraph_print(page->out, text, "Not evaluated: ", "  ",
			   page->style);
}
