/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sweep as jobs: arguments of sbatch, and commands of the scripts, with
 * folder names that need quoting in a shell.
 */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/sweep/night/day_files.h"
#include "analyzer/sweep/gather/submit.h"
#include "test/run_tests.h"

/* 2026-11-22 in UTC. */
#define FROM UINT64_C(1795305600)

static char folder[64], hard[128], program[160];
static const char *const no_options[] = { NULL };

static void make_script(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	fprintf(out, "#!/bin/sh\n%s", text);
	fclose(out);
	ck_assert_int_eq(chmod(path, 0755), 0);
}

/* Call N writes its arguments to words.N, one a line, and prints answer.N. */
static void setup(void)
{
	char path[256], *old = getenv("PATH");

	snprintf(folder, sizeof(folder), "/tmp/check_submit.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(hard, sizeof(hard), "%s/it's $(touch ruined) \"so\"", folder);
	snprintf(program, sizeof(program), "%s/own `touch ruined`", folder);
	snprintf(path, sizeof(path), "%s/sbatch", folder);
	make_script(
		path,
		"cd \"${0%/*}\" || exit 1\n"
		"n=$(($(cat calls 2>/dev/null) + 1))\necho $n >calls\n"
		"printf '%s\\n' \"$@\" >words.$n\n"
		"for script; do :; done\nprintf '%s' \"$script\" >script.$n\n"
		"cat answer.$n\n");
	make_script(program, "printf '%s\\n' \"$@\" >\"${0%/*}/ran\"\n");
	snprintf(path, sizeof(path), "%s:%s", folder, old);
	setenv("PATH", path, 1);
	setenv("TZ", "UTC", 1);
	ck_assert_int_eq(chdir(folder), 0);
}

static void teardown(void)
{
	char command[128];

	ck_assert_int_eq(access("ruined", F_OK), -1);
	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	ck_assert_int_eq(system(command), 0);
}

static void answer(int call, const char *text)
{
	char path[32];
	FILE *out;

	snprintf(path, sizeof(path), "answer.%d", call);
	out = fopen(path, "w");
	fputs(text, out);
	fclose(out);
}

/* Return the words of a file, separated by "|". */
static const char *words_of(const char *path)
{
	static char text[8192];
	FILE *in = fopen(path, "r");
	size_t length, i;

	ck_assert_msg(in != NULL, "%s", path);
	text[0] = '|';
	length = fread(text + 1, 1, sizeof(text) - 2, in) + 1;
	fclose(in);
	text[length] = '\0';
	for (i = 0; i < length; i++) {
		if (text[i] == '\n')
			text[i] = '|';
	}
	return text;
}

#define ASSERT_HAS(path, format, ...)                                          \
	do {                                                                   \
		char word_[1024];                                               \
		snprintf(word_, sizeof(word_), "|" format "|", __VA_ARGS__);   \
		ck_assert_msg(strstr(words_of(path), word_) != NULL,           \
			      "%s lacks %s: %s", path, word_, words_of(path)); \
	} while (0)

static int submit(struct sw_submitted *submitted, const char *into,
		  const char *after, const char *const *options,
		  struct sw_error *error)
{
	const struct sw_submission submission = {
		.program = program,
		.folder = into,
		.from_seconds = FROM,
		.until_seconds = FROM + 86400,
		.parts = 7,
		.after = after,
		.options = options,
	};

	return sw_sweep_submit(submitted, &submission, error);
}

/* Count the folders of shards; the last one goes to path. */
static int parts_folders(char *path, size_t size)
{
	char command[256], line[256] = "";
	FILE *in;
	int count = 0;

	snprintf(command, sizeof(command), "find . -name 'parts.*' -type d");
	in = popen(command, "r");
	while (fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		snprintf(path, size, "%s/%s", folder, line + 2);
		count++;
	}
	pclose(in);
	return count;
}

START_TEST(asks_for)
{
	struct sw_submitted submitted;
	struct sw_error error = { "" };
	char parts[512];

	answer(1, "101;cluster\n");
	answer(2, "102\n");
	ck_assert_msg(submit(&submitted, hard, NULL, no_options, &error) == 0,
		      "%s", error.text);
	ck_assert_str_eq(submitted.parts_job, "101");
	ck_assert_str_eq(submitted.page_job, "102");
	ck_assert_int_eq(parts_folders(parts, sizeof(parts)), 1);
	ASSERT_HAS("words.1", "%s", "--parsable");
	ASSERT_HAS("words.1", "%s", "--job-name=stepwell-sweep");
	ASSERT_HAS("words.1", "%s", "--array=1-7");
	ASSERT_HAS("words.1", "--output=%s/log.%%a", parts);
	ck_assert_ptr_null(strstr(words_of("words.1"), "--dependency"));
	ASSERT_HAS("words.2", "%s", "--dependency=afterok:101");
	ASSERT_HAS("words.2", "%s", "--kill-on-invalid-dep=yes");
	ASSERT_HAS("words.2", "--output=%s/2026-11-22.page", hard);
}
END_TEST

START_TEST(waits_for)
{
	struct sw_submitted submitted;
	struct sw_error error = { "" };

	answer(1, "101\n");
	answer(2, "102\n");
	ck_assert_int_eq(submit(&submitted, hard, "99", no_options, &error), 0);
	ASSERT_HAS("words.1", "%s", "--dependency=afterany:99");
	ASSERT_HAS("words.2", "%s", "--dependency=afterok:101");
}
END_TEST

/* The pattern finds the file of one shard. */
START_TEST(scripts_run)
{
	const char *const options[] = { "--rows=3", "--html=/a b/'c'.html",
					NULL };
	struct sw_submitted submitted;
	struct sw_error error = { "" };
	char parts[512], path[600];

	answer(1, "101\n");
	answer(2, "102\n");
	setenv("LC_ALL", "C'$(touch ruined)", 1);
	ck_assert_int_eq(submit(&submitted, hard, NULL, options, &error), 0);
	unsetenv("LC_ALL");
	ck_assert_int_eq(parts_folders(parts, sizeof(parts)), 1);
	ck_assert_int_eq(
		system("SLURM_ARRAY_TASK_ID=5 sh script.1 2>/dev/null"), 0);
	ASSERT_HAS("ran", "%s", "sweep|--quiet|--shard=5/7");
	ASSERT_HAS("ran", "%s",
		   "--from=uts1795305600|--until=uts1795392000");
	ASSERT_HAS("ran", "--output=%s/part.5", parts);
	snprintf(path, sizeof(path), "%s/part.5", parts);
	fclose(fopen(path, "w"));
	ck_assert_int_eq(system("sh script.2 2>/dev/null"), 0);
	ASSERT_HAS("ran", "%s", "merge|--rows=3|--html=/a b/'c'.html");
	ASSERT_HAS("ran", "--state=%s|%s/part.5", hard, parts);
	/* The shards are no longer needed. */
	ck_assert_int_eq(access(parts, F_OK), -1);
}
END_TEST

/* Status of "merge", status of the job, and whether the shards are kept. */
static const struct {
	int merged, job;
	bool stays;
} ends[] = {
	{ 0, 0, false }, { 1, 1, true },	 { 3, 0, false },
	{ 4, 4, false }, { 137, 137, true },
};

START_TEST(parts_stay_where_they_are_needed)
{
	struct sw_submitted submitted;
	struct sw_error error = { "" };
	char parts[512], text[32];
	int status;

	snprintf(text, sizeof(text), "exit %d\n", ends[_i].merged);
	make_script(program, text);
	answer(1, "101\n");
	answer(2, "102\n");
	ck_assert_int_eq(submit(&submitted, hard, NULL, no_options, &error), 0);
	ck_assert_int_eq(parts_folders(parts, sizeof(parts)), 1);
	status = system("sh script.2 2>/dev/null");
	ck_assert_int_eq(WEXITSTATUS(status), ends[_i].job);
	ck_assert_int_eq(access(parts, F_OK) == 0, ends[_i].stays);
}
END_TEST

static const char *const no_numbers[] = {
	"",	   "\n",   "Submitted batch job 12\n",
	"12 13\n", "-1\n", "123456789012345678901234567890123\n",
};

/* Nothing is left behind if it is not known what runs. */
START_TEST(answers_that_are_none)
{
	struct sw_submitted submitted;
	struct sw_error error = { "" };
	char parts[512];

	answer(1, no_numbers[_i]);
	ck_assert_int_eq(submit(&submitted, hard, NULL, no_options, &error),
			 -1);
	ck_assert_ptr_nonnull(strstr(error.text, "no number of a job"));
	ck_assert_int_eq(parts_folders(parts, sizeof(parts)), 0);
}
END_TEST

START_TEST(second_fails)
{
	struct sw_submitted submitted;
	struct sw_error error = { "" };

	answer(1, "101\n");
	ck_assert_int_eq(submit(&submitted, hard, NULL, no_options, &error),
			 -1);
	ck_assert_ptr_nonnull(strstr(error.text, "scancel 101"));
}
END_TEST

START_TEST(folders_that_cannot_be)
{
	struct sw_submitted submitted;
	struct sw_error error = { "" };
	char path[PATH_MAX + 8];

	snprintf(path, sizeof(path), "%s/50%%", folder);
	ck_assert_int_eq(submit(&submitted, path, NULL, no_options, &error),
			 -1);
	ck_assert_ptr_nonnull(strstr(error.text, "with \"%\""));
	memset(path, 'x', PATH_MAX - 1);
	path[0] = '/';
	path[PATH_MAX - 1] = '\0';
	ck_assert_int_eq(submit(&submitted, path, NULL, no_options, &error),
			 -1);
	ck_assert_int_eq(errno, ENAMETOOLONG);
	ck_assert_int_eq(access("calls", F_OK), -1);
}
END_TEST

static const struct {
	const char *name;
	bool is_day_file;
} names[] = {
	{ "2026-11-22.n1.stepwell", true },
	{ "2026-11-22.n1.stepwell.part", true },
	{ "2026-11-22.Node_a-7.stepwell", true },
	{ "2026-11-22.n1.stepwell.tail", false },
	{ "2026-11-22.n1.stepwell.old.part", false },
	{ "2026-11-22.n1.stepwell.part.part", false },
	{ "2026-11-22..stepwell", false },
	{ "2026-11-22.stepwell", false },
	{ "2026-11-22.n1.org.stepwell", false },
	{ "2026-11-22.a/b.stepwell", false },
	{ "2026-11-22.a\nb.stepwell", false },
	{ "2026-11-22.a b.stepwell", false },
	{ ".2026-11-22.n1.stepwell.new", false },
	{ "2026-11-2x.n1.stepwell", false },
	{ " 026-11-22.n1.stepwell", false },
	{ "+026-11-22.n1.stepwell", false },
	{ "2026-11-22", false },
	{ "2026-11-2", false },
	{ "", false },
};

START_TEST(day_files)
{
	ck_assert_int_eq(sw_is_day_file(names[_i].name), names[_i].is_day_file);
}
END_TEST

START_TEST(days_of_files)
{
	const char *path = "/a.b/2026-11-22.n1.stepwell";

	ck_assert(sw_day_file_is_within(path, "2026-11-22", "2026-11-22"));
	ck_assert(!sw_day_file_is_within(path, "2026-11-23", "2026-11-30"));
	ck_assert(!sw_day_file_is_within(path, "2026-11-01", "2026-11-21"));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("submit"), *days = tcase_create("days");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 300);
	tcase_add_test(tests, asks_for);
	tcase_add_test(tests, waits_for);
	tcase_add_test(tests, scripts_run);
	tcase_add_loop_test(tests, parts_stay_where_they_are_needed, 0,
			    sizeof(ends) / sizeof(ends[0]));
	tcase_add_loop_test(tests, answers_that_are_none, 0,
			    sizeof(no_numbers) / sizeof(no_numbers[0]));
	tcase_add_test(tests, second_fails);
	tcase_add_test(tests, folders_that_cannot_be);
	tcase_add_loop_test(days, day_files, 0,
			    sizeof(names) / sizeof(names[0]));
	tcase_add_test(days, days_of_files);
	return run_tests("submit", tests, days, NULL);
}
