/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time waited, and hanging threads, from samples of made-up threads. */
#include <check.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "common/missing.h"
#include "common/units.h"
#include "recorder/waits/wait_tally.h"
#include "test/run_tests.h"

#define SECONDS(number) ((uint64_t)(number) * SW_USEC_PER_SEC)

static struct sw_wait_tally tally;

static void set_up(void)
{
	memset(&tally, 0, sizeof(tally));
}

/* A thread that reads from a file system, since its n-th switch. */
static uint64_t see(pid_t tid, uint32_t magic, uint32_t device,
		    uint64_t switches)
{
	return sw_wait_tally_see(&tally, &(struct sw_wait_seen){
		.sight = { .state = 'S', .syscall = SYS_read,
			   .file_mode = S_IFREG, .file_magic = magic },
		.pid = tid, .tid = tid, .fd = 3, .device = device,
		.switches = switches });
}

/* A thread in a fault: only the type of file system is known. */
static void see_fault(pid_t tid)
{
	struct sw_wait_seen seen = {
		.sight = { .state = 'S', .syscall = SW_WAIT_NO_CALL,
			   .depth = 1 },
		.pid = tid, .tid = tid, .fd = -1, .switches = 1 };

	seen.sight.function[0] = sw_wait_function("request_wait_answer");
	sw_wait_tally_see(&tally, &seen);
}

START_TEST(time_is_added_up)
{
	sw_wait_tally_begin(&tally, SECONDS(10));
	ck_assert_uint_eq(see(1, FUSE_SUPER_MAGIC, 7, 1), 0);
	sw_wait_tally_count(&tally, SW_WAIT_LOCK, 5);
	sw_wait_tally_end(&tally, 0);
	ck_assert_uint_eq(tally.io.some_usec, 0);

	sw_wait_tally_begin(&tally, SECONDS(12));
	ck_assert_uint_eq(see(1, FUSE_SUPER_MAGIC, 7, 2), SECONDS(2));
	see(2, FUSE_SUPER_MAGIC, 7, 1);
	see(3, EXT4_SUPER_MAGIC, 8, 1);
	sw_wait_tally_count(&tally, SW_WAIT_LOCK, 4);
	sw_wait_tally_end(&tally, 0);

	sw_wait_tally_begin(&tally, SECONDS(13));
	see(3, EXT4_SUPER_MAGIC, 8, 2);
	sw_wait_tally_end(&tally, 1);

	ck_assert_uint_eq(tally.count, 3);
	ck_assert_uint_eq(tally.io.thread_usec, SECONDS(7));
	ck_assert_uint_eq(tally.io.some_usec, SECONDS(3));
	ck_assert_uint_eq(tally.io.idle_usec, SECONDS(2));
	ck_assert_int_eq(tally.group[0].reason.fs, SW_FS_FUSE);
	ck_assert_uint_eq(tally.group[0].thread_usec, SECONDS(4));
	ck_assert_uint_eq(tally.group[0].some_usec, SECONDS(2));
	ck_assert_uint_eq(tally.group[0].threads, 0);
	ck_assert_int_eq(tally.group[1].reason.kind, SW_WAIT_LOCK);
	ck_assert_uint_eq(tally.group[1].thread_usec, SECONDS(8));
	ck_assert_uint_eq(tally.group[2].idle_usec, SECONDS(2));
	ck_assert_uint_eq(tally.group[2].some_usec, SECONDS(3));
	ck_assert_uint_eq(tally.group[0].access_usec[SW_ACCESS_READ],
			  SECONDS(4));
	ck_assert_uint_eq(tally.group[0].access_usec[SW_ACCESS_WRITE], 0);
}
END_TEST

START_TEST(intervals_are_counted)
{
	static const bool waits[] = { false, true, true, false, true, false };
	size_t i;

	for (i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		sw_wait_tally_begin(&tally, SECONDS(10 + i));
		if (waits[i])
			see(1, FUSE_SUPER_MAGIC, 7, i);
		sw_wait_tally_end(&tally, 0);
	}
	ck_assert_uint_eq(tally.count, 1);
	ck_assert_uint_eq(tally.group[0].intervals, 2);
	ck_assert_uint_eq(tally.group[0].some_usec, SECONDS(3));
}
END_TEST

/* Access by a call; unknown for a fault. */
START_TEST(accesses_are_told_apart)
{
	ck_assert_int_eq(sw_wait_call_access(SYS_pread64), SW_ACCESS_READ);
	ck_assert_int_eq(sw_wait_call_access(SYS_fsync), SW_ACCESS_WRITE);
	ck_assert_int_eq(sw_wait_call_access(SYS_openat), SW_ACCESS_METADATA);
	ck_assert_int_eq(sw_wait_call_access(SYS_close), SW_ACCESS_NONE);
	ck_assert_int_eq(sw_wait_call_access(SW_WAIT_NO_CALL), SW_ACCESS_NONE);
	ck_assert_str_eq(sw_wait_access_name(SW_ACCESS_METADATA), "metadata");
	ck_assert_ptr_null(sw_wait_access_name(SW_ACCESS_NONE));
}
END_TEST

START_TEST(faults_go_to_the_only_one)
{
	sw_wait_tally_begin(&tally, SECONDS(10));
	see(1, FUSE_SUPER_MAGIC, 7, 1);
	see_fault(2);
	ck_assert_uint_eq(tally.count, 1);
	ck_assert_uint_eq(tally.group[0].threads, 2);
	sw_wait_tally_end(&tally, 0);
}
END_TEST

/* Sample a thread in a call for a file of this size. */
static void see_file(uint64_t seconds, uint64_t inode, int call,
		     uint32_t magic, uint64_t bytes)
{
	sw_wait_tally_begin(&tally, SECONDS(seconds));
	sw_wait_tally_see(&tally, &(struct sw_wait_seen){
		.sight = { .state = 'S', .syscall = call,
			   .file_mode = S_IFREG, .file_magic = magic },
		.pid = 1, .tid = 1, .fd = 3, .device = 7, .inode = inode,
		.file_bytes = bytes, .switches = seconds });
	sw_wait_tally_end(&tally, 0);
}

static void check_scratch(uint64_t files, uint64_t bytes, uint64_t seconds)
{
	const struct sw_scratch_sums *sums = &tally.group[0].scratch;

	ck_assert_uint_eq(sums->files, files);
	ck_assert_uint_eq(sums->bytes, bytes);
	ck_assert_uint_eq(sums->usec, SECONDS(seconds));
}

/* Once it is read back all waits for it count, and its size as it grows. */
START_TEST(scratch_is_written_and_read_back)
{
	see_file(10, 5, SYS_write, NFS_SUPER_MAGIC, 100);
	see_file(12, 5, SYS_write, NFS_SUPER_MAGIC, 300);
	see_file(13, 6, SYS_write, NFS_SUPER_MAGIC, 1000);
	check_scratch(0, 0, 0);
	see_file(16, 5, SYS_pread64, NFS_SUPER_MAGIC, 300);
	check_scratch(1, 300, 5);
	see_file(17, 5, SYS_write, NFS_SUPER_MAGIC, 400);
	check_scratch(1, 400, 6);
	see_file(18, 6, SYS_read, NFS_SUPER_MAGIC, 1000);
	check_scratch(2, 1400, 8);
}
END_TEST

/* Input, results, local files, and waits without a known file. */
START_TEST(no_scratch)
{
	see_file(10, 5, SYS_read, NFS_SUPER_MAGIC, 100);
	see_file(11, 5, SYS_read, NFS_SUPER_MAGIC, 100);
	see_file(12, 5, SYS_write, NFS_SUPER_MAGIC, 200);
	see_file(13, 6, SYS_write, NFS_SUPER_MAGIC, 100);
	see_file(14, 6, SYS_fsync, NFS_SUPER_MAGIC, 100);
	see_file(15, 0, SYS_write, NFS_SUPER_MAGIC, 100);
	see_file(16, 0, SYS_read, NFS_SUPER_MAGIC, 100);
	check_scratch(0, 0, 0);
	see_file(17, 8, SYS_write, EXT4_SUPER_MAGIC, 100);
	see_file(18, 8, SYS_read, EXT4_SUPER_MAGIC, 100);
	ck_assert_uint_eq(tally.count, 2);
	ck_assert_uint_eq(tally.group[1].scratch.files, 0);
}
END_TEST

START_TEST(scratch_files_are_bounded)
{
	uint64_t i;

	for (i = 1; i <= SW_SCRATCH_FILES + 1; i++)
		see_file(10 + i, i, SYS_write, NFS_SUPER_MAGIC, 1);
	/* The first of them is forgotten. */
	see_file(1000, SW_SCRATCH_FILES + 1, SYS_read, NFS_SUPER_MAGIC, 1);
	see_file(1001, 1, SYS_read, NFS_SUPER_MAGIC, 1);
	ck_assert_uint_eq(tally.scratch.count, SW_SCRATCH_FILES);
	ck_assert_uint_eq(tally.group[0].scratch.files, 1);
}
END_TEST

START_TEST(groups_are_bounded)
{
	uint32_t i;

	sw_wait_tally_begin(&tally, SECONDS(10));
	for (i = 0; i < SW_WAIT_GROUPS + 3; i++)
		see((pid_t)i + 1, EXT4_SUPER_MAGIC, i + 1, 1);
	sw_wait_tally_end(&tally, 0);
	ck_assert_uint_eq(tally.count, SW_WAIT_GROUPS);
	ck_assert_uint_eq(tally.left_out, 3);
	ck_assert_uint_eq(tally.io.threads, SW_WAIT_GROUPS + 3);
}
END_TEST

/* Take a sample; the reported stall is in *stall. */
static bool look(uint64_t seconds, uint64_t switches, struct sw_stall *stall)
{
	sw_wait_tally_begin(&tally, SECONDS(seconds));
	if (switches) {
		see(1, FUSE_SUPER_MAGIC, 7, switches);
		see(2, FUSE_SUPER_MAGIC, 7, switches);
	}
	sw_wait_tally_end(&tally, 0);
	return sw_wait_tally_stall(&tally, stall);
}

START_TEST(who_hangs_is_told_of_once)
{
	struct sw_stall stall;
	uint64_t now;

	/* Reads that end and restart are no stall, however many. */
	for (now = 0; now < 100; now++)
		ck_assert(!look(now, now + 1, &stall));
	/* A read that does not end, first seen at 100. */
	for (; now < 100 + SW_STALL_SECONDS; now++)
		ck_assert(!look(now, 500, &stall));
	ck_assert(look(now, 500, &stall));
	ck_assert_int_eq(stall.waiter.tid, 1);
	ck_assert_int_eq(stall.waiter.fd, 3);
	ck_assert_uint_eq(stall.usec, SECONDS(SW_STALL_SECONDS));
	ck_assert(!stall.is_over);
	/* Not reported again, nor for another one hanging there. */
	ck_assert(!sw_wait_tally_stall(&tally, &stall));
	for (now++; now < 200; now++)
		ck_assert(!look(now, 500, &stall));
	/* It has ended: reported with its duration. */
	ck_assert(look(now, 501, &stall));
	ck_assert(stall.is_over);
	ck_assert_uint_eq(stall.usec, SECONDS(99));
	ck_assert(!sw_wait_tally_stall(&tally, &stall));
	/* A later stall there is reported again. */
	for (now++; now < 231; now++)
		ck_assert_msg(!look(now, 502, &stall), "at %d", (int)now);
	ck_assert(look(now, 502, &stall));
	ck_assert(!stall.is_over);
}
END_TEST

START_TEST(unknown_switches_are_no_stall)
{
	struct sw_stall stall;
	uint64_t now;

	for (now = 0; now < 100; now++)
		ck_assert(!look(now, SW_MISSING, &stall));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("looks");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, time_is_added_up);
	tcase_add_test(tcase, intervals_are_counted);
	tcase_add_test(tcase, accesses_are_told_apart);
	tcase_add_test(tcase, faults_go_to_the_only_one);
	tcase_add_test(tcase, scratch_is_written_and_read_back);
	tcase_add_test(tcase, no_scratch);
	tcase_add_test(tcase, scratch_files_are_bounded);
	tcase_add_test(tcase, groups_are_bounded);
	tcase_add_test(tcase, who_hangs_is_told_of_once);
	tcase_add_test(tcase, unknown_switches_are_no_stall);
	return run_tests("wait_tally", tcase, NULL);
}
