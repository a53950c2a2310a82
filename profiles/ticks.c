/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Encode times of rows, as references to ticks if that is shorter. */
#include "profiles/ticks.h"

enum { BY_THEMSELVES = 0, BY_TICKS = 1 };

static const struct sw_stream_beside nothing;

void sw_ticks_add(struct sw_ticks *ticks, const uint64_t *times, size_t count)
{
	if (count > SW_FRAME_ROWS_MAX - ticks->count)
		count = SW_FRAME_ROWS_MAX - ticks->count;
	memcpy(ticks->at + ticks->count, times, count * sizeof(*times));
	ticks->count += count;
}

/* Count the ticks up to this time, as far as they are in order. */
static size_t count_until(const struct sw_ticks *ticks, uint64_t time)
{
	size_t low = 0, high = ticks->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (ticks->at[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint64_t tick_before(const struct sw_ticks *ticks, uint64_t number)
{
	return number ? ticks->at[number - 1] : 0;
}

static bool encode_by_ticks(struct sw_stream_sink *sink, const uint64_t *values,
			    size_t count, const struct sw_ticks *ticks)
{
	uint64_t numbers[SW_RUN_ROWS_MAX], passed[SW_RUN_ROWS_MAX];
	uint64_t none[2] = { 0, 0 };

	for (size_t i = 0; i < count; i++) {
		numbers[i] = count_until(ticks, values[i]);
		passed[i] = values[i] - tick_before(ticks, numbers[i]);
	}
	return sw_stream_put_varint(sink, BY_TICKS) &&
	       sw_stream_encode(sink, numbers, count, &nothing, &none[0]) &&
	       sw_stream_encode(sink, passed, count, &nothing, &none[1]);
}

static bool encode_alone(struct sw_stream_sink *sink, const uint64_t *values,
			 size_t count, uint64_t *previous)
{
	return sw_stream_put_varint(sink, BY_THEMSELVES) &&
	       sw_stream_encode(sink, values, count, &nothing, previous);
}

static size_t grown(const struct sw_stream_sink *from,
		    const struct sw_stream_sink *to)
{
	return (size_t)(to->head - from->head) +
	       (size_t)(to->high - from->high) / 2 +
	       (size_t)(to->data - from->data);
}

bool sw_ticks_encode(struct sw_stream_sink *sink, const uint64_t *values,
		     size_t count, const struct sw_ticks *ticks,
		     uint64_t *previous)
{
	const struct sw_stream_sink start = *sink;
	size_t with_ticks = SIZE_MAX;
	uint64_t first = *previous;

	if (ticks->count && encode_by_ticks(sink, values, count, ticks))
		with_ticks = grown(&start, sink);
	*sink = start;
	if (!encode_alone(sink, values, count, &first))
		return false;
	*previous = first;
	if (with_ticks >= grown(&start, sink))
		return true;
	*sink = start;
	return encode_by_ticks(sink, values, count, ticks);
}

bool sw_ticks_decode(struct sw_stream_source *source, uint64_t *values,
		     size_t count, const struct sw_ticks *ticks,
		     uint64_t *previous)
{
	uint64_t numbers[SW_RUN_ROWS_MAX];
	uint64_t none[2] = { 0, 0 };
	uint64_t way;

	if (!sw_stream_get_varint(source, &way) || way > BY_TICKS)
		return false;
	if (way == BY_THEMSELVES)
		return sw_stream_decode(source, values, count, &nothing,
					previous);
	if (!sw_stream_decode(source, numbers, count, &nothing, &none[0]) ||
	    !sw_stream_decode(source, values, count, &nothing, &none[1]))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (numbers[i] > ticks->count)
			return false;
		values[i] += tick_before(ticks, numbers[i]);
	}
	*previous = values[0];
	return true;
}
