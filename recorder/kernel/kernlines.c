/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a kernel file of any length line by line. */
#include "recorder/kernel/kernlines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void sw_kernlines_begin(struct sw_kernlines *lines,
			const struct sw_kernfile *file)
{
	lines->file = file;
	lines->offset = 0;
	lines->next = lines->end = 0;
	lines->is_over = lines->is_cut = false;
}

/* Move the unread part to the front and read more of the file after it. */
static enum sw_read_status fill(struct sw_kernlines *lines)
{
	ssize_t n;

	memmove(lines->buf, lines->buf + lines->next,
		lines->end - lines->next);
	lines->end -= lines->next;
	lines->next = 0;
	do {
		n = pread(lines->file->fd, lines->buf + lines->end,
			  sizeof(lines->buf) - 1 - lines->end, lines->offset);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == ENODEV || errno == ESRCH ? SW_READ_GONE :
							   SW_READ_ABSENT;
	if (memchr(lines->buf + lines->end, '\0', (size_t)n))
		return SW_READ_GARBAGE;
	lines->offset += n;
	lines->end += (size_t)n;
	lines->is_over = n == 0;
	return SW_READ_OK;
}

/* Find the end of the line at lines->next: a newline, or the end of file. */
static enum sw_read_status find_end(struct sw_kernlines *lines, char **end)
{
	enum sw_read_status status;

	for (;;) {
		*end = memchr(lines->buf + lines->next, '\n',
			      lines->end - lines->next);
		if (*end)
			return SW_READ_OK;
		*end = lines->buf + lines->end;
		if (lines->is_over || lines->end - lines->next ==
				      sizeof(lines->buf) - 1)
			return SW_READ_OK;
		status = fill(lines);
		if (status != SW_READ_OK)
			return status;
	}
}

/* Skip the line that ends at end, or a line cut at the end of the buffer. */
static void step_over(struct sw_kernlines *lines, const char *end)
{
	const char *over = lines->buf + lines->end;

	lines->is_cut = end == over && !lines->is_over;
	lines->next = (size_t)(end - lines->buf) + (end < over);
}

enum sw_read_status sw_kernlines_next(struct sw_kernlines *lines, char **line)
{
	enum sw_read_status status;
	char *end;

	*line = NULL;
	if (lines->file->fd < 0)
		return SW_READ_ABSENT;
	while (lines->is_cut) {
		status = find_end(lines, &end);
		if (status != SW_READ_OK)
			return status;
		step_over(lines, end);
	}
	status = find_end(lines, &end);
	if (status != SW_READ_OK || lines->next == lines->end)
		return status;
	*line = lines->buf + lines->next;
	step_over(lines, end);
	*end = '\0';
	return SW_READ_OK;
}

int sw_kern_next_u64(const char **text, uint64_t *value)
{
	while (**text == ' ' || **text == '\t')
		(*text)++;
	return sw_kern_parse_u64(text, value);
}

int sw_kern_next_u64s(const char **text, uint64_t *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (sw_kern_next_u64(text, &values[i]) < 0)
			return -1;
	}
	return 0;
}
