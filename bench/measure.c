/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU time and memory of this process.
 *
 * Unavailable values are SW_MISSING; fails only if fork fails.
 */
#include "bench/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROC_FILE_SIZE = 8192, MILLI = 1000 };

static uint64_t clock_nsec(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now) < 0)
		return SW_MISSING;
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t measure_cpu_nsec(void)
{
	return clock_nsec(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t measure_wall_nsec(void)
{
	return clock_nsec(CLOCK_MONOTONIC);
}

/* Return the number of KiB after "\nKEY:", in bytes. */
static uint64_t read_kib(const char *path, const char *key)
{
	char text[PROC_FILE_SIZE];
	size_t used = 0;
	const char *found;
	ssize_t got;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return SW_MISSING;
	do {
		got = read(fd, text + used, sizeof(text) - 1 - used);
		if (got > 0)
			used += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	close(fd);
	text[used] = '\0';
	found = strstr(text, key);
	if (got < 0 || found == NULL)
		return SW_MISSING;
	return strtoull(found + strlen(key), NULL, 10) * 1024;
}

void measure_take(struct measure *now)
{
	now->rss_bytes = read_kib("/proc/self/smaps_rollup", "\nRss:");
	if (sw_is_missing(now->rss_bytes))
		now->rss_bytes = read_kib("/proc/self/status", "\nVmRSS:");
	now->high_water_bytes = read_kib("/proc/self/status", "\nVmHWM:");
	now->wall_nsec = measure_wall_nsec();
	now->cpu_nsec = measure_cpu_nsec();
}

int measure_reset_high_water(void)
{
	static const char reset[] = "5";	/* since Linux 4.0 */
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
	int result = -1;

	if (fd < 0)
		return -1;
	if (write(fd, reset, strlen(reset)) == (ssize_t)strlen(reset))
		result = 0;
	close(fd);
	return result;
}

int measure_in_child(int (*function)(void *data), void *data)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return -1;
	if (pid == 0) {
		int result = function(data);

		fflush(NULL);
		_exit(result & 127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (!WIFEXITED(status)) {
		errno = ECHILD;
		return -1;
	}
	return WEXITSTATUS(status);
}

static int compare_values(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left;
	const uint64_t b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

uint64_t measure_quantile(uint64_t *values, uint64_t count,
			  unsigned int per_mille)
{
	if (count == 0)
		return SW_MISSING;
	qsort(values, (size_t)count, sizeof(*values), compare_values);
	return values[(count - 1) * per_mille / 1000];
}

struct measure_spread measure_spread_of(const uint64_t *values, uint64_t count)
{
	uint64_t sorted[MEASURE_PAIRS_MAX];
	struct measure_spread spread;

	memcpy(sorted, values, count * sizeof(*values));
	spread.median = (double)measure_quantile(sorted, count, 500) / MILLI;
	spread.least = (double)sorted[0] / MILLI;
	spread.greatest = (double)sorted[count - 1] / MILLI;
	return spread;
}

int measure_parse_number(const char *text, uint64_t max, uint64_t *value)
{
	char *end;
	uint64_t number;

	if (text[0] < '0' || text[0] > '9')
		return -1;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno != 0 || *end != '\0' || number == 0 || number > max)
		return -1;
	*value = number;
	return 0;
}
