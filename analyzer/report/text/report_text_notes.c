/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's line about rules that could not be evaluated. */
#include <stdio.h>
#include <string.h>

#include "analyzer/report/text/report_text.h"
#include "analyzer/rules/rule.h"
#include "common/text.h"

/* With more reasons, only the JSON report lists them. */
enum { REASONS_MAX = 4 };

/* The length of "gpu." of "gpu.idle", or of "cpu.idle_" of "cpu.idle_tail". */
static size_t family_length(const char *id, bool is_narrow)
{
	size_t length = strcspn(id, ".") + 1;

	return is_narrow ? length + strcspn(id + length, "_") + 1 : length;
}

static bool is_of_family(const char *id, const char *other, bool is_narrow)
{
	return !strncmp(id, other, family_length(id, is_narrow));
}

static size_t count_rules(const char *id, bool is_narrow)
{
	const struct sw_rule *const *rule;
	size_t count = 0;

	for (rule = sw_rules; *rule; rule++)
		count += is_of_family(id, (*rule)->id, is_narrow);
	return count;
}

/* because NULL: any reason. */
static bool is_because(const struct sw_not_evaluated *note,
		       const char *because)
{
	return !because || !strcmp(note->because, because);
}

/* Count notes of the rule's family with that reason among the first end. */
static size_t count_notes(const struct sw_result *result, const char *id,
			  bool is_narrow, const char *because, size_t end)
{
	size_t i, count = 0;

	for (i = 0; i < end; i++)
		count += is_of_family(id, result->not_evaluated[i].id,
				      is_narrow) &&
			 is_because(&result->not_evaluated[i], because);
	return count;
}

/* Length of the id that stands for its family; 0 if that is not complete. */
static size_t whole_family(const struct sw_result *result, const char *id,
			   const char *because)
{
	size_t end = result->not_evaluated_count, rules;
	int narrow;

	for (narrow = 0; narrow < 2; narrow++) {
		rules = count_rules(id, narrow);
		if (rules > 1 &&
		    count_notes(result, id, narrow, because, end) == rules)
			return family_length(id, narrow);
	}
	return 0;
}

/* Append "gpu.*" in place of all of its rules, or else "gpu.idle". */
static void add_ids(char *text, size_t size, const struct sw_result *result,
		    const char *because)
{
	const char *comma = "";
	size_t i, j, length;

	for (i = 0; i < result->not_evaluated_count; i++) {
		const char *id = result->not_evaluated[i].id;

		if (!is_because(&result->not_evaluated[i], because))
			continue;
		length = whole_family(result, id, because);
		for (j = 0; length && j < i; j++) {
			if (!strncmp(result->not_evaluated[j].id, id, length))
				break;
		}
		if (length && j < i)
			continue;
		sw_text_add(text, size, "%s%.*s%s", comma,
			    length ? (int)length : -1, id, length ? "*" : "");
		comma = ", ";
	}
}

/* Return true if the note is the first with its reason. */
static bool is_first(const struct sw_result *result, size_t index)
{
	size_t i;

	for (i = 0; i < index; i++) {
		if (is_because(&result->not_evaluated[i],
			       result->not_evaluated[index].because))
			return false;
	}
	return true;
}

static size_t count_reasons(const struct sw_result *result)
{
	size_t i, count = 0;

	for (i = 0; i < result->not_evaluated_count; i++)
		count += is_first(result, i);
	return count;
}

static bool is_noted(const struct sw_result *result, const char *id)
{
	size_t i;

	for (i = 0; i < result->not_evaluated_count; i++) {
		if (!strcmp(result->not_evaluated[i].id, id))
			return true;
	}
	return false;
}

/* Append "what (ids)" for those that were not evaluated, if any. */
static void add_lack(char *text, size_t size, const struct sw_result *result,
		     const char *what, const char *const *ids)
{
	static const char begin[] =
		"The plugin for Slurm, which administrators install, would "
		"also record ";
	const char *sign = "(";

	for (; *ids; ids++) {
		if (!is_noted(result, *ids))
			continue;
		if (*sign == '(')
			sw_text_add(text, size, "%s%s ",
				    *text ? "; " : begin, what);
		sw_text_add(text, size, "%s%s", sign, *ids);
		sign = ", ";
	}
	if (*sign != '(')
		sw_text_add(text, size, ")");
}

/* Report what a user's own recording lacks and Slurm's plugin can record. */
static void write_plugin(const struct sw_page *page)
{
	static const char *const of_cgroup[] = {
		"oom.killed", "oom.silent", "memory.thrashing",
		"memory.cache_squeezed", "cpu.throttled", NULL };
	static const char *const of_ends[] = {
		"program.killed", "program.failed", NULL };
	const struct sw_view *view = page->result->view;
	char text[512] = "";

	if (!page->style->is_beside_slurm || !view || view->slurm.is_slurm || !sw_is_missing(view->job.job_id))
		return;
	if (!strcmp(sw_text(view->recording.backend), "process.tree"))
		add_lack(text, sizeof(text), page->result, "the cgroup that "
			 "Slurm makes for a step", of_cgroup);
	if (view->recording.programs_source &&
	    strcmp(view->recording.programs_source, "bpf") != 0)
		add_lack(text, sizeof(text), page->result, "where the kernel "
			 "allows BPF, how every program ended", of_ends);
	if (*text)
		sw_page_text(page, "", "  ", text);
}

/* Group by reason, unless there are many reasons. */
void sw_text_report_not_evaluated(const struct sw_page *page)
{
	const struct sw_result *result = page->result;
	/* HTML also has a table of the reasons. */
	bool is_short = !page->html && count_reasons(result) <= REASONS_MAX;
	char text[2048] = "";
	size_t i;

	if (!result->not_evaluated_count)
		return;
	for (i = 0; is_short && i < result->not_evaluated_count; i++) {
		const struct sw_not_evaluated *note = &result->not_evaluated[i];

		if (!is_first(result, i))
			continue;
		sw_text_add(text, sizeof(text), "%s", *text ? "; " : "");
		add_ids(text, sizeof(text), result, note->because);
		sw_text_add(text, sizeof(text), " (%s)", note->because);
	}
	if (!is_short) {
		add_ids(text, sizeof(text), result, NULL);
		if (!page->html)
			sw_text_add(text, sizeof(text), " (--json says why)");
	}
	if (page->html) {
		sw_page_text(page, "", "", text);
	} else {
		fputs("\n", page->out);
		sw_page_text(page, "Not evaluated: ", "  ", text);
	}
	write_plugin(page);
}
