/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows known from earlier pages.  They are shown in one line from the third
 * night on, until their cause changes, or the waste per job.
 */
#include "analyzer/sweep/page/words.h"
#include "common/text.h"

enum { NIGHTS_MIN = 2 };

/* Waste per job that differs by less is equal. */
#define SAME_RATIO 1.33

/* A smaller share of a job's allocation is not compared. */
#define LITTLE_RATIO 0.05

bool sw_sweep_is_same(double now, double before)
{
	return now <= SAME_RATIO * before && before <= SAME_RATIO * now;
}

static double of_each(const uint64_t *n, enum sw_tally_number unused,
		      enum sw_tally_number lost)
{
	return ((double)n[unused] + (double)n[lost]) / (double)n[SW_TALLY_JOBS];
}

/* Compare a resource and the wasted part of it in both times. */
static bool is_same_waste(const uint64_t *now, const uint64_t *before,
			  const enum sw_tally_number numbers[3])
{
	double had = (double)now[numbers[0]] / (double)now[SW_TALLY_JOBS];
	double one = of_each(now, numbers[1], numbers[2]);
	double other = of_each(before, numbers[1], numbers[2]);

	return sw_sweep_is_same(one, other) ||
	       (one <= LITTLE_RATIO * had && other <= LITTLE_RATIO * had);
}

static const struct sw_tally *find_before(const struct sw_sweep_page *page,
					  const struct sw_tally *tally)
{
	return (const struct sw_tally *)sw_keyed_find(
		&page->past->tallies, tally->key, tally->entry.key_size);
}

/* Count the earlier nights that the page compares with. */
static size_t count_nights(const struct sw_sweep_page *page,
			   const struct sw_tally *tally)
{
	const struct sw_month_group *group = sw_month_find(page->month, tally);
	size_t i, count = 0;

	for (i = 0; group && i < group->count; i++)
		count += group->nights[i].from_seconds <
			 page->night->from_seconds;
	return count < page->past_nights ? count : page->past_nights;
}

void sw_sweep_find_repeats(struct sw_sweep_row *row,
			   const struct sw_sweep_page *page,
			   const uint64_t past_total[SW_TALLY_NUMBERS])
{
	static const enum sw_tally_number resources[][3] = {
		{ SW_TALLY_CORE_USEC, SW_TALLY_IDLE_USEC,
		  SW_TALLY_LOST_CORE_USEC },
		{ SW_TALLY_MIB_SECONDS, SW_TALLY_UNUSED_MIB_SECONDS,
		  SW_TALLY_LOST_MIB_SECONDS },
	};
	const struct sw_tally *before = find_before(page, row->tally);
	struct sw_sweep_row then = { .tally = before };
	size_t nights = row->group ? count_nights(page, row->group) : 0;

	row->repeats = 0;
	if (!before || nights < NIGHTS_MIN || !before->n[SW_TALLY_JOBS] ||
	    !row->tally->n[SW_TALLY_JOBS])
		return;
	sw_sweep_explain(&then, page, past_total);
	if (then.cause == row->cause &&
	    is_same_waste(row->tally->n, before->n, resources[0]) &&
	    is_same_waste(row->tally->n, before->n, resources[1]))
		row->repeats = nights;
}

char *sw_sweep_repeats(char *buf, size_t size, const struct sw_sweep_row *row)
{
	static const char *const causes[SW_SWEEP_CAUSES] = {
		[SW_SWEEP_UNKNOWN] = "CPUs without use, why is not known",
		[SW_SWEEP_FAILURES] = "jobs that did not complete",
		[SW_SWEEP_IO] = "waiting for I/O",
		[SW_SWEEP_MEMORY_PRESSURE] = "memory was short",
		[SW_SWEEP_THROTTLED] = "a CPU quota",
		[SW_SWEEP_GPUS] = "idle GPUs",
		[SW_SWEEP_CPUS] = "CPUs without use",
		[SW_SWEEP_MEMORY] = "more memory than needed",
		[SW_SWEEP_LITTLE] = "little to gain",
	};

	*buf = '\0';
	if (row->repeats)
		sw_text_add(buf, size, "As in the %zu nights before: %s.",
			    row->repeats, causes[row->cause]);
	return buf;
}
