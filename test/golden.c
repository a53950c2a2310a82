/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compare reports with files of test/reports. */
#include "test/golden.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/golden_file.h"

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

void golden_compare(const char *name, const char *text, bool is_json)
{
	const char *top = getenv("abs_top_srcdir");
	char path[1024], *golden, *copy = strdup(text);
	bool is_equal = false;

	snprintf(path, sizeof(path), "%s/test/reports/%s", top ? top : ".",
		 name);
	ck_assert_ptr_nonnull(copy);
	golden = golden_file_read(path);
	if (is_json) {
		join_lines(copy);
		join_lines(golden);
		is_equal = !strcmp(copy, golden);
	}
	if (!is_equal)
		golden_file_compare(path, text);
	free(golden);
	free(copy);
}

/* Some that a report also names elsewhere. */
static const char *const kept_notes[] = {
	"cpu.oversubscribed", "cpu.throttled", "gpu.idle", "io.tiny",
	"lock.contended", "memory.cache_squeezed", "memory.thrashing",
	"net.bound", "oom.killed", "oom.silent", "place.numa_remote",
	"program.killed", "progress.waiting", NULL,
};

static bool is_of_family(const char *id, const char *other)
{
	return !strncmp(id, other, strcspn(id, ".") + 1);
}

/*
 * One that exists, of a family that is not kept whole: a text report would
 * shorten it to "gpu.*" until there is one more.
 */
static void check_kept(const char *id)
{
	const struct sw_rule *const *rule;
	const char *const *kept;
	size_t rules = 0, notes = 0;

	ck_assert_msg(sw_rule_find(id) != NULL, "kept_notes[] of %s names %s, "
		      "which is not a finding", __FILE__, id);
	for (rule = sw_rules; *rule; rule++)
		rules += is_of_family(id, (*rule)->id);
	for (kept = kept_notes; *kept; kept++)
		notes += is_of_family(id, *kept);
	ck_assert_msg(rules == 1 || notes < rules, "kept_notes[] of %s has the "
		      "whole family of %s", __FILE__, id);
}

static bool is_kept(const char *id)
{
	const char *const *kept;

	for (kept = kept_notes; *kept; kept++) {
		check_kept(*kept);
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
