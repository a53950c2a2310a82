/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the request of the first attempt at a task of a trace. */
#include "analyzer/traces/trace_attempts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/keyed/keyed.h"

/*
 * Hash what all attempts at a task have in common, including the NUL of each
 * text.  A task without a name of its own is identified by its id.
 */
static uint64_t name_of(const struct sw_trace_row *row)
{
	bool has_name = strcmp(row->name, row->task) != 0;
	const char *const texts[] = { row->workflow, row->task,
				      has_name ? row->name : row->id };
	uint64_t value = SW_FNV_FIRST;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		value = sw_fnv(value, texts[i], strlen(texts[i]) + 1);
	return value;
}

int sw_trace_attempts_note(struct sw_numbered *attempts,
			   const struct sw_trace_row *row)
{
	double *requested_bytes;
	bool is_new;

	if (row->attempt > 1)
		return 0;
	requested_bytes = sw_numbered_need(attempts, name_of(row), &is_new);
	if (!requested_bytes)
		return -1;
	/* The same task in a later run of the workflow replaces it. */
	*requested_bytes = row->requested_bytes;
	return 0;
}

double sw_trace_attempts_first(const struct sw_numbered *attempts,
			       const struct sw_trace_row *row)
{
	double requested_bytes = sw_numbered_get(attempts, name_of(row));

	return requested_bytes > 0 ? requested_bytes : NAN;
}

int sw_trace_attempts_finish(struct sw_trace *trace)
{
	double *least = malloc((trace->group_count + 1) * sizeof(*least));
	size_t i;

	if (!least)
		return -1;
	for (i = 0; i < trace->group_count; i++)
		least[i] = NAN;
	for (i = 0; i < trace->count; i++) {
		const struct sw_replay_run *item = &trace->runs[i];

		least[item->group] = fmin(least[item->group],
					  sw_run_first_request(&item->run));
	}
	for (i = 0; i < trace->count; i++) {
		struct sw_run *run = &trace->runs[i].run;

		if (!sw_run_is_retry(run))
			continue;
		run->requested_bytes = isnan(run->first_requested_bytes)
					       ? least[trace->runs[i].group]
					       : run->first_requested_bytes;
		run->first_requested_bytes = NAN;
		run->attempt = 1;
	}
	free(least);
	return 0;
}
