/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks for the parts of the benchmarks: each prints what it saw, and the
 * program ends with 1 when one did not hold.
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
