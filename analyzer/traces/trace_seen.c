/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyzer/traces/trace_seen.h"

#include <math.h>
#include <string.h>

#include "analyzer/keyed/keyed.h"

bool sw_trace_is_cached(const struct sw_trace_row *row)
{
	return !strcmp(row->status, "CACHED");
}

static uint64_t add_number(uint64_t value, double number)
{
	/* NANs have different bit patterns. */
	if (isnan(number))
		number = -1;
	return sw_fnv(value, &number, sizeof(number));
}

/*
 * A task is identified by its work folder; otherwise by its id with its times
 * and numbers, since a process id may be reused.
 */
static uint64_t hash(const struct sw_trace_row *row)
{
	uint64_t value = SW_FNV_FIRST;

	value = sw_fnv(value, row->workflow, strlen(row->workflow) + 1);
	value = sw_fnv(value, row->name, strlen(row->name) + 1);
	if (!sw_trace_is_nothing(row->hash)) {
		value = sw_fnv(value, row->hash, strlen(row->hash));
	} else {
		value = sw_fnv(value, row->id, strlen(row->id));
		value = add_number(value, row->submit_seconds);
		value = add_number(value, row->start_seconds);
		value = add_number(value, row->elapsed_seconds);
		value = add_number(value, row->need_bytes);
		value = add_number(value, row->rss_bytes);
	}
	return value;
}

int sw_trace_seen_add(struct sw_numbered *seen, const struct sw_trace_row *row,
		      bool *is_again)
{
	bool is_cached = sw_trace_is_cached(row), is_new;
	double *was_cached = sw_numbered_need(seen, hash(row), &is_new);

	if (!was_cached)
		return -1;
	if (is_new)
		*was_cached = is_cached;
	*is_again = !is_new && (*was_cached > 0 || is_cached);
	return 0;
}
