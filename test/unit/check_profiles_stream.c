/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The codec of numbers: every width, every order, every length. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "profiles/layout.h"
#include "profiles/stream.h"
#include "profiles_kit.h"

enum { HEAD_ROOM = 64, DATA_ROOM = 8 * SW_RUN_ROWS_MAX };

static const size_t counts[] = { 1, 2, 3, 4, 59, 60, 64, 127, 128 };

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

struct coded {
	uint8_t head[HEAD_ROOM];
	uint8_t data[DATA_ROOM];
	size_t head_size;
	size_t data_size;
};

static void encode(struct coded *coded, const uint64_t *values, size_t count,
		   uint64_t previous)
{
	struct sw_stream_sink sink = { coded->head, coded->head + HEAD_ROOM,
				       coded->data, coded->data + DATA_ROOM };

	ck_assert(sw_stream_encode(&sink, values, count, &previous));
	ck_assert_uint_eq(previous, values[0]);
	coded->head_size = (size_t)(sink.head - coded->head);
	coded->data_size = (size_t)(sink.data - coded->data);
}

/* From memory of exactly the size, so that a sanitizer sees any overrun. */
static bool decode(const struct coded *coded, size_t head_size,
		   size_t data_size, uint64_t *values, size_t count,
		   uint64_t previous)
{
	uint8_t *head = malloc(head_size + 1);
	uint8_t *data = calloc(1, data_size + SW_PLAIN_SLACK);
	struct sw_stream_source source = { head, head + head_size, data,
					   data + data_size };
	bool is_good;

	memcpy(head, coded->head, head_size);
	memcpy(data, coded->data, data_size);
	is_good = sw_stream_decode(&source, values, count, &previous);
	if (is_good)
		ck_assert(source.head <= source.head_end &&
			  source.data <= source.data_end);
	is_good = is_good && source.head == source.head_end &&
		  source.data == source.data_end;
	free(head);
	free(data);
	return is_good;
}

static void round_trip(const uint64_t *values, size_t count,
		       uint64_t previous)
{
	uint64_t got[SW_RUN_ROWS_MAX];
	struct coded coded;

	encode(&coded, values, count, previous);
	ck_assert(decode(&coded, coded.head_size, coded.data_size, got, count,
			 previous));
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

/* The width that is chosen is the width that is needed. */
START_TEST(test_width_is_least)
{
	unsigned int width = (unsigned int)_i;
	uint64_t values[SW_RUN_ROWS_MAX];
	struct coded coded;

	make_values(values, SW_RUN_ROWS_MAX, 1, width, 0);
	encode(&coded, values, SW_RUN_ROWS_MAX, 0);
	ck_assert_uint_le(coded.data_size,
			  ((SW_RUN_ROWS_MAX - 1) * width + 7) / 8);
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

/* A constant and a straight line need no data at all. */
START_TEST(test_regular_is_free)
{
	uint64_t values[SW_RUN_ROWS_MAX];
	struct coded coded;

	for (uint64_t step = 0; step < 3; step++) {
		for (size_t i = 0; i < SW_RUN_ROWS_MAX; i++)
			values[i] = SW_MISSING + i * step * 4096;
		round_trip(values, SW_RUN_ROWS_MAX, 7);
		encode(&coded, values, SW_RUN_ROWS_MAX, 0);
		ck_assert_uint_eq(coded.data_size, 0);
	}
}
END_TEST

START_TEST(test_truncated_is_refused)
{
	uint64_t values[SW_RUN_ROWS_MAX], got[SW_RUN_ROWS_MAX];
	struct coded coded;

	make_values(values, 60, 1, 61, 0);
	encode(&coded, values, 60, 0);
	ck_assert_uint_gt(coded.data_size, 0);
	for (size_t head = 0; head < coded.head_size; head++)
		ck_assert(!decode(&coded, head, coded.data_size, got, 60, 0));
	for (size_t data = 0; data < coded.data_size; data++)
		ck_assert(!decode(&coded, coded.head_size, data, got, 60, 0));
}
END_TEST

START_TEST(test_garbage_is_bounded)
{
	uint64_t got[SW_RUN_ROWS_MAX];
	struct coded coded;

	for (uint64_t seed = 0; seed < 20000; seed++) {
		size_t count = counts[seed % COUNT_OF(counts)];

		for (size_t i = 0; i < HEAD_ROOM; i++)
			coded.head[i] = (uint8_t)kit_mix(seed * 97 + i);
		for (size_t i = 0; i < DATA_ROOM; i++)
			coded.data[i] = (uint8_t)i;
		decode(&coded, kit_mix(seed) % HEAD_ROOM,
		       kit_mix(seed + 1) % DATA_ROOM, got, count, 0);
	}
}
END_TEST

START_TEST(test_full_sink_is_refused)
{
	uint64_t values[SW_RUN_ROWS_MAX], previous = 0;
	uint8_t head[HEAD_ROOM], data[DATA_ROOM];
	struct sw_stream_sink sink = { head, head + HEAD_ROOM, data,
				       data + DATA_ROOM - 1 };

	make_values(values, SW_RUN_ROWS_MAX, 1, 64, 0);
	ck_assert(!sw_stream_encode(&sink, values, SW_RUN_ROWS_MAX,
				    &previous));
	sink.data_end++;
	sink.head_end = head + 8;
	ck_assert(!sw_stream_encode(&sink, values, SW_RUN_ROWS_MAX,
				    &previous));
	ck_assert_ptr_eq(sink.head, head);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("profiles_stream");
	TCase *tcase = tcase_create("stream");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, test_every_width, 0, 65);
	tcase_add_loop_test(tcase, test_width_is_least, 0, 65);
	tcase_add_test(tcase, test_extremes);
	tcase_add_test(tcase, test_regular_is_free);
	tcase_add_test(tcase, test_truncated_is_refused);
	tcase_add_test(tcase, test_garbage_is_bounded);
	tcase_add_test(tcase, test_full_sink_is_refused);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
