/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorder's own children. */
#include "recorder/processes/helpers.h"

#include <stddef.h>
#include <time.h>

#include "common/units.h"

enum { HELPERS_MAX = 16 };

static struct {
	size_t count;
	pid_t pid[HELPERS_MAX];
} helpers;

int sw_helpers_add(pid_t pid)
{
	if (helpers.count == HELPERS_MAX)
		return -1;
	helpers.pid[helpers.count++] = pid;
	return 0;
}

bool sw_helpers_have(pid_t pid)
{
	size_t i;

	for (i = 0; i < helpers.count; i++) {
		if (helpers.pid[i] == pid)
			return true;
	}
	return false;
}

/* Also of one that has ended, as long as nobody has waited for it. */
static uint64_t helper_usec(pid_t pid)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 ||
	    clock_gettime(clock, &time) < 0)
		return 0;
	return (uint64_t)time.tv_sec * SW_USEC_PER_SEC +
	       (uint64_t)time.tv_nsec / SW_NSEC_PER_USEC;
}

uint64_t sw_helpers_cpu_usec(void)
{
	uint64_t sum_usec = 0;
	size_t i;

	for (i = 0; i < helpers.count; i++)
		sum_usec += helper_usec(helpers.pid[i]);
	return sum_usec;
}
