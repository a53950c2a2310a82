/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the request of the first attempt at a task of a trace. */
#include "analyzer/traces/trace_attempts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/keyed/keyed.h"

enum { SLOTS_FIRST = 256 };

void sw_trace_attempts_fini(struct sw_trace_attempts *attempts)
{
	free(attempts->slots);
	*attempts = (struct sw_trace_attempts){ 0 };
}

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
	return value ? value : 1;
}

static struct sw_trace_attempt *find(const struct sw_trace_attempts *attempts,
				     uint64_t name)
{
	size_t mask = attempts->slot_count - 1, slot = (size_t)name & mask;

	while (attempts->slots[slot].name && attempts->slots[slot].name != name)
		slot = (slot + 1) & mask;
	return &attempts->slots[slot];
}

/* Keep at least half of the slots free, so that probing is short. */
static int make_room(struct sw_trace_attempts *attempts)
{
	struct sw_trace_attempts grown = {
		.slot_count = attempts->slot_count ? 2 * attempts->slot_count
						   : SLOTS_FIRST,
		.count = attempts->count,
	};
	size_t i;

	if (2 * (attempts->count + 1) <= attempts->slot_count)
		return 0;
	grown.slots = calloc(grown.slot_count, sizeof(*grown.slots));
	if (!grown.slots)
		return -1;
	for (i = 0; i < attempts->slot_count; i++) {
		if (attempts->slots[i].name)
			*find(&grown, attempts->slots[i].name) =
				attempts->slots[i];
	}
	free(attempts->slots);
	*attempts = grown;
	return 0;
}

int sw_trace_attempts_note(struct sw_trace_attempts *attempts,
			   const struct sw_trace_row *row)
{
	struct sw_trace_attempt *slot;

	if (row->attempt > 1)
		return 0;
	if (make_room(attempts) < 0)
		return -1;
	slot = find(attempts, name_of(row));
	attempts->count += !slot->name;
	/* The same task in a later run of the workflow replaces it. */
	*slot = (struct sw_trace_attempt){ name_of(row), row->requested_bytes };
	return 0;
}

double sw_trace_attempts_first(const struct sw_trace_attempts *attempts,
			       const struct sw_trace_row *row)
{
	const struct sw_trace_attempt *slot;

	if (!attempts->slot_count)
		return NAN;
	slot = find(attempts, name_of(row));
	return slot->name && slot->requested_bytes > 0 ? slot->requested_bytes
						       : NAN;
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
