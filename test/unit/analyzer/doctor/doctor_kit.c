/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder of files for the doctor's checks, created for each test. */
#include "test/run_tests.h"
#include "test/temp_folder.h"
#include "test/unit/analyzer/doctor/doctor_kit.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct sw_doctor kit;

static char folder[TEMP_FOLDER_SIZE];
static struct sw_answer answer;

const char *kit_path(const char *path)
{
	static char whole[PATH_MAX];

	snprintf(whole, sizeof(whole), "%s/%s", folder, path);
	return whole;
}

static void make_parents(const char *path)
{
	char whole[PATH_MAX], *slash;

	snprintf(whole, sizeof(whole), "%s", kit_path(path));
	for (slash = whole + strlen(folder) + 1;
	     (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
		*slash = '\0';
		ck_assert(mkdir(whole, 0755) == 0 || errno == EEXIST);
	}
}

void kit_put_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *file;

	make_parents(path);
	file = fopen(kit_path(path), "w");
	ck_assert_msg(file, "%s: %s", path, strerror(errno));
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

void kit_put(const char *path, const char *text)
{
	kit_put_bytes(path, text, strlen(text));
}

void kit_folder(const char *path, mode_t mode)
{
	make_parents(path);
	ck_assert(mkdir(kit_path(path), 0700) == 0 || errno == EEXIST);
	kit_mode(path, mode);
}

void kit_link(const char *path, const char *to)
{
	make_parents(path);
	ck_assert_int_eq(symlink(to, kit_path(path)), 0);
}

void kit_mode(const char *path, mode_t mode)
{
	ck_assert_int_eq(chmod(kit_path(path), mode), 0);
}

void kit_remove(const char *path)
{
	temp_folder_remove(kit_path(path));
}

void kit_ask(sw_check_f *check, enum sw_health health, const char *words)
{
	const struct sw_check row = { "check", "", check };

	sw_doctor_ask(&kit, &row, &answer);
	ck_assert_msg(answer.health == health && strstr(answer.text, words),
		      "expected %s with \"%s\", got %s: %s",
		      sw_health_name(health), words,
		      sw_health_name(answer.health), answer.text);
	/* The cause, by which nodes are summarized, is set unless it is OK. */
	ck_assert_int_eq(*answer.cause == '\0', health == SW_HEALTH_OK);
}

void kit_fix(const char *command)
{
	ck_assert_str_eq(answer.fix, command);
}

static void setup(void)
{
	struct sw_error error;

	umask(022);
	temp_folder_make(folder, "check_doctor");
	ck_assert_int_eq(sw_doctor_init(&kit, folder, &error), 0);
}

static void teardown(void)
{
	sw_doctor_fini(&kit);
	kit_remove("");
}

TCase *kit_case(const char *name)
{
	TCase *tests = tcase_create(name);

	tcase_add_checked_fixture(tests, setup, teardown);
	return tests;
}

int kit_run(TCase *tests)
{
	return run_tests("doctor", tests, NULL);
}
