/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing a line to standard error. */
#include "recorder/log/say.h"

#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char prefix[96] = "stepwell: ";

/* Amount that a pipe accepts at once when poll() reports room. */
enum { LINE_SIZE = PIPE_BUF, PATIENCE_MSEC = 1000 };

void sw_say_of(const char *what)
{
	snprintf(prefix, sizeof(prefix), "stepwell: %s: ", what);
}

void sw_say(const char *format, ...)
{
	struct pollfd out = { .fd = STDERR_FILENO, .events = POLLOUT };
	char line[LINE_SIZE];
	size_t length = strlen(prefix);
	va_list args;
	int more;

	memcpy(line, prefix, length);
	va_start(args, format);
	more = vsnprintf(line + length, sizeof(line) - length - 1, format,
			 args);
	va_end(args);
	if (more < 0)
		return;
	length += strlen(line + length);
	line[length++] = '\n';
	if (poll(&out, 1, PATIENCE_MSEC) == 1 && (out.revents & POLLOUT) &&
	    write(STDERR_FILENO, line, length) < 0)
		return;	/* nowhere to report it */
}
