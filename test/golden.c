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

static char *read_golden(const char *path)
{
	FILE *file = fopen(path, "r");
	char *golden = calloc(1, GOLDEN_SIZE);

	ck_assert_ptr_nonnull(golden);
	if (file) {
		golden[fread(golden, 1, GOLDEN_SIZE - 1, file)] = '\0';
		fclose(file);
	}
	return golden;
}

static void write_golden(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_msg(file && fputs(text, file) >= 0 && fclose(file) == 0,
		      "%s: cannot be written", path);
}

void golden_compare(const char *name, const char *text, bool is_json)
{
	const char *top = getenv("abs_top_srcdir");
	char path[1024], *golden, *copy = strdup(text);

	snprintf(path, sizeof(path), "%s/test/reports/%s", top ? top : ".",
		 name);
	golden = read_golden(path);
	ck_assert_ptr_nonnull(copy);
	if (is_json) {
		join_lines(copy);
		join_lines(golden);
	}
	if (strcmp(copy, golden) != 0 && getenv("UPDATE_GOLDEN"))
		write_golden(path, text);
	else
		ck_assert_msg(!strcmp(copy, golden), "%s differs (\"make "
			      "golden\" rewrites it):\n%.400s", path,
			      difference(copy, golden));
	free(golden);
	free(copy);
}

/*
 * None of a family that is complete, which a text report would shorten to
 * "gpu.*"; all that a report names elsewhere, too.
 */
static const char *const kept_notes[] = {
	"cpu.oversubscribed", "cpu.throttled", "gpu.idle", "io.tiny",
	"lock.contended", "memory.cache_squeezed", "memory.thrashing",
	"net.bound", "oom.killed", "oom.silent", "place.numa_remote",
	"program.failed", "program.killed", "progress.waiting", NULL,
};

static bool is_kept(const char *id)
{
	const char *const *kept;

	for (kept = kept_notes; *kept; kept++) {
		ck_assert_msg(sw_rule_find(*kept), "kept_notes[] of %s names "
			      "%s, which is not a finding", __FILE__, *kept);
		if (!strcmp(*kept, id))
			return true;
	}
	return false;
}

void golden_keep_some_notes(struct sw_result *result)
{
	size_t i, count = 0;

	for (i = 0; i < result->not_evaluated_count; i++) {
		if (is_kept(result->not_evaluated[i].id))
			result->not_evaluated[count++] =
				result->not_evaluated[i];
	}
	result->not_evaluated_count = count;
}
