/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of the node's recorder. */
#include "recorder/log/node_log.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"

enum { LINES_AN_HOUR = 200, BYTES_MAX = 1 << 20 };

/* Number of lines still allowed, reset each hour. */
static unsigned left = LINES_AN_HOUR;
static uint64_t hour_usec;

/* If started by slurmd, the log file is in memory and not rotated. */
static void bound_file(void)
{
	struct stat status;

	if (fstat(STDERR_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_size > BYTES_MAX && ftruncate(STDERR_FILENO, 0) < 0)
		left = 0;
}

static int may_write(void)
{
	uint64_t now = sw_clock_boottime_usec();

	if (now - hour_usec > 3600 * SW_USEC_PER_SEC) {
		hour_usec = now;
		left = LINES_AN_HOUR;
		bound_file();
	}
	if (left > 0)
		left--;
	return left > 0;
}

void sw_node_log(const char *format, ...)
{
	char line[512];
	va_list arguments;
	int length;

	if (!may_write())
		return;
	length = snprintf(line, sizeof(line), "stepwell-recorder: ");
	va_start(arguments, format);
	length += vsnprintf(line + length, sizeof(line) - (size_t)length - 1,
			    format, arguments);
	va_end(arguments);
	if (length > (int)sizeof(line) - 2)
		length = (int)sizeof(line) - 2;
	line[length++] = '\n';
	if (write(STDERR_FILENO, line, (size_t)length) < 0)
		left = 0;	/* nowhere to report it */
}
