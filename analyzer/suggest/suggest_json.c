/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice for programs; fields are described in stepwell-suggest(1). */
#include <math.h>
#include <string.h>

#include "analyzer/suggest/advice_words.h"
#include "analyzer/suggest/suggest.h"
#include "common/missing.h"

static const char *const risks[] = {
	[SW_RISK_LOW] = "low", [SW_RISK_MEDIUM] = "medium",
	[SW_RISK_HIGH] = "high",
};

/* "" counts as missing. */
static void put_text(struct json_object *object, const char *key,
		     const char *text)
{
	sw_json_text(object, key, *text ? text : NULL);
}

static void put_lines(struct json_object *lines,
		      const struct sw_request *request,
		      enum sw_resource resource)
{
	const struct sw_dialect *const *dialect;
	char item[SW_DIALECT_ITEM_SIZE], line[SW_DIALECT_ITEM_SIZE + 16];

	for (dialect = sw_dialects; *dialect; dialect++) {
		(*dialect)->item(item, request, resource, 1);
		snprintf(line, sizeof(line), "%s%s", (*dialect)->prefix, item);
		put_text(lines, (*dialect)->name, *item ? line : "");
	}
}

static void put_backtest(struct json_object *item,
			 const struct sw_suggestion *suggestion,
			 const struct sw_policy *policy)
{
	const struct sw_backtest *backtest = &suggestion->backtest;
	struct json_object *object, *saves;

	if (suggestion->is_withheld || backtest->of == 0)
		return;
	object = sw_json_object(item, "backtest");
	sw_json_number(object, "fits", backtest->fits);
	sw_json_number(object, "of", backtest->of);
	if (isnan(backtest->saved_gib_hours) &&
	    isnan(backtest->saved_core_hours) &&
	    isnan(backtest->saved_gpu_hours))
		return;
	saves = sw_json_object(object, "saves");
	sw_json_double(saves, "gib_hours", backtest->saved_gib_hours);
	sw_json_double(saves, "core_hours", backtest->saved_core_hours);
	sw_json_double(saves, "gpu_hours", backtest->saved_gpu_hours);
	sw_json_double(saves, "cost", backtest->saved_cost);
	if (!isnan(backtest->saved_cost))
		put_text(saves, "currency", policy->currency);
}

static void put_numbers(struct json_object *item,
			const struct sw_suggestion *suggestion)
{
	static const char *const ends[] = {
		[SW_RETRY_LIMIT_NONE] = "",
		[SW_RETRY_LIMIT_NODE] = "node",
		[SW_RETRY_LIMIT_KNOWN] = "largest_known",
		[SW_RETRY_LIMIT_BEYOND] = "beyond_known",
	};
	struct json_object *retries, *basis;
	size_t i;

	sw_json_double(item, "current", suggestion->current);
	sw_json_double(item, "suggested", suggestion->suggested);
	if (suggestion->retry_count) {
		retries = sw_json_array(item, "retries");
		for (i = 0; i < suggestion->retry_count; i++)
			sw_json_append_number(
				retries, sw_whole_real(suggestion->retries[i]));
	}
	put_text(item, "retry_limit", ends[suggestion->retry_limit]);
	sw_json_double(item, "risk", suggestion->risk);
	basis = sw_json_object(item, "basis");
	sw_json_number(basis, "runs", suggestion->runs);
	put_text(basis, "statistic", suggestion->statistic);
	sw_json_double(basis, "margin", suggestion->margin);
}

static void put_suggestion(struct json_object *item,
			   const struct sw_request *request,
			   const struct sw_advisor *advisor,
			   const struct sw_suggestion *suggestion)
{
	sw_json_text(item, "resource", advisor->name);
	sw_json_text(item, "unit", advisor->unit);
	sw_json_bool(item, "is_withheld", suggestion->is_withheld);
	sw_json_bool(item, "is_change",
		     request->items[advisor->resource].is_change);
	sw_json_bool(item, "is_lower_bound", suggestion->is_lower_bound);
	put_numbers(item, suggestion);
	if (request->items[advisor->resource].is_change)
		put_lines(sw_json_object(item, "dialect_lines"), request,
			  advisor->resource);
	put_backtest(item, suggestion, &request->advice->policy);
	put_text(item, "why", suggestion->why);
	if (advisor->resource == SW_RESOURCE_MEMORY)
		sw_json_text(item, "oom_killed_job",
			     sw_advice_killed_job(request->advice));
	put_text(item, "remedy", suggestion->remedy);
}

void sw_suggestions_json(struct json_object *array,
			 const struct sw_request *request)
{
	const struct sw_advice *advice = request->advice;
	size_t i;

	for (i = 0; i < advice->count; i++)
		put_suggestion(sw_json_item(array), request,
			       advice->advisors[i], &advice->suggestions[i]);
}

static void put_request(struct json_object *root,
			const struct sw_request *request)
{
	static const char *const pers[] = {
		[SW_MEMORY_PER_UNKNOWN] = NULL,
		[SW_MEMORY_PER_NODE] = "node",
		[SW_MEMORY_PER_CPU] = "cpu",
		[SW_MEMORY_PER_GPU] = "gpu",
	};
	const struct sw_advice *advice = request->advice;
	static const char *const sources[] = {
		[SW_INPUT_GIVEN] = "given", [SW_INPUT_OF_RUN] = "run",
		[SW_INPUT_LARGEST] = "largest",
	};
	struct json_object *object = sw_json_object(root, "request");
	const struct sw_run *asked = &advice->asked;

	sw_json_double(object, "memory_bytes", asked->requested_bytes);
	sw_json_text(object, "memory_per", pers[request->memory_per]);
	sw_json_double(object, "time_seconds", asked->requested_seconds);
	sw_json_double(object, "cores", asked->requested_cores);
	sw_json_double(object, "gpus", asked->requested_gpus);
	sw_json_double(object, "tasks", asked->tasks);
	sw_json_double(object, "nodes", asked->nodes);
	put_text(object, "source", advice->asked_by);
	if (advice->input_source == SW_INPUT_UNKNOWN)
		return;
	object = sw_json_object(root, "input");
	sw_json_double(object, "bytes", advice->query.input_bytes);
	sw_json_text(object, "source", sources[advice->input_source]);
	sw_json_double(object, "largest_seen_bytes",
		       sw_advice_largest_input(advice));
}

static void put_choice(struct json_object *item,
		       const struct sw_advice *advice,
		       const struct sw_kind_choice *choice)
{
	const struct sw_catalogue *catalogue = &advice->nodes.catalogue;
	const struct sw_node_kind *kind = &catalogue->kinds[choice->kind];

	sw_json_text(item, "name", kind->name);
	sw_json_bool(item, "fits", choice->fits);
	put_text(item, "obstacle", choice->obstacle);
	sw_json_double(item, "share", choice->share);
	sw_json_double(item, "cost_per_hour", choice->hour_cost);
	if (isnan(choice->hour_cost))
		return;
	put_text(item, "currency", catalogue->currency);
	put_text(item, "as_of", kind->as_of);
}

static void put_nodes(struct json_object *root, const struct sw_advice *advice)
{
	struct json_object *object, *array;
	size_t i;

	if (!advice->has_nodes)
		return;
	object = sw_json_object(root, "node_kinds");
	sw_json_bool(object, "is_withheld", !advice->nodes.count);
	put_text(object, "why", advice->nodes.why);
	array = sw_json_array(object, "kinds");
	for (i = 0; i < advice->nodes.count; i++)
		put_choice(sw_json_item(array), advice,
			   &advice->nodes.choices[i]);
}

void sw_suggest_json(FILE *out, const struct sw_request *request)
{
	const struct sw_advice *advice = request->advice;
	struct json_object *root = sw_json_new();

	sw_json_text(root, "schema", "stepwell.suggest/1");
	sw_json_text(root, "group", advice->group);
	if (*advice->family) {
		sw_json_text(root, "family", advice->family);
		sw_json_number(root, "names", advice->family_names);
	}
	sw_json_number(root, "runs", advice->runs.count);
	sw_json_text(root, "risk", risks[advice->policy.risk]);
	put_request(root, request);
	sw_suggestions_json(sw_json_array(root, "suggestions"), request);
	put_nodes(root, advice);
	sw_json_print(out, root);
}
