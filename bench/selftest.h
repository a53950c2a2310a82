/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks for the parts of the benchmarks: each prints its values, and the
 * program exits with 1 if a check failed.
 */
#ifndef BENCH_SELFTEST_H
#define BENCH_SELFTEST_H

#include <stdbool.h>
#include <stdio.h>

static int selftest_failures;

static inline bool selftest_check(bool holds, const char *what)
{
	printf("%s %s\n", holds ? "ok  " : "FAIL", what);
	if (!holds)
		selftest_failures++;
	return holds;
}

#endif
