/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert advice to the integer units of schedulers. */
#include "analyzer/requests/request.h"

#include <math.h>
#include <string.h>

#include "common/missing.h"
#include "common/units.h"

static const double minute = 60;

/* Schedulers accept no larger numbers. */
static const double countable = 1e15;

/* Round up, so that it is never less than the advice. */
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
 * Divisor for a resource's numbers.  CPUs are for the current tasks: with fewer
 * tasks, each keeps its CPUs.
 */
static double unit_of(const struct sw_request *request,
		      enum sw_resource resource, bool is_now)
{
	const struct sw_run *asked = &request->advice->asked;

	switch (resource) {
	case SW_RESOURCE_MEMORY:
		return (double)SW_MIB;
	case SW_RESOURCE_TIME:
		return minute;
	case SW_RESOURCE_CORES:
		return at_least_one(asked->tasks);
	case SW_RESOURCE_GPUS:
		return is_now ? at_least_one(asked->nodes) :
				(double)request->nodes;
	default:
		return 1;
	}
}

/*
 * With fewer nodes, each has to hold more of the memory: advice on nodes
 * assumes that all of them needed as much as the fullest.
 */
static double crowding(const struct sw_request *request,
		       enum sw_resource resource)
{
	double before = at_least_one(request->advice->asked.nodes);

	return resource == SW_RESOURCE_MEMORY ?
	       fmax(before / (double)request->nodes, 1) : 1;
}

static void put_retries(const struct sw_request *request,
			struct sw_request_item *item, enum sw_resource resource)
{
	const struct sw_suggestion *suggestion = item->suggestion;
	double factor = crowding(request, resource) /
			unit_of(request, resource, false);
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

static void put(struct sw_request *request, enum sw_resource resource)
{
	struct sw_request_item *item = &request->items[resource];
	const struct sw_suggestion *suggestion =
		sw_advice_find(request->advice, resource);

	*item = (struct sw_request_item){ .suggestion = suggestion,
				      .now = SW_MISSING, .next = SW_MISSING };
	if (!suggestion)
		return;
	item->now = whole(suggestion->current /
			  unit_of(request, resource, true));
	if (suggestion->is_withheld)
		return;
	item->next = whole(suggestion->suggested *
			   crowding(request, resource) /
			   unit_of(request, resource, false));
	item->is_change = !sw_is_missing(item->next) &&
			  item->next != item->now;
	put_retries(request, item, resource);
	request->has_change |= item->is_change;
}

static uint64_t next_or(const struct sw_request_item *item, double asked)
{
	uint64_t next = item->next;

	if (sw_is_missing(next))
		next = whole(asked);
	return sw_is_missing(next) || next == 0 ? 1 : next;
}

/* Number of memory units per node; NAN if unknown. */
static double parts_now(const struct sw_request *request)
{
	const struct sw_run *asked = &request->advice->asked;
	double parts = request->memory_per == SW_MEMORY_PER_GPU
			       ? asked->requested_gpus
			       : asked->requested_cores;

	return parts / at_least_one(asked->nodes);
}

static double parts_then(const struct sw_request *request)
{
	const struct sw_request_item *gpus = &request->items[SW_RESOURCE_GPUS];

	if (request->memory_per == SW_MEMORY_PER_CPU)
		return request->cores / (double)request->nodes;
	return gpus->is_change ? (double)gpus->next : parts_now(request);
}

/* In the current unit, or else the one that the site prefers. */
static void put_memory_per(struct sw_request *request)
{
	double per = request->advice->asked.memory_per;
	bool is_of_node;

	request->memory_per = request->advice->policy.memory_per;
	if (per >= SW_MEMORY_PER_NODE && per <= SW_MEMORY_PER_GPU)
		request->memory_per = (enum sw_memory_per)per;
	is_of_node = request->memory_per != SW_MEMORY_PER_CPU &&
		     request->memory_per != SW_MEMORY_PER_GPU;
	request->memory_parts = is_of_node ? 1 : parts_then(request);
	/* Without their number, the memory cannot be divided. */
	if (!is_of_node && request->memory_parts >= 1)
		return;
	request->memory_per = SW_MEMORY_PER_NODE;
	request->memory_parts = 1;
}

uint64_t sw_request_memory(const struct sw_request *request, uint64_t mib)
{
	return request->memory_parts > 1 && !sw_is_missing(mib)
		       ? whole((double)mib / request->memory_parts)
		       : mib;
}

uint64_t sw_request_kept_memory(const struct sw_request *request,
				enum sw_resource resource)
{
	static const enum sw_resource by_cpu[] = {
		SW_RESOURCE_CORES, SW_RESOURCE_TASKS, SW_RESOURCE_NODES,
	}, by_gpu[] = { SW_RESOURCE_GPUS, SW_RESOURCE_NODES };
	const struct sw_request_item *memory =
		&request->items[SW_RESOURCE_MEMORY];
	bool is_of_cpu = request->memory_per == SW_MEMORY_PER_CPU;
	size_t i, count = is_of_cpu ? 3 : 2;

	if (request->memory_per == SW_MEMORY_PER_NODE || memory->is_change ||
	    parts_now(request) == request->memory_parts)
		return SW_MISSING;
	for (i = 0; i < count; i++) {
		enum sw_resource one = is_of_cpu ? by_cpu[i] : by_gpu[i];

		/* Only once, with the first of them. */
		if (request->items[one].is_change)
			return one == resource ? memory->now : SW_MISSING;
	}
	return SW_MISSING;
}

void sw_request_init(struct sw_request *request, const struct sw_advice *advice)
{
	const struct sw_run *asked = &advice->asked;
	const struct sw_request_item *cores =
		&request->items[SW_RESOURCE_CORES];

	memset(request, 0, sizeof(*request));
	request->advice = advice;
	put(request, SW_RESOURCE_NODES);
	request->nodes =
		next_or(&request->items[SW_RESOURCE_NODES], asked->nodes);
	put(request, SW_RESOURCE_TASKS);
	request->tasks =
		next_or(&request->items[SW_RESOURCE_TASKS], asked->tasks);
	put(request, SW_RESOURCE_MEMORY);
	put(request, SW_RESOURCE_TIME);
	put(request, SW_RESOURCE_CORES);
	put(request, SW_RESOURCE_GPUS);
	request->cores = (double)request->tasks *
		(sw_is_missing(cores->next) ? asked->requested_cores /
		 at_least_one(asked->tasks) : (double)cores->next);
	put_memory_per(request);
}

uint64_t sw_request_attempt(const struct sw_request_item *item, size_t attempt)
{
	if (attempt <= 1 || item->retry_count == 0)
		return item->next;
	attempt -= 2;
	return item->retries[attempt < item->retry_count ?
			    attempt : item->retry_count - 1];
}

size_t sw_request_retries(const struct sw_request *request,
			  enum sw_resource resource)
{
	const struct sw_request_item *item = &request->items[resource];

	return item->is_change && (resource == SW_RESOURCE_MEMORY ||
				   resource == SW_RESOURCE_TIME) ?
	       item->retry_count : 0;
}

size_t sw_request_most_retries(const struct sw_request *request)
{
	size_t memory = sw_request_retries(request, SW_RESOURCE_MEMORY);
	size_t time = sw_request_retries(request, SW_RESOURCE_TIME);

	return memory > time ? memory : time;
}
