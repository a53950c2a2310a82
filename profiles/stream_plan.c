/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plan how to pack a run of values: order of the differences, bits for each,
 * and exceptions.  Always succeeds; costs are estimated, never tried.
 */
#include "profiles/stream_plan.h"

#include "profiles/bits.h"

enum {
	TRIAL_COUNT = 8,     /* values that show whether rates are noise */
	SAMPLE_COUNT = 15,   /* differences whose median is the centre */
	EXCEPTION_BITS = 12, /* cost of one beside its own bits */
	SECOND_ORDER_BITS = 16,
	/*
	 * Noise below this width is not worth a byte for each number.  Both by
	 * measurement (bench/): 4 is as good for noise, 5 for real counters.
	 */
	HIGH_FROM_WIDTH = 5,
	HIGH_BITS = 5,
};

/* Minimum and maximum of signed differences. */
struct range {
	int64_t least;
	int64_t greatest;
};

static struct range range_of(const uint64_t *deltas, size_t count)
{
	struct range range = { INT64_MAX, INT64_MIN };

	for (size_t i = 0; i < count; i++) {
		int64_t value = (int64_t)deltas[i];

		range.least = value < range.least ? value : range.least;
		range.greatest =
			value > range.greatest ? value : range.greatest;
	}
	return range;
}

static unsigned int range_width(const struct range *range, unsigned int shift)
{
	return sw_bits_of(
		((uint64_t)range->greatest - (uint64_t)range->least) >> shift);
}

/* Return the median of some differences. */
static uint64_t find_centre(const uint64_t *deltas, size_t count)
{
	size_t samples = count < SAMPLE_COUNT ? count : SAMPLE_COUNT;
	int64_t sorted[SAMPLE_COUNT] = { 0 };

	for (size_t i = 0; i < samples; i++) {
		int64_t value = (int64_t)deltas[i * count / samples];
		size_t at = i;

		for (; at > 0 && sorted[at - 1] > value; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = value;
	}
	return (uint64_t)sorted[samples / 2];
}

/* Bits of a window around 0 that holds the number: 1 for -1, 2 for -2 to 1. */
static unsigned int window_of(int64_t number)
{
	if (!number)
		return 0;
	return sw_bits_of((uint64_t)(number ^ (number >> 63))) + 1;
}

/*
 * Find the window around the centre for which packed numbers and exceptions
 * together take the fewest bits.
 */
static void find_window(const uint64_t *deltas, size_t count, uint64_t centre,
			struct sw_stream_plan *plan)
{
	uint16_t counts[SW_WIDTH_MAX + 2] = { 0 };
	uint64_t exceptions = 0, excess = 0;
	bool is_better = false;

	for (size_t i = 0; i < count; i++)
		counts[window_of((int64_t)(deltas[i] - centre) >>
				 plan->shift)]++;
	for (unsigned int width = SW_WIDTH_MAX; width-- > 0;) {
		uint64_t bits;

		exceptions += counts[width + 1];
		excess += exceptions;
		bits = count * width + exceptions * EXCEPTION_BITS + excess;
		if (bits >= plan->bits)
			continue;
		plan->bits = bits;
		plan->width = width;
		plan->has_exceptions = exceptions > 0;
		is_better = true;
	}
	if (!is_better)
		return;
	plan->minimum = centre;
	if (plan->width)
		plan->minimum -= UINT64_C(1)
				 << (plan->width - 1) << plan->shift;
}

/* Plan the differences of one order. */
static void plan_deltas(struct sw_stream_plan *plan, const uint64_t *deltas,
			size_t count)
{
	struct range range = range_of(deltas, count);

	plan->width = range_width(&range, plan->shift);
	plan->minimum = (uint64_t)range.least;
	plan->has_exceptions = false;
	plan->bits = (uint64_t)count * plan->width;
	if (plan->width)
		find_window(deltas, count, find_centre(deltas, count), plan);
}

/*
 * The second order pays off if rates change slowly.  It does not if they are
 * noise, which the first few values already show.
 */
static bool is_worth_trying(const uint64_t *second, size_t count,
			    const struct sw_stream_plan *plan)
{
	struct range range;

	if (!count || !plan->width)
		return false;
	if (count <= TRIAL_COUNT)
		return true;
	range = range_of(second, TRIAL_COUNT);
	return range_width(&range, plan->shift) < plan->width;
}

/* Compute differences of the second order; returns their number. */
static size_t differ(const uint64_t *deltas, size_t count, uint64_t *second)
{
	for (size_t i = 1; i < count; i++)
		second[i - 1] = deltas[i] - deltas[i - 1];
	return count - 1;
}

void sw_stream_plan_make(struct sw_stream_plan *plan, const uint64_t *values,
			 size_t count)
{
	uint64_t deltas[SW_RUN_ROWS_MAX], second[SW_RUN_ROWS_MAX];
	struct sw_stream_plan other;
	uint64_t any = 0;

	memset(plan, 0, sizeof(*plan));
	/* There are at least two values, but compilers do not know. */
	deltas[0] = 0;
	for (size_t i = 1; i < count; i++) {
		deltas[i - 1] = values[i] - values[i - 1];
		any |= deltas[i - 1];
	}
	plan->shift = (unsigned int)__builtin_ctzll(any);
	other = *plan;
	plan_deltas(plan, deltas, count - 1);
	count = differ(deltas, count - 1, second);
	if (is_worth_trying(second, count, plan)) {
		other.is_second_order = true;
		other.first_delta = deltas[0];
		plan_deltas(&other, second, count);
		if (other.bits + SECOND_ORDER_BITS < plan->bits)
			*plan = other;
	}
	if (plan->width >= HIGH_FROM_WIDTH)
		plan->high = HIGH_BITS;
}
