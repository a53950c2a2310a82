/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read records of a table; the only user of zlib. */
#include "analyzer/traces/records.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/open_file.h"

#include "config.h"
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

enum { BUFFER_SIZE = 1 << 16, RECORD_SIZE_MAX = 1 << 20 };

struct sw_records {
	char *path;
	int fd;
#ifdef HAVE_ZLIB
	gzFile file;
#endif
	char separator;
	bool ends_by_return;	/* lines end in CR, as on Macs before 2001 */
	char *buffer;
	size_t at, filled;
	unsigned long line, first_line;
	/* Fields end with '\0' in text; starts holds their offsets. */
	char *text;
	size_t text_size, text_room;
	size_t *starts;
	size_t count, room;
};

#ifdef HAVE_ZLIB
static int open_packed(struct sw_records *records, struct sw_error *error)
{
	records->file = gzdopen(records->fd, "rb");
	if (!records->file) {
		errno = ENOMEM;
		return sw_error_errno(error, "%s", records->path);
	}
	records->fd = -1;	/* gzclose() closes it */
	gzbuffer(records->file, BUFFER_SIZE);
	return 0;
}

/* Read more bytes; returns their number, 0 at the end, -1. */
static int read_bytes(struct sw_records *records, struct sw_error *error)
{
	int got = gzread(records->file, records->buffer, BUFFER_SIZE), code = 0;
	const char *text = gzerror(records->file, &code);

	/* A truncated file returns its bytes first, then Z_BUF_ERROR. */
	if (got >= 0 && (code == Z_OK || code == Z_STREAM_END))
		return got;
	if (code == Z_ERRNO)
		return sw_error_errno(error, "%s", records->path);
	errno = EIO;
	return sw_error_set(error, "%s: damaged near line %lu (%s), so none of "
			    "it is used", records->path, records->line, text);
}

static void close_packed(struct sw_records *records)
{
	if (records->file)
		gzclose(records->file);
}
#else
static int open_packed(struct sw_records *records, struct sw_error *error)
{
	unsigned char magic[2];

	if (pread(records->fd, magic, 2, 0) == 2 && magic[0] == 0x1f &&
	    magic[1] == 0x8b) {
		errno = ENOTSUP;
		return sw_error_set(error, "%s: this stepwell was built "
				    "without zlib and cannot read .gz; run "
				    "gunzip first", records->path);
	}
	return 0;
}

static int read_bytes(struct sw_records *records, struct sw_error *error)
{
	ssize_t got = read(records->fd, records->buffer, BUFFER_SIZE);

	return got < 0 ? sw_error_errno(error, "%s", records->path) : (int)got;
}

static void close_packed(struct sw_records *records)
{
	(void)records;
}
#endif

static int fill(struct sw_records *records, struct sw_error *error)
{
	int got = read_bytes(records, error);

	records->at = 0;
	records->filled = got > 0 ? (size_t)got : 0;
	return got;
}

/* PowerShell's ">" writes UTF-16. */
static bool is_utf16(const struct sw_records *records)
{
	return records->filled >= 2 &&
	       (!memcmp(records->buffer, "\xff\xfe", 2) ||
		!memcmp(records->buffer, "\xfe\xff", 2));
}

/* Are there CRs but no newline in what has been read? */
static bool ends_by_return(const struct sw_records *records)
{
	size_t length = records->filled - records->at;
	const char *text = records->buffer + records->at;

	return memchr(text, '\r', length) && !memchr(text, '\n', length);
}

/* Find the first line that is not a comment; *length is its length. */
static const char *find_header(const struct sw_records *records, size_t *length)
{
	const char *line = records->buffer + records->at, *end;
	const char *all = records->buffer + records->filled;
	int newline = records->ends_by_return ? '\r' : '\n';

	while ((end = memchr(line, newline, (size_t)(all - line))) &&
	       (*line == '#' || *line == '\r' || *line == '\n'))
		line = end + 1;
	*length = (size_t)((end ? end : all) - line);
	return line;
}

/* Take the first of these separators that the header contains. */
static int look_at_header(struct sw_records *records, struct sw_error *error)
{
	static const char separators[] = "\t,;|", mark[] = "\xef\xbb\xbf";
	const char *separator = separators, *header;
	size_t length;

	if (fill(records, error) < 0)
		return -1;
	if (is_utf16(records)) {
		errno = EINVAL;
		return sw_error_set(error, "%s: in UTF-16, so it is not used; "
				    "convert it: iconv -f UTF-16 -t UTF-8",
				    records->path);
	}
	if (records->filled >= 3 && !memcmp(records->buffer, mark, 3))
		records->at = 3;
	records->ends_by_return = ends_by_return(records);
	header = find_header(records, &length);
	while (*separator && !memchr(header, *separator, length))
		separator++;
	records->separator = *separator ? *separator : ',';
	return 0;
}

struct sw_records *sw_records_open(const char *path, struct sw_error *error)
{
	struct sw_records *records = calloc(1, sizeof(*records));

	if (!records) {
		sw_error_errno(error, "%s", path);
		return NULL;
	}
	records->line = 1;
	records->path = strdup(path);
	records->buffer = malloc(BUFFER_SIZE);
	records->fd = sw_open_regular(path);
	if (records->fd < 0 || !records->path || !records->buffer)
		sw_error_errno(error, "%s", path);
	else if (open_packed(records, error) == 0 &&
		 look_at_header(records, error) == 0)
		return records;
	sw_records_close(records);
	return NULL;
}

void sw_records_close(struct sw_records *records)
{
	int saved = errno;

	if (!records)
		return;
	close_packed(records);
	if (records->fd >= 0)
		close(records->fd);
	free(records->path);
	free(records->buffer);
	free(records->text);
	free(records->starts);
	free(records);
	errno = saved;
}

static int put(struct sw_records *records, char c, struct sw_error *error)
{
	size_t room = records->text_room ? 2 * records->text_room : 256;
	char *text;

	if (records->text_size == records->text_room) {
		if (room > RECORD_SIZE_MAX) {
			errno = EINVAL;
			return sw_error_set(error, "%s:%lu: longer than one "
					    "mebibyte, or an unclosed quote, "
					    "so none of the file is used",
					    records->path,
					    records->first_line);
		}
		text = realloc(records->text, room);
		if (!text)
			return sw_error_errno(error, "%s", records->path);
		records->text = text;
		records->text_room = room;
	}
	records->text[records->text_size++] = c;
	return 0;
}

static int begin_field(struct sw_records *records, struct sw_error *error)
{
	size_t room = records->room ? 2 * records->room : 32;
	size_t *starts;

	if (records->count == records->room) {
		starts = realloc(records->starts, room * sizeof(*starts));
		if (!starts)
			return sw_error_errno(error, "%s", records->path);
		records->starts = starts;
		records->room = room;
	}
	records->starts[records->count++] = records->text_size;
	return 0;
}

/* Return the next byte, 256 at the end of the file, or -1. */
static int next_byte(struct sw_records *records, struct sw_error *error)
{
	unsigned char c;

	if (records->at == records->filled) {
		int got = fill(records, error);

		if (got <= 0)
			return got < 0 ? -1 : 256;
	}
	c = (unsigned char)records->buffer[records->at++];
	if (c == '\r' && records->ends_by_return)
		c = '\n';
	if (c == '\n')
		records->line++;
	if (c == '\0') {
		errno = EINVAL;
		return sw_error_set(error, "%s:%lu: contains a NUL byte: not a "
				    "text table, so none of it is used",
				    records->path, records->line);
	}
	return c;
}

static int peek_byte(struct sw_records *records, struct sw_error *error)
{
	int c = next_byte(records, error);

	if (c >= 0 && c < 256) {
		records->at--;
		if (c == '\n')
			records->line--;
	}
	return c;
}

/* Copy the text between quotes; a doubled quote stands for one. */
static int take_quoted(struct sw_records *records, struct sw_error *error)
{
	for (;;) {
		int c = next_byte(records, error);

		if (c == '"') {
			c = peek_byte(records, error);
			if (c != '"')
				return c < 0 ? -1 : 0;
			c = next_byte(records, error);
		}
		if (c == 256) {
			errno = EINVAL;
			return sw_error_set(error, "%s:%lu: unclosed quote, so "
					    "none of the file is used",
					    records->path,
					    records->first_line);
		}
		if (c < 0 || put(records, (char)c, error) < 0)
			return -1;
	}
}

/*
 * Copy up to the end of the current field.  Returns the byte behind it:
 * separator, '\n' or 256; or -1.
 */
static int take_rest(struct sw_records *records, struct sw_error *error)
{
	size_t start = records->text_size;
	int c;

	for (;;) {
		c = next_byte(records, error);
		if (c < 0)
			return -1;
		if (c == '"' && records->separator != '\t' &&
		    records->text_size == start) {
			if (take_quoted(records, error) < 0)
				return -1;
			continue;
		}
		if (c == records->separator || c == '\n' || c == 256)
			break;
		if (put(records, (char)c, error) < 0)
			return -1;
	}
	if (c != records->separator && records->text_size > start &&
	    records->text[records->text_size - 1] == '\r')
		records->text_size--;
	return put(records, '\0', error) < 0 ? -1 : c;
}

static int take_field(struct sw_records *records, struct sw_error *error)
{
	return begin_field(records, error) < 0 ? -1 : take_rest(records, error);
}

int sw_records_join(struct sw_records *records, struct sw_error *error)
{
	int c = peek_byte(records, error);

	if (c < 0 || c == 256)
		return c < 0 ? -1 : 0;
	records->text[records->text_size - 1] = '\n';
	c = take_rest(records, error);
	while (c == records->separator)
		c = take_field(records, error);
	return c < 0 ? -1 : 1;
}

int sw_records_next(struct sw_records *records, struct sw_error *error)
{
	int c;

	do {
		records->count = 0;
		records->text_size = 0;
		records->first_line = records->line;
		do {
			c = take_field(records, error);
		} while (c == records->separator);
		if (c < 0)
			return -1;
		if (records->count > 1 || *records->text)
			return 1;
	} while (c != 256);
	return 0;
}

size_t sw_records_field_count(const struct sw_records *records)
{
	return records->count;
}

const char *sw_records_field(const struct sw_records *records, size_t index)
{
	return records->text + records->starts[index];
}

unsigned long sw_records_line(const struct sw_records *records)
{
	return records->first_line;
}

const char *sw_records_path(const struct sw_records *records)
{
	return records->path;
}
