/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The codec of numbers.  Gives up when the sink is full or the source is not
 * what an encoder writes; nothing is read or written outside of them.
 */
#include "profiles/stream.h"

#include "profiles/layout.h"

enum {
	TAG_CONSTANT = 0,
	TAG_WIDTH_BIAS = 1,	/* a tag's low bits hold the width plus this */
	TAG_SECOND_ORDER = 0x80,
	WIDTH_MAX = 64,
	WIDTH_ONE_LOAD_MAX = 57, /* 64 bits less 7 of misalignment */
	VARINT_SIZE_MAX = 10,
	HEAD_SIZE_MAX = 2 + 3 * VARINT_SIZE_MAX,
	TRIAL_COUNT = 8,	/* values that tell whether rates are noise */
};

/* What one run of values is packed with. */
struct plan {
	unsigned int width;
	unsigned int shift;	/* zero bits at the end of every difference */
	bool is_constant;
	bool is_second_order;
	uint64_t first_delta;	/* of the second order only */
	uint64_t minimum;
};

/* Least and greatest of signed differences. */
struct range {
	int64_t least;
	int64_t greatest;
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
	if (sink->head_end - sink->head < VARINT_SIZE_MAX)
		return false;
	sink->head = put_varint(sink->head, value);
	return true;
}

bool sw_stream_get_varint(struct sw_stream_source *source, uint64_t *value)
{
	const uint8_t *at = source->head;
	unsigned int shift = 0;
	uint64_t sum = 0;

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

static unsigned int bits_of(uint64_t value)
{
	return value ? 64 - (unsigned int)__builtin_clzll(value) : 0;
}

static void range_add(struct range *range, uint64_t delta)
{
	int64_t value = (int64_t)delta;

	range->least = value < range->least ? value : range->least;
	range->greatest = value > range->greatest ? value : range->greatest;
}

static unsigned int range_width(const struct range *range, unsigned int shift)
{
	return bits_of(((uint64_t)range->greatest - (uint64_t)range->least) >>
		       shift);
}

static size_t count_equal(const uint64_t *values, size_t count)
{
	size_t equal = 1;

	while (equal < count && values[equal] == values[0])
		equal++;
	return equal;
}

/* The differences' range; what bits any of them has is in *any. */
static struct range range_first(const uint64_t *values, size_t count,
				uint64_t *any)
{
	struct range range = { INT64_MAX, INT64_MIN };
	uint64_t bits = 0;

	for (size_t i = 1; i < count; i++) {
		uint64_t delta = values[i] - values[i - 1];

		range_add(&range, delta);
		bits |= delta;
	}
	*any = bits;
	return range;
}

static struct range range_second(const uint64_t *values, size_t count)
{
	struct range range = { INT64_MAX, INT64_MIN };
	uint64_t last = values[1] - values[0];

	for (size_t i = 2; i < count; i++) {
		uint64_t delta = values[i] - values[i - 1];

		range_add(&range, delta - last);
		last = delta;
	}
	return range;
}

/*
 * The second order pays where rates change slowly.  Where they are noise it
 * does not, and that shows in the first few values already.
 */
static bool is_worth_trying(const uint64_t *values, size_t count,
			    const struct plan *plan)
{
	struct range range;

	if (count < 3 || !plan->width)
		return false;
	if (count <= TRIAL_COUNT)
		return true;
	range = range_second(values, TRIAL_COUNT);
	return range_width(&range, plan->shift) < plan->width;
}

/* Decides order, width and shift. */
static void plan_make(struct plan *plan, const uint64_t *values, size_t count)
{
	struct range range;
	unsigned int width = WIDTH_MAX;
	uint64_t any;

	memset(plan, 0, sizeof(*plan));
	plan->is_constant = count_equal(values, count) == count;
	if (plan->is_constant)
		return;
	range = range_first(values, count, &any);
	plan->shift = (unsigned int)__builtin_ctzll(any);
	plan->width = range_width(&range, plan->shift);
	plan->minimum = (uint64_t)range.least;
	if (is_worth_trying(values, count, plan)) {
		range = range_second(values, count);
		width = range_width(&range, plan->shift);
	}
	plan->is_second_order = width < plan->width;
	if (plan->is_second_order) {
		plan->width = width;
		plan->minimum = (uint64_t)range.least;
		plan->first_delta = values[1] - values[0];
	}
	if (!plan->width)
		plan->shift = 0;
}

static uint8_t *put_head(uint8_t *at, const struct plan *plan, uint64_t first,
			 uint64_t previous)
{
	unsigned int tag = plan->width + TAG_WIDTH_BIAS;

	if (plan->is_constant)
		tag = TAG_CONSTANT;
	else if (plan->is_second_order)
		tag |= TAG_SECOND_ORDER;
	*at++ = (uint8_t)tag;
	if (plan->width)
		*at++ = (uint8_t)plan->shift;
	at = put_varint(at, sw_zigzag(first - previous));
	if (plan->is_constant)
		return at;
	at = put_varint(at, sw_zigzag(plan->minimum));
	if (plan->is_second_order)
		at = put_varint(at, sw_zigzag(plan->first_delta));
	return at;
}

/* A bit writer: bits collect in a word that is stored when it is full. */
struct packer {
	uint8_t *at;
	uint64_t word;
	unsigned int used;
};

static inline void pack_bits(struct packer *packer, uint64_t bits,
			     unsigned int width)
{
	packer->word |= bits << packer->used;
	packer->used += width;
	if (packer->used < 64)
		return;
	sw_put_u64(packer->at, packer->word);
	packer->at += 8;
	packer->used -= 64;
	/* Shifted in two steps: by 64 where nothing is left over. */
	packer->word = (bits >> 1) >> (width - 1 - packer->used);
}

static uint8_t *pack_finish(struct packer *packer)
{
	unsigned int bytes = (packer->used + 7) / 8;

	for (unsigned int i = 0; i < bytes; i++)
		*packer->at++ = (uint8_t)(packer->word >> (8 * i));
	return packer->at;
}

/*
 * The loops below keep the plan in variables of their own: what they store
 * could be the plan itself, for all that the compiler knows.
 */
static inline uint8_t *pack_first_order(uint8_t *at, const struct plan *plan,
					const uint64_t *values, size_t count,
					unsigned int shift)
{
	const unsigned int width = plan->width;
	const uint64_t minimum = plan->minimum;
	struct packer packer = { .at = at };
	uint64_t last = values[0];

	for (size_t i = 1; i < count; i++) {
		uint64_t delta = values[i] - last;

		last = values[i];
		pack_bits(&packer, (delta - minimum) >> shift, width);
	}
	return pack_finish(&packer);
}

static uint8_t *pack_second_order(uint8_t *at, const struct plan *plan,
				  const uint64_t *values, size_t count)
{
	const unsigned int width = plan->width;
	const unsigned int shift = plan->shift;
	const uint64_t minimum = plan->minimum;
	struct packer packer = { .at = at };
	uint64_t last = plan->first_delta;

	for (size_t i = 2; i < count; i++) {
		uint64_t delta = values[i] - values[i - 1];

		pack_bits(&packer, (delta - last - minimum) >> shift, width);
		last = delta;
	}
	return pack_finish(&packer);
}

/* Most numbers have no common zero bits: no shift then. */
static uint8_t *pack(uint8_t *at, const struct plan *plan,
		     const uint64_t *values, size_t count)
{
	if (plan->is_second_order)
		return pack_second_order(at, plan, values, count);
	if (plan->shift)
		return pack_first_order(at, plan, values, count, plan->shift);
	return pack_first_order(at, plan, values, count, 0);
}

bool sw_stream_encode(struct sw_stream_sink *sink, const uint64_t *values,
		      size_t count, uint64_t *previous)
{
	struct plan plan;

	if (sink->head_end - sink->head < HEAD_SIZE_MAX ||
	    sink->data_end - sink->data < (ptrdiff_t)(8 * count))
		return false;
	plan_make(&plan, values, count);
	sink->head = put_head(sink->head, &plan, values[0], *previous);
	*previous = values[0];
	if (plan.is_constant || !plan.width)
		return true;
	sink->data = pack(sink->data, &plan, values, count);
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

static bool get_head(struct sw_stream_source *source, struct plan *plan,
		     uint64_t *first)
{
	unsigned int tag;

	memset(plan, 0, sizeof(*plan));
	if (!get_byte(source, &tag))
		return false;
	plan->is_constant = tag == TAG_CONSTANT;
	if (!plan->is_constant) {
		plan->is_second_order = tag & TAG_SECOND_ORDER;
		tag &= ~(unsigned int)TAG_SECOND_ORDER;
		if (tag < TAG_WIDTH_BIAS || tag > WIDTH_MAX + TAG_WIDTH_BIAS)
			return false;
		plan->width = tag - TAG_WIDTH_BIAS;
	}
	if (plan->width &&
	    (!get_byte(source, &plan->shift) || plan->shift > 63))
		return false;
	if (!get_zigzag(source, first))
		return false;
	if (!plan->is_constant && !get_zigzag(source, &plan->minimum))
		return false;
	return !plan->is_second_order ||
	       get_zigzag(source, &plan->first_delta);
}

/* The bits at bit offset, from at most two overlapping loads. */
static inline uint64_t unpack_bits(const uint8_t *data, size_t bit,
				   uint64_t mask, bool is_wide)
{
	unsigned int skip = bit & 7;
	uint64_t bits = sw_get_u64(data + (bit >> 3)) >> skip;

	if (is_wide && skip)
		bits |= (uint64_t)data[(bit >> 3) + 8] << (64 - skip);
	return bits & mask;
}

/* is_wide is a constant wherever this is inlined. */
static inline void unpack_first_order(const uint8_t *data,
				      const struct plan *plan,
				      uint64_t *values, size_t count,
				      bool is_wide)
{
	const unsigned int width = plan->width;
	const unsigned int shift = plan->shift;
	const uint64_t mask = UINT64_MAX >> (64 - width);
	const uint64_t minimum = plan->minimum;
	uint64_t value = values[0];
	size_t bit = 0;

	for (size_t i = 1; i < count; i++, bit += width) {
		value += minimum +
			 (unpack_bits(data, bit, mask, is_wide) << shift);
		values[i] = value;
	}
}

static inline void unpack_second_order(const uint8_t *data,
				       const struct plan *plan,
				       uint64_t *values, size_t count,
				       bool is_wide)
{
	const unsigned int width = plan->width;
	const unsigned int shift = plan->shift;
	const uint64_t mask = UINT64_MAX >> (64 - width);
	const uint64_t minimum = plan->minimum;
	uint64_t delta = plan->first_delta;
	uint64_t value = values[0] + delta;
	size_t bit = 0;

	values[1] = value;
	for (size_t i = 2; i < count; i++, bit += width) {
		delta += minimum +
			 (unpack_bits(data, bit, mask, is_wide) << shift);
		value += delta;
		values[i] = value;
	}
}

static void unpack(const uint8_t *data, const struct plan *plan,
		   uint64_t *values, size_t count)
{
	bool is_wide = plan->width > WIDTH_ONE_LOAD_MAX;

	if (plan->is_second_order && is_wide)
		unpack_second_order(data, plan, values, count, true);
	else if (plan->is_second_order)
		unpack_second_order(data, plan, values, count, false);
	else if (is_wide)
		unpack_first_order(data, plan, values, count, true);
	else
		unpack_first_order(data, plan, values, count, false);
}

/* Width 0: every difference of the plan's order is the minimum. */
static void fill(const struct plan *plan, uint64_t *values, size_t count)
{
	uint64_t step = plan->is_second_order ? plan->minimum : 0;
	uint64_t delta = plan->is_second_order ? plan->first_delta :
						 plan->minimum;
	uint64_t value = values[0];

	for (size_t i = 1; i < count; i++, delta += step) {
		value += delta;
		values[i] = value;
	}
}

bool sw_stream_decode(struct sw_stream_source *source, uint64_t *values,
		      size_t count, uint64_t *previous)
{
	struct plan plan;
	uint64_t first;
	size_t packed, bytes;

	if (!get_head(source, &plan, &first))
		return false;
	values[0] = first + *previous;
	*previous = values[0];
	if (!plan.width) {
		fill(&plan, values, count);
		return true;
	}
	packed = count - (plan.is_second_order ? 2 : 1);
	if (count < 2 + (size_t)plan.is_second_order)
		return false;
	bytes = (packed * plan.width + 7) / 8;
	if ((size_t)(source->data_end - source->data) < bytes)
		return false;
	unpack(source->data, &plan, values, count);
	source->data += bytes;
	return true;
}
