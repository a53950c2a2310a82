/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only parser of /proc/PID/stat.  The line is written by do_task_stat() in
 * fs/proc/array.c of Linux, which does not escape the name.
 */
#include "common/proc_stat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/missing.h"

/* larger than a name of 64 bytes and 51 numbers of 20 digits */
enum { LINE_SIZE = 2048 };

/* PF_EXITING of include/linux/sched.h */
enum { FLAG_EXITING = 4 };

/* Return the text behind the number; NULL if there is none or it overflows. */
static const char *parse_number(const char *p, uint64_t *value)
{
	bool is_negative = *p == '-';
	uint64_t sum = 0;

	p += is_negative;
	if (*p < '0' || *p > '9')
		return NULL;
	for (; *p >= '0' && *p <= '9'; p++) {
		if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(*p - '0'), &sum))
			return NULL;
	}
	*value = is_negative ? SW_MISSING : sum;
	return p;
}

/* Parse the fields from the parent on.  Later kernels may add some. */
static int parse_fields(const char *p, uint64_t *field)
{
	uint64_t value;
	size_t i;

	sw_set_missing(field, SW_PROC_FIELDS);
	for (i = SW_PROC_PARENT; *p == ' '; i++) {
		p = parse_number(p + 1, &value);
		if (!p)
			return -1;
		if (i < SW_PROC_FIELDS)
			field[i] = value;
	}
	return strcmp(p, "\n") == 0 ? 0 : -1;
}

int sw_proc_stat_parse(struct sw_proc_stat *stat, const char *text)
{
	const char *name = text + strspn(text, "0123456789");
	/* The name may hold brackets, blanks and newlines; numbers do not. */
	const char *end = strrchr(text, ')');

	if (name == text || strncmp(name, " (", 2) != 0 || !end ||
	    end < name + 2 || end[1] != ' ' || end[2] <= ' ')
		return -1;
	snprintf(stat->comm, sizeof(stat->comm), "%.*s", (int)(end - name - 2),
		 name + 2);
	stat->state = end[2];
	return parse_fields(end + 3, stat->field);
}

int sw_proc_stat_open(int dirfd, const char *folder)
{
	char path[64];

	if (snprintf(path, sizeof(path), "%s/stat", folder) >=
	    (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return openat(dirfd, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW |
				   O_NOCTTY);
}

int sw_proc_stat_take(struct sw_proc_stat *stat, int fd)
{
	char text[LINE_SIZE];
	size_t used = 0;
	ssize_t got;

	do {
		got = pread(fd, text + used, sizeof(text) - 1 - used,
			    (off_t)used);
		if (got > 0)
			used += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (got < 0)
		return -1;
	text[used] = '\0';
	if (memchr(text, '\0', used) || sw_proc_stat_parse(stat, text) < 0) {
		errno = EBADMSG;
		return -1;
	}
	return 0;
}

int sw_proc_stat_read(struct sw_proc_stat *stat, int dirfd, const char *folder)
{
	int fd = sw_proc_stat_open(dirfd, folder);
	int rc, error;

	if (fd < 0)
		return -1;
	rc = sw_proc_stat_take(stat, fd);
	error = errno;
	close(fd);
	errno = error;
	return rc;
}

bool sw_proc_stat_is_dying(const struct sw_proc_stat *stat)
{
	uint64_t flags = sw_zero_if_missing(stat->field[SW_PROC_FLAGS]);

	return stat->state == 'Z' || stat->state == 'X' ||
	       (flags & FLAG_EXITING) != 0;
}
