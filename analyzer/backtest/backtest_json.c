/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Backtest as JSON; described in stepwell-backtest(1). */
#include "analyzer/backtest/backtest_print.h"
#include "analyzer/print/json.h"

static const char *const risk_names[] = {
	[SW_RISK_LOW] = "low", [SW_RISK_MEDIUM] = "medium",
	[SW_RISK_HIGH] = "high",
};

static void set_row(struct json_object *object,
		    const struct sw_backtest_row *row)
{
	sw_json_number(object, "runs", row->tasks);
	if (!row->tasks)
		return;
	sw_json_double(object, "wasted_gib_hours", row->wasted_gib_hours);
	sw_json_double(object, "requested_gib_hours",
		       row->requested_gib_hours);
	sw_json_number(object, "failures", row->failures);
	sw_json_number(object, "failed_runs", row->failed_tasks);
	sw_json_number(object, "retries_exhausted", row->retries_exhausted);
	sw_json_number(object, "without_suggestion", row->without_suggestion);
	sw_json_double(object, "mean_ratio", row->mean_ratio);
	sw_json_double(object, "median_ratio", row->median_ratio);
	sw_json_double(object, "allocation_quality", row->quality);
}

static void set_side(struct json_object *object,
		     const struct sw_backtest_side *side,
		     const struct sw_trace *trace)
{
	struct json_object *array, *item;
	size_t i;

	sw_json_text(object, "name", side->method->name);
	sw_json_text(object, "title", side->method->title);
	sw_json_text(object, "source", side->method->source);
	set_row(sw_json_object(object, "total"), &side->result.total);
	array = sw_json_array(object, "workflows");
	for (i = 0; i < side->result.count; i++) {
		item = sw_json_item(array);
		sw_json_text(item, "workflow", trace->workflows[i]);
		set_row(item, &side->result.rows[i]);
	}
}

static void set_runs(struct json_object *object,
		     const struct sw_backtest_table *backtest)
{
	const struct sw_trace_rows *rows = &backtest->trace->rows;
	const struct sw_backtest_result *result = &backtest->sides[0].result;

	sw_json_number(object, "read", rows->read);
	sw_json_number(object, "counted", result->total.tasks);
	sw_json_number(object, "first_of_group",
		       rows->usable - result->total.tasks);
	sw_json_number(object, "failed", rows->failed);
	sw_json_number(object, "repeated", rows->repeated);
	sw_json_number(object, "lower_bounds", rows->lower_bounds);
	sw_json_number(object, "need_unknown", rows->need_unknown);
	sw_json_number(object, "impossible_values", rows->impossible);
	sw_json_number(object, "groups", backtest->trace->group_count);
	sw_json_number(object, "groups_too_small", result->cold_groups);
	sw_json_number(object, "inputs_known_before_start", rows->known_inputs);
	sw_json_number(object, "inputs_known_after_end", rows->late_inputs);
}

static void set_policy(struct json_object *object,
		       const struct sw_policy *policy)
{
	sw_json_text(object, "risk", risk_names[policy->risk]);
	sw_json_double(object, "time_to_failure_ratio",
		       policy->time_to_failure);
	sw_json_double(object, "floor_bytes", policy->floor_bytes);
	sw_json_double(object, "cap_bytes", policy->cap_bytes);
	sw_json_number(object, "max_attempts", policy->max_attempts);
}

void sw_backtest_print_json(const struct sw_backtest_page *page)
{
	const struct sw_backtest_table *backtest = page->backtest;
	struct json_object *root = sw_json_new(), *array;
	char sentence[1024];
	size_t i;

	sw_json_text(root, "schema", "stepwell.backtest/1");
	sw_json_text(root, "source", page->runs);
	set_runs(sw_json_object(root, "runs"), backtest);
	set_policy(sw_json_object(root, "policy"), page->policy);
	array = sw_json_array(root, "methods");
	for (i = 0; i < backtest->count; i++)
		set_side(sw_json_item(array), &backtest->sides[i],
			 backtest->trace);
	sw_json_text(root, "summary",
		     sw_backtest_sentence(sentence, sizeof(sentence),
					  backtest));
	sw_json_print(stdout, root);
}
