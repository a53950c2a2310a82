/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failures and retries known from earlier pages: the same cause in at least two
 * earlier nights, with as much lost in each as now.  They follow the new ones,
 * in one line each.  A failure with a suspect node is always new.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/failures/failure_cell.h"
#include "analyzer/failures/failure_words.h"
#include "analyzer/sweep/page/words.h"
#include "common/grow.h"
#include "common/text.h"

enum { NIGHTS_MIN = 2, DAY_SECONDS = 86400 };

/* Mask of earlier nights with one, and their total loss. */
struct before {
	uint32_t nights;
	uint64_t core_seconds;
};

static size_t count_nights(const struct before *before)
{
	return (size_t)__builtin_popcount(before->nights);
}

static void add_end(struct before *before, const struct sw_sweep_page *page,
		    uint64_t end_seconds)
{
	uint64_t from = page->night->from_seconds;
	uint64_t days = (from - 1 - end_seconds) / DAY_SECONDS;

	if (end_seconds < from && days < SW_PAST_DAYS)
		before->nights |= 1u << days;
}

/* Return 0 if it is new, or its cost has changed. */
static size_t nights_of(const struct before *before, uint64_t core_seconds)
{
	size_t nights = count_nights(before);

	if (nights < NIGHTS_MIN ||
	    !sw_sweep_is_same((double)core_seconds,
			      (double)before->core_seconds / (double)nights))
		return 0;
	return nights;
}

static bool is_of_cause(const struct sw_failure_cell *cell,
			const struct sw_failure_row *row)
{
	return cell->numbers.class == row->class &&
	       cell->numbers.exit_code == row->exit_code &&
	       cell->numbers.signal == row->signal &&
	       !strcmp(cell->text[SW_CELL_GROUP], row->group) &&
	       !strcmp(cell->text[SW_CELL_CLUSTER], row->cluster) &&
	       !strcmp(cell->text[SW_CELL_PROGRAM], row->program) &&
	       !strcmp(cell->text[SW_CELL_MESSAGE], row->message);
}

static bool is_of_page(const struct sw_failure_cell *cell,
		       const struct sw_sweep_page *page)
{
	return cell->numbers.class != SW_FAILURE_NONE &&
	       (!page->user || !strcmp(cell->text[SW_CELL_USER], page->user));
}

/* Failed cells of earlier nights; NULL: ENOMEM. */
static const struct sw_failure_cell **
failed_before(const struct sw_sweep_page *page, size_t *count)
{
	const struct sw_keyed *cells = &page->past->failures.cells;
	const struct sw_failure_cell **failed =
		calloc(cells->count + 1, sizeof(*failed));
	size_t i;

	*count = 0;
	for (i = 0; failed && i < cells->room; i++) {
		const struct sw_failure_cell *cell =
			sw_cell_of(cells->slots[i]);

		if (cell && is_of_page(cell, page))
			failed[(*count)++] = cell;
	}
	return failed;
}

/* Sort new ones first, otherwise keep the order. */
static int put_new_first(struct sw_failure_rows *rows)
{
	struct sw_failure_row *sorted =
		calloc(rows->count + 1, sizeof(*sorted));
	size_t i, at = 0;
	int is_old;

	if (!sorted)
		return -1;
	for (is_old = 0; is_old < 2; is_old++) {
		for (i = 0; i < rows->count; i++) {
			if ((rows->items[i].nights_before > 0) == is_old)
				sorted[at++] = rows->items[i];
		}
	}
	free(rows->items);
	rows->items = sorted;
	return 0;
}

int sw_sweep_find_old_failures(struct sw_sweep_page *page)
{
	size_t i, j, count;
	const struct sw_failure_cell **failed = failed_before(page, &count);

	if (!failed)
		return -1;
	for (i = 0; i < page->failures.count; i++) {
		struct sw_failure_row *row = &page->failures.items[i];
		struct before before = { 0, 0 };

		for (j = 0; j < count && !row->node.name; j++) {
			if (!is_of_cause(failed[j], row))
				continue;
			add_end(&before, page,
				failed[j]->sums.last_end_seconds);
			before.core_seconds += failed[j]->sums.core_seconds;
		}
		row->nights_before = nights_of(&before, row->core_seconds);
	}
	free(failed);
	return put_new_first(&page->failures);
}

static bool is_like(const struct sw_retry_chain *one,
		    const struct sw_retry_chain *other)
{
	return one->kinds == other->kinds && one->outcome == other->outcome &&
	       !strcmp(one->names.cluster, other->names.cluster) &&
	       !strcmp(one->names.user, other->names.user) &&
	       !strcmp(one->names.name, other->names.name);
}

/* Chains of earlier nights follow those that are shown. */
static size_t nights_of_chain(const struct sw_sweep_page *page,
			      const struct sw_retry_chain *chain)
{
	const struct sw_retry_chains *chains = &page->chains;
	struct before before = { 0, 0 };
	uint64_t now = 0;
	size_t i;

	for (i = 0; i < chains->count; i++) {
		const struct sw_retry_chain *other = &chains->items[i];

		if (!is_like(chain, other))
			continue;
		if (i < page->shown_chains) {
			now += other->lost.core_seconds;
			continue;
		}
		add_end(&before, page,
			other->attempts[other->count - 1]->n.end_seconds);
		before.core_seconds += other->lost.core_seconds;
	}
	return nights_of(&before, now);
}

int sw_sweep_find_old_retries(struct sw_sweep_page *page)
{
	struct sw_retry_chain *items = page->chains.items, *sorted;
	size_t i, at = 0, count = page->shown_chains;
	int is_old;

	sorted = calloc(count + 1, sizeof(*sorted));
	if (!sorted)
		return -1;
	for (i = 0; i < count; i++)
		items[i].nights_before = nights_of_chain(page, &items[i]);
	for (is_old = 0; is_old < 2; is_old++) {
		for (i = 0; i < count; i++) {
			if ((items[i].nights_before > 0) == is_old)
				sorted[at++] = items[i];
		}
	}
	if (count)
		memcpy(items, sorted, count * sizeof(*sorted));
	free(sorted);
	return 0;
}

static void add_nights(char *buf, size_t size, const struct sw_sweep_page *page,
		       uint64_t nights)
{
	if (nights == page->past_nights)
		sw_text_add(buf, size, "as in the %zu nights before",
			    page->past_nights);
	else
		sw_text_add(buf, size, "as in %llu of the %zu nights before",
			    (unsigned long long)nights, page->past_nights);
}

char *sw_sweep_failure(char *buf, size_t size, const struct sw_sweep_page *page,
		       const struct sw_failure_row *row, bool is_folded)
{
	char cause[SW_FAILURE_WORDS_SIZE];

	if (!is_folded || !row->nights_before)
		return sw_failure_words(buf, size, row);
	*buf = '\0';
	sw_text_add(buf, size, "%s%s%s: %s, ", row->group,
		    row->user ? " of " : "", row->user ? row->user : "",
		    sw_failure_cause_words(cause, sizeof(cause), row));
	add_nights(buf, size, page, row->nights_before);
	sw_text_add(buf, size, ".");
	return buf;
}

char *sw_sweep_retry(char *buf, size_t size, const struct sw_sweep_page *page,
		     const struct sw_retry_chain *chain, bool is_folded)
{
	if (!is_folded || !chain->nights_before)
		return sw_retry_words(buf, size, chain);
	*buf = '\0';
	sw_text_add(buf, size, "%s%s%s was retried ", chain->names.name,
		    *chain->names.user ? " of " : "", chain->names.user);
	add_nights(buf, size, page, chain->nights_before);
	sw_text_add(buf, size, ".");
	return buf;
}
