/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the records of an lsb.acct. */
#include "analyzer/records/lsf_lines.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/records/lsf_line.h"
#include "common/text.h"

/* LSF's texts are shorter; anything longer is not a record. */
enum { RECORD_MAX = 1 << 20 };

static const char begin[] = "\"JOB_FINISH\" \"";

static bool is_in_text(const char *line)
{
	bool is_in = false;

	for (; (line = strchr(line, '"')); line++)
		is_in = !is_in;
	return is_in;
}

/* Find a record that begins behind a truncated one. */
static char *find_rest(char *line)
{
	char *found = *line ? strstr(line + 1, begin) : NULL;

	/* A doubled quote is part of a text. */
	while (found && found[-1] == '"')
		found = strstr(found + 1, begin);
	return found;
}

/* Read a line without its newline. */
static long read_line(struct sw_lsf_lines *lines)
{
	long length = getline(&lines->more, &lines->more_size, lines->file);

	if (length <= 0)
		return ferror(lines->file) || !feof(lines->file) ? -1 : 0;
	lines->line_count++;
	lines->more_length = length;
	/* Keep CRs within a text: scripts from Windows have them. */
	while (length > 0 && strchr("\r\n", lines->more[length - 1]))
		lines->more[--length] = '\0';
	return lines->more_length;
}

static int append(struct sw_lsf_lines *lines, const char *text)
{
	size_t length = strlen(text), size = lines->length + length + 2;
	char *grown = lines->line;

	if (size > lines->size) {
		grown = realloc(lines->line, size * 2);
		if (!grown)
			return -1;
		lines->line = grown;
		lines->size = size * 2;
	}
	if (lines->length)
		grown[lines->length++] = '\n';
	memcpy(grown + lines->length, text, length + 1);
	lines->length += length;
	return 0;
}

/* Append lines that belong to the text in which the record's line ends. */
static int join(struct sw_lsf_lines *lines)
{
	bool is_in = is_in_text(lines->line);
	long length = 1;

	while (is_in && lines->length < RECORD_MAX) {
		length = read_line(lines);
		if (length <= 0 || sw_lsf_is_log(lines->more))
			break;
		if (append(lines, lines->more) < 0)
			return -1;
		is_in = is_in_text(lines->more) != is_in;
		lines->more_length = 0;
	}
	return length < 0 ? -1 : 0;
}

static int begin_record(struct sw_lsf_lines *lines)
{
	lines->length = 0;
	if (!lines->more_length) {
		long length = read_line(lines);

		if (length <= 0)
			return (int)length;
	}
	lines->more_length = 0;
	lines->number = lines->line_count;
	return append(lines, lines->number == 1 ? sw_text_skip_mark(lines->more)
						: lines->more) < 0 || join(lines) < 0 ? -1 : 1;
}

static void count(struct sw_lsf_lines *lines)
{
	static const char of_job[] = "\"JOB_";

	if (!strncmp(lines->line, begin, sizeof(begin) - 1))
		lines->finished_count++;
	else if (!strncmp(lines->line, of_job, sizeof(of_job) - 1))
		lines->other_count++;
}

const char *sw_lsf_lines_refused(const struct sw_lsf_lines *lines)
{
	if (lines->finished_count || !lines->other_count)
		return NULL;
	return "no JOB_FINISH record, which LSF writes to lsb.acct, not to "
	       "lsb.events or lsb.stream";
}

int sw_lsf_lines_next(struct sw_lsf_lines *lines)
{
	char *rest;
	int rc = 1;

	if (lines->rest_at) {
		lines->length -= lines->rest_at;
		memmove(lines->line + 1, lines->line + lines->rest_at + 1,
			lines->length);
		lines->line[0] = '"';
	} else {
		rc = begin_record(lines);
	}
	lines->rest_at = 0;
	if (rc != 1)
		return rc;
	rest = find_rest(lines->line);
	if (rest) {
		lines->rest_at = (size_t)(rest - lines->line);
		*rest = '\0';
	}
	count(lines);
	return 1;
}

void sw_lsf_lines_fini(struct sw_lsf_lines *lines)
{
	free(lines->line);
	free(lines->more);
	lines->line = lines->more = NULL;
}
