/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of groups, by night. */
#include "analyzer/sweep/night/trail.h"

#include <stdlib.h>
#include <string.h>

#include "common/grow.h"

static struct sw_trail *trail_of(const struct sw_keyed_entry *entry)
{
	return (struct sw_trail *)entry; /* its first member */
}

static int add_run(struct sw_trail *trail, uint64_t night_seconds,
		   const struct sw_sample_run *run)
{
	struct sw_trail_run *to;

	if (sw_grow(&trail->runs, trail->count, sizeof(*trail->runs)) < 0)
		return -1;
	to = &trail->runs[trail->count];
	to->night_seconds = night_seconds;
	to->run = *run;
	if (sw_sample_put_print(&to->run, run->fingerprint,
				run->fingerprint_size) < 0)
		return -1;
	trail->count++;
	return 0;
}

/* Every nth run could be that of one node: a hash decides. */
static uint64_t lot_of(const struct sw_sample_run *run)
{
	return sw_keyed_hash((const char *)&run->job_id, sizeof(run->job_id));
}

/* Put it among the runs with the lowest hashes; equal ones keep their order. */
static size_t draw(const struct sw_sample_run **drawn, size_t count,
		   const struct sw_sample_run *run)
{
	uint64_t lot = lot_of(run);
	size_t at = count, end = count < SW_TRAIL_RUNS ? count + 1 : count;

	while (at > 0 && lot_of(drawn[at - 1]) > lot)
		at--;
	if (at == SW_TRAIL_RUNS)
		return count;
	memmove(&drawn[at + 1], &drawn[at],
		(end - 1 - at) * sizeof(const struct sw_sample_run *));
	drawn[at] = run;
	return end;
}

static int add_sample(struct sw_trail *trail, uint64_t night_seconds,
		      const struct sw_sample *sample)
{
	const struct sw_sample_run *drawn[SW_TRAIL_RUNS];
	size_t count = 0, i;

	for (i = 0; i < sample->count; i++)
		count = draw(drawn, count, &sample->items[i]);
	for (i = 0; i < count; i++) {
		if (add_run(trail, night_seconds, drawn[i]) < 0)
			return -1;
	}
	return 0;
}

int sw_trails_add(struct sw_keyed *trails, const struct sw_night *earlier,
		  const struct sw_night *night)
{
	struct sw_trail *trail;
	size_t i;

	for (i = 0; i < earlier->tallies.room; i++) {
		const struct sw_tally *tally =
			(const struct sw_tally *)earlier->tallies.slots[i];

		if (!tally || tally->of != SW_TALLY_GROUP ||
		    !tally->sample.count ||
		    !sw_keyed_find(&night->tallies, tally->key,
				   tally->entry.key_size))
			continue;
		trail = sw_keyed_need(trails, tally->key, tally->entry.key_size,
				      sizeof(*trail),
				      offsetof(struct sw_trail, key));
		if (!trail || add_sample(trail, earlier->from_seconds,
					 &tally->sample) < 0)
			return -1;
	}
	return 0;
}

static int compare_runs(const void *a, const void *b)
{
	const struct sw_trail_run *one = a, *two = b;
	double left = one->run.run.end_seconds, right = two->run.run.end_seconds;

	if (one->night_seconds != two->night_seconds)
		return one->night_seconds < two->night_seconds ? -1 : 1;
	if (left < right || left > right)
		return left < right ? -1 : 1;
	return (one->run.job_id > two->run.job_id) -
	       (one->run.job_id < two->run.job_id);
}

void sw_trails_settle(struct sw_keyed *trails)
{
	size_t i;

	for (i = 0; i < trails->room; i++) {
		struct sw_trail *trail;

		if (!trails->slots[i])
			continue;
		trail = trail_of(trails->slots[i]);
		qsort(trail->runs, trail->count, sizeof(*trail->runs),
		      compare_runs);
	}
}

const struct sw_trail *sw_trail_find(const struct sw_keyed *trails,
				     const struct sw_tally *tally)
{
	return trail_of(
		sw_keyed_find(trails, tally->key, tally->entry.key_size));
}

static void free_trail(struct sw_keyed_entry *entry)
{
	struct sw_trail *trail = trail_of(entry);

	while (trail->count)
		free(trail->runs[--trail->count].run.fingerprint);
	free(trail->runs);
	free(trail);
}

void sw_trails_fini(struct sw_keyed *trails)
{
	sw_keyed_fini(trails, free_trail);
}
