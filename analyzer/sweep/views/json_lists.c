/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON lists of the page: what went wrong, and missing data. */
#include "analyzer/sweep/views/json_lists.h"

#include <stdlib.h>

#include "analyzer/failures/failure_words.h"
#include "analyzer/print/json.h"
#include "analyzer/sweep/page/words.h"

static void add_failures(struct json_object *root,
			 const struct sw_sweep_page *page)
{
	struct json_object *array = sw_json_array(root, "failures"), *item;
	char words[SW_FAILURE_WORDS_SIZE];
	size_t i;

	for (i = 0; i < page->failures.count; i++) {
		item = sw_json_item(array);
		sw_failure_json(item, &page->failures.items[i]);
		sw_json_number(item, "nights_repeated",
			       page->failures.items[i].nights_before);
		sw_json_text(item, "sentence",
			     sw_failure_words(words, sizeof(words),
					      &page->failures.items[i]));
	}
}

static void add_retries(struct json_object *root,
			const struct sw_sweep_page *page)
{
	struct json_object *array = sw_json_array(root, "retries"), *item;
	char words[SW_FAILURE_WORDS_SIZE];
	size_t i;

	for (i = 0; i < page->shown_chains; i++) {
		item = sw_json_item(array);
		sw_retry_json(item, &page->chains.items[i]);
		sw_json_number(item, "nights_repeated",
			       page->chains.items[i].nights_before);
		sw_json_text(item, "sentence",
			     sw_retry_words(words, sizeof(words),
					    &page->chains.items[i]));
	}
}

static void add_groups(struct json_object *item, const struct sw_worse *worse)
{
	struct json_object *array = sw_json_array(item, "groups");
	size_t i;

	for (i = 0; i < worse->count && i < SW_WORSE_NAMED; i++) {
		struct json_object *group = sw_json_item(array);

		sw_json_text(group, "name", worse->groups[i]->name);
		sw_json_text(group, "user", worse->groups[i]->user);
		sw_json_text(group, "label", worse->groups[i]->label);
	}
	sw_json_number(item, "group_count", worse->count);
}

struct amount {
	const char *key;
	double unit;
};

static const struct amount *amount_of(const struct sw_worse *worse)
{
	static const struct amount step[SW_STEP_AMOUNTS] = {
		[SW_STEP_ELAPSED_USEC] = { "elapsed_seconds", 1e-6 },
		[SW_STEP_CPU_USEC] = { "cpu_seconds", 1e-6 },
		[SW_STEP_NEED_BYTES] = { "need_bytes", 1 },
		[SW_STEP_READ_BYTES] = { "read_bytes", 1 },
		[SW_STEP_WRITTEN_BYTES] = { "written_bytes", 1 },
		[SW_STEP_MOUNT_USEC] = { "mount_wait_seconds", 1e-6 },
	};
	static const struct amount program[SW_PROGRAM_AMOUNTS] = {
		[SW_PROGRAM_COUNT] = { "processes", 1 },
		[SW_PROGRAM_CPU_USEC] = { "cpu_seconds", 1e-6 },
		[SW_PROGRAM_READ_BYTES] = { "read_bytes", 1 },
		[SW_PROGRAM_WRITTEN_BYTES] = { "written_bytes", 1 },
		[SW_PROGRAM_LONGEST_USEC] = { "longest_seconds", 1e-6 },
	};
	static const struct amount failed = { "failed_share", 1 };
	static const struct amount lacking = { "lacking_share", 1 };
	const struct sw_difference *difference = &worse->difference;

	if (difference->is_of_runs)
		return difference->kind == SW_DIFFERS_ABSENT ? &lacking
							     : &failed;
	return *worse->program ? &program[difference->amount]
			       : &step[difference->amount];
}

/* The largest change in the first group's runs, now and before. */
static void add_numbers(struct json_object *item, const struct sw_worse *worse)
{
	const struct sw_difference *difference = &worse->difference;
	const struct amount *amount = amount_of(worse);
	double unit = difference->is_of_runs ? 1 / difference->of
					     : amount->unit;

	if (*worse->program)
		sw_json_text(item, "program", worse->program);
	sw_json_text(item, "what", amount->key);
	sw_json_double(item, "value", difference->value * unit);
	sw_json_double(item, "value_before", difference->usual * unit);
}

static void add_worse(struct json_object *item, const struct sw_worse *worse)
{
	char words[SW_SWEEP_WORDS_SIZE];
	struct json_object *array;
	size_t i;

	add_groups(item, worse);
	sw_json_number(item, "jobs", worse->jobs);
	sw_json_double(item, "core_hours", worse->core_seconds / 3600);
	sw_json_number(item, "since", worse->since_seconds);
	array = sw_json_array(item, "only_on_nodes");
	if (*worse->node)
		sw_json_append_text(array, worse->node);
	add_numbers(item, worse);
	array = sw_json_array(item, "coincides_with");
	for (i = 0; i < worse->beside_count; i++)
		sw_json_append_text(array, worse->beside[i]);
	sw_json_number(item, "past_runs", worse->past_runs);
	sw_json_number(item, "past_nights", worse->past_nights);
	sw_json_double(item, "chance", worse->p);
	sw_json_text(item, "sentence",
		     sw_sweep_worse(words, sizeof(words), worse));
}

void sw_sweep_json_lists(struct json_object *root,
			 const struct sw_sweep_page *page)
{
	struct json_object *array;
	size_t i;

	add_failures(root, page);
	add_retries(root, page);
	sw_json_number(root, "nights_compared", page->past_nights);
	array = sw_json_array(root, "worse");
	for (i = 0; i < page->worses.count; i++)
		add_worse(sw_json_item(array), &page->worses.items[i]);
}

/* Add all nodes that the page names. */
static void add_unrecorded(struct json_object *nodes,
			   const struct sw_night *night)
{
	struct json_object *array = sw_json_array(nodes, "unrecorded"), *item;
	const struct sw_night_node **found =
		calloc(night->nodes.count + 1, sizeof(*found));
	size_t i, count = 0;

	if (found)
		count = sw_night_unrecorded(night, found, night->nodes.count);
	for (i = 0; i < count; i++) {
		item = sw_json_item(array);
		sw_json_text(item, "name", found[i]->name);
		sw_json_number(item, "steps", found[i]->steps);
		sw_json_number(item, "recorded", found[i]->recorded);
	}
	free(found);
}

void sw_sweep_json_missing(struct json_object *root,
			   const struct sw_sweep_page *page)
{
	static const char *const keys[SW_NIGHT_NOTES] = {
		[SW_NIGHT_BAD_LINES] = "bad_lines",
		[SW_NIGHT_IMPOSSIBLE] = "impossible_values",
		[SW_NIGHT_NEVER_STARTED] = "never_started",
		[SW_NIGHT_BAD_SUMMARIES] = "bad_summary_files",
		[SW_NIGHT_UNNAMED_ROWS] = "summaries_without_step",
		[SW_NIGHT_UNKNOWN_JOBS] = "summaries_of_unknown_jobs",
	};
	struct json_object *item = sw_json_object(root, "left_out");
	size_t i;

	for (i = 0; i < SW_NIGHT_NOTES; i++)
		sw_json_number(item, keys[i], page->night->notes[i]);
	item = sw_json_object(root, "nodes");
	sw_json_number(item, "count", page->node_count);
	sw_json_number(item, "without_summaries", page->nodes_without_count);
	sw_json_text(item, "without_summaries_names", page->nodes_without);
	if (!sw_sweep_is_of_part(page))
		add_unrecorded(item, page->night);
}
