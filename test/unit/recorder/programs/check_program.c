/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which texts of a program's row are there at each level of privacy. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/programs/program.h"
#include "recorder/tables/privacy.h"

static union sw_value values[SW_TABLE_COLUMNS_MAX];

static const char *text_of(const char *column)
{
	size_t i;

	for (i = 0; i < sw_program_table.column_count; i++) {
		if (!strcmp(sw_program_table.columns[i].name, column))
			return values[i].text;
	}
	ck_abort_msg("no column %s", column);
	return NULL;
}

/* Texts that only the user is to see, and what else there is. */
static void make_row(enum sw_privacy level)
{
	static const struct sw_cause cause = {
		.call = "open", .error = "ENOENT", .end_usec = 5,
		.object.text = "/secret/genome", .read.text = "/secret/reads",
	};
	struct sw_program program;

	sw_program_init(&program, "STAR");
	sw_program_put_cause(&program, &cause);
	program.spin = (struct sw_spin){ .usec = 9, .call = "stat",
					 .object = "/secret/lock" };
	sw_privacy_set(level);
	sw_program_row(&program, 0, 3, 7, values);
	/* Its texts are the program's, but for the name. */
	ck_assert_str_eq(text_of("failed_error"), "ENOENT");
	ck_assert_str_eq(text_of("failed_call"), "open");
	ck_assert_str_eq(text_of("spin_call"), "stat");
	if (level == SW_PRIVACY_FULL) {
		ck_assert_str_eq(text_of("failed_object"), "/secret/genome");
		ck_assert_str_eq(text_of("last_read"), "/secret/reads");
		ck_assert_str_eq(text_of("spin_object"), "/secret/lock");
	} else {
		ck_assert_ptr_null(text_of("failed_object"));
		ck_assert_ptr_null(text_of("last_read"));
		ck_assert_ptr_null(text_of("spin_object"));
	}
	ck_assert_str_eq(text_of("name"), level == SW_PRIVACY_COUNTERS ?
					  "program 3" : "STAR");
	sw_program_fini(&program);
}

START_TEST(texts_by_level)
{
	make_row((enum sw_privacy)_i);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("program");
	TCase *tests = tcase_create("row");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tests, texts_by_level, 0, SW_PRIVACY_LEVELS);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
