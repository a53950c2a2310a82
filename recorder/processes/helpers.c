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
	uint64_t usec[HELPERS_MAX];	/* as it was read last */
	uint64_t removed_usec;
} helpers;

int sw_helpers_add(pid_t pid)
{
	if (helpers.count == HELPERS_MAX)
		return -1;
	helpers.usec[helpers.count] = 0;
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

static void refresh(size_t i)
{
	uint64_t usec = helper_usec(helpers.pid[i]);

	if (usec > helpers.usec[i])
		helpers.usec[i] = usec;
}

void sw_helpers_remove(pid_t pid)
{
	size_t i = 0;

	while (i < helpers.count && helpers.pid[i] != pid)
		i++;
	if (i == helpers.count)
		return;
	refresh(i);
	helpers.removed_usec += helpers.usec[i];
	helpers.count--;
	helpers.pid[i] = helpers.pid[helpers.count];
	helpers.usec[i] = helpers.usec[helpers.count];
}

uint64_t sw_helpers_cpu_usec(void)
{
	uint64_t sum_usec = helpers.removed_usec;
	size_t i;

	for (i = 0; i < helpers.count; i++) {
		refresh(i);
		sum_usec += helpers.usec[i];
	}
	return sum_usec;
}
