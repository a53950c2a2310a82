/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A history for tests. */
#include "test/run_tests.h"
#include "test/unit/analyzer/history/history_kit.h"

#include <stdio.h>

char kit_folder[TEMP_FOLDER_SIZE], kit_path[96];

static void setup(void)
{
	temp_folder_make(kit_folder, "check_history");
	snprintf(kit_path, sizeof(kit_path), "%s/h.sqlite", kit_folder);
}

static void teardown(void)
{
	temp_folder_remove(kit_folder);
}

struct sw_history *kit_open(void)
{
	struct sw_error error = { "" };
	struct sw_history *history = sw_history_open(kit_path, true, &error);

	ck_assert_msg(history != NULL, "%s", error.text);
	return history;
}

struct sw_history_run kit_run_of(const char *job, double end_seconds)
{
	struct sw_history_run run = {
		.run = sw_run_unknown,
		.cluster = "c1", .job = job, .user = "alice", .name = "align",
		.group = "alice/align", .label = "align",
		.source = SW_HISTORY_PROFILE,
	};

	run.run.state = SW_RUN_COMPLETED;
	run.run.start_seconds = end_seconds - 100;
	run.run.end_seconds = end_seconds;
	run.run.need_bytes = 5e9;
	return run;
}

int kit_add(struct sw_history *history, const struct sw_history_run *run)
{
	struct sw_error error = { "" };
	int added = sw_history_add(history, run, &error);

	ck_assert_msg(added >= 0, "%s", error.text);
	return added;
}

struct sw_history_runs kit_runs(struct sw_history *history, const char *group,
				size_t limit)
{
	struct sw_error error = { "" };
	struct sw_history_runs runs;

	ck_assert_msg(sw_history_runs(history, group, limit, &runs,
				      &error) == 0, "%s", error.text);
	return runs;
}

TCase *kit_case(const char *name)
{
	TCase *tests = tcase_create(name);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 60);
	return tests;
}

int kit_run(TCase *tests)
{
	return run_tests("history", tests, NULL);
}
