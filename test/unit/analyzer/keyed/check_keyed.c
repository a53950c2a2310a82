/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables by a key: what is put in is found, once, and ends with the table. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/keyed/keyed.h"
#include "analyzer/keyed/numbered.h"
#include "analyzer/keyed/texts.h"
#include "test/run_tests.h"

enum { COUNT = 5000 };

struct number {
	struct sw_keyed_entry entry;
	unsigned value;
	unsigned found;
};

struct word {
	struct sw_keyed_entry entry;
	char text[];
};

static unsigned freed;

static void free_one(struct sw_keyed_entry *entry)
{
	freed++;
	free(entry);
	errno = ENOENT;
}

static bool is_odd(struct sw_keyed_entry *entry, void *context)
{
	(void)context;
	if (((struct number *)entry)->value % 2)
		return true;
	free_one(entry);
	return false;
}

static struct number *need(struct sw_keyed *table, unsigned value)
{
	return sw_keyed_need(table, (const char *)&value, sizeof(value),
			     sizeof(struct number),
			     offsetof(struct number, value));
}

START_TEST(numbers)
{
	struct sw_keyed_entry **sorted;
	struct sw_keyed table = { 0 };
	unsigned i;

	ck_assert_ptr_null(sw_keyed_find(&table, "", 0));
	for (i = 0; i < 2 * COUNT; i++)
		need(&table, i % COUNT)->found++;
	ck_assert_uint_eq(table.count, COUNT);
	sw_keyed_filter(&table, is_odd, NULL);
	ck_assert_uint_eq(table.count, COUNT / 2);
	ck_assert_uint_eq(freed, COUNT / 2);
	for (i = 0; i < COUNT; i++) {
		struct number *number = (struct number *)sw_keyed_find(
			&table, (const char *)&i, sizeof(i));

		ck_assert_int_eq(number != NULL, i % 2);
		ck_assert(!number ||
			  (number->value == i && number->found == 2));
	}
	sorted = sw_keyed_sorted(&table);
	for (i = 1; i < COUNT / 2; i++)
		ck_assert_int_lt(sw_keyed_compare(sorted[i - 1], sorted[i]), 0);
	free(sorted);
	errno = EINVAL;
	sw_keyed_fini(&table, free_one);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_uint_eq(freed, COUNT);
	ck_assert_uint_eq(table.room, 0);
}
END_TEST

/* A key is bytes; what is allocated for it is a text, too. */
START_TEST(words)
{
	static const char *const texts[] = { "", "a", "ab", "abc", "b" };
	struct sw_keyed table = { 0 };
	struct word *word;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		/* From a text that goes on behind the key. */
		word = sw_keyed_need(&table, i < 4 ? "abcd" : "bcd",
				     strlen(texts[i]), sizeof(*word),
				     offsetof(struct word, text));
		ck_assert_str_eq(word->text, texts[i]);
		ck_assert_ptr_eq(word->entry.key, word->text);
	}
	ck_assert_uint_eq(table.count, 5);
	sw_keyed_fini(&table, NULL);
}
END_TEST

/* Of the reference code of Fowler, Noll and Vo; parts are as good as a whole. */
START_TEST(fnv)
{
	ck_assert_uint_eq(sw_fnv(SW_FNV_FIRST, "", 0), SW_FNV_FIRST);
	ck_assert_uint_eq(sw_fnv(SW_FNV_FIRST, "a", 1),
			  UINT64_C(0xaf63dc4c8601ec8c));
	ck_assert_uint_eq(sw_fnv(SW_FNV_FIRST, "foobar", 6),
			  UINT64_C(0x85944171f73967e8));
	ck_assert_uint_eq(sw_fnv(sw_fnv(SW_FNV_FIRST, "foo", 3), "bar", 3),
			  UINT64_C(0x85944171f73967e8));
}
END_TEST

/* Consecutive keys, and keys of high bits only: each value is kept. */
START_TEST(by_number)
{
	struct sw_numbered table = { 0 };
	bool is_new;
	uint64_t i;

	ck_assert_double_nan(sw_numbered_get(&table, 7));
	for (i = 1; i < 5000; i++) {
		uint64_t key = i % 2 ? i : i << 48;
		double *value = sw_numbered_need(&table, key, &is_new);

		ck_assert(is_new);
		ck_assert_double_nan(*value);
		*value = (double)i;
		value = sw_numbered_need(&table, key, &is_new);
		ck_assert_double_eq(*value, (double)i);
		ck_assert(!is_new);
	}
	ck_assert_uint_eq(table.count, 4999);
	for (i = 1; i < 5000; i++)
		ck_assert_double_eq(sw_numbered_get(&table, i % 2 ? i : i << 48),
				    (double)i);
	ck_assert_double_nan(sw_numbered_get(&table, 6));
	sw_numbered_fini(&table);
	ck_assert_uint_eq(table.count, 0);
}
END_TEST

/* Ids found by address are those found by text. */
START_TEST(texts_seen)
{
	static char text[COUNT][8];
	struct sw_texts texts = { .count = 0 };
	struct sw_texts_seen seen = { 0 };
	uint32_t id;
	size_t i;

	for (i = 0; i < 3 * COUNT; i++) {
		char *at = text[i % COUNT];

		snprintf(at, sizeof(text[0]), "%zu", i % COUNT / 3);
		id = sw_texts_add_seen(&texts, &seen, at);
		ck_assert_uint_eq(id, i % COUNT / 3);
		ck_assert_uint_eq(id, sw_texts_find(&texts, at));
	}
	ck_assert_uint_eq(texts.count, COUNT / 3 + 1);
	sw_texts_fini(&texts);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("keyed");

	tcase_add_test(tests, numbers);
	tcase_add_test(tests, words);
	tcase_add_test(tests, fnv);
	tcase_add_test(tests, by_number);
	tcase_add_test(tests, texts_seen);
	return run_tests("keyed", tests, NULL);
}
