/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make rows of workflows from the sums of groups. */
#include "analyzer/backtest/backtest.h"

#include <math.h>
#include <stdlib.h>

#define CAP_LEAST_BYTES (128.0 * 1024 * 1024 * 1024)
#define GB_HOURS_PER_GIB_HOUR (1024.0 * 1024 * 1024 / 1e9)

/* A task's ratio, to find the median. */
struct ratio {
	size_t workflow;
	double ratio;
};

struct ratios {
	const struct sw_trace *trace;
	struct ratio *items;
	size_t count;
};

static void take_ratio(void *context, const struct sw_replay_seen *seen)
{
	struct ratios *ratios = context;
	const struct sw_replay_run *item = &ratios->trace->runs[seen->index];

	ratios->items[ratios->count++] = (struct ratio){
		ratios->trace->groups[item->group].workflow,
		seen->last_bytes / item->run.need_bytes,
	};
}

static int compare_ratios(const void *left, const void *right)
{
	const struct ratio *a = left, *b = right;

	return (a->ratio > b->ratio) - (a->ratio < b->ratio);
}

static int compare_workflows(const void *left, const void *right)
{
	const struct ratio *a = left, *b = right;

	if (a->workflow != b->workflow)
		return a->workflow < b->workflow ? -1 : 1;
	return compare_ratios(left, right);
}

static double median(const struct ratio *ratios, size_t count)
{
	if (!count)
		return NAN;
	return (ratios[(count - 1) / 2].ratio + ratios[count / 2].ratio) / 2;
}

static void find_medians(struct sw_backtest_result *result,
			 struct ratios *ratios)
{
	size_t i, first = 0, next;

	qsort(ratios->items, ratios->count, sizeof(*ratios->items),
	      compare_ratios);
	result->total.median_ratio = median(ratios->items, ratios->count);
	qsort(ratios->items, ratios->count, sizeof(*ratios->items),
	      compare_workflows);
	for (i = 0; i < result->count; i++) {
		for (next = first; next < ratios->count; next++) {
			if (ratios->items[next].workflow != i)
				break;
		}
		result->rows[i].median_ratio = median(&ratios->items[first],
						      next - first);
		first = next;
	}
}

/* Until everything is added, quality holds the need. */
static void add(struct sw_backtest_row *row, const struct sw_replay_sum *sum)
{
	row->tasks += sum->runs;
	row->failures += sum->failures;
	row->failed_tasks += sum->failed_runs;
	row->retries_exhausted += sum->retries_exhausted;
	row->without_suggestion += sum->without_suggestion;
	row->wasted_gib_hours += sum->wasted_gb_hours / GB_HOURS_PER_GIB_HOUR;
	row->requested_gib_hours += sum->requested_gb_hours /
				    GB_HOURS_PER_GIB_HOUR;
	row->mean_ratio += sum->ratio_sum;
	row->quality += sum->needed_gb_hours / GB_HOURS_PER_GIB_HOUR;
}

static void finish(struct sw_backtest_row *row)
{
	double all = row->quality + row->wasted_gib_hours;

	row->mean_ratio = row->tasks ? row->mean_ratio / (double)row->tasks :
				       NAN;
	row->quality = all > 0 ? row->quality / all : NAN;
}

double sw_backtest_cap(const struct sw_trace *trace)
{
	return fmax(CAP_LEAST_BYTES, trace->largest_bytes);
}

static void sum_up(struct sw_backtest_result *result,
		   const struct sw_trace *trace,
		   const struct sw_replay_sum *sums)
{
	size_t i;

	for (i = 0; i < trace->group_count; i++) {
		add(&result->rows[trace->groups[i].workflow], &sums[i]);
		add(&result->total, &sums[i]);
		result->cold_groups += sums[i].runs == 0;
	}
	for (i = 0; i < result->count; i++)
		finish(&result->rows[i]);
	finish(&result->total);
}

int sw_backtest_init(struct sw_backtest_result *result,
		     const struct sw_trace *trace,
		     const struct sw_method *method,
		     const struct sw_policy *policy,
		     const struct sw_replay_options *options)
{
	struct sw_replay_sum *sums = calloc(trace->group_count + 1,
					    sizeof(*sums));
	struct ratios ratios = {
		.trace = trace,
		.items = malloc((trace->count + 1) * sizeof(*ratios.items)),
	};
	int rc = -1;

	*result = (struct sw_backtest_result){ 0 };
	result->rows = calloc(trace->workflow_count + 1,
			      sizeof(*result->rows));
	if (sums && ratios.items && result->rows) {
		result->count = trace->workflow_count;
		rc = sw_replay(method, policy, options, trace->runs,
			       trace->count, sums, trace->group_count,
			       take_ratio, &ratios);
	}
	if (rc == 0) {
		sum_up(result, trace, sums);
		find_medians(result, &ratios);
	}
	free(sums);
	free(ratios.items);
	return rc;
}

void sw_backtest_fini(struct sw_backtest_result *result)
{
	free(result->rows);
	*result = (struct sw_backtest_result){ 0 };
}

int sw_backtest_all(struct sw_backtest_table *backtest,
		    const struct sw_trace *trace,
		    const struct sw_method *method,
		    const struct sw_policy *policy,
		    const struct sw_replay_options *options)
{
	const struct sw_method *const one[] = { method, NULL };
	const struct sw_method *const *methods = method ? one : sw_methods;
	size_t count = 0;

	while (methods[count])
		count++;
	*backtest = (struct sw_backtest_table){
		.trace = trace,
		.sides = calloc(count, sizeof(*backtest->sides)),
	};
	if (!backtest->sides)
		return -1;
	while (backtest->count < count) {
		struct sw_backtest_side *side =
			&backtest->sides[backtest->count];

		side->method = methods[backtest->count++];
		if (sw_backtest_init(&side->result, trace, side->method,
				     policy, options) < 0)
			return -1;
	}
	return 0;
}

void sw_backtest_all_fini(struct sw_backtest_table *backtest)
{
	size_t i;

	for (i = 0; i < backtest->count; i++)
		sw_backtest_fini(&backtest->sides[i].result);
	free(backtest->sides);
	*backtest = (struct sw_backtest_table){ 0 };
}
