/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encoder of the codec of numbers.  Fails when the sink is full; nothing is
 * written outside of it.
 */
#include "profiles/stream.h"

#include "profiles/bits.h"
#include "profiles/stream_plan.h"

enum {
	HEAD_SIZE_MAX = 3 + 3 * SW_VARINT_SIZE_MAX,
	EXCEPTION_SIZE_MAX = 2 * SW_VARINT_SIZE_MAX,
	/* Below this width differences to other columns gain nothing. */
	BESIDE_FROM_WIDTH = 3,
	BESIDE_GAIN_MIN = 2, /* times smaller */
	SAMPLE_COUNT = 8,    /* pairs of values to choose by */
};

static uint8_t *put_varint(uint8_t *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*at++ = (uint8_t)value;
	return at;
}

bool sw_stream_put_varint(struct sw_stream_sink *sink, uint64_t value)
{
	if (sink->head_end - sink->head < SW_VARINT_SIZE_MAX)
		return false;
	sink->head = put_varint(sink->head, value);
	return true;
}

static size_t count_equal(const uint64_t *values, size_t count)
{
	size_t equal = 1;

	while (equal < count && values[equal] == values[0])
		equal++;
	return equal;
}

/* Return the value to which the row's difference is stored. */
static uint64_t value_beside(const struct sw_stream_beside *beside,
			     enum sw_beside kind, size_t row)
{
	switch (kind) {
	case SW_BESIDE_TIME:
		return beside->time[row];
	case SW_BESIDE_LAST:
		return beside->last[row];
	case SW_BESIDE_DIFFERENCE:
		return beside->second_last[row] - beside->last[row];
	default:
		return 0;
	}
}

static bool has_beside(const struct sw_stream_beside *beside,
		       enum sw_beside kind)
{
	switch (kind) {
	case SW_BESIDE_TIME:
		return beside->time;
	case SW_BESIDE_LAST:
		return beside->last;
	case SW_BESIDE_DIFFERENCE:
		return beside->last && beside->second_last;
	default:
		return true;
	}
}

/* Return the bits of some differences, as far as they vary. */
static unsigned int sample(const uint64_t *values, size_t count,
			   const struct sw_stream_beside *beside,
			   enum sw_beside kind)
{
	unsigned int bits = 0;
	uint64_t before = 0;

	for (size_t i = 0; i < SAMPLE_COUNT; i++) {
		size_t row = i * (count - 1) / SAMPLE_COUNT;
		uint64_t delta = values[row + 1] - values[row] -
				 value_beside(beside, kind, row + 1) +
				 value_beside(beside, kind, row);

		bits += i ? sw_bits_of(sw_zigzag(delta - before)) : 0;
		before = delta;
	}
	return bits;
}

/* Return the reference that promises the smallest numbers, from a few rows. */
static enum sw_beside find_beside(const uint64_t *values, size_t count,
				  const struct sw_stream_beside *beside)
{
	enum sw_beside best = SW_BESIDE_NOTHING;
	unsigned int least = sample(values, count, beside, best);

	for (enum sw_beside kind = SW_BESIDE_TIME; kind <= SW_BESIDE_DIFFERENCE;
	     kind++) {
		unsigned int bits;

		if (!has_beside(beside, kind))
			continue;
		bits = sample(values, count, beside, kind);
		if (bits < least) {
			least = bits;
			best = kind;
		}
	}
	return best;
}

static void make_plan(struct sw_stream_plan *plan, const uint64_t *values,
		      size_t count)
{
	memset(plan, 0, sizeof(*plan));
	plan->is_constant = count_equal(values, count) == count;
	if (!plan->is_constant)
		sw_stream_plan_make(plan, values, count);
}

static uint8_t *put_head(uint8_t *at, const struct sw_stream_plan *plan,
			 uint64_t first)
{
	unsigned int tag = plan->width + SW_TAG_WIDTH_BIAS;

	if (plan->is_constant)
		tag = SW_TAG_CONSTANT;
	else if (plan->is_second_order)
		tag |= SW_TAG_SECOND_ORDER;
	*at++ = (uint8_t)tag;
	*at++ = (uint8_t)(plan->beside |
			  (plan->has_exceptions ? SW_HOW_EXCEPTIONS : 0) |
			  plan->high << SW_HOW_HIGH_SHIFT);
	if (plan->width || plan->has_exceptions)
		*at++ = (uint8_t)plan->shift;
	at = put_varint(at, sw_zigzag(first));
	if (plan->is_constant)
		return at;
	at = put_varint(at, sw_zigzag(plan->minimum));
	if (plan->is_second_order)
		at = put_varint(at, sw_zigzag(plan->first_delta));
	return at;
}

/* Compute the plan's differences; returns their number. */
static size_t make_deltas(const struct sw_stream_plan *plan,
			  const uint64_t *values, size_t count,
			  uint64_t *deltas)
{
	size_t from = plan->is_second_order ? 2 : 1;
	uint64_t last = plan->first_delta;

	for (size_t i = from; i < count; i++) {
		uint64_t delta = values[i] - values[i - 1];
		uint64_t packed = delta - plan->minimum;

		if (plan->is_second_order)
			packed -= last;
		last = delta;
		deltas[i - from] = (uint64_t)((int64_t)packed >> plan->shift);
	}
	return count - from;
}

/* Store what exceeds the width, by distance from the exception before. */
static uint8_t *put_exceptions(uint8_t *at, const uint64_t *deltas,
			       size_t count, unsigned int width)
{
	uint8_t *count_at = at++;
	size_t next = 0, found = 0;

	for (size_t i = 0; i < count; i++) {
		int64_t beyond = (int64_t)deltas[i] >> width;

		if (!beyond)
			continue;
		at = put_varint(at, i - next);
		at = put_varint(at, sw_zigzag((uint64_t)beyond));
		next = i + 1;
		found++;
	}
	/* At most 127: one byte as a varint. */
	*count_at = (uint8_t)found;
	return at;
}

static void put_data(struct sw_stream_sink *sink,
		     const struct sw_stream_plan *plan, uint64_t *deltas,
		     size_t count)
{
	unsigned int low = plan->width - plan->high;
	uint64_t mask = sw_bits_mask(low);

	if (plan->high)
		for (size_t i = 0; i < count; i++)
			*sink->high++ = (uint8_t)((deltas[i] >> low) &
						  sw_bits_mask(plan->high));
	if (!low)
		return;
	for (size_t i = 0; i < count; i++)
		deltas[i] &= mask;
	sink->data = sw_bits_pack(sink->data, deltas, count, low);
}

/* Plan the values themselves, or their differences to a reference. */
static const uint64_t *choose(struct sw_stream_plan *plan,
			      const uint64_t *values, size_t count,
			      const struct sw_stream_beside *beside,
			      uint64_t *differences)
{
	struct sw_stream_plan other;
	enum sw_beside kind;

	make_plan(plan, values, count);
	if (plan->width < BESIDE_FROM_WIDTH)
		return values;
	kind = find_beside(values, count, beside);
	if (kind == SW_BESIDE_NOTHING)
		return values;
	for (size_t i = 0; i < count; i++)
		differences[i] = values[i] - value_beside(beside, kind, i);
	make_plan(&other, differences, count);
	/* A smaller gain is not worth it: equal runs would become different. */
	if (other.bits * BESIDE_GAIN_MIN >= plan->bits)
		return values;
	*plan = other;
	plan->beside = kind;
	return differences;
}

bool sw_stream_encode(struct sw_stream_sink *sink, const uint64_t *values,
		      size_t count, const struct sw_stream_beside *beside,
		      uint64_t *previous)
{
	uint64_t differences[SW_RUN_ROWS_MAX], deltas[SW_RUN_ROWS_MAX];
	struct sw_stream_plan plan;
	const uint64_t *chosen;

	if (sink->head_end - sink->head <
		    (ptrdiff_t)(HEAD_SIZE_MAX + count * EXCEPTION_SIZE_MAX) ||
	    sink->high_end - sink->high < (ptrdiff_t)count ||
	    sink->data_end - sink->data < (ptrdiff_t)(8 * count))
		return false;
	chosen = choose(&plan, values, count, beside, differences);
	sink->head = put_head(sink->head, &plan,
			      plan.beside ? chosen[0] : chosen[0] - *previous);
	*previous = values[0];
	if (plan.is_constant || (!plan.width && !plan.has_exceptions))
		return true;
	count = make_deltas(&plan, chosen, count, deltas);
	if (plan.has_exceptions)
		sink->head =
			put_exceptions(sink->head, deltas, count, plan.width);
	put_data(sink, &plan, deltas, count);
	return true;
}
