/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The request for the next run, in the integer units of schedulers: advice
 * rounded up and made consistent.  Pure.
 */
#ifndef SW_ANALYZER_REQUEST_H
#define SW_ANALYZER_REQUEST_H

#include <stdint.h>

#include "analyzer/requests/advice.h"

enum { SW_RESOURCES = SW_RESOURCE_NODES + 1 };

/*
 * A resource.  Units: memory in MiB per node, time in minutes, CPUs per task,
 * GPUs per node, tasks and nodes of the job.
 */
struct sw_request_item {
	const struct sw_suggestion *suggestion;	/* NULL: no advisor */
	bool is_change;
	uint64_t now;		/* SW_MISSING: unknown */
	uint64_t next;		/* SW_MISSING: withheld */
	uint64_t retries[SW_RETRIES_MAX];	/* attempts 2, 3, ...;
						 * increasing */
	size_t retry_count;
};

struct sw_request {
	const struct sw_advice *advice;
	struct sw_request_item items[SW_RESOURCES];
	uint64_t tasks, nodes;	/* of the next run; 1 if unknown */
	double cores;		/* of all its tasks; NAN: unknown */
	/* Unit of the memory request, and number of units per node. */
	enum sw_memory_per memory_per;
	double memory_parts;
	bool has_change;
};

void sw_request_init(struct sw_request *request,
		     const struct sw_advice *advice);

/* Value for an attempt, from 1 on; further ones use the last retry's. */
uint64_t sw_request_attempt(const struct sw_request_item *item, size_t attempt);

/* Convert MiB per node to MiB per memory unit, rounded up. */
uint64_t sw_request_memory(const struct sw_request *request, uint64_t mib);

/*
 * Memory to request again when this resource changes: it is requested per CPU
 * or GPU, whose number changes, and should stay the same.  MiB per node;
 * SW_MISSING if not needed.
 */
uint64_t sw_request_kept_memory(const struct sw_request *request,
				enum sw_resource resource);

/*
 * Number of retries of a workflow system with more of a changed resource: only
 * for memory and time, for which runs are killed.
 */
size_t sw_request_retries(const struct sw_request *request,
			  enum sw_resource resource);
size_t sw_request_most_retries(const struct sw_request *request);

#endif
