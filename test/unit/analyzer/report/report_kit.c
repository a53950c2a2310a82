/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile in its own folder, and reports on it. */
#include "test/unit/analyzer/report/report_kit.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/report/report.h"
#include "test/load.h"
#include "test/text_profile.h"

static char folder[] = "/tmp/report_kit.XXXXXX";
static char profile[sizeof(folder) + sizeof("/profile")];
static struct sw_error error;

void report_kit_begin(void)
{
	if (!mkdtemp(folder))
		abort();
	snprintf(profile, sizeof(profile), "%s/profile", folder);
}

void report_kit_end(void)
{
	rmdir(folder);
}

const char *report_kit_folder(void)
{
	return folder;
}

const char *report_kit_profile(void)
{
	return profile;
}

void report_kit_write(const char *text)
{
	ck_assert_msg(text_profile_write_text(text, profile, true,
					      &error) == 0, "%s", error.text);
}

static const struct sw_report_format *find_format(const char *name)
{
	size_t i;

	for (i = 0; sw_report_formats[i]; i++) {
		if (!strcmp(sw_report_formats[i]->name, name))
			return sw_report_formats[i];
	}
	ck_abort_msg("no format %s", name);
}

void report_kit_print(const char *format, char *text, size_t size)
{
	const char *path = profile;
	const struct sw_report_style style = { .width = 80 };
	struct sw_loaded loaded;
	FILE *file = fmemopen(text, size, "w");

	ck_assert_msg(load_paths(&loaded, &path, 1, NULL, &error) == 0, "%s",
		      error.text);
	ck_assert_int_eq(
		find_format(format)->write(file, &loaded.result, &style), 0);
	fclose(file);
	sw_loaded_fini(&loaded);
	unlink(path);
}

void report_kit_expect(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "no \"%s\" in:\n%s", part, text);
}
