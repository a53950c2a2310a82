/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder's settings from stepwell.yaml: in YAML's grammar, as in the
 * stepwell command, with a default for each invalid value.
 */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/daemon/node_settings.h"
#include "test/run_tests.h"

/* Read text as the file, with the log messages in log. */
static void read_text(struct sw_node_settings *settings, const char *text,
		      char *log, size_t size)
{
	char path[] = "/tmp/check_node_settings.XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w"), *said = tmpfile();
	int stderr_fd = dup(STDERR_FILENO);
	size_t length;

	ck_assert(file && said && stderr_fd >= 0);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
	dup2(fileno(said), STDERR_FILENO);
	sw_node_settings_read(settings, path);
	dup2(stderr_fd, STDERR_FILENO);
	close(stderr_fd);
	unlink(path);
	rewind(said);
	length = fread(log, 1, size - 1, said);
	log[length] = '\0';
	fclose(said);
}

static const struct {
	const char *text;
	uint64_t keep_days;
	const char *profile_dir;
	bool is_dropped;
	const char *log;	/* a part of it; NULL: no message */
} files[] = {
	{ "", 90, "", false, NULL },
	{ "# keep_days: 3\n", 90, "", false, NULL },
	{ "keep_days: 3 # days\nprofile_dir: \"/a b\"\n", 3, "/a b", false,
	  NULL },
	{ "{ keep_days: 4, late_report: drop }\n", 4, "", true, NULL },
	{ "advice:\n  keep_days: 5\nrules: { io.stalled: {} }\n", 90, "",
	  false, NULL },
	{ "keep_days: -1\nlate_report: 'append'\n", 90, "", false,
	  "keep_days: \"-1\" is not valid; the default is used" },
	{ "keep_days: [1]\n", 90, "", false, "keep_days: \"\" is not valid" },
	{ "profile_dir: a\nlate_report: maybe\n", 90, "", false,
	  "late_report: \"maybe\" is not valid" },
	{ "keep_days: 6\nrules: [\n", 90, "", false,
	  ":3:1: not YAML (did not find expected node content); no setting "
	  "of this file was used" },
};

START_TEST(reads)
{
	struct sw_node_settings settings;
	char log[2048];

	read_text(&settings, files[_i].text, log, sizeof(log));
	ck_assert_uint_eq(settings.number[SW_KEY_KEEP_DAYS],
			  files[_i].keep_days);
	ck_assert_uint_eq(settings.number[SW_KEY_SPOOL_MAX_MIB], 1024);
	ck_assert_str_eq(settings.profile_dir, files[_i].profile_dir);
	ck_assert(settings.is_late_report_dropped == files[_i].is_dropped);
	if (files[_i].log)
		ck_assert_msg(strstr(log, files[_i].log), "%s", log);
	else
		ck_assert_str_eq(log, "");
}
END_TEST

/* The list of names, and a file that others could have written. */
START_TEST(counters)
{
	struct sw_node_settings settings;
	char log[2048];

	read_text(&settings, "counters: [PAPI_DP_OPS, \"spr::TOPDOWN:SLOTS\"]\n",
		  log, sizeof(log));
	ck_assert_str_eq(settings.counters, "PAPI_DP_OPS,spr::TOPDOWN:SLOTS");
	ck_assert_str_eq(settings.events_file, "");
	ck_assert_str_eq(log, "");
	read_text(&settings, "counters: PAPI_TOT_INS\n", log, sizeof(log));
	ck_assert_str_eq(settings.counters, "PAPI_TOT_INS");
	read_text(&settings, "counters: [[a], b]\n", log, sizeof(log));
	ck_assert_str_eq(settings.counters, "");
	ck_assert_ptr_nonnull(strstr(log, "counters: \"\" is not valid"));
	read_text(&settings, "papi_components: [cray_pm, sde]\n", log,
		  sizeof(log));
	ck_assert_str_eq(settings.components, "cray_pm,sde");
	ck_assert_str_eq(settings.counters, "");
	read_text(&settings, "papi_components: {a: b}\n", log, sizeof(log));
	ck_assert_str_eq(settings.components, "");
	ck_assert_ptr_nonnull(strstr(log, "papi_components: \"\" is not"));
	read_text(&settings, "papi_events_file: /nonexistent/a.csv\n", log,
		  sizeof(log));
	ck_assert_str_eq(settings.events_file, "");
	ck_assert(settings.is_events_file_bad);
	ck_assert_ptr_nonnull(strstr(log, "No such file"));
	read_text(&settings, "papi_events_file: /dev/null\n", log,
		  sizeof(log));
	ck_assert_ptr_nonnull(strstr(log, "only root can write"));
}
END_TEST

/* An invalid value is treated as the most restrictive. */
START_TEST(privacy)
{
	struct sw_node_settings settings;
	char log[2048];

	read_text(&settings, "keep_days: 5\n", log, sizeof(log));
	ck_assert_int_eq(settings.privacy, SW_PRIVACY_FULL);
	read_text(&settings, "privacy: programs\n", log, sizeof(log));
	ck_assert_int_eq(settings.privacy, SW_PRIVACY_PROGRAMS);
	read_text(&settings, "privacy: counters\n", log, sizeof(log));
	ck_assert_int_eq(settings.privacy, SW_PRIVACY_COUNTERS);
	ck_assert_str_eq(log, "");
	read_text(&settings, "privacy: none\n", log, sizeof(log));
	ck_assert_int_eq(settings.privacy, SW_PRIVACY_COUNTERS);
	ck_assert_ptr_nonnull(strstr(log, "only counters are recorded"));
	read_text(&settings, "privacy: [full]\n", log, sizeof(log));
	ck_assert_int_eq(settings.privacy, SW_PRIVACY_COUNTERS);
}
END_TEST

START_TEST(local_scratch)
{
	struct sw_node_settings settings;
	char log[2048];

	read_text(&settings, "keep_days: 5\n", log, sizeof(log));
	ck_assert_str_eq(settings.local_scratch, "/tmp");
	read_text(&settings, "local_scratch: /local/scratch\n", log,
		  sizeof(log));
	ck_assert_str_eq(settings.local_scratch, "/local/scratch");
	ck_assert_str_eq(log, "");
	read_text(&settings, "local_scratch: scratch\n", log, sizeof(log));
	ck_assert_str_eq(settings.local_scratch, "/tmp");
	ck_assert_ptr_nonnull(strstr(log, "local_scratch"));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("file");

	tcase_add_loop_test(tests, reads, 0,
			    sizeof(files) / sizeof(files[0]));
	tcase_add_test(tests, counters);
	tcase_add_test(tests, local_scratch);
	tcase_add_test(tests, privacy);
	return run_tests("node_settings", tests, NULL);
}
