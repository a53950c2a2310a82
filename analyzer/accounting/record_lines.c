/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Split sacct's output into lines and fields. */
#include "analyzer/accounting/record_lines.h"

#include <string.h>

#include "common/missing.h"

static char *line_end(char *line)
{
	char *end = strchr(line, '\n');

	return end ? end : line + strlen(line);
}

/* Find the delimiter between from and to; NULL: none. */
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

/* Count the delimiters between from and to. */
static size_t delimiters_in(char *from, const char *to, const char *delimiter)
{
	size_t length = strlen(delimiter), count;

	for (count = 0; (from = find_delimiter(from, to, delimiter, length));
	     count++)
		from += length;
	return count;
}

/* Can a line without a delimiter continue the last field? */
static bool may_go_on(const struct sw_record_fields *fields)
{
	return sw_record_is_text(fields->column[fields->count - 1]);
}

/*
 * Return the end of a line whose first newline is at end, and update *has, its
 * number of delimiters.  A complete line ends before the next one that has a
 * delimiter; an incomplete one continues, but not into a line that is complete
 * by itself.
 */
static char *record_end(const struct sw_record_lines *lines, char *end,
			size_t *has)
{
	size_t wanted = lines->fields->count - 1, more;
	char *after;

	for (; *end && end[1]; end = after) {
		after = line_end(end + 1);
		more = delimiters_in(end + 1, after, lines->delimiter);
		if (*has >= wanted && (more > 0 || !may_go_on(lines->fields)))
			break;
		if (*has < wanted && (*has == 0 || more == wanted ||
				      *has + more > wanted))
			break;
		*has += more;
	}
	return end;
}

/* If two columns have the same field, the non-empty one counts. */
static void put_field(const char *field[SW_RECORD_FIELDS], int column,
		      const char *text)
{
	if (column != SW_NO_INDEX && (*text || !*field[column]))
		field[column] = text;
}

static void split(const struct sw_record_lines *lines, char *line,
		  const char *end, const char *field[SW_RECORD_FIELDS])
{
	const struct sw_record_fields *fields = lines->fields;
	size_t length = strlen(lines->delimiter), i;
	char *next;

	for (i = 0; i < SW_RECORD_FIELDS; i++)
		field[i] = "";
	for (i = 0; i < fields->count; i++, line = next) {
		next = NULL;
		if (i + 1 < fields->count) {
			next = find_delimiter(line, end, lines->delimiter,
					      length);
			*next = '\0';
			next += length;
		}
		put_field(field, fields->column[i], line);
	}
}

int sw_record_lines_next(struct sw_record_lines *lines,
			 const char *field[SW_RECORD_FIELDS])
{
	const struct sw_record_fields *fields = lines->fields;
	char *line = lines->next, *end;
	size_t has;

	line += strspn(line, fields->has_cr ? "\r\n" : "\n");
	if (!*line)
		return 0;
	end = line_end(line);
	has = delimiters_in(line, end, lines->delimiter);
	end = record_end(lines, end, &has);
	lines->next = *end ? end + 1 : end;
	if (fields->has_cr && end > line && end[-1] == '\r')
		end--;
	*end = '\0';
	field[0] = line;
	if (has < fields->count - 1 ||
	    (has > fields->count - 1 && !fields->ends_in_text))
		return -1;
	split(lines, line, end, field);
	return 1;
}

/* line must be complete. */
static bool is_of_step(const struct sw_record_lines *lines, char *line)
{
	const struct sw_record_fields *fields = lines->fields;
	size_t length = strlen(lines->delimiter), i;
	char *end = line_end(line), *next;

	for (i = 0; i < fields->count; i++, line = next + length) {
		next = find_delimiter(line, end, lines->delimiter, length);
		if (fields->column[i] == SW_RECORD_ID ||
		    fields->column[i] == SW_RECORD_RAW_ID)
			return memchr(line, '.',
				      (size_t)((next ? next : end) - line));
		if (!next)
			break;
	}
	return false;
}

char *sw_record_lines_cut(const struct sw_record_lines *lines)
{
	const struct sw_record_fields *fields = lines->fields;
	char *line, *end, *cut = NULL;
	size_t has;

	for (line = lines->next; *line; line = end + 1) {
		end = line_end(line);
		if (!*end)
			break;
		has = delimiters_in(line, end, lines->delimiter);
		if ((has == fields->count - 1 ||
		     (has >= fields->count && fields->ends_in_text)) &&
		    !is_of_step(lines, line))
			cut = line;
	}
	return cut == lines->next ? NULL : cut;
}
