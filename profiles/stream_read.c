/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoder of the codec of numbers.  Fails if no encoder writes such bytes;
 * nothing is read outside of the source.
 */
#include "profiles/stream.h"

#include "profiles/bits.h"
#include "profiles/stream_plan.h"

bool sw_stream_get_varint(struct sw_stream_source *source, uint64_t *value)
{
	const uint8_t *at = source->head;
	unsigned int shift = 0;
	uint64_t sum = 0;

	/* Most are small. */
	if (at != source->head_end && *at < 0x80) {
		*value = *source->head++;
		return true;
	}
	for (;;) {
		uint8_t byte;

		if (at == source->head_end || shift > 63)
			return false;
		byte = *at++;
		if (shift == 63 && byte > 1)
			return false;
		sum |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
		shift += 7;
	}
	source->head = at;
	*value = sum;
	return true;
}

static bool get_byte(struct sw_stream_source *source, unsigned int *byte)
{
	if (source->head == source->head_end)
		return false;
	*byte = *source->head++;
	return true;
}

static bool get_zigzag(struct sw_stream_source *source, uint64_t *value)
{
	if (!sw_stream_get_varint(source, value))
		return false;
	*value = sw_unzigzag(*value);
	return true;
}

/* Read the tag byte. */
static bool get_tag(struct sw_stream_source *source,
		    struct sw_stream_plan *plan)
{
	unsigned int tag;

	memset(plan, 0, sizeof(*plan));
	if (!get_byte(source, &tag))
		return false;
	plan->is_constant = tag == SW_TAG_CONSTANT;
	if (plan->is_constant)
		return true;
	plan->is_second_order = tag & SW_TAG_SECOND_ORDER;
	tag &= ~(unsigned int)SW_TAG_SECOND_ORDER;
	if (tag < SW_TAG_WIDTH_BIAS || tag > SW_WIDTH_MAX + SW_TAG_WIDTH_BIAS)
		return false;
	plan->width = tag - SW_TAG_WIDTH_BIAS;
	return true;
}

static bool get_how(struct sw_stream_source *source,
		    struct sw_stream_plan *plan)
{
	unsigned int how;

	if (!get_byte(source, &how) || how & SW_HOW_UNUSED)
		return false;
	plan->beside = how & SW_HOW_BESIDE;
	plan->has_exceptions = how & SW_HOW_EXCEPTIONS;
	plan->high = how >> SW_HOW_HIGH_SHIFT;
	if (plan->high > SW_HOW_HIGH_MAX || plan->high > plan->width)
		return false;
	return !plan->has_exceptions ||
	       (plan->width < SW_WIDTH_MAX && !plan->is_constant);
}

/* Read the numbers of the head. */
static bool get_numbers(struct sw_stream_source *source,
			struct sw_stream_plan *plan, uint64_t *first)
{
	if ((plan->width || plan->has_exceptions) &&
	    (!get_byte(source, &plan->shift) || plan->shift > 63))
		return false;
	if (!get_zigzag(source, first))
		return false;
	if (!plan->is_constant && !get_zigzag(source, &plan->minimum))
		return false;
	return !plan->is_second_order || get_zigzag(source, &plan->first_delta);
}

/* Location of a run's packed numbers. */
struct packed {
	const uint8_t *high;
	const uint8_t *data;
	size_t count;
};

static bool find_packed(struct sw_stream_source *source,
			const struct sw_stream_plan *plan, size_t count,
			struct packed *packed)
{
	size_t bytes = sw_bits_bytes(count, plan->width - plan->high);
	size_t high = plan->high ? count : 0;

	if ((size_t)(source->data_end - source->data) < bytes ||
	    (size_t)(source->high_end - source->high) < high)
		return false;
	*packed = (struct packed){ source->high, source->data, count };
	source->data += bytes;
	source->high += high;
	return true;
}

/* Unpack numbers without exceptions. */
static void unpack(const struct sw_stream_plan *plan,
		   const struct packed *packed, uint64_t *deltas)
{
	unsigned int low = plan->width - plan->high;

	if (low)
		sw_bits_unpack(packed->data, deltas, packed->count, low);
	else
		memset(deltas, 0, packed->count * sizeof(*deltas));
	for (size_t i = 0; plan->high && i < packed->count; i++)
		deltas[i] |= (uint64_t)packed->high[i] << low;
}

/* deltas NULL: only check. */
static bool get_exceptions(struct sw_stream_source *source, uint64_t *deltas,
			   size_t count, unsigned int width)
{
	size_t next = 0;
	uint64_t left;

	if (!sw_stream_get_varint(source, &left))
		return false;
	for (; left > 0; left--) {
		uint64_t gap, beyond;

		if (!sw_stream_get_varint(source, &gap) ||
		    gap >= count - next || !get_zigzag(source, &beyond))
			return false;
		next += (size_t)gap;
		if (deltas)
			deltas[next] += beyond << width;
		next++;
	}
	return true;
}

/* Turn differences into the values after the first. */
static void sum_up(const struct sw_stream_plan *plan, const uint64_t *deltas,
		   uint64_t *values, size_t count)
{
	const unsigned int shift = plan->shift;
	const uint64_t minimum = plan->minimum;
	uint64_t delta = plan->first_delta;
	uint64_t value = values[0];

	if (!plan->is_second_order) {
		for (size_t i = 1; i < count; i++) {
			value += minimum + (deltas[i - 1] << shift);
			values[i] = value;
		}
		return;
	}
	value += delta;
	values[1] = value;
	for (size_t i = 2; i < count; i++) {
		delta += minimum + (deltas[i - 2] << shift);
		value += delta;
		values[i] = value;
	}
}

/*
 * Unpack and sum in one pass, for the first order without exceptions, as most
 * runs are.  has_high is a constant wherever this is inlined.
 */
static inline void sum_packed(const struct sw_stream_plan *plan,
			      const struct packed *packed, uint64_t *values,
			      bool has_high)
{
	const unsigned int low = plan->width - plan->high;
	const unsigned int shift = plan->shift;
	const uint64_t mask = sw_bits_mask(low);
	const uint64_t minimum = plan->minimum;
	const uint8_t *data = packed->data;
	uint64_t value = values[0];
	size_t bit = 0;

	for (size_t i = 0; i < packed->count; i++, bit += low) {
		uint64_t delta = sw_bits_at(data, bit, mask);

		if (has_high)
			delta |= (uint64_t)packed->high[i] << low;
		value += minimum + (delta << shift);
		values[i + 1] = value;
	}
}

/* Width 0: every difference of the plan's order is the minimum. */
static void fill(const struct sw_stream_plan *plan, uint64_t *values,
		 size_t count)
{
	uint64_t step = plan->is_second_order ? plan->minimum : 0;
	uint64_t delta =
		plan->is_second_order ? plan->first_delta : plan->minimum;
	uint64_t value = values[0];

	for (size_t i = 1; i < count; i++, delta += step) {
		value += delta;
		values[i] = value;
	}
}

static bool get_values(struct sw_stream_source *source,
		       const struct sw_stream_plan *plan, uint64_t *values,
		       size_t count)
{
	size_t skipped = plan->is_second_order ? 2 : 1;
	uint64_t deltas[SW_RUN_ROWS_MAX];
	struct packed packed;

	if (!plan->width && !plan->has_exceptions) {
		fill(plan, values, count);
		return true;
	}
	if (count <= skipped ||
	    !find_packed(source, plan, count - skipped, &packed))
		return false;
	if (!plan->is_second_order && !plan->has_exceptions &&
	    plan->width - plan->high <= SW_BITS_ONE_LOAD) {
		if (plan->high)
			sum_packed(plan, &packed, values, true);
		else
			sum_packed(plan, &packed, values, false);
		return true;
	}
	unpack(plan, &packed, deltas);
	if (plan->has_exceptions &&
	    !get_exceptions(source, deltas, packed.count, plan->width))
		return false;
	sum_up(plan, deltas, values, count);
	return true;
}

/* Add the reference to differences; false if there is no reference. */
static bool add_beside(uint64_t *values, size_t count,
		       const struct sw_stream_beside *beside,
		       enum sw_beside kind)
{
	const uint64_t *added =
		kind == SW_BESIDE_TIME ? beside->time : beside->last;

	if (!added)
		return false;
	if (kind != SW_BESIDE_DIFFERENCE) {
		for (size_t i = 0; i < count; i++)
			values[i] += added[i];
		return true;
	}
	if (!beside->second_last)
		return false;
	for (size_t i = 0; i < count; i++)
		values[i] += beside->second_last[i] - added[i];
	return true;
}

bool sw_stream_decode(struct sw_stream_source *source, uint64_t *values,
		      size_t count, const struct sw_stream_beside *beside,
		      uint64_t *previous)
{
	struct sw_stream_plan plan;
	uint64_t first;

	if (!get_tag(source, &plan) || !get_how(source, &plan) ||
	    !get_numbers(source, &plan, &first))
		return false;
	values[0] = plan.beside ? first : first + *previous;
	if (!get_values(source, &plan, values, count))
		return false;
	if (plan.beside && !add_beside(values, count, beside, plan.beside))
		return false;
	*previous = values[0];
	return true;
}

bool sw_stream_pass(struct sw_stream_source *source, size_t count,
		    enum sw_beside *beside)
{
	struct sw_stream_plan plan;
	struct packed packed;
	uint64_t first;
	size_t skipped;

	if (!get_tag(source, &plan) || !get_how(source, &plan) ||
	    !get_numbers(source, &plan, &first))
		return false;
	*beside = plan.beside;
	skipped = plan.is_second_order ? 2 : 1;
	if (!plan.width && !plan.has_exceptions)
		return true;
	if (count <= skipped ||
	    !find_packed(source, &plan, count - skipped, &packed))
		return false;
	return !plan.has_exceptions ||
	       get_exceptions(source, NULL, packed.count, plan.width);
}
