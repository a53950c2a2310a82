/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of rules, and the engine that asks each of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/rule.h"

#define RULE(name) extern const struct sw_rule sw_rule_##name
RULE(cpu_over_allocated);
RULE(cpu_throttled);
RULE(io_stalled);
RULE(memory_near_limit);
RULE(memory_over_allocated);
RULE(oom_killed);
RULE(oom_silent);
RULE(progress_frozen);
RULE(tool_killed);

const struct sw_rule *const sw_rules[] = {
	&sw_rule_oom_silent,
	&sw_rule_oom_killed,
	&sw_rule_tool_killed,
	&sw_rule_progress_frozen,
	&sw_rule_memory_near_limit,
	&sw_rule_memory_over_allocated,
	&sw_rule_cpu_over_allocated,
	&sw_rule_cpu_throttled,
	&sw_rule_io_stalled,
	NULL,
};

const struct sw_rule *sw_rule_find(const char *id)
{
	const struct sw_rule *const *rule;

	for (rule = sw_rules; *rule; rule++) {
		if (!strcmp((*rule)->id, id))
			return *rule;
	}
	return NULL;
}

/* The first need that the profile lacks; NULL when the rule can be asked. */
static const struct sw_need *missing_need(const struct sw_rule *rule,
					  const struct sw_view *view)
{
	const struct sw_need *missing = NULL, *need = rule->needs;
	size_t i;

	for (i = 0; i < SW_RULE_NEEDS_MAX && need[i].table; i++) {
		if (sw_view_has(view, need[i].table, need[i].column)) {
			if (rule->is_any_need)
				return NULL;
		} else if (!missing) {
			missing = &need[i];
		}
	}
	return missing;
}

/* What the recorder itself said of a source that it could not read. */
static const char *absence_reason(const struct sw_view *view,
				  const char *table)
{
	const char *source = strchr(table, '.');
	size_t i, length;

	source = source ? source + 1 : table;
	length = strlen(source);
	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		if (!strcmp(event->kind, "source_absent") && event->detail &&
		    !strncmp(event->detail, source, length) &&
		    event->detail[length] == ':')
			return event->detail;
	}
	return NULL;
}

static struct sw_not_evaluated *add_note(struct sw_result *result,
					 const struct sw_rule *rule)
{
	struct sw_not_evaluated *note;

	note = &result->not_evaluated[result->not_evaluated_count++];
	note->id = rule->id;
	return note;
}

static void note_need(struct sw_result *result, const struct sw_rule *rule,
		      const struct sw_need *need)
{
	struct sw_not_evaluated *note = add_note(result, rule);
	const char *reason;

	reason = absence_reason(result->view, need->table);
	if (reason)
		snprintf(note->because, sizeof(note->because), "%s", reason);
	else
		snprintf(note->because, sizeof(note->because),
			 "the recording has no %s (table %s)", need->column,
			 need->table);
}

static int ask(struct sw_result *result, const struct sw_rule *rule,
	       const struct sw_settings *settings)
{
	double value[SW_RULE_SETTINGS_MAX] = { 0 };
	size_t i, count = result->findings.count;
	const struct sw_need *missing;
	const char *because;

	missing = missing_need(rule, result->view);
	if (missing) {
		note_need(result, rule, missing);
		return 0;
	}
	for (i = 0; i < SW_RULE_SETTINGS_MAX && rule->settings[i].key; i++)
		value[i] = sw_settings_rule(settings, rule, i);
	if (rule->eval(result->view, value, &result->findings) < 0)
		return -1;
	because = rule->blind_to && result->findings.count == count ?
			  rule->blind_to(result->view) : NULL;
	if (because)
		snprintf(add_note(result, rule)->because,
			 sizeof(result->not_evaluated[0].because), "%s",
			 because);
	return 0;
}

int sw_result_init(struct sw_result *result, const struct sw_view *view,
		   const struct sw_settings *settings, struct sw_error *error)
{
	enum { RULES = sizeof(sw_rules) / sizeof(sw_rules[0]) };
	size_t i;

	memset(result, 0, sizeof(*result));
	result->view = view;
	result->not_evaluated = calloc(RULES, sizeof(*result->not_evaluated));
	if (!result->not_evaluated)
		return sw_error_set(error, "not enough memory for findings");
	for (i = 0; sw_rules[i]; i++) {
		if (ask(result, sw_rules[i], settings) < 0) {
			sw_error_errno(error, "rule %s failed, so there is "
				       "no report", sw_rules[i]->id);
			sw_result_fini(result);
			return -1;
		}
	}
	sw_findings_sort(&result->findings);
	return 0;
}

void sw_result_fini(struct sw_result *result)
{
	sw_findings_fini(&result->findings);
	free(result->not_evaluated);
	memset(result, 0, sizeof(*result));
}
