/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options and the truth line of the workloads.
 *
 * Gives up (exit 2) on wrong arguments and where the line cannot be written.
 */
#define _GNU_SOURCE 1

#include "truth.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "work.h"

enum {
	LINE_SIZE = 2048,
	PROC_FILE_SIZE = 8192,
	PADDED_DIGITS = 20,	/* UINT64_MAX has so many */
};

static const char *truth_path;
static const char *program_name;
static char line[LINE_SIZE];
static size_t line_length;

static uint64_t begin_usec;
static uint64_t begin_monotonic_usec;
static uint64_t read_bytes_total;
static uint64_t written_bytes_total;
static bool has_io;

_Noreturn void truth_die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_name, what, strerror(errno));
	exit(2);
}

ssize_t truth_read(int fd, void *buffer, size_t size)
{
	ssize_t got;

	do
		got = read(fd, buffer, size);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		read_bytes_total += (uint64_t)got;
	return got;
}

int truth_write(int fd, const void *buffer, size_t size)
{
	const char *from = buffer;

	while (size > 0) {
		ssize_t put = write(fd, from, size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -1;
		written_bytes_total += (uint64_t)put;
		from += put;
		size -= (size_t)put;
	}
	return 0;
}

void truth_count(uint64_t read_bytes, uint64_t written_bytes)
{
	read_bytes_total += read_bytes;
	written_bytes_total += written_bytes;
}

/* Counted like any other read: it is part of rchar. */
static int read_proc_file(const char *path, char *text, size_t size)
{
	size_t used = 0;
	ssize_t got = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	while (used < size - 1) {
		got = truth_read(fd, text + used, size - 1 - used);
		if (got <= 0)
			break;
		used += (size_t)got;
	}
	close(fd);
	text[used] = '\0';
	return got < 0 ? -1 : 0;
}

/* The number after "KEY" at the start of a line of a /proc file. */
static int find_number(const char *text, const char *key, uint64_t *value)
{
	size_t length = strlen(key);

	while (text != NULL && strncmp(text, key, length) != 0) {
		text = strchr(text, '\n');
		if (text != NULL)
			text++;
	}
	if (text == NULL)
		return -1;
	*value = strtoull(text + length, NULL, 10);
	return 0;
}

/*
 * The loader has read libc before main() runs, and the process may have done
 * much else before its execve(): the kernel counts on from there.
 */
static void start_io_counters(void)
{
	char text[PROC_FILE_SIZE];
	uint64_t rchar;
	uint64_t wchar;

	if (read_proc_file("/proc/self/io", text, sizeof(text)) < 0 ||
	    find_number(text, "rchar:", &rchar) < 0 ||
	    find_number(text, "wchar:", &wchar) < 0)
		return;
	has_io = true;
	truth_count(rchar, wchar);
}

__attribute__((format(printf, 1, 2)))
static void append(const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line + line_length, sizeof(line) - line_length,
			   format, args);
	va_end(args);
	if (length < 0 || (size_t)length >= sizeof(line) - line_length) {
		errno = EOVERFLOW;
		truth_die("truth line");
	}
	line_length += (size_t)length;
}

void truth_add_u64(const char *key, uint64_t value)
{
	append("%s=%llu ", key, (unsigned long long)value);
}

void truth_add_text(const char *key, const char *value)
{
	append("%s=%s ", key, value);
}

static uint64_t timeval_usec(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

static void add_usage(void)
{
	struct rusage self;
	struct rusage children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	truth_add_u64("cpu_usec", work_clock_usec(CLOCK_PROCESS_CPUTIME_ID));
	truth_add_u64("user_usec", timeval_usec(self.ru_utime));
	truth_add_u64("sys_usec", timeval_usec(self.ru_stime));
	truth_add_u64("children_cpu_usec", timeval_usec(children.ru_utime) +
		      timeval_usec(children.ru_stime));
	truth_add_u64("children_maxrss_kib", (uint64_t)children.ru_maxrss);
	truth_add_u64("maxrss_kib", (uint64_t)self.ru_maxrss);
}

static void add_high_water(void)
{
	char text[PROC_FILE_SIZE];
	uint64_t kib;

	if (read_proc_file("/proc/self/status", text, sizeof(text)) < 0 ||
	    find_number(text, "VmHWM:", &kib) < 0)
		truth_add_text("hwm_kib", "missing");
	else
		truth_add_u64("hwm_kib", kib);
}

/*
 * The line is itself written, so it has to say how long it is before it is
 * done: the last number is padded, which makes the length known.
 */
static void add_io(void)
{
	static const char last[] = "wchar_bytes=";
	uint64_t wchar;

	if (!has_io) {
		append("rchar_bytes=missing wchar_bytes=missing\n");
		return;
	}
	truth_add_u64("rchar_bytes", read_bytes_total);
	wchar = written_bytes_total + line_length + strlen(last) +
		PADDED_DIGITS + 1;
	append("%s%-*llu\n", last, (int)PADDED_DIGITS,
	       (unsigned long long)wchar);
}

void truth_end(void)
{
	int fd;

	if (truth_path == NULL) {
		line_length = 0;
		return;
	}
	fd = open(truth_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		truth_die(truth_path);
	truth_add_u64("pid", (uint64_t)getpid());
	truth_add_u64("begin_usec", begin_usec);
	truth_add_u64("end_usec", work_clock_usec(CLOCK_REALTIME));
	truth_add_u64("wall_usec", work_clock_usec(CLOCK_MONOTONIC) -
		      begin_monotonic_usec);
	add_usage();
	add_high_water();
	add_io();
	if (truth_write(fd, line, line_length) < 0 || close(fd) < 0)
		truth_die(truth_path);
	line_length = 0;
}

static int parse_u64(const char *text, uint64_t *value)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return -1;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return errno != 0 || *end != '\0' ? -1 : 0;
}

static int parse_usec(const char *text, uint64_t *value)
{
	char *end;
	double seconds;

	if (text[0] < '0' || text[0] > '9')
		return -1;
	seconds = strtod(text, &end);
	if (*end != '\0' || !isfinite(seconds) || seconds > 1e9)
		return -1;
	*value = (uint64_t)(seconds * 1e6 + 0.5);
	return 0;
}

static int parse_signal(const char *text, int *value)
{
	uint64_t number;

	if (parse_u64(text, &number) == 0) {
		if (number < 1 || number >= NSIG)
			return -1;
		*value = (int)number;
		return 0;
	}
	if (strncmp(text, "SIG", 3) == 0)
		text += 3;
	for (int i = 1; i < NSIG; i++) {
		const char *name = sigabbrev_np(i);

		if (name != NULL && strcmp(name, text) == 0) {
			*value = i;
			return 0;
		}
	}
	return -1;
}

static int parse_value(const struct truth_option *option, const char *text)
{
	switch (option->kind) {
	case TRUTH_FLAG:
		return -1;
	case TRUTH_U64:
		return parse_u64(text, option->value);
	case TRUTH_USEC:
		return parse_usec(text, option->value);
	case TRUTH_STRING:
		*(const char **)option->value = text;
		return 0;
	case TRUTH_SIGNAL:
		return parse_signal(text, option->value);
	}
	return -1;
}

static const struct truth_option common_options[] = {
	{ .name = "truth", .help = "FILE: append the truth to it",
	  .kind = TRUTH_STRING, .value = &truth_path },
	{ .name = NULL },
};

static void print_options(const struct truth_option *option)
{
	for (; option != NULL && option->name != NULL; option++)
		fprintf(stderr, "  --%-12s %s\n", option->name, option->help);
}

static _Noreturn void explain(const struct truth_spec *spec, const char *why,
			      const char *what)
{
	const struct truth_option *row = spec->positionals;

	fprintf(stderr, "%s: %s%s\nusage: %s [options]", program_name, why,
		what, program_name);
	for (size_t i = 0; row != NULL && row[i].name != NULL; i++)
		fprintf(stderr, i < spec->required_count ? " %s" : " [%s]",
			row[i].name);
	fprintf(stderr, "%s\n%s\n",
		spec->rest != NULL ? " [PROGRAM [ARGUMENT...]]" : "",
		spec->summary);
	for (size_t i = 0; row != NULL && row[i].name != NULL; i++)
		fprintf(stderr, "  %-14s %s\n", row[i].name, row[i].help);
	print_options(spec->options);
	print_options(common_options);
	exit(2);
}

static const struct truth_option *
find_option(const struct truth_option *option, const char *name, size_t length)
{
	for (; option != NULL && option->name != NULL; option++)
		if (strncmp(option->name, name, length) == 0 &&
		    option->name[length] == '\0')
			return option;
	return NULL;
}

/* Returns the last argument used: the option itself or its value. */
static char **parse_option(char **argv, const struct truth_spec *spec)
{
	const char *name = *argv + 2;
	size_t length = strcspn(name, "=");
	const char *text = name[length] == '=' ? name + length + 1 : NULL;
	const struct truth_option *option;

	option = find_option(spec->options, name, length);
	if (option == NULL)
		option = find_option(common_options, name, length);
	if (option == NULL)
		explain(spec, "unknown option ", *argv);
	if (option->kind == TRUTH_FLAG && text == NULL) {
		*(bool *)option->value = true;
		return argv;
	}
	if (text == NULL && option->kind != TRUTH_FLAG)
		text = *++argv;
	if (text == NULL)
		explain(spec, "a value is missing after --", name);
	if (parse_value(option, text) < 0)
		explain(spec, "bad value for --", name);
	return argv;
}

/* Where another command may follow, its options are not ours. */
static char **parse_all(char **argv, const struct truth_spec *spec)
{
	const struct truth_option *next = spec->positionals;
	size_t given_count = 0;

	for (; *argv != NULL; argv++) {
		if (strncmp(*argv, "--", 2) == 0) {
			argv = parse_option(argv, spec);
			continue;
		}
		if (next == NULL || next->name == NULL)
			break;
		if (parse_value(next, *argv) < 0)
			explain(spec, "bad value for ", next->name);
		next++;
		given_count++;
	}
	if (given_count < spec->required_count)
		explain(spec, "an argument is missing: ", next->name);
	return argv;
}

void truth_begin(char **argv, const struct truth_spec *spec)
{
	begin_usec = work_clock_usec(CLOCK_REALTIME);
	begin_monotonic_usec = work_clock_usec(CLOCK_MONOTONIC);
	program_name = strrchr(argv[0], '/') != NULL ?
		strrchr(argv[0], '/') + 1 : argv[0];
	argv = parse_all(argv + 1, spec);
	if (*argv != NULL && spec->rest == NULL)
		explain(spec, "too many arguments: ", *argv);
	if (*argv != NULL)
		*spec->rest = argv;
	start_io_counters();
}
