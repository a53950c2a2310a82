/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON lines of the fake host: without heap, so that allocations of a hook can
 * be distinguished from the host's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/spank/out.h"

static int fd = -1;
static atomic_uint *nviolations;

static void die(const char *what)
{
	fprintf(stderr, "spank-host: %s: %s\n", what, strerror(errno));
	exit(2);
}

void out_open(const char *path)
{
	nviolations = mmap(NULL, sizeof(*nviolations), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (nviolations == MAP_FAILED)
		die("mmap");
	if (path)
		fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
			  0644);
	else
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		die(path ? path : "stdout");
}

int out_fd(void)
{
	return fd;
}

static void add(struct out_line *line, const char *format, ...)
{
	size_t room = sizeof(line->text) - line->used;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line->text + line->used, room, format, args);
	va_end(args);
	if (n > 0)
		line->used += (size_t)n < room ? (unsigned int)n :
			      (unsigned int)room - 1;
}

static void add_string(struct out_line *line, const char *value)
{
	add(line, "\"");
	for (; *value && line->used < sizeof(line->text) - 16; value++) {
		unsigned char c = (unsigned char)*value;

		if (c == '"' || c == '\\')
			add(line, "\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			add(line, "\\u%04x", c);
		else
			add(line, "%c", c);
	}
	add(line, "\"");
}

void out_begin(struct out_line *line, const char *event)
{
	line->used = 0;
	add(line, "{\"event\":");
	add_string(line, event);
	out_number(line, "pid", getpid());
}

/* Leave room for the end of the line, so that a truncated one is valid JSON. */
void out_text(struct out_line *line, const char *key, const char *value)
{
	if (line->used + strlen(key) + 32 > sizeof(line->text))
		return;
	add(line, ",\"%s\":", key);
	add_string(line, value ? value : "");
}

void out_number(struct out_line *line, const char *key, int64_t value)
{
	if (line->used + strlen(key) + 40 > sizeof(line->text))
		return;
	add(line, ",\"%s\":%lld", key, (long long)value);
}

void out_end(struct out_line *line)
{
	add(line, "}\n");
	while (write(fd, line->text, line->used) < 0 && errno == EINTR)
		;
}

void out_violation(const char *kind, const char *where, const char *format,
		   ...)
{
	char text[1024];
	struct out_line line;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	out_begin(&line, "violation");
	out_text(&line, "kind", kind);
	out_text(&line, "where", where);
	out_text(&line, "text", text);
	out_end(&line);
	atomic_fetch_add(nviolations, 1);
}

unsigned int out_violations(void)
{
	return atomic_load(nviolations);
}
