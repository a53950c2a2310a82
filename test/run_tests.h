/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Common end of check programs: run their test cases as one suite. */
#ifndef SW_TEST_RUN_TESTS_H
#define SW_TEST_RUN_TESTS_H

#include <stdarg.h>
#include <stdlib.h>

#include <check.h>

/*
 * Run the test cases up to NULL, each test in its own process unless
 * CK_FORK=no.  CK_VERBOSITY controls the output.  Returns EXIT_FAILURE if a
 * test failed.
 */
__attribute__((sentinel))
static inline int run_tests(const char *name, TCase *tests, ...)
{
	Suite *suite = suite_create(name);
	SRunner *runner = srunner_create(suite);
	va_list more;
	int failed;

	va_start(more, tests);
	for (; tests; tests = va_arg(more, TCase *))
		suite_add_tcase(suite, tests);
	va_end(more);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
