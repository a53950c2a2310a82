/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make the page from nights. */
#include "analyzer/sweep/page/words.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/sweep/night/kind_cost.h"
#include "common/units.h"

enum { ADVISED_MAX = 500 };

/* Groups beyond this share of the waste get no advice. */
#define ADVISED_SHARE 0.99

/* Groups beyond this share are not listed. */
#define COSTLY_SHARE 0.95

/* Below this share of priced CPU time, rows are not sorted by cost. */
#define PRICED_RATIO 0.99

static int compare_rows(const void *a, const void *b)
{
	const struct sw_sweep_row *one = a, *two = b;
	int order = sw_sweep_compare_numbers(one->rank, two->rank);

	if (!order)
		order = sw_sweep_compare_numbers(one->share, two->share);
	return order ? order : sw_keyed_compare(&one->tally->entry,
						&two->tally->entry);
}

static int put_rows(struct sw_sweep_page *page)
{
	size_t i, count = page->night->tallies.count;
	uint64_t past_total[SW_TALLY_NUMBERS];

	sw_night_total(page->past, past_total);
	page->rows = calloc(count + 1, sizeof(*page->rows));
	if (!page->rows)
		return -1;
	for (i = 0; i < count; i++) {
		struct sw_sweep_row *row = &page->rows[page->count];

		if (!sw_sweep_has_tally(page, page->sorted[i]))
			continue;
		row->tally = page->sorted[i];
		row->group = sw_sweep_group_of(page, row->tally);
		row->mount = sw_sweep_mount(page, row->tally);
		sw_sweep_put_waste(row, page);
		sw_sweep_explain(row, page, page->total);
		sw_sweep_find_repeats(row, page, past_total);
		page->count++;
	}
	qsort(page->rows, page->count, sizeof(*page->rows), compare_rows);
	return 0;
}

/* Merge the runs of this and earlier nights, keeping the newest. */
static int gather_runs(struct sw_sample *sample,
		       const struct sw_sweep_page *page,
		       const struct sw_tally *tally)
{
	const struct sw_tally *before =
		(const struct sw_tally *)sw_keyed_find(&page->past->tallies,
						       tally->key,
						       tally->entry.key_size);

	if (sw_sample_merge(sample, &tally->sample) < 0)
		return -1;
	return before ? sw_sample_merge(sample, &before->sample) : 0;
}

/*
 * A shorter time limit saves nothing; a longer one saves jobs that hit it.
 * Fewer CPUs are no remedy for waits for I/O or memory, or for a quota, even if
 * more memory than CPUs was wasted.
 */
static unsigned fixes_of(const struct sw_sweep_row *row)
{
	unsigned resources = (1u << SW_RESOURCES) - 1;
	double share;

	if (row->cause != SW_SWEEP_FAILURES ||
	    !row->tally->n[SW_TALLY_TIME_LIMIT])
		resources &= ~(1u << SW_RESOURCE_TIME);
	if (sw_sweep_wait(row->tally->n, &share) != SW_SWEEP_UNKNOWN)
		resources &= ~(1u << SW_RESOURCE_CORES);
	return resources;
}

static int put_advice(struct sw_sweep_row *row,
		      const struct sw_sweep_page *page)
{
	const struct sw_sweep_wanted wanted = {
		.group = row->group->name, .settings = page->settings,
		.resources = fixes_of(row),
		.from_seconds = page->night->from_seconds,
	};
	struct sw_sample sample = { 0 };
	int rc = gather_runs(&sample, page, row->group);

	if (rc == 0 && sample.count)
		rc = sw_sweep_lines_init(&row->lines, &sample, &wanted);
	sw_sample_fini(&sample);
	if (rc == 0 && row->lines.requests && page->has_costs)
		rc = sw_sweep_kinds_init(&row->kinds, &page->catalogue,
					 page->night, page->past, row->group,
					 &row->lines);
	return rc;
}

/* Number of rows that make up a share of all waste. */
static size_t count_costly(const struct sw_sweep_page *page, double share)
{
	double all = 0, sum = 0;
	size_t i;

	for (i = 0; i < page->count; i++)
		all += page->rows[i].share;
	for (i = 0; i < page->count && sum < share * all; i++)
		sum += page->rows[i].share;
	return i;
}

/* Advise the groups that make up nearly all of the waste. */
static int put_all_advice(struct sw_sweep_page *page)
{
	size_t i, count = count_costly(page, ADVISED_SHARE);

	for (i = 0; i < count && i < ADVISED_MAX; i++) {
		if (!page->rows[i].group)
			continue;
		if (put_advice(&page->rows[i], page) < 0)
			return -1;
		sw_sweep_savings_add(&page->savings, &page->rows[i],
				     page->month);
	}
	page->costly_count = count_costly(page, COSTLY_SHARE);
	return 0;
}

static bool is_shown(const struct sw_sweep_page *page,
		     const struct sw_retry_chain *chain)
{
	const struct sw_attempt *last = chain->attempts[chain->count - 1];

	return last->n.end_seconds >= page->night->from_seconds &&
	       sw_sweep_has_chain(page, chain);
}

/* A chain that began earlier counts for the night in which it ended. */
static int put_retries(struct sw_sweep_page *page)
{
	struct sw_retry_chains *chains = &page->chains;
	size_t i, kept = 0;

	sw_retries_init(&page->retries,
			sw_settings_retries(page->settings));
	if (sw_retries_merge(&page->retries, &page->night->retries) < 0 ||
	    sw_retries_merge(&page->retries, &page->past->retries) < 0 ||
	    sw_retries_chains(&page->retries, page->night->until_seconds,
			      chains) < 0)
		return -1;
	for (i = 0; i < chains->count; i++) {
		struct sw_retry_chain item = chains->items[i];

		/* Hidden items are kept for being freed. */
		if (!is_shown(page, &item))
			continue;
		chains->items[i] = chains->items[kept];
		chains->items[kept++] = item;
	}
	page->shown_chains = kept;
	return 0;
}

/* Keep the reason if it cannot be read. */
static void put_catalogue(struct sw_sweep_page *page)
{
	const char *path = sw_settings_node_catalogue(page->settings);
	struct sw_error error;

	if (sw_catalogue_read(&page->catalogue, path, &error) < 0)
		snprintf(page->no_catalogue, sizeof(page->no_catalogue),
			 "No job has a cost: %s.", error.text);
}

/*
 * Costs are from the catalogue at the time of counting: with another one, their
 * currency is not known.
 */
static bool has_prices_of(struct sw_sweep_page *page, uint64_t day)
{
	char date[SW_DATE_SIZE];
	size_t i;

	sw_sweep_day(date, sizeof(date), day);
	for (i = 0; i < page->catalogue.count; i++) {
		if (!strcmp(page->catalogue.kinds[i].as_of, date))
			return true;
	}
	snprintf(page->no_catalogue, sizeof(page->no_catalogue), "No job has a "
		 "cost: they were counted with prices of %s, which the "
		 "catalogue of nodes no longer has.", date);
	return false;
}

static void put_cost_order(struct sw_sweep_page *page)
{
	const struct sw_policy *policy = sw_settings_policy(page->settings);
	const uint64_t *n = page->total;

	page->has_costs = *page->catalogue.currency &&
			  n[SW_TALLY_PRICED_CORE_USEC] &&
			  has_prices_of(page, n[SW_TALLY_PRICE_DAY]);
	page->is_by_cost = page->has_costs ?
		sw_tally_ratio(n, SW_TALLY_PRICED_CORE_USEC,
			       SW_TALLY_CORE_USEC) >= PRICED_RATIO :
		!isnan(policy->core_hour_price) ||
			!isnan(policy->gib_hour_price);
}

static int put_total(struct sw_sweep_page *page)
{
	size_t i;

	for (i = 0; i < page->night->tallies.count; i++) {
		const struct sw_tally *tally = page->sorted[i];

		if (sw_sweep_is_of_part(page) ?
			    !sw_sweep_has_tally(page, tally) :
			    tally->of != SW_TALLY_ALL)
			continue;
		sw_tally_numbers_add(page->total, tally->n);
	}
	put_cost_order(page);
	/* Components do not count as jobs. */
	if (sw_sweep_is_of_part(page) && !page->total[SW_TALLY_JOBS] &&
	    !page->total[SW_TALLY_CORE_USEC]) {
		errno = ENOENT;
		return -1;
	}
	return 0;
}

int sw_sweep_page_init(struct sw_sweep_page *page, const struct sw_night *night,
		       const struct sw_past *past,
		       const struct sw_settings *settings,
		       const struct sw_sweep_part *part)
{
	memset(page, 0, sizeof(*page));
	page->night = night;
	page->past = &past->night;
	page->past_nights = past->nights;
	page->month = &past->month;
	page->settings = settings;
	page->user = part->user;
	page->group = part->group;
	page->pipeline = part->pipeline;
	page->run = part->run;
	put_catalogue(page);
	page->sorted = sw_tallies_sorted(&night->tallies);
	page->nodes_without = sw_night_nodes_without(
		night, &page->nodes_without_count, &page->node_count);
	if (!page->sorted || !page->nodes_without || put_total(page) < 0 ||
	    put_rows(page) < 0 || put_all_advice(page) < 0 ||
	    put_retries(page) < 0 || sw_failures_rows(&night->failures,
						   part->user,
						   &page->failures) < 0 ||
	    sw_month_taken(page->month, &page->takens) < 0 ||
	    sw_worse_find(&page->worses, night, &past->trails) < 0 ||
	    sw_sweep_join_users(page) < 0) {
		sw_sweep_page_fini(page);
		return -1;
	}
	sw_sweep_keep_part(page);
	sw_worses_fold(&page->worses);
	if (sw_sweep_find_old_failures(page) < 0 ||
	    sw_sweep_find_old_retries(page) < 0 ||
	    sw_sweep_find_said(page) < 0) {
		sw_sweep_page_fini(page);
		return -1;
	}
	return 0;
}

void sw_sweep_page_fini(struct sw_sweep_page *page)
{
	int saved = errno;
	size_t i;

	for (i = 0; page->rows && i < page->count; i++) {
		sw_sweep_lines_fini(&page->rows[i].lines);
		sw_sweep_kinds_fini(&page->rows[i].kinds);
	}
	sw_catalogue_fini(&page->catalogue);
	free(page->rows);
	free(page->chain_rows);
	free(page->failure_rows);
	free(page->is_retried);
	sw_tallies_fini(&page->joined);
	free(page->joined_sorted);
	free(page->sorted);
	free(page->nodes_without);
	free(page->takens.items);
	sw_worses_fini(&page->worses);
	sw_retry_chains_fini(&page->chains);
	sw_retries_fini(&page->retries);
	sw_failure_rows_fini(&page->failures);
	memset(page, 0, sizeof(*page));
	errno = saved;
}
