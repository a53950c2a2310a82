/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find runs that were resubmitted with more memory. */
#include "advice/attempts.h"

#include <math.h>
#include <string.h>

/* Kills to remember, e.g. of an array; the oldest ones are forgotten. */
enum { KILLS_MAX = 256 };

struct kills {
	struct {
		double end_seconds, requested_bytes, first_bytes;
	} items[KILLS_MAX];
	size_t count;
};

static void drop(struct kills *kills, size_t i)
{
	memmove(&kills->items[i], &kills->items[i + 1],
		(--kills->count - i) * sizeof(kills->items[0]));
}

static void add(struct kills *kills, const struct sw_run *run)
{
	if (!run->is_lower_bound || run->state == SW_RUN_COMPLETED ||
	    !(run->requested_bytes > 0))
		return;
	if (kills->count == KILLS_MAX)
		drop(kills, 0);
	kills->items[kills->count].end_seconds = run->end_seconds;
	kills->items[kills->count].requested_bytes = run->requested_bytes;
	kills->items[kills->count++].first_bytes = sw_run_first_request(run);
}

/* Match the run with the oldest kill it may be a resubmission of. */
static void answer(struct kills *kills, struct sw_run *run)
{
	size_t i;

	if (sw_run_is_retry(run))
		return;
	for (i = 0; i < kills->count; i++) {
		if (!(kills->items[i].end_seconds <= run->start_seconds) ||
		    !(kills->items[i].requested_bytes < run->requested_bytes))
			continue;
		run->first_requested_bytes = kills->items[i].first_bytes;
		drop(kills, i);
		return;
	}
}

void sw_attempts_find(struct sw_run *runs, size_t count)
{
	struct kills kills = { .count = 0 };
	size_t i;

	for (i = 0; i < count; i++) {
		answer(&kills, &runs[i]);
		add(&kills, &runs[i]);
	}
}
