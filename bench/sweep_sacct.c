/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/sweep_sacct: stands in for sacct with the records of
 * bench/sweep_night, in the folder of SWEEP_RECORDS.  It answers for whole
 * hours, with all fields, as fast as it can read: what a sweep costs beside
 * Slurm's part.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sweep_rows.h"

enum { BUFFER_SIZE = 1 << 16, HOUR_SECONDS = 3600 };

static FILE *open_file(const char *name)
{
	const char *folder = getenv("SWEEP_RECORDS");
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder ? folder : ".", name);
	return fopen(path, "r");
}

/* A file, with a delimiter for each "|". */
static void copy(FILE *from, const char *delimiter)
{
	static char in[BUFFER_SIZE], out[BUFFER_SIZE * 16];
	size_t got, i;
	char *to;

	while ((got = fread(in, 1, sizeof(in), from)) > 0) {
		for (i = 0, to = out; i < got; i++) {
			if (in[i] != '|')
				*to++ = in[i];
			else
				to = stpcpy(to, delimiter);
		}
		fwrite(out, 1, (size_t)(to - out), stdout);
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
	unsigned long long from;
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
		snprintf(name, sizeof(name), "hour.%llu",
			 (from - SWEEP_MIDNIGHT) / HOUR_SECONDS);
	}
	file = open_file(name);
	if (!file)
		return 1;
	copy(file, delimiter);
	fclose(file);
	return 0;
}
