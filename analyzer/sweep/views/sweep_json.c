/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The complete page for programs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/dialects/dialect.h"
#include "analyzer/print/json.h"
#include "analyzer/sweep/night/kind_cost.h"
#include "analyzer/sweep/page/words.h"
#include "analyzer/sweep/views/json_lists.h"
#include "analyzer/sweep/views/views.h"
#include "common/units.h"

#define USEC_PER_HOUR (3600.0 * (double)SW_USEC_PER_SEC)
#define MIB_SECONDS_PER_GIB_HOUR (3600.0 * 1024)

static const char *const cause_names[SW_SWEEP_CAUSES] = {
	[SW_SWEEP_UNKNOWN] = "unknown",
	[SW_SWEEP_FAILURES] = "failures",
	[SW_SWEEP_IO] = "io",
	[SW_SWEEP_GPUS] = "gpus_idle",
	[SW_SWEEP_MEMORY_PRESSURE] = "memory_pressure",
	[SW_SWEEP_THROTTLED] = "throttled",
	[SW_SWEEP_CPUS] = "cpus_idle",
	[SW_SWEEP_MEMORY] = "memory_unused",
	[SW_SWEEP_LITTLE] = "little",
};

static double hours(const uint64_t *n, enum sw_tally_number number)
{
	return (double)n[number] / USEC_PER_HOUR;
}

static double gib_hours(const uint64_t *n, enum sw_tally_number number)
{
	return (double)n[number] / MIB_SECONDS_PER_GIB_HOUR;
}

static void add_counts(struct json_object *item, const uint64_t *n)
{
	static const struct {
		const char *key;
		enum sw_tally_number number;
	} counts[] = {
		{ "jobs", SW_TALLY_JOBS },
		{ "completed", SW_TALLY_COMPLETED },
		{ "failed", SW_TALLY_FAILED },
		{ "out_of_memory", SW_TALLY_OUT_OF_MEMORY },
		{ "time_limit", SW_TALLY_TIME_LIMIT },
		{ "deadline", SW_TALLY_DEADLINE },
		{ "node_failed", SW_TALLY_NODE_FAIL },
		{ "cancelled", SW_TALLY_CANCELLED },
		{ "requeued", SW_TALLY_REQUEUED },
		{ "other_end", SW_TALLY_OTHER_END },
		{ "recorded", SW_TALLY_RECORDED },
		{ "silent_oom", SW_TALLY_SILENT_OOM_JOBS },
		{ "tasks_unknown", SW_TALLY_TASKS_UNKNOWN_JOBS },
	};
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		sw_json_number(item, counts[i].key, n[counts[i].number]);
}

static void add_numbers(struct json_object *item, const uint64_t *n)
{
	struct json_object *cpu = sw_json_object(item, "cpu"), *memory;

	sw_json_double(cpu, "allocated_core_hours",
		       hours(n, SW_TALLY_CORE_USEC));
	sw_json_double(cpu, "efficiency",
		       sw_tally_ratio(n, SW_TALLY_USED_USEC,
				      SW_TALLY_CORE_KNOWN_USEC));
	sw_json_double(cpu, "idle_core_hours", hours(n, SW_TALLY_IDLE_USEC));
	sw_json_double(cpu, "lost_core_hours",
		       hours(n, SW_TALLY_LOST_CORE_USEC));
	memory = sw_json_object(item, "memory");
	sw_json_double(memory, "allocated_gib_hours",
		       gib_hours(n, SW_TALLY_MIB_SECONDS));
	sw_json_double(memory, "efficiency",
		       sw_tally_ratio(n, SW_TALLY_NEED_MIB_SECONDS,
				      SW_TALLY_MIB_KNOWN_SECONDS));
	sw_json_double(memory, "unused_gib_hours",
		       gib_hours(n, SW_TALLY_UNUSED_MIB_SECONDS));
	sw_json_double(memory, "lost_gib_hours",
		       gib_hours(n, SW_TALLY_LOST_MIB_SECONDS));
	sw_json_double(item, "time_limit_used_ratio",
		       sw_tally_ratio(n, SW_TALLY_LIMITED_SECONDS,
				      SW_TALLY_LIMIT_SECONDS));
	if (!n[SW_TALLY_GPU_SECONDS])
		return;
	sw_json_double(item, "allocated_gpu_hours",
		       (double)n[SW_TALLY_GPU_SECONDS] / 3600);
	if (!n[SW_TALLY_GPU_KNOWN_SECONDS])
		return;
	sw_json_double(item, "gpu_efficiency",
		       sw_tally_ratio(n, SW_TALLY_GPU_BUSY_SECONDS,
				      SW_TALLY_GPU_KNOWN_SECONDS));
	sw_json_double(item, "idle_gpu_hours",
		       (double)n[SW_TALLY_GPU_IDLE_SECONDS] / 3600);
}

static void add_cost(struct json_object *item, const uint64_t *n,
		     const struct sw_sweep_page *page)
{
	struct json_object *cost;

	if (!page->has_costs || !n[SW_TALLY_PRICED_CORE_USEC])
		return;
	cost = sw_json_object(item, "cost");
	sw_json_double(cost, "amount",
		       (double)n[SW_TALLY_COST_MICROS] / SW_MICROS);
	sw_json_double(cost, "wasted",
		       (double)n[SW_TALLY_WASTED_MICROS] / SW_MICROS);
	sw_json_text(cost, "currency", page->catalogue.currency);
	sw_json_double(cost, "core_hours",
		       hours(n, SW_TALLY_PRICED_CORE_USEC));
	sw_json_number(cost, "oldest_price",
		       SW_TALLY_DAY_LAST - n[SW_TALLY_PRICE_DAY_BEFORE]);
	sw_json_number(cost, "newest_price", n[SW_TALLY_PRICE_DAY]);
}

static void add_sketch(struct json_object *item, const char *key,
		       const struct sw_quantiles *sketch, uint64_t unit)
{
	struct json_object *object;

	if (!sketch->count)
		return;
	object = sw_json_object(item, key);
	sw_json_number(object, "count", sketch->count);
	sw_json_number(object, "p50", sw_quantiles_at(sketch, 1, 2) * unit);
	sw_json_number(object, "p95",
		       sw_quantiles_at(sketch, 95, 100) * unit);
	sw_json_number(object, "max", sketch->max * unit);
}

static void add_tally(struct json_object *item, const struct sw_tally *tally,
		      const struct sw_sweep_page *page)
{
	sw_json_text(item, "cluster", tally->cluster);
	sw_json_text(item, "name", tally->name);
	add_counts(item, tally->n);
	add_numbers(item, tally->n);
	add_cost(item, tally->n, page);
	add_sketch(item, "elapsed_seconds",
		   &tally->sketch[SW_TALLY_ELAPSED_SECONDS], 1);
	add_sketch(item, "wait_seconds",
		   &tally->sketch[SW_TALLY_WAIT_SECONDS], 1);
	add_sketch(item, "need_bytes", &tally->sketch[SW_TALLY_NEED_MIB],
		   SW_MIB);
}

static void add_waits(struct json_object *item, const uint64_t *n)
{
	struct json_object *waits;

	if (!n[SW_TALLY_STEP_USEC])
		return;
	waits = sw_json_object(item, "stalled_ratio");
	sw_json_double(waits, "io", sw_sweep_io_ratio(n));
	sw_json_double(waits, "memory",
		       sw_tally_ratio(n, SW_TALLY_MEMORY_FULL_USEC,
				      SW_TALLY_PRESSURE_USEC));
	sw_json_double(waits, "throttled",
		       sw_tally_ratio(n, SW_TALLY_THROTTLED_USEC,
				      SW_TALLY_STEP_CORE_USEC));
}

/* Add seconds, which can be summed over groups. */
static void add_limits(struct json_object *item, const uint64_t *n)
{
	struct json_object *limits;
	enum sw_limited_by i;

	if (!n[SW_TALLY_OBSERVED_USEC])
		return;
	limits = sw_json_object(item, "limited_by_seconds");
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		sw_json_double(limits, sw_limited_by_name(i),
			       (double)n[SW_TALLY_LIMITED_CPU_USEC + i] /
				       (double)SW_USEC_PER_SEC);
}

static void add_fits(struct json_object *item,
		     const struct sw_sweep_line *line)
{
	struct json_object *array = sw_json_array(item, "fits"), *fit;
	size_t i;

	for (i = 0; i < SW_RESOURCES; i++) {
		const struct sw_suggestion *suggestion =
			line->request.items[i].suggestion;

		if (!line->is_in[i])
			continue;
		fit = sw_json_item(array);
		sw_json_text(fit, "resource",
			     sw_resource_word((enum sw_resource)i));
		sw_json_number(fit, "runs", suggestion->fit.of);
		sw_json_number(fit, "fits", suggestion->fit.fits);
	}
}

/* A line for each different request of the runs. */
static void add_lines(struct json_object *item,
		      const struct sw_sweep_lines *lines)
{
	struct json_object *array = sw_json_array(item, "lines"), *line;
	size_t i;

	sw_json_number(item, "different_requests", lines->requests);
	for (i = 0; i < lines->count; i++) {
		const struct sw_run *asked = &lines->items[i].advice->asked;

		if (!*lines->items[i].words)
			continue;
		line = sw_json_item(array);
		sw_json_text(line, "sbatch", lines->items[i].words);
		sw_json_number(line, "runs",
			       lines->items[i].advice->runs.count);
		sw_json_double(line, "requested_bytes",
			       asked->requested_bytes);
		sw_json_double(line, "requested_cpus",
			       asked->requested_cores);
		add_fits(line, &lines->items[i]);
	}
}

static void add_kind(struct json_object *item,
		     const struct sw_sweep_page *page,
		     const struct sw_kind_choice *choice)
{
	const struct sw_node_kind *kind =
		&page->catalogue.kinds[choice->kind];

	sw_json_text(item, "name", kind->name);
	sw_json_bool(item, "fits", choice->fits);
	if (*choice->obstacle)
		sw_json_text(item, "obstacle", choice->obstacle);
	sw_json_number(item, "runs", choice->runs);
	sw_json_double(item, "median_seconds", choice->seconds);
	sw_json_double(item, "share", choice->share);
	sw_json_double(item, "cost_per_hour", choice->hour_cost);
	sw_json_double(item, "cost_per_run", choice->run_cost);
	if (*kind->as_of)
		sw_json_text(item, "as_of", kind->as_of);
}

/* Add each kind of node in the catalogue, and the sentences about them. */
static void add_kinds(struct json_object *item,
		      const struct sw_sweep_page *page,
		      const struct sw_sweep_row *row)
{
	char words[SW_SWEEP_WORDS_SIZE];
	struct json_object *array;
	size_t i;

	if (!row->kinds.count)
		return;
	array = sw_json_array(item, "node_kinds");
	for (i = 0; i < row->kinds.count; i++)
		add_kind(sw_json_item(array), page, &row->kinds.choices[i]);
	array = sw_json_array(item, "node_kind_sentences");
	for (i = 0; sw_sweep_kind_words(words, sizeof(words), page, row, i);
	     i++) {
		if (*words)
			sw_json_text(sw_json_item(array), "sentence", words);
	}
}

static void add_row(struct json_object *item, const struct sw_sweep_page *page,
		    const struct sw_sweep_row *row)
{
	struct json_object *waste;

	add_tally(item, row->tally, page);
	sw_json_text(item, "user", row->tally->user);
	sw_json_text(item, "label", sw_sweep_row_name(row->tally));
	sw_json_number(item, "example_job_id",
		       row->tally->n[SW_TALLY_LATEST_JOB_ID]);
	waste = sw_json_object(item, "waste");
	sw_json_double(waste, "core_hours", row->core_hours);
	sw_json_double(waste, "gib_hours", row->gib_hours);
	sw_json_double(waste, "cost", row->cost);
	sw_json_text(item, "cause", cause_names[row->cause]);
	sw_json_text(item, "finding", sw_sweep_cause_ids[row->cause]);
	sw_json_text(item, "sentence", row->why);
	sw_json_number(item, "nights_repeated", row->repeats);
	add_waits(item, row->tally->n);
	add_limits(item, row->tally->n);
	if (row->mount && row->cause == SW_SWEEP_IO)
		sw_json_text(item, "stalled_for", row->mount->label);
	if (row->lines.requests)
		add_lines(item, &row->lines);
	add_kinds(item, page, row);
}

static void add_rows(struct json_object *root,
		     const struct sw_sweep_page *page)
{
	struct json_object *array = sw_json_array(root, "groups");
	size_t i;

	for (i = 0; i < page->count; i++)
		add_row(sw_json_item(array), page, &page->rows[i]);
}

/* Add user, and pipeline or group if that is useful. */
static void add_named(struct json_object *item, const struct sw_tally *tally,
		      const struct sw_sweep_page *page)
{
	static const char *const keys[SW_TALLY_OFS] = {
		[SW_TALLY_RUN] = "pipeline",
		[SW_TALLY_TASK] = "pipeline",
		[SW_TALLY_STEP] = "group",
	};

	add_tally(item, tally, page);
	if (*tally->user)
		sw_json_text(item, "user", tally->user);
	if (keys[tally->of] && *tally->label)
		sw_json_text(item, keys[tally->of], tally->label);
}

static void add_by(struct json_object *root, const struct sw_sweep_page *page,
		   const struct sw_sweep_by *by)
{
	struct json_object *array = sw_json_array(root, by->key);
	size_t i, count;
	const struct sw_tally **tallies = sw_sweep_by(page, by->of, &count);

	for (i = 0; tallies && i < count; i++)
		add_named(sw_json_item(array), tallies[i], page);
	free(tallies);
}

static void add_savings(struct json_object *root,
			const struct sw_sweep_page *page)
{
	struct json_object *item = sw_json_object(root, "savings");

	sw_json_number(item, "groups", page->savings.groups);
	sw_json_number(item, "whole_node_groups", page->savings.whole_groups);
	sw_json_number(item, "runs", page->savings.runs);
	sw_json_number(item, "fits", page->savings.fits);
	sw_json_double(item, "core_hours", page->savings.core_hours);
	sw_json_double(item, "gib_hours", page->savings.gib_hours);
	sw_json_double(item, "allocated_core_hours",
		       page->savings.had_core_hours);
	sw_json_double(item, "allocated_gib_hours",
		       page->savings.had_gib_hours);
	sw_json_number(item, "month_nights", page->month->nights);
	sw_json_double(item, "month_core_hours",
		       page->savings.month_core_hours);
	sw_json_double(item, "month_gib_hours",
		       page->savings.month_gib_hours);
}

/* Add the groups that request less than before. */
static void add_takens(struct json_object *root,
		       const struct sw_sweep_page *page)
{
	struct json_object *array = sw_json_array(root, "requests_lowered");
	char words[SW_SWEEP_WORDS_SIZE];
	size_t i;

	for (i = 0; i < page->takens.count; i++) {
		const struct sw_taken *taken = &page->takens.items[i];
		struct json_object *item = sw_json_item(array);

		sw_json_text(item, "user", taken->group->user);
		sw_json_text(item, "label", taken->group->label);
		sw_json_number(item, "since", taken->since_seconds);
		sw_json_number(item, "requested_bytes",
			       taken->now_mib * SW_MIB);
		sw_json_number(item, "requested_bytes_before",
			       taken->before_mib * SW_MIB);
		sw_json_number(item, "jobs", taken->now_jobs);
		sw_json_number(item, "jobs_before", taken->before_jobs);
		sw_json_number(item, "out_of_memory",
			       taken->now_out_of_memory);
		sw_json_number(item, "out_of_memory_before",
			       taken->before_out_of_memory);
		sw_json_double(item, "saved_gib_hours", taken->gib_hours);
		sw_json_text(item, "sentence",
			     sw_sweep_taken(words, sizeof(words), taken));
	}
}

void sw_sweep_json(FILE *out, const struct sw_sweep_page *page)
{
	struct json_object *root = sw_json_new(), *total;
	size_t i;

	sw_json_text(root, "schema", "stepwell.sweep/1");
	sw_json_number(root, "from", page->night->from_seconds);
	sw_json_number(root, "until", page->night->until_seconds);
	sw_json_text(root, "user", page->user);
	sw_json_text(root, "group", page->group);
	sw_json_text(root, "pipeline", page->pipeline);
	sw_json_text(root, "run", page->run);
	total = sw_json_object(root, "total");
	add_counts(total, page->total);
	add_numbers(total, page->total);
	add_cost(total, page->total, page);
	add_rows(root, page);
	add_savings(root, page);
	add_takens(root, page);
	sw_sweep_json_lists(root, page);
	for (i = 0; i < SW_SWEEP_BYS; i++)
		add_by(root, page, &sw_sweep_bys[i]);
	sw_sweep_json_missing(root, page);
	sw_json_print(out, root);
}
