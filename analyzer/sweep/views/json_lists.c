/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON lists of the page: what went wrong, and missing data. */
#include "analyzer/sweep/views/json_lists.h"

#include <stdlib.h>

#include "analyzer/failures/failure_words.h"
#include "analyzer/print/json.h"
#include "analyzer/sweep/page/words.h"
#include "common/units.h"

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

static void add_change(struct json_object *item, const struct sw_change *change)
{
	bool is_memory = change->what == SW_TALLY_NEED_MIB;
	uint64_t unit = is_memory ? SW_MIB : 1;
	char words[SW_SWEEP_WORDS_SIZE];

	sw_json_text(item, "group", change->now->name);
	sw_json_text(item, "what",
		     is_memory ? "need_bytes" : "elapsed_seconds");
	sw_json_number(item, "median", change->now_median * unit);
	sw_json_number(item, "median_before", change->before_median * unit);
	sw_json_number(item, "jobs", change->now_jobs);
	sw_json_number(item, "jobs_before", change->before_jobs);
	sw_json_double(item, "chance", change->chance);
	sw_json_text(item, "sentence",
		     sw_sweep_change(words, sizeof(words), change));
}

void sw_sweep_json_lists(struct json_object *root,
			 const struct sw_sweep_page *page)
{
	struct json_object *array;
	size_t i;

	add_failures(root, page);
	add_retries(root, page);
	sw_json_number(root, "nights_compared", page->past_nights);
	array = sw_json_array(root, "changes");
	for (i = 0; i < page->changes.count; i++)
		add_change(sw_json_item(array), &page->changes.items[i]);
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
