/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Room on a local disk: not in memory, not behind a link, not elsewhere. */
#include <check.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/waits/local_space.h"
#include "test/run_tests.h"

/* The root may be on a disk or in memory. */
START_TEST(a_disk_has_room)
{
	enum sw_read_status status;
	uint64_t bytes = SW_MISSING;
	struct statfs fs;

	ck_assert_int_eq(statfs("/", &fs), 0);
	sw_local_space_set("/");
	status = sw_local_space_read(&bytes);
	if (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC) {
		ck_assert_int_eq(status, SW_READ_ABSENT);
		ck_assert(sw_is_missing(bytes));
		return;
	}
	ck_assert_int_eq(status, SW_READ_OK);
	ck_assert_uint_le(bytes, fs.f_blocks * (uint64_t)fs.f_bsize);
}
END_TEST

START_TEST(no_disk)
{
	char link[] = "/tmp/check_local_space.XXXXXX";
	uint64_t bytes = 5;

	sw_local_space_set("/dev/shm");
	ck_assert_int_eq(sw_local_space_read(&bytes), SW_READ_ABSENT);
	sw_local_space_set("/nonexistent/scratch");
	ck_assert_int_eq(sw_local_space_read(&bytes), SW_READ_ABSENT);
	sw_local_space_set("/etc/passwd");
	ck_assert_int_eq(sw_local_space_read(&bytes), SW_READ_ABSENT);
	ck_assert_ptr_nonnull(mkdtemp(link));
	ck_assert_int_eq(rmdir(link), 0);
	ck_assert_int_eq(symlink("/", link), 0);
	sw_local_space_set(link);
	ck_assert_int_eq(sw_local_space_read(&bytes), SW_READ_ABSENT);
	ck_assert_int_eq(unlink(link), 0);
	ck_assert_uint_eq(bytes, 5);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("folders");

	tcase_add_test(tests, a_disk_has_room);
	tcase_add_test(tests, no_disk);
	return run_tests("local_space", tests, NULL);
}
