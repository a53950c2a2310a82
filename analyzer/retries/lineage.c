/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attempts in the order of their ends.  Later additions end later, so that
 * neighbors stay neighbors and a crowded attempt stays crowded: therefore the
 * past can be forgotten without changing results.
 */
#include "analyzer/retries/lineage.h"

#include <stdlib.h>
#include <string.h>

#include "common/grow.h"

const struct sw_retry_settings sw_retry_defaults = {
	.retry_within_seconds = 3 * 86400,
	.at_once_seconds = 30,
	.beside_seconds = 86400,
};

static uint64_t add(uint64_t a, uint64_t b)
{
	return a > SW_MISSING - b ? SW_MISSING : a + b;
}

int sw_lineage_add(struct sw_lineage *lineage, struct sw_attempt *attempt)
{
	if (sw_grow(&lineage->attempts, lineage->count,
		    sizeof(struct sw_attempt *)) < 0)
		return -1;
	lineage->attempts[lineage->count++] = attempt;
	lineage->is_ordered = false;
	return 0;
}

static int in_order(const void *a, const void *b)
{
	return sw_attempt_compare(*(struct sw_attempt *const *)a,
				  *(struct sw_attempt *const *)b);
}

/* A job at the boundary of two windows was added twice. */
static void drop_doubles(struct sw_lineage *lineage)
{
	struct sw_attempt **attempts = lineage->attempts;
	size_t i, kept = 0;

	for (i = 0; i < lineage->count; i++) {
		if (kept &&
		    sw_attempt_compare(attempts[kept - 1], attempts[i]) == 0) {
			attempts[kept - 1]->n.is_crowded |=
				attempts[i]->n.is_crowded;
			free(attempts[i]);
		} else {
			attempts[kept++] = attempts[i];
		}
	}
	lineage->count = kept;
}

/*
 * Start of its existence, with time in the queue.  Later runs of a requeued job
 * may have the submit time of the first.
 */
static uint64_t begin_of(const struct sw_lineage *lineage, size_t i,
			 uint64_t beside_seconds)
{
	const struct sw_attempt *attempt = lineage->attempts[i];
	uint64_t end = attempt->n.end_seconds, begin = attempt->n.start_seconds;
	bool is_again = i > 0 && sw_attempt_is_same_job(
					 attempt, lineage->attempts[i - 1]);

	if (!is_again)
		begin = sw_min_u64(begin, attempt->n.submit_seconds);
	if (end > beside_seconds && begin < end - beside_seconds)
		begin = end - beside_seconds;
	return begin;
}

static void mark_crowded(struct sw_lineage *lineage, uint64_t beside_seconds)
{
	struct sw_attempt *attempt;
	uint64_t begin, later = SW_MISSING;
	size_t i;

	for (i = lineage->count; i-- > 0;) {
		attempt = lineage->attempts[i];
		attempt->scratch = later;
		begin = begin_of(lineage, i, beside_seconds);
		later = begin < later ? begin : later;
		if (i > 0 && lineage->attempts[i - 1]->n.end_seconds > begin)
			attempt->n.is_crowded = 1;
		if (attempt->scratch < attempt->n.end_seconds)
			attempt->n.is_crowded = 1;
	}
}

void sw_lineage_order(struct sw_lineage *lineage,
		      const struct sw_retry_settings *settings)
{
	if (lineage->is_ordered)
		return;
	if (lineage->count)
		qsort(lineage->attempts, lineage->count,
		      sizeof(struct sw_attempt *), in_order);
	drop_doubles(lineage);
	mark_crowded(lineage, settings->beside_seconds);
	lineage->is_ordered = true;
}

/* Nothing exceeds a missing value. */
static bool is_more(uint64_t now, uint64_t before)
{
	return !sw_is_missing(now) && now > before;
}

/*
 * A run that used most of its time limit may have checkpointed for the next
 * one.  A missing or unlimited limit exceeds any time.
 */
static bool may_have_gone_on(const struct sw_attempt *attempt)
{
	uint64_t elapsed = attempt->n.end_seconds - attempt->n.start_seconds;

	return elapsed >= attempt->n.limit_seconds / 5 * 4;
}

static bool is_own_failure(const struct sw_attempt *attempt)
{
	return attempt->n.is_out_of_memory ||
	       (attempt->n.state == SW_JOB_FAILED &&
		!sw_is_missing(attempt->n.exit_code) &&
		!sw_is_missing(attempt->n.signal) &&
		!may_have_gone_on(attempt));
}

static bool is_same_end(const struct sw_attempt *a, const struct sw_attempt *b)
{
	return a->n.state == b->n.state &&
	       a->n.is_out_of_memory == b->n.is_out_of_memory &&
	       a->n.exit_code == b->n.exit_code && a->n.signal == b->n.signal &&
	       !strcmp(a->step, b->step);
}

static bool is_same_request(const struct sw_attempt *a,
			    const struct sw_attempt *b)
{
	return a->n.cpus == b->n.cpus &&
	       a->n.memory_bytes == b->n.memory_bytes &&
	       a->n.limit_seconds == b->n.limit_seconds &&
	       !strcmp(a->request, b->request);
}

static bool is_repeat(const struct sw_attempt *now,
		      const struct sw_attempt *before)
{
	return is_own_failure(before) && is_own_failure(now) &&
	       is_same_end(now, before) && is_same_request(now, before);
}

/* A requeued job may keep its first submit time. */
static bool is_within(const struct sw_attempt *now,
		      const struct sw_attempt *before, uint64_t seconds)
{
	uint64_t submit =
		sw_min_u64(now->n.submit_seconds, now->n.start_seconds);

	return sw_attempt_is_same_job(now, before) ||
	       submit <= add(before->n.end_seconds, seconds);
}

/* Without a submit time, it may have been queued before, unrelated. */
static bool is_at_once(const struct sw_attempt *now,
		       const struct sw_attempt *before, uint64_t seconds)
{
	return is_within(now, before, seconds) &&
	       (sw_attempt_is_same_job(now, before) ||
		!sw_is_missing(now->n.submit_seconds));
}

/* True if there is something left to retry. */
static bool is_open(const struct sw_attempt *attempt)
{
	return attempt->n.state != SW_JOB_COMPLETED &&
	       attempt->n.state != SW_JOB_CANCELLED;
}

static unsigned kind_of(const struct sw_attempt *now,
			const struct sw_attempt *before,
			const struct sw_retry_settings *settings)
{
	unsigned kind = 0;

	if (!is_open(before) || before->n.is_crowded || now->n.is_crowded ||
	    !is_within(now, before, settings->retry_within_seconds))
		return 0;
	if (sw_attempt_is_same_job(now, before))
		kind |= SW_RETRY_REQUEUED;
	if (before->n.is_out_of_memory &&
	    is_more(now->n.memory_bytes, before->n.memory_bytes))
		kind |= SW_RETRY_MORE_MEMORY;
	if (before->n.state == SW_JOB_TIMEOUT &&
	    is_more(now->n.limit_seconds, before->n.limit_seconds))
		kind |= SW_RETRY_MORE_TIME;
	if (is_repeat(now, before) &&
	    is_at_once(now, before, settings->at_once_seconds))
		kind |= SW_RETRY_REPEATED;
	return kind;
}

/* Kind by itself, regardless of earlier attempts. */
static unsigned own_kind(const struct sw_lineage *lineage, size_t i,
			 const struct sw_retry_settings *settings)
{
	if (i == 0 || i >= lineage->count)
		return 0;
	return kind_of(lineage->attempts[i], lineage->attempts[i - 1],
		       settings);
}

/* True if it could be the final run after a retry. */
static bool is_next(const struct sw_lineage *lineage, size_t i,
		    const struct sw_retry_settings *settings)
{
	const struct sw_attempt *now = lineage->attempts[i];
	const struct sw_attempt *before = lineage->attempts[i - 1];

	return before->n.state != SW_JOB_COMPLETED && !now->n.is_crowded &&
	       is_within(now, before, settings->retry_within_seconds) &&
	       own_kind(lineage, i - 1, settings);
}

unsigned sw_lineage_kind(const struct sw_lineage *lineage, size_t i,
			 const struct sw_retry_settings *settings)
{
	unsigned kind = own_kind(lineage, i, settings);

	if (kind || i == 0 || i >= lineage->count)
		return kind;
	return is_next(lineage, i, settings) ? SW_RETRY_NEXT : 0;
}

/* Keep it, so that later attempts do not become neighbors of the retry. */
static bool follows_retry(const struct sw_lineage *lineage, size_t i,
			  const struct sw_retry_settings *settings)
{
	return i > 0 && lineage->attempts[i - 1]->n.state != SW_JOB_COMPLETED &&
	       sw_lineage_kind(lineage, i - 1, settings);
}

/*
 * Later attempts are only compared with the last one: it is already known if
 * the others were retried, and if they were alone.  A retry is kept because it
 * separates later attempts from the one before it, or follows a retry.
 */
static bool is_needed(const struct sw_lineage *lineage, size_t i,
		      uint64_t until_seconds,
		      const struct sw_retry_settings *settings)
{
	const struct sw_attempt *attempt = lineage->attempts[i];

	if (i + 1 == lineage->count &&
	    (is_open(attempt) ||
	     add(attempt->n.end_seconds, settings->beside_seconds) >=
		     until_seconds))
		return true;
	return sw_lineage_kind(lineage, i + 1, settings) ||
	       follows_retry(lineage, i, settings);
}

/* Keep it, so that later attempts do not become neighbors of a kept one. */
static bool separates(const struct sw_lineage *lineage, size_t i)
{
	const struct sw_attempt *before = i ? lineage->attempts[i - 1] : NULL;

	return before && before->scratch && is_open(before) &&
	       !before->n.is_crowded;
}

/* Keep it, so that the next run of the same job does not begin earlier. */
static bool begins_next(const struct sw_lineage *lineage, size_t i)
{
	const struct sw_attempt *next =
		i + 1 < lineage->count ? lineage->attempts[i + 1] : NULL;

	return next && next->scratch && !next->n.is_crowded &&
	       sw_attempt_is_same_job(next, lineage->attempts[i]);
}

/* The need for an attempt depends on its neighbors. */
static void mark_needed(struct sw_lineage *lineage, uint64_t until_seconds,
			const struct sw_retry_settings *settings)
{
	size_t i;

	for (i = 0; i < lineage->count; i++)
		lineage->attempts[i]->scratch =
			is_needed(lineage, i, until_seconds, settings) ||
			separates(lineage, i);
	for (i = lineage->count; i-- > 0;)
		lineage->attempts[i]->scratch |= begins_next(lineage, i);
}

void sw_lineage_forget(struct sw_lineage *lineage, uint64_t until_seconds,
		       const struct sw_retry_settings *settings)
{
	size_t i, kept = 0;

	sw_lineage_order(lineage, settings);
	mark_needed(lineage, until_seconds, settings);
	for (i = 0; i < lineage->count; i++) {
		if (lineage->attempts[i]->scratch)
			lineage->attempts[kept++] = lineage->attempts[i];
		else
			free(lineage->attempts[i]);
	}
	lineage->count = kept;
}
