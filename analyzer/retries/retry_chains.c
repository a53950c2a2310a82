/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make chains of retries from lineages, and sum up their cost. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/retries/retries.h"
#include "common/grow.h"

static void add_cost(struct sw_retry_cost *cost,
		     const struct sw_attempt *attempt)
{
	cost->core_seconds =
		sw_sum_u64(cost->core_seconds, attempt->n.core_seconds);
	cost->mib_seconds =
		sw_sum_u64(cost->mib_seconds, attempt->n.mib_seconds);
}

static void add_kind(struct sw_retry_chain *chain, unsigned kind)
{
	chain->kinds |= kind;
	chain->requeued += (kind & SW_RETRY_REQUEUED) != 0;
	chain->more_memory += (kind & SW_RETRY_MORE_MEMORY) != 0;
	chain->more_time += (kind & SW_RETRY_MORE_TIME) != 0;
	chain->repeated += (kind & SW_RETRY_REPEATED) != 0;
}

/* kind: 0 for the first one. */
static void add_attempt(struct sw_retry_chain *chain, unsigned kind)
{
	const struct sw_attempt *attempt = chain->attempts[chain->count++];

	add_kind(chain, kind);
	if (attempt->n.state == SW_JOB_COMPLETED)
		return;
	add_cost(&chain->lost, attempt);
	if (kind & SW_RETRY_REPEATED)
		add_cost(&chain->repeats, attempt);
}

static const struct sw_attempt *last_of(const struct sw_retry_chain *chain)
{
	return chain->attempts[chain->count - 1];
}

/* is_last: nothing follows in its lineage. */
static enum sw_retry_outcome
outcome_of(const struct sw_retry_chain *chain, bool is_last,
	   uint64_t now_seconds, const struct sw_retry_settings *settings)
{
	const struct sw_attempt *last = last_of(chain);

	if (last->n.state == SW_JOB_COMPLETED)
		return SW_RETRY_COMPLETED;
	if (last->n.state == SW_JOB_CANCELLED)
		return SW_RETRY_CANCELLED;
	if (!is_last)
		return SW_RETRY_UNKNOWN;
	return now_seconds > last->n.end_seconds &&
			       now_seconds - last->n.end_seconds >
				       settings->retry_within_seconds
		       ? SW_RETRY_GIVEN_UP
		       : SW_RETRY_FAILING;
}

/* True if the last attempt had more memory than all that ran out of it. */
static bool is_enough_memory(const struct sw_retry_chain *chain)
{
	uint64_t memory_bytes = last_of(chain)->n.memory_bytes;
	size_t i;

	for (i = 0; i + 1 < chain->count; i++) {
		if (chain->attempts[i]->n.is_out_of_memory &&
		    chain->attempts[i]->n.memory_bytes >= memory_bytes)
			return false;
	}
	return chain->more_memory > 0;
}

static bool is_enough_time(const struct sw_retry_chain *chain)
{
	uint64_t limit_seconds = last_of(chain)->n.limit_seconds;
	size_t i;

	for (i = 0; i + 1 < chain->count; i++) {
		if (chain->attempts[i]->n.state == SW_JOB_TIMEOUT &&
		    chain->attempts[i]->n.limit_seconds >= limit_seconds)
			return false;
	}
	return chain->more_time > 0 && limit_seconds != SW_ATTEMPT_UNLIMITED;
}

static void set_enough(struct sw_retry_chain *chain)
{
	const struct sw_attempt *last = last_of(chain);

	chain->enough_memory_bytes = chain->enough_limit_seconds = SW_MISSING;
	if (chain->outcome != SW_RETRY_COMPLETED)
		return;
	if (is_enough_memory(chain))
		chain->enough_memory_bytes = last->n.memory_bytes;
	if (is_enough_time(chain))
		chain->enough_limit_seconds = last->n.limit_seconds;
}

/* The chain that begins at this attempt; count 1 if there is none. */
static struct sw_retry_chain chain_at(struct sw_lineage *lineage, size_t first,
				      uint64_t now_seconds,
				      const struct sw_retry_settings *settings)
{
	struct sw_retry_chain chain = {
		.names = sw_lineage_names(lineage),
		.attempts = lineage->attempts + first,
		.lost = { SW_MISSING, SW_MISSING },
		.repeats = { SW_MISSING, SW_MISSING },
	};
	unsigned kind = 0;
	size_t next;

	do {
		add_attempt(&chain, kind);
		next = first + chain.count;
		kind = sw_lineage_kind(lineage, next, settings);
	} while (kind);
	chain.outcome = outcome_of(&chain, next == lineage->count, now_seconds,
				   settings);
	set_enough(&chain);
	return chain;
}

static int add_lineage(struct sw_retry_chains *chains,
		       struct sw_lineage *lineage, uint64_t now_seconds,
		       const struct sw_retry_settings *settings)
{
	struct sw_retry_chain chain;
	size_t i;

	sw_lineage_order(lineage, settings);
	for (i = 0; i < lineage->count; i += chain.count) {
		chain = chain_at(lineage, i, now_seconds, settings);
		if (chain.count < 2)
			continue;
		if (sw_grow(&chains->items, chains->count, sizeof(chain)) < 0)
			return -1;
		chains->items[chains->count++] = chain;
	}
	return 0;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_names(const struct sw_retry_chain *a,
			 const struct sw_retry_chain *b)
{
	const char *const an[] = { a->names.cluster, a->names.user,
				   a->names.name,    a->names.folder,
				   a->names.comment, a->names.element };
	const char *const bn[] = { b->names.cluster, b->names.user,
				   b->names.name,    b->names.folder,
				   b->names.comment, b->names.element };
	int order = 0;
	size_t i;

	for (i = 0; i < sizeof(an) / sizeof(an[0]) && order == 0; i++)
		order = strcmp(an[i], bn[i]);
	return order;
}

static int by_loss(const void *a, const void *b)
{
	const struct sw_retry_chain *x = a, *y = b;
	int order;

	order = compare(sw_zero_if_missing(y->lost.core_seconds),
			sw_zero_if_missing(x->lost.core_seconds));
	if (order == 0)
		order = compare(sw_zero_if_missing(y->lost.mib_seconds),
				sw_zero_if_missing(x->lost.mib_seconds));
	if (order == 0)
		order = compare_names(x, y);
	return order ? order
		     : sw_attempt_compare(x->attempts[0], y->attempts[0]);
}

int sw_retries_chains(const struct sw_retries *retries, uint64_t now_seconds,
		      struct sw_retry_chains *chains)
{
	size_t i;

	*chains = (struct sw_retry_chains){ 0 };
	for (i = 0; i < retries->lineages.room; i++) {
		struct sw_keyed_entry *entry = retries->lineages.slots[i];

		if (entry && add_lineage(chains, (struct sw_lineage *)entry,
					 now_seconds, &retries->settings) < 0) {
			sw_retry_chains_fini(chains);
			return -1;
		}
	}
	if (chains->count)
		qsort(chains->items, chains->count, sizeof(*chains->items),
		      by_loss);
	return 0;
}

void sw_retry_chains_fini(struct sw_retry_chains *chains)
{
	free(chains->items);
	*chains = (struct sw_retry_chains){ 0 };
}
