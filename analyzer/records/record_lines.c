/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of sacct's output. */
#include "analyzer/records/record_lines.h"

#include <string.h>

static char *line_end(char *line)
{
	char *end = strchr(line, '\n');

	return end ? end : line + strlen(line);
}

/* NULL: it is not between these two places of the text. */
static char *find_delimiter(char *from, const char *to, const char *delimiter,
			    size_t length)
{
	for (; (from = memchr(from, *delimiter, (size_t)(to - from))); from++) {
		if ((size_t)(to - from) < length)
			return NULL;
		if (!memcmp(from, delimiter, length))
			return from;
	}
	return NULL;
}

/* How often the delimiter is between two places of the text. */
static size_t delimiters_in(char *from, const char *to, const char *delimiter)
{
	size_t length = strlen(delimiter), count;

	for (count = 0; (from = find_delimiter(from, to, delimiter, length));
	     count++)
		from += length;
	return count;
}

/*
 * Where a line that begins there ends, and *has, its delimiters.  One that is
 * whole ends before the next that has a delimiter; one that is not takes what
 * follows, but no line that is whole by itself.
 */
static char *record_end(const struct sw_record_lines *lines, char *end,
			size_t *has)
{
	size_t wanted = lines->fields->count - 1, more;
	char *after;

	for (; *end && end[1]; end = after) {
		after = line_end(end + 1);
		more = delimiters_in(end + 1, after, lines->delimiter);
		if (*has == wanted && more > 0)
			break;
		if (*has != wanted && (*has == 0 || more == wanted ||
				       *has + more > wanted))
			break;
		*has += more;
	}
	return end;
}

static void split(const struct sw_record_lines *lines, char *line,
		  const char *end, const char *field[SW_RECORD_FIELDS])
{
	size_t length = strlen(lines->delimiter), left = lines->fields->count;
	size_t i;

	for (i = 0; i < SW_RECORD_FIELDS; i++) {
		field[i] = "";
		if (!lines->fields->has[i])
			continue;
		field[i] = line;
		if (--left == 0)
			continue;
		line = find_delimiter(line, end, lines->delimiter, length);
		*line = '\0';
		line += length;
	}
}

int sw_record_lines_next(struct sw_record_lines *lines,
			 const char *field[SW_RECORD_FIELDS])
{
	char *line = lines->next, *end;
	size_t has;

	if (!*line)
		return 0;
	end = line_end(line);
	has = delimiters_in(line, end, lines->delimiter);
	end = record_end(lines, end, &has);
	lines->next = *end ? end + 1 : end;
	*end = '\0';
	field[0] = line;
	if (has != lines->fields->count - 1)
		return -1;
	split(lines, line, end, field);
	return 1;
}
