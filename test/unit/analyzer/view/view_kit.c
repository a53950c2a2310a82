/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Views for tests. */
#include "test/run_tests.h"
#include "test/unit/analyzer/view/view_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "test/text_profile.h"

static char profile[32];
static struct sw_reader *reader;

static void setup(void)
{
	int fd;

	snprintf(profile, sizeof(profile), "/tmp/check_view.XXXXXX");
	fd = mkstemp(profile);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void teardown(void)
{
	unlink(profile);
}

static void write_profile(const char *text)
{
	struct sw_error error;

	ck_assert_msg(text_profile_write_text(text, profile, true,
					      &error) == 0, "%s", error.text);
}

int kit_try_view(struct sw_view *view, const char *text,
		 struct sw_error *error)
{
	uint64_t *keys;
	size_t count;
	int rc;

	write_profile(text);
	reader = sw_reader_open(profile, error);
	ck_assert_msg(reader != NULL, "%s", error->text);
	if (sw_view_steps(reader, &keys, &count, error) < 0)
		return -1;
	rc = sw_view_init(view, reader, keys[0], error);
	free(keys);
	return rc;
}

struct sw_view kit_view(const char *text)
{
	struct sw_error error;
	struct sw_view view;

	ck_assert_msg(kit_try_view(&view, text, &error) == 0, "%s",
		      error.text);
	return view;
}

void kit_drop(struct sw_view *view)
{
	sw_view_fini(view);
	sw_reader_close(reader);
}

TCase *kit_case(const char *name)
{
	TCase *tests = tcase_create(name);

	tcase_add_checked_fixture(tests, setup, teardown);
	return tests;
}

int kit_run(TCase *tests)
{
	return run_tests("view", tests, NULL);
}
