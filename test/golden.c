/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports that are held against files of test/reports. */
#include "test/golden.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOLDEN_SIZE = 1 << 20, SHOWN_BEFORE = 60 };

const struct sw_report_format *golden_format(const char *name)
{
	const struct sw_report_format *const *format;

	for (format = sw_report_formats; *format; format++) {
		if (!strcmp((*format)->name, name))
			return *format;
	}
	ck_abort_msg("no format %s", name);
	return NULL;
}

static void join_lines(char *json)
{
	char *to = json;

	for (; *json; json++) {
		if (*json != '\n') {
			*to++ = *json;
			continue;
		}
		while (json[1] == ' ')
			json++;
	}
	*to = '\0';
}

/* Check does not print long messages: from the first difference on. */
static const char *difference(const char *text, const char *golden)
{
	size_t at = 0;

	while (text[at] && text[at] == golden[at])
		at++;
	return text + (at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0);
}

static char *exchange(const char *path, const char *text)
{
	bool is_update = getenv("UPDATE_GOLDEN") != NULL;
	FILE *file = fopen(path, is_update ? "w+" : "r");
	char *golden = calloc(1, GOLDEN_SIZE);

	ck_assert_msg(file != NULL, "%s: cannot be opened", path);
	ck_assert_ptr_nonnull(golden);
	if (is_update)
		fputs(text, file);
	rewind(file);
	golden[fread(golden, 1, GOLDEN_SIZE - 1, file)] = '\0';
	fclose(file);
	return golden;
}

void golden_compare(const char *name, const char *text, bool is_json)
{
	const char *top = getenv("abs_top_srcdir");
	char path[1024], *golden, *copy = strdup(text);

	snprintf(path, sizeof(path), "%s/test/reports/%s", top ? top : ".",
		 name);
	golden = exchange(path, text);
	ck_assert_ptr_nonnull(copy);
	if (is_json) {
		join_lines(copy);
		join_lines(golden);
	}
	ck_assert_msg(!strcmp(copy, golden), "%s differs:\n%.400s", path,
		      difference(copy, golden));
	free(golden);
	free(copy);
}
