/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell.yaml: errors, with line and column, and accepted settings. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/rules/rule.h"
#include "analyzer/settings/settings.h"
#include "test/run_tests.h"

static char path[] = "/tmp/check_settings.XXXXXX";

static struct sw_settings *load(const char *text, struct sw_error *error)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	memset(error, 0, sizeof(*error));
	return sw_settings_load(path, error);
}

struct bad_row {
	const char *text;
	const char *place;	/* ":LINE:COLUMN: " */
	const char *says;	/* a part of the message */
};

static const struct bad_row bad[] = {
	{ "rules:\n  unknown:\n    x: 1\n", ":2:3: ",
	  "unknown rule \"unknown\"" },
	{ "rules:\n  cpu.throttled:\n    unknown: 1\n", ":3:5: ",
	  "unknown setting of this rule \"unknown\"" },
	{ "unknown:\n", ":1:1: ", "unknown section \"unknown\"" },
	{ "# one\n\nunknown: /tmp\n", ":3:1: ", "unknown section \"unknown\"" },
	{ "rules:\n  cpu.throttled:\n    min_throttled_ratio: 1.5\n",
	  ":3:26: ", "min_throttled_ratio must be a number from 0 to 1" },
	{ "rules:\n  cpu.throttled:\n    min_throttled_ratio: -0.1\n",
	  ":3:26: ", "from 0 to 1" },
	{ "rules:\n  cpu.throttled:\n    min_throttled_ratio: nan\n",
	  ":3:26: ", "from 0 to 1" },
	{ "rules:\n  cpu.throttled:\n    min_throttled_ratio: 0.5x\n",
	  ":3:26: ", "from 0 to 1" },
	{ "rules:\n  cpu.throttled:\n    min_throttled_ratio: \n",
	  ":3:25: ", "from 0 to 1" },
	{ "rules:\n  cpu.throttled:\n    min_throttled_ratio: [1]\n",
	  ":3:26: ", "from 0 to 1" },
	{ "rules:\n  cpu.throttled: 0.5\n", ":2:18: ", "key: value" },
	{ "rules: [cpu.throttled]\n", ":1:8: ", "key: value" },
	{ "hello\n", ":1:1: ", "key: value" },
	{ "- a\n- b\n", ":1:1: ", "key: value" },
	{ "rules:\n  ? [a, b]\n  : c\n", ":2:5: ", "unknown rule" },
	{ "profile_dir: here\n", ":1:14: ", "begins with \"/\"" },
	{ "summaries_dir: here\n", ":1:16: ", "begins with \"/\"" },
	{ "sweep_keep_days: -1\n", ":1:18: ", "sweep_keep_days" },
	{ "summary_dirs: here\n", ":1:15: ", "begins with \"/\"" },
	{ "summary_dirs: [/a, b]\n", ":1:20: ", "begins with \"/\"" },
	{ "summary_dirs: []\n", ":1:15: ", "begins with \"/\"" },
	{ "summary_dirs: {a: /b}\n", ":1:15: ", "begins with \"/\"" },
	{ "papi_components: {a: b}\n", ":1:18: ", "list of names of comp" },
	{ "counters: [[a]]\n", ":1:11: ", "list of names of counters" },
	{ "profile_dir: [/a]\n", ":1:14: ", "begins with \"/\"" },
	{ "history_file: here\n", ":1:15: ", "begins with \"/\"" },
	{ "history_of_runs: maybe\n", ":1:18: ", "must be yes or no" },
	{ "job_records: squeue\n", ":1:14: ", "must be sacct, slurmdb or" },
	{ "job_records: [sacct]\n", ":1:14: ", "must be sacct, slurmdb or" },
	{ "lsf:\n  unit_for_limits: XB\n", ":2:20: ", "must be KB, MB" },
	{ "lsf:\n  unit_for_limits: [MB]\n", ":2:20: ", "must be KB, MB" },
	{ "lsf:\n  reserve_per_task: 2\n", ":2:21: ", "yes or no" },
	{ "lsf:\n  unit: MB\n", ":2:3: ", "unknown setting of lsf" },
	{ "advice:\n  risc: low\n", ":2:3: ", "unknown setting of advice" },
	{ "advice:\n  risk: none\n", ":2:9: ", "low, medium or high" },
	{ "advice:\n  floor_mib: 0\n", ":2:14: ", "from 1 to 1e+06" },
	{ "advice:\n  min_runs: 2.5\n", ":2:3: ", "a whole number" },
	{ "advice:\n  retry_factor: 1\n", ":2:17: ", "from 1.01 to 10" },
	{ "prices:\n  gold: 1\n", ":2:3: ", "unknown price \"gold\"" },
	{ "prices:\n  currency: Doubloons\n", ":2:13: ", "at most 7 bytes" },
	{ "prices:\n  core_hour: -1\n", ":2:14: ", "from 0 to" },
	{ "failures:\n  node_chance: 1\n", ":2:3: ",
	  "unknown setting of failures" },
	{ "failures:\n  node_chance_max_ratio: 2\n", ":2:26: ", "from 0 to 1" },
	{ "failures:\n  node_times_min: 2.5\n", ":2:3: ", "a whole number" },
	{ "failures:\n  about_same_time_seconds: 0\n", ":2:28: ",
	  "from 1 to" },
	{ "retries:\n  at_once: 1\n", ":2:3: ", "unknown setting of retries" },
	{ "retries:\n  at_once_seconds: -1\n", ":2:20: ", "from 0 to" },
	{ "groups: 7\n", ":1:9: ", "expected a list" },
	{ "groups:\n  - name: \"a(\"\n    group: x\n", ":2:5: ",
	  "not a regular expression" },
	{ "groups:\n  - group: x\n", ":2:5: ", "a group needs" },
	{ "groups:\n  - nmae: x\n", ":2:5: ",
	  "unknown setting of a group \"nmae\"" },
	{ "groups:\n  - name: x\n    group: \"{who}\"\n", ":2:5: ",
	  "unknown field \"{who}\"" },
	{ "node_catalogue: nodes.csv\n", ":1:17: ",
	  "must be a path that begins with" },
	{ "rules:\n\tcpu.throttled:\n", ":2:1: ", "not YAML" },
	{ "rules: {\n", ":2:1: ", "not YAML" },
	{ "rules: *nowhere\n", ":1:8: ", "not YAML" },
	{ "rules:\n  \"a\\e[31mb\": 1\n", ":2:3: ", "a\\x1b[31mb" },
	{ "\xff\xfe\xff", ": ", "not YAML" },
};

START_TEST(refuses)
{
	const struct bad_row *row = &bad[_i];
	struct sw_error error;
	char start[128];

	ck_assert_msg(load(row->text, &error) == NULL, "taken: %s", row->text);
	snprintf(start, sizeof(start), "%s%s", path,
		 strcmp(row->place, ": ") ? row->place : ":");
	ck_assert_msg(!strncmp(error.text, start, strlen(start)),
		      "\"%s\" does not begin with \"%s\"", error.text, start);
	ck_assert_msg(strstr(error.text, row->says) != NULL,
		      "\"%s\" lacks \"%s\"", error.text, row->says);
	ck_assert_msg(strstr(error.text, "no setting of this file was used"),
		      "\"%s\" lacks the consequence", error.text);
}
END_TEST

static const char *const empty[] = {
	"", "\n", "# nothing but a comment\n", "---\n", "rules:\n",
	"rules:\n  cpu.throttled:\n", "rules: {}\n",
};

/* Without active lines the defaults apply. */
START_TEST(takes_empty)
{
	const struct sw_rule *rule = sw_rule_find("cpu.throttled");
	struct sw_settings *settings;
	struct sw_error error;

	settings = load(empty[_i], &error);
	ck_assert_msg(settings != NULL, "%s", error.text);
	ck_assert_double_eq(sw_threshold(sw_settings_thresholds(settings), rule, 0),
			    rule->settings[0].value);
	sw_settings_free(settings);
}
END_TEST

START_TEST(takes_values)
{
	const struct sw_rule *throttled = sw_rule_find("cpu.throttled");
	const struct sw_rule *stalled = sw_rule_find("io.stalled");
	struct sw_settings *settings;
	struct sw_error error;

	settings = load("rules:\n"
			"  cpu.throttled:\n"
			"    min_throttled_ratio: 0.25\n"
			"  io.stalled:\n"
			"    min_lost_seconds: 3\n"
			"profile_dir: /shared/profiles\n"
			"summaries_dir: /shared/summaries\n"
			"sweep_keep_days: 7\n"
			"user_history_dir: /shared/users\n"
			"summary_dirs: [/shared/one, /shared/two]\n", &error);
	ck_assert_msg(settings != NULL, "%s", error.text);
	ck_assert_double_eq(sw_threshold(sw_settings_thresholds(settings), throttled, 0), 0.25);
	ck_assert_double_eq(sw_threshold(sw_settings_thresholds(settings), stalled, 0),
			    stalled->settings[0].value);
	ck_assert_double_eq(sw_threshold(sw_settings_thresholds(settings), stalled, 1), 3);
	ck_assert_double_eq(sw_threshold(NULL, stalled, 1),
			    stalled->settings[1].value);
	ck_assert_str_eq(sw_settings_places(settings)->profile_dir,
			 "/shared/profiles");
	ck_assert_str_eq(sw_settings_places(settings)->summaries_dir,
			 "/shared/summaries");
	ck_assert_uint_eq(sw_settings_sweep_keep_days(settings), 7);
	ck_assert_str_eq(sw_settings_user_history_dir(settings),
			 "/shared/users");
	ck_assert_uint_eq(sw_settings_sweep_keep_days(NULL), 90);
	ck_assert_uint_eq(sw_settings_places(settings)->summary_dir_count, 2);
	ck_assert_str_eq(sw_settings_places(settings)->summary_dirs[1],
			 "/shared/two");
	ck_assert_ptr_null(sw_settings_places(NULL));
	sw_settings_free(settings);
	sw_settings_free(NULL);
}
END_TEST

static void check_failures(const struct sw_failure_settings *failures)
{
	ck_assert_uint_eq(failures->about_same_time_seconds, 300);
	ck_assert_uint_eq(failures->node_failures_min, 4);
	ck_assert_uint_eq(failures->node_times_min, 5);
	ck_assert_double_eq(failures->node_chance_max_ratio, 0.01);
}

static void check_retries(const struct sw_retry_settings *retries)
{
	ck_assert_uint_eq(retries->retry_within_seconds, 100);
	ck_assert_uint_eq(retries->at_once_seconds, 7);
	ck_assert_uint_eq(retries->beside_seconds, 9);
}

START_TEST(takes_advice)
{
	const struct sw_policy *policy;
	struct sw_settings *settings;
	struct sw_error error;

	settings = load("advice:\n"
			"  risk: high\n"
			"  floor_mib: 128\n"
			"  cap_gib: 192\n"
			"  time_to_failure_ratio: 0.5\n"
			"  retry_factor: 2\n"
			"  max_attempts: 4\n"
			"  min_runs: 5\n"
			"  uses_input: no\n"
			"  folds_names: no\n"
			"  memory_per: cpu\n"
			"prices: {core_hour: 0.02, gib_hour: 0.004,\n"
			"         gpu_hour: 1.5, currency: EUR}\n"
			"history_file: /var/lib/stepwell/history.sqlite\n"
			"history_of_runs: no\n"
			"failures: {about_same_time_seconds: 300,\n"
			"           node_failures_min: 4, node_times_min: 5,\n"
			"           node_chance_max_ratio: 0.01}\n"
			"retries: {retry_within_seconds: 100,\n"
			"          at_once_seconds: 7, beside_seconds: 9}\n"
			"job_records: slurmdb\n",
			&error);
	ck_assert_msg(settings != NULL, "%s", error.text);
	policy = sw_settings_policy(settings);
	ck_assert_int_eq(policy->risk, SW_RISK_HIGH);
	ck_assert_double_eq(policy->floor_bytes, 134217728);
	ck_assert_double_eq(policy->cap_bytes, 206158430208);
	ck_assert_double_eq(policy->time_to_failure, 0.5);
	ck_assert_double_eq(policy->retry_factor, 2);
	ck_assert_uint_eq(policy->max_attempts, 4);
	ck_assert_uint_eq(policy->min_runs, 5);
	ck_assert(!policy->uses_input);
	ck_assert(!policy->folds_names);
	ck_assert_int_eq(policy->memory_per, SW_MEMORY_PER_CPU);
	ck_assert_double_eq(policy->core_hour_price, 0.02);
	ck_assert_double_eq(policy->gib_hour_price, 0.004);
	ck_assert_double_eq(policy->gpu_hour_price, 1.5);
	ck_assert_str_eq(policy->currency, "EUR");
	ck_assert_str_eq(sw_settings_history_file(settings),
			 "/var/lib/stepwell/history.sqlite");
	ck_assert(!sw_settings_has_history_of_runs(settings));
	ck_assert_str_eq(sw_settings_records_program(settings),
			 PKGLIBEXECDIR "/stepwell-slurmdb");
	check_failures(sw_settings_failures(settings));
	check_retries(sw_settings_retries(settings));
	sw_settings_free(settings);
}
END_TEST

/* Settings that are not given are as without a file. */
START_TEST(keeps_default_advice)
{
	const struct sw_policy *policy;
	struct sw_settings *settings;
	struct sw_error error;

	settings = load("advice:\n  risk: medium\nprices:\ngroups:\n",
			&error);
	ck_assert_msg(settings != NULL, "%s", error.text);
	policy = sw_settings_policy(settings);
	ck_assert_int_eq(policy->risk, SW_RISK_MEDIUM);
	ck_assert_uint_eq(policy->min_runs, sw_policy_default.min_runs);
	ck_assert(isnan(policy->cap_bytes));
	ck_assert(isnan(policy->core_hour_price));
	ck_assert_str_eq(policy->currency, "");
	ck_assert(sw_settings_has_history_of_runs(settings));
	ck_assert_ptr_null(sw_settings_history_file(settings));
	ck_assert_uint_eq(sw_settings_group_rules(settings)->count, 0);
	ck_assert_ptr_null(sw_settings_node_catalogue(settings));
	sw_settings_free(settings);
	ck_assert_ptr_eq(sw_settings_policy(NULL), &sw_policy_default);
	ck_assert_ptr_null(sw_settings_group_rules(NULL));
	ck_assert(sw_settings_has_history_of_runs(NULL));
	ck_assert_str_eq(sw_settings_records_program(NULL), "sacct");
	ck_assert_ptr_null(sw_settings_lsb_acct(NULL));
}
END_TEST

START_TEST(takes_groups_and_nodes)
{
	struct sw_settings *settings;
	struct sw_job_group group;
	struct sw_error error;

	settings = load("groups:\n"
			"  - name: \"^nf-([A-Z]+)\"\n"
			"    group: \"nextflow/{1}\"\n"
			"  - name: \".*\"\n"
			"    partition: debug\n"
			"    group: \"{user}/debug\"\n"
			"node_catalogue: /etc/stepwell/nodes.csv\n", &error);
	ck_assert_msg(settings != NULL, "%s", error.text);
	sw_job_group_find(
		&group, sw_settings_group_rules(settings),
		&(struct sw_job_names){ .user = "u", .name = "nf-FASTQC_(1)" });
	ck_assert_str_eq(group.group, "nextflow/FASTQC");
	sw_job_group_find(&group, sw_settings_group_rules(settings),
			  &(struct sw_job_names){ .user = "u",
						  .name = "x",
						  .partition = "debug" });
	ck_assert_str_eq(group.group, "u/debug");
	ck_assert_str_eq(sw_settings_node_catalogue(settings),
			 "/etc/stepwell/nodes.csv");
	sw_settings_free(settings);
}
END_TEST

/* Every default is in its own range, so that it can be written out. */
START_TEST(takes_every_default)
{
	const struct sw_rule *const *rule;
	struct sw_settings *settings;
	struct sw_error error;
	char text[512];
	size_t i;

	for (rule = sw_rules; *rule; rule++) {
		for (i = 0; i < SW_RULE_SETTINGS_MAX &&
			    (*rule)->settings[i].key; i++) {
			snprintf(text, sizeof(text),
				 "rules:\n  %s:\n    %s: %.17g\n", (*rule)->id,
				 (*rule)->settings[i].key,
				 (*rule)->settings[i].value);
			settings = load(text, &error);
			ck_assert_msg(settings != NULL, "%s", error.text);
			ck_assert_double_eq(
				sw_threshold(sw_settings_thresholds(settings), *rule, i),
				(*rule)->settings[i].value);
			sw_settings_free(settings);
		}
	}
}
END_TEST

/* A file that was named must exist; that of the system need not. */
START_TEST(misses_only_what_was_named)
{
	struct sw_settings *settings;
	struct sw_error error;

	ck_assert_ptr_null(sw_settings_load("/nonexistent/x.yaml", &error));
	ck_assert_ptr_nonnull(strstr(error.text, "No such file"));
	setenv("STEPWELL_CONF", "/nonexistent/y.yaml", 1);
	ck_assert_ptr_null(sw_settings_load(NULL, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "/nonexistent/y.yaml"));
	setenv("STEPWELL_CONF", path, 1);
	sw_settings_free(load("rules:\n", &error));
	settings = sw_settings_load(NULL, &error);
	ck_assert_ptr_nonnull(settings);
	sw_settings_free(settings);
	ck_assert_ptr_null(sw_settings_load("/", &error));
}
END_TEST

static int fopen_errno;	/* 0: files open normally */

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

/* The path of the system's file is compiled in. */
FILE *__wrap_fopen(const char *opened, const char *mode)
{
	if (!fopen_errno)
		return __real_fopen(opened, mode);
	errno = fopen_errno;
	return NULL;
}

/* In an inaccessible folder, or readable only by root. */
START_TEST(warns_of_what_is_unreadable)
{
	static const int errors[] = { EACCES, EPERM };
	const struct sw_rule *rule = sw_rule_find("cpu.throttled");
	struct sw_settings *settings;
	struct sw_error error;

	unsetenv("STEPWELL_CONF");
	fopen_errno = errors[_i];
	settings = sw_settings_load(NULL, &error);
	ck_assert_msg(settings != NULL, "%s", error.text);
	ck_assert_ptr_nonnull(strstr(sw_settings_warning(settings),
				     "/stepwell/stepwell.yaml: "));
	ck_assert_ptr_nonnull(strstr(sw_settings_warning(settings),
				     strerror(errors[_i])));
	ck_assert_double_eq(sw_threshold(sw_settings_thresholds(settings), rule, 0),
			    rule->settings[0].value);
	sw_settings_free(settings);
	ck_assert_ptr_null(sw_settings_load(path, &error));
	fopen_errno = 0;
}
END_TEST

/* A missing file is no reason to warn; a disk error does not mean missing. */
START_TEST(warns_of_nothing_else)
{
	struct sw_settings *settings;
	struct sw_error error;

	unsetenv("STEPWELL_CONF");
	fopen_errno = ENOENT;
	settings = sw_settings_load(NULL, &error);
	ck_assert_ptr_nonnull(settings);
	ck_assert_ptr_null(sw_settings_warning(settings));
	sw_settings_free(settings);
	fopen_errno = EIO;
	ck_assert_ptr_null(sw_settings_load(NULL, &error));
	ck_assert_ptr_null(sw_settings_warning(NULL));
	fopen_errno = 0;
}
END_TEST

/* libyaml would need minutes of CPU time, and a deep stack. */
START_TEST(nesting_is_bounded)
{
	static const char *const words[] = { "{", "[", "- ", "? ", ": ", "[{" };
	char *text = malloc(400001);
	struct sw_error error;
	size_t i;

	ck_assert_ptr_nonnull(text);
	text[0] = '\0';
	for (i = 0; i + strlen(words[_i]) <= 400000; i += strlen(words[_i]))
		strcpy(text + i, words[_i]);
	ck_assert_ptr_null(load(text, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "nested deeper than"));
	free(text);
}
END_TEST

START_TEST(many_lists_are_no_nesting)
{
	char *text = malloc(400001), *at = text;
	struct sw_settings *settings;
	struct sw_error error;

	ck_assert_ptr_nonnull(text);
	at += sprintf(at, "summary_dirs:\n");
	while (at < text + 300000)
		at += sprintf(at, "  - /a/b-c # [x {y\n# [}\n");
	settings = load(text, &error);
	ck_assert_msg(settings != NULL, "%s", error.text);
	sw_settings_free(settings);
	free(text);
}
END_TEST

static int run_suite(void)
{
	TCase *tcase = tcase_create("yaml");

	tcase_add_loop_test(tcase, refuses, 0, sizeof(bad) / sizeof(bad[0]));
	tcase_add_loop_test(tcase, takes_empty, 0,
			    sizeof(empty) / sizeof(empty[0]));
	tcase_add_test(tcase, takes_values);
	tcase_add_test(tcase, takes_advice);
	tcase_add_test(tcase, keeps_default_advice);
	tcase_add_test(tcase, takes_groups_and_nodes);
	tcase_add_test(tcase, takes_every_default);
	tcase_add_test(tcase, misses_only_what_was_named);
	tcase_add_loop_test(tcase, warns_of_what_is_unreadable, 0, 2);
	tcase_add_test(tcase, warns_of_nothing_else);
	tcase_add_loop_test(tcase, nesting_is_bounded, 0, 6);
	tcase_add_test(tcase, many_lists_are_no_nesting);
	return run_tests("settings", tcase, NULL);
}

int main(void)
{
	int fd = mkstemp(path), failed;

	if (fd < 0)
		return EXIT_FAILURE;
	close(fd);
	failed = run_suite();
	unlink(path);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
