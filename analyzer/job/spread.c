/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Balance between nodes or ranks. */
#include "analyzer/job/spread.h"

#include <stdlib.h>
#include <string.h>

struct value {
	uint64_t number;
	size_t at;
};

static int compare(const void *a, const void *b)
{
	const struct value *one = a, *two = b;

	if (one->number != two->number)
		return one->number < two->number ? -1 : 1;
	return one->at < two->at ? -1 : one->at > two->at;
}

int sw_spread_of(struct sw_spread *spread, const uint64_t *values,
		 size_t count)
{
	struct value *sorted = calloc(count ? count : 1, sizeof(*sorted));
	size_t i, used = 0;

	memset(spread, 0, sizeof(*spread));
	spread->min = spread->median = spread->max = SW_MISSING;
	if (!sorted)
		return -1;
	for (i = 0; i < count; i++) {
		if (!sw_is_missing(values[i]))
			sorted[used++] = (struct value){ values[i], i };
	}
	if (used) {
		qsort(sorted, used, sizeof(*sorted), compare);
		spread->count = used;
		spread->min = sorted[0].number;
		spread->min_at = sorted[0].at;
		spread->max = sorted[used - 1].number;
		spread->max_at = sorted[used - 1].at;
		/* Unlike the sum, this cannot overflow. */
		spread->median = used % 2 ? sorted[used / 2].number :
			sorted[used / 2 - 1].number +
			(sorted[used / 2].number -
			 sorted[used / 2 - 1].number) / 2;
	}
	free(sorted);
	return 0;
}

int sw_spread_of_tasks(struct sw_spread *spread,
		       const struct sw_job_task *tasks, size_t count,
		       enum sw_measure measure)
{
	uint64_t *values = calloc(count ? count : 1, sizeof(*values));
	size_t i;
	int rc;

	for (i = 0; values && i < count; i++)
		values[i] = measure == SW_CPU_USED ?
				    tasks[i].task->cpu_usec :
				    tasks[i].task->memory_peak_bytes;
	rc = values ? sw_spread_of(spread, values, count) : -1;
	free(values);
	return rc;
}

int sw_spread_of_nodes(struct sw_spread *spread, const struct sw_job *job,
		       enum sw_measure measure)
{
	uint64_t *values = calloc(job->node_count, sizeof(*values));
	size_t i;
	int rc;

	for (i = 0; values && i < job->node_count; i++)
		values[i] = measure == SW_CPU_USED ?
				    job->nodes[i].total.cpu.used_usec :
				    job->nodes[i].total.memory.peak_bytes;
	rc = values ? sw_spread_of(spread, values, job->node_count) : -1;
	free(values);
	return rc;
}
