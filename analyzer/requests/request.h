/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to request next time, in the whole units that schedulers take: advice
 * rounded up, and made to fit together.  Pure.
 */
#ifndef SW_ANALYZER_REQUEST_H
#define SW_ANALYZER_REQUEST_H

#include <stdint.h>

#include "analyzer/requests/advice.h"

enum { SW_RESOURCES = SW_RESOURCE_NODES + 1 };

/*
 * One resource.  Units: memory MiB on each node, time minutes, cores of each
 * task, GPUs on each node, tasks and nodes of the job.
 */
struct sw_request_item {
	const struct sw_suggestion *suggestion;	/* NULL: no advisor */
	bool is_change;
	uint64_t now;		/* SW_MISSING: not known */
	uint64_t next;		/* SW_MISSING: withheld */
	uint64_t retries[SW_RETRIES_MAX];	/* attempts 2, 3, ...; rising */
	size_t retry_count;
};

struct sw_request {
	const struct sw_advice *advice;
	struct sw_request_item items[SW_RESOURCES];
	uint64_t tasks, nodes;	/* of the next run; 1 where not known */
	double cores;		/* of all its tasks; NAN: not known */
	/* What memory is requested by, and how many of that a node then has. */
	enum sw_memory_per memory_per;
	double memory_parts;
	bool has_change;
};

void sw_request_init(struct sw_request *request,
		     const struct sw_advice *advice);

/* The value for an attempt from 1 on: the last of the retries ever after. */
uint64_t sw_request_attempt(const struct sw_request_item *item, size_t attempt);

/* MiB on a node as MiB by what memory is requested by, rounded up. */
uint64_t sw_request_memory(const struct sw_request *request, uint64_t mib);

/*
 * The memory to be requested again with a change of this resource: it counts by
 * CPU or GPU, of which there will be another number, and is to stay the same.
 * MiB on a node; SW_MISSING: it is not.
 */
uint64_t sw_request_kept_memory(const struct sw_request *request,
				enum sw_resource resource);

/*
 * How often a workflow system tries again with more of what changes: of
 * memory and of time, the only ones for which a run is killed.
 */
size_t sw_request_retries(const struct sw_request *request,
			  enum sw_resource resource);
size_t sw_request_most_retries(const struct sw_request *request);

#endif
