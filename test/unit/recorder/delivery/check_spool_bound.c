/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removal from a full spool: the user who holds most of it loses files. */
#include <check.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/delivery/spool_bound.h"
#include "test/run_tests.h"
#include "test/temp_folder.h"

enum { ALICE = 1000, BOB = 1001, FILES_MAX = 64, KIB = 1024 };

static char top[TEMP_FOLDER_SIZE];
static int fd;
static struct sw_spooled spooled[FILES_MAX];
static char names[FILES_MAX][32];
static size_t count, removed_count, nobodys_count;

static void setup(void)
{
	fd = temp_folder_open(top, "check_spool_bound");
}

static void teardown(void)
{
	close(fd);
	temp_folder_remove(top);
}

/* Create a file of kib KiB, a multiple of 4, modified at this time. */
static void put(const char *name, size_t kib, time_t changed)
{
	static const char zeroes[KIB];
	struct timespec times[2] = { { 0 } };
	int file = openat(fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_ge(file, 0);
	while (kib-- > 0)
		ck_assert_int_eq(write(file, zeroes, KIB), KIB);
	/* Make the file system account for the blocks. */
	ck_assert_int_eq(fsync(file), 0);
	times[0].tv_sec = times[1].tv_sec = changed;
	ck_assert_int_eq(futimens(file, times), 0);
	close(file);
}

static void put_of(uint32_t uid, uint32_t job_id, const char *part, size_t kib,
		   time_t changed)
{
	snprintf(names[count], sizeof(names[count]), "c.%u.%s.stepwell", job_id,
		 part);
	put(names[count], kib, changed);
	spooled[count] = (struct sw_spooled){
		.name = names[count], .uid = uid, .job_id = job_id };
	count++;
}

static bool is_there(const char *name)
{
	return faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void note(void *context, const struct sw_spooled *which)
{
	ck_assert_ptr_eq(context, &fd);
	removed_count++;
	nobodys_count += !which;
	if (which)
		ck_assert(!is_there(which->name));
}

static void bound(uint64_t max_kib)
{
	sw_spool_bound(fd, spooled, count, max_kib * KIB, note, &fd);
}

START_TEST(who_has_little_loses_nothing)
{
	put_of(BOB, 1, "1", 4, 1);
	put_of(BOB, 2, "1", 4, 2);
	for (uint32_t job = 10; job < 40; job++)
		put_of(ALICE, job, "1", 8, job);
	bound(64);
	ck_assert(is_there("c.1.1.stepwell"));
	ck_assert(is_there("c.2.1.stepwell"));
	ck_assert_uint_eq(removed_count, 23);
	ck_assert(!is_there("c.32.1.stepwell"));
	ck_assert(is_there("c.33.1.stepwell"));
	ck_assert(is_there("c.39.1.stepwell"));
}
END_TEST

START_TEST(of_a_user_the_job_that_has_most)
{
	put_of(ALICE, 1, "1", 8, 1);
	put_of(ALICE, 2, "b", 8, 7);
	put_of(ALICE, 2, "a", 8, 8);
	put_of(ALICE, 2, "c", 8, 9);
	bound(24);
	ck_assert_uint_eq(removed_count, 1);
	ck_assert(!is_there("c.2.b.stepwell"));
	bound(16);
	ck_assert(!is_there("c.2.a.stepwell"));
	ck_assert(is_there("c.1.1.stepwell"));
}
END_TEST

/* Both are reduced to the same amount, and no other user below it. */
START_TEST(users_who_both_have_much)
{
	put_of(ALICE, 1, "1", 4, 1);
	for (uint32_t job = 10; job < 20; job++)
		put_of(BOB, job, "1", 8, job);
	for (uint32_t job = 20; job < 30; job++)
		put_of(BOB + 1, job, "1", 8, job - 15);
	bound(4 + 2 * 32);
	ck_assert(is_there("c.1.1.stepwell"));
	for (uint32_t job = 10; job < 30; job++) {
		char name[32];

		snprintf(name, sizeof(name), "c.%u.1.stepwell", job);
		ck_assert_msg(is_there(name) == (job % 10 >= 6), "%s", name);
	}
}
END_TEST

/* A damaged file belongs to no user, and is removed eventually. */
START_TEST(what_is_nobodys)
{
	put("c.7.x.stepwell", 32, 9);
	put("c.8.x.stepwell", 32, 8);
	put("c.9.x.stepwell.part", 64, 1);
	put_of(ALICE, 1, "1", 16, 1);
	bound(48);
	ck_assert_uint_eq(removed_count, 1);
	ck_assert_uint_eq(nobodys_count, 1);
	ck_assert(!is_there("c.8.x.stepwell"));
	ck_assert(is_there("c.9.x.stepwell.part"));
}
END_TEST

START_TEST(what_is_being_delivered)
{
	put_of(ALICE, 1, "1", 64, 1);
	spooled[0].is_leaving = true;
	put_of(ALICE, 2, "1", 8, 2);
	put_of(ALICE, 3, "1", 12, 3);
	bound(20);
	ck_assert_uint_eq(removed_count, 0);
	bound(8);
	ck_assert_uint_eq(removed_count, 1);
	ck_assert(is_there("c.1.1.stepwell"));
	ck_assert(is_there("c.2.1.stepwell"));
}
END_TEST

START_TEST(no_limit_and_no_need)
{
	put_of(ALICE, 1, "1", 16, 1);
	bound(0);
	bound(16);
	ck_assert_uint_eq(removed_count, 0);
	count = 0;
	bound(16);
	ck_assert_uint_eq(removed_count, 0);
	bound(4);
	ck_assert_uint_eq(removed_count, 1);
	bound(4);
	ck_assert_uint_eq(removed_count, 1);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("spool_bound");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, who_has_little_loses_nothing);
	tcase_add_test(tests, of_a_user_the_job_that_has_most);
	tcase_add_test(tests, users_who_both_have_much);
	tcase_add_test(tests, what_is_nobodys);
	tcase_add_test(tests, what_is_being_delivered);
	tcase_add_test(tests, no_limit_and_no_need);
	return run_tests("spool_bound", tests, NULL);
}
