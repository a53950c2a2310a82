/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run processed, by the names that engines and users give. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/grouping/thing.h"
#include "test/run_tests.h"

#define UUID "b3b1ef1c-9d2e-4d5a-8f07-000000000001"

struct row {
	const char *name, *job, *task, *words;
};

static const struct row rows[] = {
	/* Nextflow, CSV */
	{ "align", "w1:7", "w1:align (S7)", "sample S7" },
	{ "align", "w1:7", "w1:align (7)", "task 7" },
	{ "align", "w1:7", "w1:align (S7", "" },
	{ "nf-align_(S7)", "12", "c1:12", "sample S7" },
	{ "nf-align_(7)", "12", "c1:12", "" },
	{ "nf-align_(S7", "12", "c1:12", "" },
	/* Snakemake */
	{ "rule_bwa_wildcards_S1", "12", "c1:12", "sample S1" },
	{ "rule_bwa", "12", "c1:12", "" },
	{ "snakejob.bwa.12.sh", "12", "c1:12", "" },
	{ UUID, "12", "c1:12", "" },
	/* Arrays, and names with numbers */
	{ "align", "12_7", "c1:12_7", "array index 7" },
	{ "align_0042", "12", "c1:12", "job name align_0042" },
	{ "align_0042", "12_7", "c1:12_7", "array index 7" },
	{ "align", "12", "c1:12", "" },
	{ "", "12", "", "" },
	{ "(", "12", "(", "" },
};

START_TEST(finds_what_was_processed)
{
	const struct row *row = &rows[_i];
	struct sw_thing thing;
	char words[512];

	sw_thing_find(&thing, row->name, row->job, row->task);
	snprintf(words, sizeof(words), "%s%s%s", thing.what,
		 *thing.what ? " " : "", thing.name);
	ck_assert_str_eq(words, row->words);
	ck_assert_int_eq(!*thing.key, !*words);
}
END_TEST

START_TEST(attempts_have_the_same_key)
{
	struct sw_thing a, b;

	sw_thing_find(&a, "align", "12_7", "c1:12_7");
	sw_thing_find(&b, "align", "13_7", "c1:13_7");
	ck_assert_str_eq(a.key, b.key);
	sw_thing_find(&b, "sort", "13_7", "c1:13_7");
	ck_assert_str_ne(a.key, b.key);
	/* Another run counts its tasks anew. */
	sw_thing_find(&a, "align", "1", "w1:align (7)");
	sw_thing_find(&b, "align", "2", "w2:align (7)");
	ck_assert_str_ne(a.key, b.key);
	sw_thing_find(&a, "align", "1", "w1:align (S7)");
	sw_thing_find(&b, "align", "2", "w2:align (S7)");
	ck_assert_str_eq(a.key, b.key);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("thing");

	tcase_add_loop_test(tests, finds_what_was_processed, 0,
			    sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(tests, attempts_have_the_same_key);
	return run_tests("thing", tests, NULL);
}
