/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice in the whole units of schedulers. */
#include "analyzer/requests/ask.h"

#include <math.h>
#include <string.h>

#include "common/missing.h"
#include "common/units.h"

static const double minute = 60;

/* More is no number that a scheduler takes. */
static const double countable = 1e15;

/* Up, so that it is never less than what was advised. */
static uint64_t whole(double value)
{
	return value >= 0 && value < countable ?
	       (uint64_t)ceil(value * (1 - 1e-12)) : SW_MISSING;
}

static double at_least_one(double value)
{
	return value >= 1 ? value : 1;
}

/*
 * What a resource's numbers are divided by.  Cores are of the tasks that there
 * are now: with fewer of these each keeps what it has.
 */
static double unit_of(const struct sw_ask *ask, enum sw_resource resource,
		      bool is_now)
{
	const struct sw_run *asked = &ask->advice->asked;

	switch (resource) {
	case SW_RESOURCE_MEMORY:
		return (double)SW_MIB;
	case SW_RESOURCE_TIME:
		return minute;
	case SW_RESOURCE_CORES:
		return at_least_one(asked->tasks);
	case SW_RESOURCE_GPUS:
		return is_now ? at_least_one(asked->nodes) :
				(double)ask->nodes;
	default:
		return 1;
	}
}

/*
 * With fewer nodes each has to hold more of the memory: the advice on nodes
 * takes it for granted that all needed as much as the fullest.
 */
static double crowding(const struct sw_ask *ask, enum sw_resource resource)
{
	double before = at_least_one(ask->advice->asked.nodes);

	return resource == SW_RESOURCE_MEMORY ?
	       fmax(before / (double)ask->nodes, 1) : 1;
}

static void put_retries(const struct sw_ask *ask, struct sw_ask_item *item,
			enum sw_resource resource)
{
	const struct sw_suggestion *suggestion = item->suggestion;
	double factor = crowding(ask, resource) /
			unit_of(ask, resource, false);
	uint64_t least = item->next, value;
	size_t i;

	for (i = 0; i < suggestion->retry_count; i++) {
		value = whole(suggestion->retries[i] * factor);
		if (sw_is_missing(value) || value <= least)
			continue;
		item->retries[item->retry_count++] = value;
		least = value;
	}
}

static void put(struct sw_ask *ask, enum sw_resource resource)
{
	struct sw_ask_item *item = &ask->items[resource];
	const struct sw_suggestion *suggestion =
		sw_advice_find(ask->advice, resource);

	*item = (struct sw_ask_item){ .suggestion = suggestion,
				      .now = SW_MISSING, .next = SW_MISSING };
	if (!suggestion)
		return;
	item->now = whole(suggestion->current /
			  unit_of(ask, resource, true));
	if (suggestion->is_withheld)
		return;
	item->next = whole(suggestion->suggested *
			   crowding(ask, resource) /
			   unit_of(ask, resource, false));
	item->is_change = !sw_is_missing(item->next) &&
			  item->next != item->now;
	put_retries(ask, item, resource);
	ask->has_change |= item->is_change;
}

static uint64_t next_or(const struct sw_ask_item *item, double asked)
{
	uint64_t next = item->next;

	if (sw_is_missing(next))
		next = whole(asked);
	return sw_is_missing(next) || next == 0 ? 1 : next;
}

void sw_ask_init(struct sw_ask *ask, const struct sw_advice *advice)
{
	const struct sw_run *asked = &advice->asked;
	const struct sw_ask_item *cores = &ask->items[SW_RESOURCE_CORES];

	memset(ask, 0, sizeof(*ask));
	ask->advice = advice;
	put(ask, SW_RESOURCE_NODES);
	ask->nodes = next_or(&ask->items[SW_RESOURCE_NODES], asked->nodes);
	put(ask, SW_RESOURCE_TASKS);
	ask->tasks = next_or(&ask->items[SW_RESOURCE_TASKS], asked->tasks);
	put(ask, SW_RESOURCE_MEMORY);
	put(ask, SW_RESOURCE_TIME);
	put(ask, SW_RESOURCE_CORES);
	put(ask, SW_RESOURCE_GPUS);
	ask->cores = (double)ask->tasks *
		(sw_is_missing(cores->next) ? asked->requested_cores /
		 at_least_one(asked->tasks) : (double)cores->next);
}

uint64_t sw_ask_attempt(const struct sw_ask_item *item, size_t attempt)
{
	if (attempt <= 1 || item->retry_count == 0)
		return item->next;
	attempt -= 2;
	return item->retries[attempt < item->retry_count ?
			    attempt : item->retry_count - 1];
}

size_t sw_ask_retries(const struct sw_ask *ask, enum sw_resource resource)
{
	const struct sw_ask_item *item = &ask->items[resource];

	return item->is_change && (resource == SW_RESOURCE_MEMORY ||
				   resource == SW_RESOURCE_TIME) ?
	       item->retry_count : 0;
}

size_t sw_ask_most_retries(const struct sw_ask *ask)
{
	size_t memory = sw_ask_retries(ask, SW_RESOURCE_MEMORY);
	size_t time = sw_ask_retries(ask, SW_RESOURCE_TIME);

	return memory > time ? memory : time;
}
