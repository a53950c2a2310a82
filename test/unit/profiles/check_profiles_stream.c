/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The codec of numbers: every width, every order, every length. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "profiles/layout.h"
#include "profiles/stream.h"
#include "profiles_kit.h"
#include "test/run_tests.h"

enum {
	HEAD_ROOM = 4096,
	HIGH_ROOM = SW_RUN_ROWS_MAX,
	DATA_ROOM = 8 * SW_RUN_ROWS_MAX,
};

static const size_t counts[] = { 1, 2, 3, 4, 59, 60, 64, 127, 128 };

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

struct coded {
	uint8_t head[HEAD_ROOM];
	uint8_t high[HIGH_ROOM];
	uint8_t data[DATA_ROOM];
	size_t head_size;
	size_t high_size;
	size_t data_size;
};

static const struct sw_stream_beside nothing;

static void encode_beside(struct coded *coded, const uint64_t *values,
			  size_t count, const struct sw_stream_beside *beside,
			  uint64_t previous)
{
	struct sw_stream_sink sink = { coded->head, coded->head + HEAD_ROOM,
				       coded->high, coded->high + HIGH_ROOM,
				       coded->data, coded->data + DATA_ROOM };

	ck_assert(sw_stream_encode(&sink, values, count, beside, &previous));
	ck_assert_uint_eq(previous, values[0]);
	coded->head_size = (size_t)(sink.head - coded->head);
	coded->high_size = (size_t)(sink.high - coded->high);
	coded->data_size = (size_t)(sink.data - coded->data);
}

static void encode(struct coded *coded, const uint64_t *values, size_t count,
		   uint64_t previous)
{
	encode_beside(coded, values, count, &nothing, previous);
}

/* From memory of exactly that size, so that a sanitizer detects overruns. */
static bool decode(const struct coded *coded, uint64_t *values, size_t count,
		   const struct sw_stream_beside *beside, uint64_t previous)
{
	uint8_t *head = malloc(coded->head_size + 1);
	uint8_t *high = malloc(coded->high_size + 1);
	uint8_t *data = calloc(1, coded->data_size + SW_PLAIN_SLACK);
	struct sw_stream_source source = { head, head + coded->head_size,
					   high, high + coded->high_size,
					   data, data + coded->data_size };
	bool is_good;

	memcpy(head, coded->head, coded->head_size);
	memcpy(high, coded->high, coded->high_size);
	memcpy(data, coded->data, coded->data_size);
	is_good = sw_stream_decode(&source, values, count, beside, &previous);
	if (is_good)
		ck_assert(source.head <= source.head_end &&
			  source.high <= source.high_end &&
			  source.data <= source.data_end);
	is_good = is_good && source.head == source.head_end &&
		  source.high == source.high_end &&
		  source.data == source.data_end;
	free(head);
	free(high);
	free(data);
	return is_good;
}

static void round_trip(const uint64_t *values, size_t count,
		       uint64_t previous)
{
	uint64_t got[SW_RUN_ROWS_MAX];
	struct coded coded;

	encode(&coded, values, count, previous);
	ck_assert(decode(&coded, got, count, &nothing, previous));
	ck_assert_mem_eq(got, values, count * sizeof(got[0]));
}

/* Values whose differences of an order take exactly width bits. */
static void make_values(uint64_t *values, size_t count, unsigned int order,
			unsigned int width, unsigned int shift)
{
	uint64_t value = kit_mix(width), delta = kit_mix(shift + 1) << shift;

	for (size_t i = 0; i < count; i++) {
		uint64_t noise = kit_mix(i * 67 + width);

		noise = width ? noise >> (64 - width) << shift : 0;
		values[i] = value;
		delta = order == 2 ? delta + noise : noise;
		value += delta;
	}
}

START_TEST(test_every_width)
{
	unsigned int width = (unsigned int)_i;
	uint64_t values[SW_RUN_ROWS_MAX];

	for (unsigned int order = 1; order <= 2; order++)
		for (unsigned int shift = 0; shift + width <= 64 && shift < 64;
		     shift += 7)
			for (size_t i = 0; i < COUNT_OF(counts); i++) {
				make_values(values, counts[i], order, width,
					    shift);
				round_trip(values, counts[i], kit_mix(i));
			}
}
END_TEST

/* The chosen width is the minimum. */
START_TEST(test_width_is_least)
{
	unsigned int width = (unsigned int)_i;
	uint64_t values[SW_RUN_ROWS_MAX];
	struct coded coded;

	make_values(values, SW_RUN_ROWS_MAX, 1, width, 0);
	encode(&coded, values, SW_RUN_ROWS_MAX, 0);
	ck_assert_uint_le(coded.high_size * 4 + coded.data_size * 8,
			  (SW_RUN_ROWS_MAX - 1) * width + 7);
}
END_TEST

START_TEST(test_extremes)
{
	static const uint64_t extremes[] = {
		0, 1, SW_MISSING, SW_MISSING - 1, INT64_MAX,
		(uint64_t)INT64_MAX + 1, UINT64_C(1) << 32, 4096,
	};
	uint64_t values[SW_RUN_ROWS_MAX];

	for (uint64_t seed = 0; seed < 2000; seed++) {
		size_t count = 1 + kit_mix(seed) % SW_RUN_ROWS_MAX;

		for (size_t i = 0; i < count; i++)
			values[i] = extremes[kit_mix(seed * 131 + i) %
					     COUNT_OF(extremes)];
		round_trip(values, count, extremes[seed % COUNT_OF(extremes)]);
	}
}
END_TEST

/* A constant and a straight line need no data. */
START_TEST(test_regular_is_free)
{
	uint64_t values[SW_RUN_ROWS_MAX];
	struct coded coded;

	for (uint64_t step = 0; step < 3; step++) {
		for (size_t i = 0; i < SW_RUN_ROWS_MAX; i++)
			values[i] = SW_MISSING + i * step * 4096;
		round_trip(values, SW_RUN_ROWS_MAX, 7);
		encode(&coded, values, SW_RUN_ROWS_MAX, 0);
		ck_assert_uint_eq(coded.data_size + coded.high_size, 0);
	}
}
END_TEST

/* A few large numbers among small ones do not widen all. */
START_TEST(test_exceptions_are_apart)
{
	uint64_t values[SW_RUN_ROWS_MAX];
	struct coded coded;

	for (uint64_t seed = 0; seed < 300; seed++) {
		uint64_t value = kit_mix(seed);
		unsigned int shift = (unsigned int)(seed % 20);

		for (size_t i = 0; i < SW_RUN_ROWS_MAX; i++) {
			uint64_t mixed = kit_mix(seed * 997 + i);

			value += (mixed & 3) << shift;
			if (mixed % 41 == 0)
				value += kit_mix(mixed) >> (seed % 50)
								   << shift;
			values[i] = value;
		}
		round_trip(values, SW_RUN_ROWS_MAX, 0);
		encode(&coded, values, SW_RUN_ROWS_MAX, 0);
		ck_assert_uint_le(coded.high_size / 2 + coded.data_size, 80);
	}
}
END_TEST

/* Values that follow the time, another column, or two, need no data. */
START_TEST(test_beside)
{
	uint64_t time[SW_RUN_ROWS_MAX], last[SW_RUN_ROWS_MAX];
	uint64_t second_last[SW_RUN_ROWS_MAX], values[SW_RUN_ROWS_MAX];
	const struct sw_stream_beside beside = { time, last, second_last };
	uint64_t got[SW_RUN_ROWS_MAX];
	struct coded coded;

	make_values(time, SW_RUN_ROWS_MAX, 1, 30, 0);
	make_values(last, SW_RUN_ROWS_MAX, 1, 17, 0);
	make_values(second_last, SW_RUN_ROWS_MAX, 1, 40, 3);
	for (int kind = 0; kind < 3; kind++) {
		for (size_t i = 0; i < SW_RUN_ROWS_MAX; i++)
			values[i] = 77 + (kind == 0 ? time[i] :
					  kind == 1 ? last[i] :
					  second_last[i] - last[i]);
		encode_beside(&coded, values, SW_RUN_ROWS_MAX, &beside, 5);
		ck_assert_uint_eq(coded.data_size + coded.high_size, 0);
		ck_assert(decode(&coded, got, SW_RUN_ROWS_MAX, &beside, 5));
		ck_assert_mem_eq(got, values, sizeof(values));
		/* There is no reference. */
		ck_assert(!decode(&coded, got, SW_RUN_ROWS_MAX, &nothing, 5));
	}
}
END_TEST

START_TEST(test_truncated_is_refused)
{
	uint64_t values[SW_RUN_ROWS_MAX], got[SW_RUN_ROWS_MAX];
	struct coded coded, cut;

	make_values(values, 60, 1, 41, 0);
	for (size_t i = 30; i < 60; i++)
		values[i] += UINT64_C(1) << 62;
	encode(&coded, values, 60, 0);
	ck_assert_uint_gt(coded.data_size, 0);
	ck_assert_uint_gt(coded.high_size, 0);
	cut = coded;
	while (cut.head_size-- > 0)
		ck_assert(!decode(&cut, got, 60, &nothing, 0));
	cut = coded;
	while (cut.high_size-- > 0)
		ck_assert(!decode(&cut, got, 60, &nothing, 0));
	cut = coded;
	while (cut.data_size-- > 0)
		ck_assert(!decode(&cut, got, 60, &nothing, 0));
}
END_TEST

START_TEST(test_garbage_is_bounded)
{
	uint64_t got[SW_RUN_ROWS_MAX], other[SW_RUN_ROWS_MAX] = { 0 };
	const struct sw_stream_beside beside = { other, other, other };
	struct coded coded;

	for (uint64_t seed = 0; seed < 20000; seed++) {
		size_t count = counts[seed % COUNT_OF(counts)];

		for (size_t i = 0; i < 64; i++)
			coded.head[i] = (uint8_t)kit_mix(seed * 97 + i);
		for (size_t i = 0; i < HIGH_ROOM; i++)
			coded.high[i] = (uint8_t)kit_mix(seed * 89 + i);
		for (size_t i = 0; i < DATA_ROOM; i++)
			coded.data[i] = (uint8_t)i;
		coded.head_size = kit_mix(seed) % 64;
		coded.high_size = kit_mix(seed + 2) % HIGH_ROOM;
		coded.data_size = kit_mix(seed + 1) % DATA_ROOM;
		decode(&coded, got, count, seed % 2 ? &beside : &nothing, 0);
	}
}
END_TEST

START_TEST(test_full_sink_is_refused)
{
	uint64_t values[SW_RUN_ROWS_MAX], previous = 0;
	uint8_t head[HEAD_ROOM], high[HIGH_ROOM], data[DATA_ROOM];
	const struct sw_stream_sink enough = {
		head, head + HEAD_ROOM, high, high + HIGH_ROOM,
		data, data + DATA_ROOM,
	};
	struct sw_stream_sink sink = enough;

	make_values(values, SW_RUN_ROWS_MAX, 1, 64, 0);
	sink.data_end--;
	ck_assert(!sw_stream_encode(&sink, values, SW_RUN_ROWS_MAX, &nothing,
				    &previous));
	sink = enough;
	sink.high_end--;
	ck_assert(!sw_stream_encode(&sink, values, SW_RUN_ROWS_MAX, &nothing,
				    &previous));
	sink = enough;
	sink.head_end = head + 8;
	ck_assert(!sw_stream_encode(&sink, values, SW_RUN_ROWS_MAX, &nothing,
				    &previous));
	ck_assert_ptr_eq(sink.head, head);
	sink = enough;
	ck_assert(sw_stream_encode(&sink, values, SW_RUN_ROWS_MAX, &nothing,
				   &previous));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("stream");

	tcase_add_loop_test(tcase, test_every_width, 0, 65);
	tcase_add_loop_test(tcase, test_width_is_least, 0, 65);
	tcase_add_test(tcase, test_extremes);
	tcase_add_test(tcase, test_regular_is_free);
	tcase_add_test(tcase, test_exceptions_are_apart);
	tcase_add_test(tcase, test_beside);
	tcase_add_test(tcase, test_truncated_is_refused);
	tcase_add_test(tcase, test_garbage_is_bounded);
	tcase_add_test(tcase, test_full_sink_is_refused);
	return run_tests("profiles_stream", tcase, NULL);
}
