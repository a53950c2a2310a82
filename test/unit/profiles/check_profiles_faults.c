/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A writer on a failing file system: interrupted and short writes, a full disk,
 * a file size limit, no room for a tail, no atomic rename.  The system calls
 * are wrapped by the linker (-Wl,--wrap).
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "profiles_rows.h"
#include "test/run_tests.h"

enum { ROWS_MAX = 300000 };

ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t offset);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t offset);
int __real_fallocate(int fd, int mode, off_t offset, off_t length);
int __wrap_fallocate(int fd, int mode, off_t offset, off_t length);
int __real_ftruncate(int fd, off_t length);
int __wrap_ftruncate(int fd, off_t length);
int __real_renameat2(int from, const char *old, int to, const char *new,
		     unsigned int flags);
int __wrap_renameat2(int from, const char *old, int to, const char *new,
		     unsigned int flags);

/* Faults of the wrapped calls; all zero for none. */
static struct {
	uint64_t calls;
	bool is_short;		/* one to seven bytes a call */
	bool is_interrupted;	/* every other call */
	int write_errno;
	size_t write_room;	/* bytes until write_errno */
	int fallocate_errno;
	int ftruncate_errno;
	int rename_errno;
} fault;

static struct kit kit;
static bool seen[ROWS_MAX];

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	fault.calls++;
	if (fault.is_interrupted && fault.calls % 2) {
		errno = EINTR;
		return -1;
	}
	if (fault.is_short && size > 7)
		size = 1 + fault.calls % 7;
	if (fault.write_errno) {
		if (fault.write_room == 0) {
			errno = fault.write_errno;
			return -1;
		}
		if (size > fault.write_room)
			size = fault.write_room;
		fault.write_room -= size;
	}
	return __real_pwrite(fd, bytes, size, offset);
}

int __wrap_fallocate(int fd, int mode, off_t offset, off_t length)
{
	errno = fault.fallocate_errno;
	return errno ? -1 : __real_fallocate(fd, mode, offset, length);
}

int __wrap_ftruncate(int fd, off_t length)
{
	errno = fault.ftruncate_errno;
	return errno ? -1 : __real_ftruncate(fd, length);
}

int __wrap_renameat2(int from, const char *old, int to, const char *new,
		     unsigned int flags)
{
	errno = fault.rename_errno;
	return errno ? -1 : __real_renameat2(from, old, to, new, flags);
}

static void setup(void)
{
	kit_init(&kit);
	memset(&fault, 0, sizeof(fault));
}

static void teardown(void)
{
	memset(&fault, 0, sizeof(fault));
	kit_fini(&kit);
}

static struct sw_reader *open_profile(const char *name)
{
	struct sw_error error = { "" };
	struct sw_reader *reader = sw_reader_open(kit_file(&kit, name), &error);

	ck_assert_msg(reader, "%s", error.text);
	return reader;
}

/* Exactly the accepted rows are read. */
static void check_whole(uint64_t rows)
{
	struct sw_reader *reader = open_profile("one");

	ck_assert_uint_eq(kit_check(reader, seen, ROWS_MAX), rows);
	ck_assert_uint_eq(sw_reader_health(reader)->frames_damaged, 0);
	ck_assert_uint_eq(sw_reader_health(reader)->frames_missing, 0);
	sw_reader_close(reader);
}

START_TEST(test_short_and_interrupted)
{
	struct sw_writer *writer;

	fault.is_short = true;
	fault.is_interrupted = true;
	writer = kit_create(&kit, "one");
	for (uint64_t i = 0; i < 2000; i++)
		ck_assert_int_eq(kit_row(&kit, writer, i, i * 200000), 0);
	ck_assert_int_eq(sw_writer_finish(writer, 1, NULL), 0);
	sw_writer_destroy(writer);
	ck_assert_uint_gt(fault.calls, 1000);
	check_whole(2000);
}
END_TEST

static const int write_errors[] = { ENOSPC, EIO, EDQUOT };

/* The disk fills up in the middle of a frame, and has room again later. */
START_TEST(test_full_for_a_while)
{
	struct sw_writer *writer = kit_create(&kit, "one");
	struct sw_writer_stats stats;
	uint64_t i = 0;

	for (; i < 1000; i++)
		ck_assert_int_eq(kit_row(&kit, writer, i, i * 200000), 0);
	fault.write_errno = write_errors[_i];
	fault.write_room = 700;
	/* The partial frame must be ignored even if truncation fails. */
	fault.ftruncate_errno = _i == 1 ? EIO : 0;
	for (; i < 2000; i++)
		ck_assert_int_eq(kit_row(&kit, writer, i, i * 200000), 0);
	check_whole(2000);
	fault.write_errno = 0;
	fault.ftruncate_errno = 0;
	for (; i < 3000; i++)
		ck_assert_int_eq(kit_row(&kit, writer, i, i * 200000), 0);
	sw_writer_stats(writer, &stats);
	ck_assert_uint_eq(stats.rows_dropped, 0);
	ck_assert_int_eq(sw_writer_finish(writer, 1, NULL), 0);
	sw_writer_destroy(writer);
	check_whole(3000);
}
END_TEST

/* It stays full: series are dropped first, events have a reserve; counted. */
START_TEST(test_full_for_good)
{
	struct sw_writer *writer = kit_create(&kit, "one");
	uint64_t first[2] = { SW_MISSING, SW_MISSING }, dropped = 0;
	struct sw_writer_stats stats;
	struct sw_error error = { "" };
	struct sw_reader *reader;
	static bool is_dropped[ROWS_MAX];

	fault.write_errno = ENOSPC;
	for (uint64_t i = 0; i < 40000; i++) {
		is_dropped[i] = kit_row(&kit, writer, i, i * 1000) < 0;
		if (!is_dropped[i])
			continue;
		kit_require(errno == ENOSPC);
		dropped++;
		if (sw_is_missing(first[i % 2]))
			first[i % 2] = i;
	}
	kit_require(dropped > 0);
	/* The first event is lost long after the first series row. */
	kit_require(first[1] > first[0] + 2000);
	sw_writer_stats(writer, &stats);
	kit_require(stats.rows_dropped == dropped);
	kit_require(stats.first_drop_usec == first[0] * 1000);
	kit_require(stats.rows_written == 40000 - dropped);
	kit_require(sw_writer_finish(writer, 1, &error) == -1);
	kit_require(errno == ENOSPC);
	kit_require(strstr(error.text, "one.part"));
	sw_writer_destroy(writer);
	reader = open_profile("one");
	kit_require(kit_check(reader, seen, ROWS_MAX) == 40000 - dropped);
	kit_require(sw_reader_health(reader)->rows_dropped == dropped);
	for (uint64_t i = 0; i < 40000; i++)
		kit_require(seen[i] == !is_dropped[i]);
	sw_reader_close(reader);
}
END_TEST

/* With every amount of remaining disk space. */
START_TEST(test_full_at_every_byte)
{
	for (size_t room = 0; room < 3000; room += 13) {
		struct sw_writer *writer = kit_create(&kit, "one");

		fault.write_errno = ENOSPC;
		fault.write_room = room;
		for (uint64_t i = 0; i < 60; i++)
			kit_require(kit_row(&kit, writer, i, i * 3000000) == 0);
		check_whole(60);
		fault.write_errno = 0;
		kit_require(sw_writer_finish(writer, 1, NULL) == 0);
		sw_writer_destroy(writer);
		check_whole(60);
		kit_require(remove(kit_file(&kit, "one")) == 0);
	}
}
END_TEST

/* A table defined when the disk is already full. */
START_TEST(test_full_before_a_table)
{
	struct sw_writer *writer = kit_create(&kit, "one");
	struct sw_reader *reader;
	struct rows_kit rows;

	fault.write_errno = ENOSPC;
	rows_define(&rows, writer);
	for (uint64_t tick = 0; tick < 200; tick++)
		rows_write(&rows, writer, tick);
	for (int i = 0; i < 2; i++) {
		reader = open_profile("one");
		rows_check(reader, 200);
		ck_assert_uint_eq(sw_reader_health(reader)->frames_damaged, 0);
		sw_reader_close(reader);
		fault.write_errno = 0;
		ck_assert_int_eq(sw_writer_flush(writer, 1), 0);
	}
	sw_writer_destroy(writer);
}
END_TEST

START_TEST(test_no_room_for_header)
{
	struct sw_error error = { "" };

	fault.write_errno = ENOSPC;
	fault.write_room = 10;
	ck_assert_ptr_null(sw_writer_create(kit.dirfd, "one", false, &error));
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_ptr_nonnull(strstr(error.text, "one.part"));
	ck_assert_int_ne(faccessat(kit.dirfd, "one.part", F_OK, 0), 0);
	ck_assert_int_ne(faccessat(kit.dirfd, "one.tail", F_OK, 0), 0);
}
END_TEST

/* No blocks for a tail: no SIGBUS later, but open rows are not kept. */
START_TEST(test_no_tail)
{
	struct sw_writer_stats stats;
	struct sw_writer *writer;

	fault.fallocate_errno = ENOSPC;
	writer = kit_create(&kit, "one");
	sw_writer_stats(writer, &stats);
	ck_assert(!stats.has_tail);
	ck_assert_int_ne(faccessat(kit.dirfd, "one.tail", F_OK, 0), 0);
	for (uint64_t i = 0; i < 100; i++)
		ck_assert_int_eq(kit_row(&kit, writer, i, i), 0);
	check_whole(0);
	ck_assert_int_eq(sw_writer_finish(writer, 1, NULL), 0);
	sw_writer_destroy(writer);
	check_whole(100);
}
END_TEST

/* On a file system without fallocate the tail is written out. */
START_TEST(test_tail_without_fallocate)
{
	struct sw_writer_stats stats;
	struct sw_writer *writer;

	fault.fallocate_errno = EOPNOTSUPP;
	writer = kit_create(&kit, "one");
	sw_writer_stats(writer, &stats);
	ck_assert(stats.has_tail);
	for (uint64_t i = 0; i < 100; i++)
		ck_assert_int_eq(kit_row(&kit, writer, i, i), 0);
	check_whole(100);
	sw_writer_destroy(writer);
	check_whole(100);
}
END_TEST

START_TEST(test_rename_without_flags)
{
	struct sw_writer *writer = kit_create(&kit, "one");
	struct sw_error error = { "" };

	fault.rename_errno = EINVAL;
	ck_assert_int_eq(sw_writer_finish(writer, 1, NULL), 0);
	sw_writer_destroy(writer);
	ck_assert_int_ne(faccessat(kit.dirfd, "one.part", F_OK, 0), 0);
	ck_assert_int_eq(faccessat(kit.dirfd, "one", F_OK, 0), 0);
	writer = kit_create(&kit, "two");
	kit_store(&kit, "two", (struct sw_bytes){ (const uint8_t *)"x", 1 });
	ck_assert_int_eq(sw_writer_finish(writer, 1, &error), -1);
	ck_assert_int_eq(errno, EEXIST);
	sw_writer_destroy(writer);
}
END_TEST

/* Beyond RLIMIT_FSIZE a write raises SIGXFSZ, which would kill the process. */
START_TEST(test_file_size_limit)
{
	struct rlimit before, limit;
	struct sw_writer_stats stats;
	struct sw_writer *writer;
	uint64_t i;

	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 1060000;
	writer = kit_create(&kit, "one");
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (i = 0; i < ROWS_MAX; i++)
		if (kit_row(&kit, writer, i, i * 1000) < 0)
			break;
	/* The test's own messages go to a file as well. */
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
	ck_assert_uint_lt(i, ROWS_MAX);
	sw_writer_stats(writer, &stats);
	ck_assert_uint_le(stats.bytes_written, 1060000);
	sw_writer_destroy(writer);
	check_whole(stats.rows_written);
}
END_TEST

START_TEST(test_file_size_limit_below_tail)
{
	struct rlimit before, limit;
	struct sw_writer_stats stats;
	struct sw_writer *writer;

	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 100000;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	writer = kit_create(&kit, "one");
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
	sw_writer_stats(writer, &stats);
	ck_assert(!stats.has_tail);
	sw_writer_destroy(writer);
}
END_TEST

/* Series are held: only even serials are dropped and counted. */
START_TEST(test_series_held)
{
	struct sw_writer *writer = kit_create(&kit, "one");
	struct sw_writer_stats stats;

	for (uint64_t i = 0; i < 100; i++) {
		if (i == 50)
			sw_writer_hold_series(writer);
		ck_assert_int_eq(kit_row(&kit, writer, i, i * 1000),
				 i < 50 || i % 2 ? 0 : -1);
	}
	sw_writer_stats(writer, &stats);
	ck_assert_uint_eq(stats.rows_written, 75);
	ck_assert_uint_eq(stats.rows_dropped, 25);
	/* Dropped rows do not close the block. */
	ck_assert_uint_eq(stats.first_drop_usec, 50000);
	sw_writer_destroy(writer);
	check_whole(75);
}
END_TEST

/* A real small disk, if the test may mount one. */
START_TEST(test_small_disk)
{
	uint64_t written = 0;
	struct sw_writer *writer;
	struct sw_writer_stats stats;
	int outside = kit.dirfd;

	if (mount("none", kit.path, "tmpfs", 0, "size=1200k") < 0) {
		fprintf(stderr, "no small disk here: %s\n", strerror(errno));
		return;
	}
	kit.dirfd = open(kit.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(kit.dirfd, 0);
	writer = kit_create(&kit, "one");
	for (uint64_t i = 0; i < ROWS_MAX; i++)
		written += kit_row(&kit, writer, i, i * 1000) == 0;
	sw_writer_stats(writer, &stats);
	ck_assert(stats.has_tail);
	ck_assert_uint_eq(stats.rows_written, written);
	ck_assert_uint_gt(stats.rows_dropped, 0);
	sw_writer_destroy(writer);
	check_whole(written);
	close(kit.dirfd);
	kit.dirfd = outside;
	ck_assert_int_eq(umount(kit.path), 0);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("faults");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, test_short_and_interrupted);
	tcase_add_test(tcase, test_series_held);
	tcase_add_loop_test(tcase, test_full_for_a_while, 0, 3);
	tcase_add_test(tcase, test_full_for_good);
	tcase_add_test(tcase, test_full_at_every_byte);
	tcase_add_test(tcase, test_full_before_a_table);
	tcase_add_test(tcase, test_no_room_for_header);
	tcase_add_test(tcase, test_no_tail);
	tcase_add_test(tcase, test_tail_without_fallocate);
	tcase_add_test(tcase, test_rename_without_flags);
	tcase_add_test(tcase, test_file_size_limit);
	tcase_add_test(tcase, test_file_size_limit_below_tail);
	tcase_add_test(tcase, test_small_disk);
	return run_tests("profiles_faults", tcase, NULL);
}
