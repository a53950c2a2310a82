/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/sweep_sacct: stand-in for sacct with the records of bench/sweep_night,
 * in the folder SWEEP_RECORDS.  It prints the fields that are asked for, of jobs
 * that ended in that time, as fast as it can read: this isolates the cost of a
 * sweep from Slurm's part.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sweep_rows.h"

enum {
	LINE_SIZE = 4096,
	HOUR_SECONDS = 3600,
	END_FIELD = 14,
	FIELDS_MAX = 64,
};

static FILE *open_file(const char *name)
{
	const char *folder = getenv("SWEEP_RECORDS");
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder ? folder : ".", name);
	return fopen(path, "r");
}

/* The fields that are asked for, as their places in a line. */
struct fields {
	size_t at[FIELDS_MAX], count;
};

/* Return the place of a name of this length in the list of all; FIELDS_MAX. */
static size_t place_of(const char *list, const char *name, size_t length)
{
	size_t at, word;

	for (at = 0; *list && at < FIELDS_MAX; at++, list += word) {
		list += strspn(list, " \n");
		word = strcspn(list, " \n");
		if (word == length && !strncmp(list, name, length))
			return at;
	}
	return FIELDS_MAX;
}

/* A name that the records lack is a bug of bench/sweep_night. */
static int read_format(struct fields *fields, const char *format)
{
	static char list[LINE_SIZE];
	FILE *file = open_file("help");
	size_t length;

	if (!file || !fgets(list, sizeof(list), file))
		return -1;
	fclose(file);
	for (; *format && fields->count < FIELDS_MAX; format += length) {
		format += strspn(format, ",");
		length = strcspn(format, ",");
		fields->at[fields->count] = place_of(list, format, length);
		if (fields->at[fields->count++] == FIELDS_MAX)
			return -1;
	}
	return 0;
}

/* Print the fields of a line, separated by the delimiter. */
static void put_line(char *line, const struct fields *fields,
		     const char *delimiter)
{
	char *all[FIELDS_MAX], *to;
	static char out[LINE_SIZE * 16];
	size_t i, count = 0;

	line[strcspn(line, "\n")] = '\0';
	while (count < FIELDS_MAX && (all[count] = strsep(&line, "|")))
		count++;
	to = out;
	for (i = 0; i < fields->count; i++) {
		if (i)
			to = stpcpy(to, delimiter);
		if (fields->at[i] < count)
			to = stpcpy(to, all[fields->at[i]]);
	}
	*to++ = '\n';
	fwrite(out, 1, (size_t)(to - out), stdout);
}

static unsigned long long end_of(const char *line)
{
	size_t i;

	for (i = 0; line && i < END_FIELD; i++) {
		line = strchr(line, '|');
		line = line ? line + 1 : NULL;
	}
	return line ? strtoull(line, NULL, 10) : 0;
}

/* What is asked for. */
struct question {
	struct fields fields;
	const char *delimiter;
	unsigned long long from_seconds, until_seconds;
};

/* Copy the jobs that ended in that time, each with the steps after it. */
static void copy(FILE *from, const struct question *question)
{
	static char line[LINE_SIZE];
	bool is_wanted = true;

	while (fgets(line, sizeof(line), from)) {
		if (line[strspn(line, "0123456789")] != '.')
			is_wanted = end_of(line) >= question->from_seconds &&
				    end_of(line) <= question->until_seconds;
		if (is_wanted)
			put_line(line, &question->fields, question->delimiter);
	}
}

static int answer(const struct question *question)
{
	unsigned long long at = question->from_seconds;
	char name[32];
	FILE *file;

	at -= (at - SWEEP_MIDNIGHT) % HOUR_SECONDS;
	for (; at <= question->until_seconds &&
	       at < SWEEP_MIDNIGHT + SWEEP_NIGHT_SECONDS;
	     at += HOUR_SECONDS) {
		snprintf(name, sizeof(name), "hour.%llu",
			 (at - SWEEP_MIDNIGHT) / HOUR_SECONDS);
		file = open_file(name);
		if (!file)
			return 1;
		copy(file, question);
		fclose(file);
	}
	return 0;
}

static int print_help(void)
{
	static char list[LINE_SIZE];
	FILE *file = open_file("help");

	if (!file || !fgets(list, sizeof(list), file))
		return 1;
	fclose(file);
	fputs(list, stdout);
	return 0;
}

static const char *value_of(int argc, char **argv, const char *option)
{
	int i;

	for (i = 1; i + 1 < argc; i++) {
		if (!strcmp(argv[i], option))
			return argv[i + 1];
	}
	return "uts0";
}

int main(int argc, char **argv)
{
	struct question question = { .delimiter = "|" };
	int i;

	if (argc > 1 && !strcmp(argv[1], "--helpformat"))
		return print_help();
	for (i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "--delimiter=", 12))
			question.delimiter = argv[i] + 12;
	}
	question.from_seconds = strtoull(
		value_of(argc, argv, "--starttime") + 3, NULL, 10);
	question.until_seconds = strtoull(
		value_of(argc, argv, "--endtime") + 3, NULL, 10);
	if (strlen(question.delimiter) > 15 ||
	    read_format(&question.fields, value_of(argc, argv, "--format")) < 0)
		return 2;
	return answer(&question);
}
