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
	uint64_t usec[HELPERS_MAX];	/* value of the last read */
	bool is_apart[HELPERS_MAX];
	int end_code[HELPERS_MAX];	/* 0: alive, or not known */
	uint64_t removed_usec;
} helpers;

static int add(pid_t pid, bool is_apart)
{
	if (helpers.count == HELPERS_MAX)
		return -1;
	helpers.usec[helpers.count] = 0;
	helpers.is_apart[helpers.count] = is_apart;
	helpers.end_code[helpers.count] = 0;
	helpers.pid[helpers.count++] = pid;
	return 0;
}

int sw_helpers_add(pid_t pid)
{
	return add(pid, false);
}

int sw_helpers_add_apart(pid_t pid)
{
	return add(pid, true);
}

static size_t find(pid_t pid)
{
	size_t i = 0;

	while (i < helpers.count && helpers.pid[i] != pid)
		i++;
	return i;
}

bool sw_helpers_have(pid_t pid)
{
	return find(pid) < helpers.count;
}

/* Return the CPU time of pid, also after its exit until it is reaped. */
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

void sw_helpers_end(pid_t pid, int code)
{
	size_t i = find(pid);

	if (i == helpers.count)
		return;
	refresh(i);
	helpers.end_code[i] = code;
}

int sw_helpers_end_code(pid_t pid)
{
	size_t i = find(pid);

	return i == helpers.count ? 0 : helpers.end_code[i];
}

uint64_t sw_helpers_remove(pid_t pid)
{
	size_t i = find(pid), last = helpers.count - 1;
	uint64_t usec;

	if (i == helpers.count)
		return 0;
	refresh(i);
	usec = helpers.usec[i];
	helpers.removed_usec += usec;
	helpers.pid[i] = helpers.pid[last];
	helpers.usec[i] = helpers.usec[last];
	helpers.is_apart[i] = helpers.is_apart[last];
	helpers.end_code[i] = helpers.end_code[last];
	helpers.count = last;
	return usec;
}

uint64_t sw_helpers_apart_usec(void)
{
	uint64_t sum_usec = 0;
	size_t i;

	for (i = 0; i < helpers.count; i++) {
		if (!helpers.is_apart[i])
			continue;
		refresh(i);
		sum_usec += helpers.usec[i];
	}
	return sum_usec;
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
