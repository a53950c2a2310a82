/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders of a user below profile_dir: recognized and created. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/delivery/user_folder.h"
#include "test/run_tests.h"
#include "test/temp_folder.h"

static char top[TEMP_FOLDER_SIZE];
static int fds[SW_USER_FOLDERS_MAX];

/* Return the path of uid + suffix below the folder. */
static const char *path_of(const char *suffix)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%u%s", top, geteuid(), suffix);
	return path;
}

static void setup(void)
{
	temp_folder_make(top, "check_user_folder");
	umask(027);
}

static void teardown(void)
{
	temp_folder_remove(top);
}

/* Check the number of opened folders, and the first one. */
static void expect(int count, const char *suffix)
{
	struct stat opened, named;
	int got = sw_user_folders_open(top, geteuid(), "", fds), i;

	ck_assert_int_eq(got, count);
	ck_assert_int_eq(fstat(fds[0], &opened), 0);
	ck_assert_int_eq(lstat(path_of(suffix), &named), 0);
	ck_assert_uint_eq(opened.st_ino, named.st_ino);
	ck_assert_uint_eq(named.st_mode & 0777, 0750);
	for (i = 0; i < got; i++)
		close(fds[i]);
}

static void touch(const char *suffix)
{
	int fd = open(path_of(suffix), O_WRONLY | O_CREAT | O_CLOEXEC, 0640);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

START_TEST(made_where_there_is_none)
{
	expect(1, "");
	expect(1, "");
	ck_assert_int_eq(mkdir(path_of(".9"), 0750), 0);
	expect(2, "");
}
END_TEST

START_TEST(what_is_not_a_folder_of_his_own)
{
	touch("");
	expect(1, ".1");
	ck_assert_int_eq(rmdir(path_of(".1")), 0);
	ck_assert_int_eq(symlink("/tmp", path_of(".1")), 0);
	expect(1, ".2");
	ck_assert_int_eq(chmod(path_of(".2"), 0770), 0);
	expect(1, ".3");
	/* There is no tenth. */
	ck_assert_int_eq(rmdir(path_of(".3")), 0);
	ck_assert_int_eq(mkdir(path_of(".10"), 0750), 0);
	expect(1, ".3");
}
END_TEST

START_TEST(all_names_taken)
{
	char suffix[8] = "";
	int i;

	touch("");
	for (i = 1; i < SW_USER_FOLDER_NAMES; i++) {
		snprintf(suffix, sizeof(suffix), ".%d", i);
		touch(suffix);
	}
	ck_assert_int_eq(sw_user_folders_open(top, geteuid(), "", fds), -1);
	ck_assert_int_eq(errno, ENOTDIR);
}
END_TEST

/* As on an NFS mount without a running idmapd. */
START_TEST(a_new_one_is_somebody_elses)
{
	int i;

	for (i = 0; i < 20; i++) {
		ck_assert_int_eq(sw_user_folders_open(top, geteuid() + 1, "", fds),
				 -1);
		ck_assert_int_eq(errno, EPERM);
	}
	/* The attempts leave nothing behind. */
	ck_assert_int_eq(rmdir(top), 0);
	ck_assert_int_eq(sw_user_folders_open(top, geteuid(), "", fds), -1);
	ck_assert_int_eq(errno, ENOENT);
	/* For teardown(). */
	ck_assert_int_eq(mkdir(top, 0700), 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("user_folder");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, made_where_there_is_none);
	tcase_add_test(tests, what_is_not_a_folder_of_his_own);
	tcase_add_test(tests, all_names_taken);
	tcase_add_test(tests, a_new_one_is_somebody_elses);
	return run_tests("user_folder", tests, NULL);
}
