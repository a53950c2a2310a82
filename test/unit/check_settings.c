/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell.yaml: what is refused, with its line and column, and what holds. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/rule.h"

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
	{ "rules:\n  cpu.throttle:\n    x: 1\n", ":2:3: ",
	  "unknown rule \"cpu.throttle\"" },
	{ "rules:\n  cpu.throttled:\n    min_throttled: 1\n", ":3:5: ",
	  "unknown setting of this rule \"min_throttled\"" },
	{ "rule:\n", ":1:1: ", "unknown section \"rule\"" },
	{ "# one\n\nspool: /tmp\n", ":3:1: ", "unknown section \"spool\"" },
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
	{ "profile_dir: [/a]\n", ":1:14: ", "begins with \"/\"" },
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

/* Without a line in force, the defaults hold. */
START_TEST(takes_empty)
{
	const struct sw_rule *rule = sw_rule_find("cpu.throttled");
	struct sw_settings *settings;
	struct sw_error error;

	settings = load(empty[_i], &error);
	ck_assert_msg(settings != NULL, "%s", error.text);
	ck_assert_double_eq(sw_settings_rule(settings, rule, 0),
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
			"    min_stalled_seconds: 3\n"
			"profile_dir: /shared/profiles\n", &error);
	ck_assert_msg(settings != NULL, "%s", error.text);
	ck_assert_double_eq(sw_settings_rule(settings, throttled, 0), 0.25);
	ck_assert_double_eq(sw_settings_rule(settings, stalled, 0),
			    stalled->settings[0].value);
	ck_assert_double_eq(sw_settings_rule(settings, stalled, 1), 3);
	ck_assert_double_eq(sw_settings_rule(NULL, stalled, 1),
			    stalled->settings[1].value);
	ck_assert_str_eq(sw_settings_profile_dir(settings),
			 "/shared/profiles");
	ck_assert_ptr_null(sw_settings_profile_dir(NULL));
	sw_settings_free(settings);
	sw_settings_free(NULL);
}
END_TEST

/* Every default is in its own range, so writing it out changes nothing. */
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
				sw_settings_rule(settings, *rule, i),
				(*rule)->settings[i].value);
			sw_settings_free(settings);
		}
	}
}
END_TEST

/* A file that was named must be there; the one of the system need not. */
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

static int run_suite(void)
{
	Suite *suite = suite_create("settings");
	TCase *tcase = tcase_create("yaml");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, refuses, 0, sizeof(bad) / sizeof(bad[0]));
	tcase_add_loop_test(tcase, takes_empty, 0,
			    sizeof(empty) / sizeof(empty[0]));
	tcase_add_test(tcase, takes_values);
	tcase_add_test(tcase, takes_every_default);
	tcase_add_test(tcase, misses_only_what_was_named);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed;
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
