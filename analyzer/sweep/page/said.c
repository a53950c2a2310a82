/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each problem is reported once: a row has the failures and retries of its
 * group, the lists below have those of groups without a row, and a failure that
 * was retried is listed as a retry only.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/sweep/page/words.h"
#include "common/text.h"

enum { NO_ROW = -1 };

static bool is_row_of(const struct sw_sweep_row *row, const char *cluster,
		      const char *user)
{
	return row->group && user && !strcmp(row->group->user, user) &&
	       !strcmp(row->group->cluster, cluster);
}

static size_t row_of_failure(const struct sw_sweep_page *page,
			     const struct sw_failure_row *failure)
{
	size_t i;

	for (i = 0; i < page->count; i++) {
		const struct sw_sweep_row *row = &page->rows[i];

		if (is_row_of(row, failure->cluster, failure->user) &&
		    !strcmp(row->group->label, failure->group))
			return i;
	}
	return (size_t)NO_ROW;
}

/* The group's sample has the newest runs: others have no row. */
static bool has_run(const struct sw_sample *sample, uint64_t job_id)
{
	size_t i;

	for (i = 0; i < sample->count; i++) {
		if (sample->items[i].job_id == job_id)
			return true;
	}
	return false;
}

static size_t row_of_chain(const struct sw_sweep_page *page,
			   const struct sw_retry_chain *chain)
{
	uint64_t last = chain->attempts[chain->count - 1]->n.job_id;
	size_t i;

	for (i = 0; i < page->count; i++) {
		const struct sw_sweep_row *row = &page->rows[i];

		if (is_row_of(row, chain->names.cluster, chain->names.user) &&
		    has_run(&row->group->sample, last))
			return i;
	}
	return (size_t)NO_ROW;
}

static bool is_by_itself(enum sw_failure_class class)
{
	return class != SW_FAILURE_OUT_OF_MEMORY &&
	       class != SW_FAILURE_TIME_LIMIT &&
	       class != SW_FAILURE_DEADLINE && class != SW_FAILURE_NODE;
}

static bool is_alike(enum sw_failure_class a, enum sw_failure_class b)
{
	return a == b || (is_by_itself(a) && is_by_itself(b));
}

/* SW_FAILURE_NONE: it did not fail, or was ended by somebody. */
static enum sw_failure_class class_of(const struct sw_attempt *attempt)
{
	switch (sw_job_state_end((enum sw_job_state)attempt->n.state)) {
	case SW_JOB_END_OUT_OF_MEMORY:
		return SW_FAILURE_OUT_OF_MEMORY;
	case SW_JOB_END_FAILED:
		return SW_FAILURE_EXIT;
	case SW_JOB_END_TIME:
		return SW_FAILURE_TIME_LIMIT;
	case SW_JOB_END_DEADLINE:
		return SW_FAILURE_DEADLINE;
	case SW_JOB_END_NODE:
		return SW_FAILURE_NODE;
	default:
		return SW_FAILURE_NONE;
	}
}

/* Count attempts of the row's group that ended so in the night. */
static uint64_t count_attempts(const struct sw_sweep_page *page, size_t row,
			       enum sw_failure_class class)
{
	uint64_t count = 0;
	size_t i, j;

	for (i = 0; i < page->shown_chains; i++) {
		const struct sw_retry_chain *chain = &page->chains.items[i];

		for (j = 0; page->chain_rows[i] == row && j < chain->count;
		     j++) {
			const struct sw_attempt *attempt = chain->attempts[j];
			enum sw_failure_class own = class_of(attempt);

			count += own != SW_FAILURE_NONE &&
				 is_alike(own, class) &&
				 attempt->n.end_seconds >=
					 page->night->from_seconds;
		}
	}
	return count;
}

static uint64_t count_failures(const struct sw_sweep_page *page, size_t row,
			       enum sw_failure_class class)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < page->failures.count; i++) {
		if (page->failure_rows[i] == row &&
		    is_alike(page->failures.items[i].class, class))
			count += page->failures.items[i].count;
	}
	return count;
}

/* True if retries cover it; they do not name nodes. */
static bool is_retried(const struct sw_sweep_page *page, size_t i)
{
	const struct sw_failure_row *failure = &page->failures.items[i];
	size_t row = page->failure_rows[i];

	return row != (size_t)NO_ROW && !failure->node.name &&
	       count_attempts(page, row, failure->class) >=
		       count_failures(page, row, failure->class);
}

/* True if each job that did not complete is in one of its failures. */
static bool has_causes(const struct sw_sweep_page *page, size_t row)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < page->failures.count; i++) {
		if (page->failure_rows[i] == row)
			count += page->failures.items[i].count;
	}
	return page->rows[row].cause == SW_SWEEP_FAILURES &&
	       count == sw_sweep_count_lost(page->rows[row].tally->n);
}

int sw_sweep_find_said(struct sw_sweep_page *page)
{
	size_t i;

	page->failure_rows = calloc(page->failures.count + 1,
				    sizeof(*page->failure_rows));
	page->chain_rows = calloc(page->shown_chains + 1,
				  sizeof(*page->chain_rows));
	page->is_retried = calloc(page->failures.count + 1,
				  sizeof(*page->is_retried));
	if (!page->failure_rows || !page->chain_rows || !page->is_retried)
		return -1;
	for (i = 0; i < page->failures.count; i++)
		page->failure_rows[i] =
			row_of_failure(page, &page->failures.items[i]);
	for (i = 0; i < page->shown_chains; i++)
		page->chain_rows[i] =
			row_of_chain(page, &page->chains.items[i]);
	for (i = 0; i < page->failures.count; i++)
		page->is_retried[i] = is_retried(page, i);
	for (i = 0; i < page->count; i++)
		page->rows[i].has_causes = has_causes(page, i);
	return 0;
}

bool sw_sweep_is_failure_said(const struct sw_sweep_page *page, size_t i,
			      size_t rows)
{
	return page->is_retried[i] || page->failure_rows[i] < rows;
}

bool sw_sweep_is_retry_said(const struct sw_sweep_page *page, size_t i,
			    size_t rows)
{
	return page->chain_rows[i] < rows;
}

/* Next sentence on failures and retries of all groups; NULL at the end. */
static char *put_trouble(char *buf, size_t size,
			 const struct sw_sweep_page *page, size_t row, size_t i,
			 bool is_folded)
{
	size_t retry = i - page->failures.count;

	if (i < page->failures.count) {
		if (page->failure_rows[i] == row && !page->is_retried[i])
			sw_sweep_failure(buf, size, page,
					 &page->failures.items[i], is_folded);
	} else if (retry < page->shown_chains) {
		if (page->chain_rows[retry] == row)
			sw_sweep_retry(buf, size, page,
				       &page->chains.items[retry], is_folded);
	} else {
		return NULL;
	}
	return buf;
}

char *sw_sweep_why(char *buf, size_t size, const struct sw_sweep_page *page,
		   size_t row, size_t i, bool is_folded)
{
	const struct sw_sweep_row *of = &page->rows[row];

	*buf = '\0';
	if (i)
		return put_trouble(buf, size, page, row, i - 1, is_folded);
	if (of->has_causes)
		return buf;
	if (is_folded)
		return sw_sweep_repeats(buf, size, of);
	sw_text_add(buf, size, "%s", of->why);
	return buf;
}
