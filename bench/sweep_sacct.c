/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/sweep_sacct: stand-in for sacct with the records of bench/sweep_night,
 * in the folder SWEEP_RECORDS.  It answers for an hour or a part of it, with
 * all fields, as fast as it can read: this isolates the cost of a sweep from
 * Slurm's part.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sweep_rows.h"

enum { LINE_SIZE = 4096, HOUR_SECONDS = 3600, END_FIELD = 14 };

static FILE *open_file(const char *name)
{
	const char *folder = getenv("SWEEP_RECORDS");
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder ? folder : ".", name);
	return fopen(path, "r");
}

/* Print a line, with the delimiter in place of each "|". */
static void put_line(const char *line, const char *delimiter)
{
	static char out[LINE_SIZE * 16];
	char *to = out;

	for (; *line; line++) {
		if (*line != '|')
			*to++ = *line;
		else
			to = stpcpy(to, delimiter);
	}
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

/* Copy the jobs that ended in that time, each with the steps after it. */
static void copy(FILE *from, const char *delimiter,
		 unsigned long long from_seconds,
		 unsigned long long until_seconds)
{
	static char line[LINE_SIZE];
	bool is_wanted = true;

	while (fgets(line, sizeof(line), from)) {
		if (until_seconds && line[strspn(line, "0123456789")] != '.')
			is_wanted = end_of(line) >= from_seconds &&
				    end_of(line) <= until_seconds;
		if (is_wanted)
			put_line(line, delimiter);
	}
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
	const char *delimiter = "|";
	char name[32] = "help";
	unsigned long long from = 0, until = 0;
	FILE *file;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "--delimiter=", 12))
			delimiter = argv[i] + 12;
	}
	if (strlen(delimiter) > 15)
		return 2;
	if (argc < 2 || strcmp(argv[1], "--helpformat") != 0) {
		from = strtoull(value_of(argc, argv, "--starttime") + 3, NULL,
				10);
		until = strtoull(value_of(argc, argv, "--endtime") + 3, NULL,
				 10);
		snprintf(name, sizeof(name), "hour.%llu",
			 (from - SWEEP_MIDNIGHT) / HOUR_SECONDS);
	}
	file = open_file(name);
	if (!file)
		return 1;
	copy(file, delimiter, from, until);
	fclose(file);
	return 0;
}
