/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are no profiles, and stored profiles of every version. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profiles_rows.h"
#include "test/run_tests.h"

enum { GOLDEN_ROWS = 40 };

static struct kit kit;

static void setup(void)
{
	kit_init(&kit);
}

static void teardown(void)
{
	kit_fini(&kit);
}

static void refuse(const char *path, int code, const char *words)
{
	struct sw_error error = { "" };

	errno = 0;
	ck_assert_ptr_null(sw_reader_open(path, &error));
	ck_assert_int_eq(errno, code);
	ck_assert_msg(strstr(error.text, words), "%s", error.text);
	/* A single line that names the file. */
	ck_assert_ptr_null(strchr(error.text, '\n'));
	ck_assert_ptr_nonnull(strstr(error.text, path));
}

static void store_text(const char *name, const char *text)
{
	kit_store(&kit, name,
		  (struct sw_bytes){ (const uint8_t *)text, strlen(text) });
}

/* Write a header frame of any version, with a good sum. */
static void store_version(const char *name, uint16_t major, uint16_t minor)
{
	uint8_t frame[SW_FRAME_HEAD_SIZE + SW_HEADER_FIXED_SIZE] = { 0 };
	uint8_t *fixed = frame + SW_FRAME_HEAD_SIZE;

	sw_put_u32(frame, SW_FRAME_MAGIC);
	sw_put_u16(frame + 4, SW_FRAME_HEADER);
	sw_put_u32(frame + 8, SW_HEADER_FIXED_SIZE);
	sw_put_u16(fixed, major);
	sw_put_u16(fixed + 2, minor);
	sw_put_u64(frame + 16,
		   sw_layout_checksum(0, frame, SW_FRAME_CHECKED_SIZE, fixed,
				      SW_HEADER_FIXED_SIZE));
	kit_store(&kit, name, (struct sw_bytes){ frame, sizeof(frame) });
}

static const struct sw_reader_want all = { 0 };
static const struct sw_reader_want few = { .values_max_bytes = 30000 };

START_TEST(test_no_profile)
{
	store_text("empty", "");
	store_text("text", "#!/bin/sh\necho hello\n");
	store_text("short", "SW");
	store_text("cut", "SWF1\1");
	refuse(kit_file(&kit, "empty"), EINVAL, "is empty");
	refuse(kit_file(&kit, "text"), EINVAL, "is not a stepwell profile");
	refuse(kit_file(&kit, "short"), EINVAL, "is not a stepwell profile");
	refuse(kit_file(&kit, "cut"), EINVAL, "damaged");
	refuse(kit_file(&kit, "absent"), ENOENT, "No such file");
	refuse(kit_file(&kit, "absent.part"), ENOENT, "No such file");
	refuse(kit.path, EISDIR, "folder");
	refuse("/dev/null", EINVAL, "not a regular file");
	ck_assert_int_eq(mkfifoat(kit.dirfd, "pipe", 0600), 0);
	refuse(kit_file(&kit, "pipe"), EINVAL, "not a regular file");
}
END_TEST

START_TEST(test_version)
{
	struct sw_reader *reader;

	store_version("later", 2, 0);
	refuse(kit_file(&kit, "later"), ENOTSUP, "version 2");
	store_version("minor", 1, 9);
	reader = sw_reader_open(kit_file(&kit, "minor"), NULL);
	ck_assert_ptr_nonnull(reader);
	ck_assert_uint_eq(sw_reader_table_count(reader), 0);
	sw_reader_close(reader);
}
END_TEST

START_TEST(test_no_permission)
{
	store_version("secret", 1, 0);
	ck_assert_int_eq(fchmodat(kit.dirfd, "secret", 0, 0), 0);
	if (geteuid() == 0) {
		ck_assert_int_eq(chmod(kit.path, 0711), 0);
		ck_assert_int_eq(seteuid(65534), 0);
	}
	refuse(kit_file(&kit, "secret"), EACCES, "Permission denied");
	ck_assert_int_eq(seteuid(getuid()), 0);
}
END_TEST

START_TEST(test_too_large)
{
	int fd = openat(kit.dirfd, "large", O_WRONLY | O_CREAT | O_CLOEXEC,
			0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, ((off_t)1 << 31) + 1), 0);
	close(fd);
	refuse(kit_file(&kit, "large"), EFBIG, "2 GiB");
}
END_TEST

/* Frames of types and flags that a later minor version may add. */
START_TEST(test_unknown_frames)
{
	struct sw_writer *writer = kit_create(&kit, "one");
	static bool seen[100];
	struct sw_bytes file;
	struct sw_reader *reader;
	uint8_t *bytes;
	uint64_t id;

	for (uint64_t i = 0; i < 100; i++)
		kit_row(&kit, writer, i, i);
	ck_assert_int_eq(sw_writer_finish(writer, 1, NULL), 0);
	sw_writer_destroy(writer);
	file = kit_load(&kit, "one");
	bytes = (uint8_t *)(uintptr_t)file.at;
	id = sw_get_u64(bytes + SW_FRAME_HEAD_SIZE + 8);
	/* Change the end frame to an unknown type. */
	bytes += file.size - SW_FRAME_HEAD_SIZE - SW_END_FIXED_SIZE;
	ck_assert_uint_eq(sw_get_u16(bytes + 4), SW_FRAME_END);
	sw_put_u16(bytes + 4, 999);
	sw_put_u64(bytes + 16,
		   sw_layout_checksum(id, bytes, SW_FRAME_CHECKED_SIZE,
				      bytes + SW_FRAME_HEAD_SIZE,
				      SW_END_FIXED_SIZE));
	reader = sw_reader_parse(file, (struct sw_bytes){ 0 }, &all, NULL);
	ck_assert_ptr_nonnull(reader);
	ck_assert_uint_eq(kit_check(reader, seen, 100), 100);
	ck_assert_uint_eq(sw_reader_health(reader)->frames_unknown, 1);
	ck_assert_uint_eq(sw_reader_health(reader)->frames_damaged, 0);
	ck_assert(!sw_reader_health(reader)->is_finished);
	sw_reader_close(reader);
	kit_free(file);
}
END_TEST

/* More values than a reader may hold: refused without trying. */
START_TEST(test_values_are_bounded)
{
	struct sw_writer *writer = kit_create(&kit, "one");
	struct sw_error error = { "" };
	struct sw_bytes file;

	for (uint64_t i = 0; i < 1000; i++)
		kit_row(&kit, writer, i, i);
	ck_assert_int_eq(sw_writer_finish(writer, 1, NULL), 0);
	sw_writer_destroy(writer);
	file = kit_load(&kit, "one");
	ck_assert_ptr_null(sw_reader_parse(file, (struct sw_bytes){ 0 }, &few,
					   &error));
	ck_assert_int_eq(errno, EFBIG);
	ck_assert_uint_gt(strlen(error.text), 0);
	kit_free(file);
}
END_TEST

static const char *golden_path(const char *name)
{
	const char *top = getenv("abs_top_srcdir");
	static char path[512];

	snprintf(path, sizeof(path), "%s/test/fixtures/profiles/%s",
		 top ? top : ".", name);
	return path;
}

static void check_dump(const struct sw_reader *reader, const char *name)
{
	static char wanted[64 * 1024];
	FILE *file = fopen(golden_path(name), "re");
	char *got = kit_dump(reader);

	ck_assert_ptr_nonnull(file);
	wanted[fread(wanted, 1, sizeof(wanted) - 1, file)] = '\0';
	fclose(file);
	ck_assert_str_eq(got, wanted);
	free(got);
}

static void check_golden(const char *name, const char *dump, bool is_finished)
{
	struct sw_error error = { "" };
	static bool seen[GOLDEN_ROWS];
	struct sw_reader *reader;

	reader = sw_reader_open(golden_path(name), &error);
	ck_assert_msg(reader, "%s", error.text);
	check_dump(reader, dump);
	ck_assert_uint_eq(kit_check(reader, seen, GOLDEN_ROWS), GOLDEN_ROWS);
	ck_assert_int_eq(sw_reader_health(reader)->is_finished, is_finished);
	ck_assert_int_eq(sw_reader_health(reader)->is_from_tail, !is_finished);
	ck_assert_uint_eq(sw_reader_health(reader)->frames_damaged, 0);
	sw_reader_close(reader);
}

/* With realistic rows, for the first 60 ticks. */
START_TEST(test_golden_v1_1)
{
	struct sw_reader *reader;

	check_golden("v1.1.stepwell", "v1.1.dump", true);
	check_golden("v1.1-killed.stepwell", "v1.1-killed.dump", false);
	reader = sw_reader_open(golden_path("v1.1.stepwell"), NULL);
	rows_check(reader, 60);
	sw_reader_close(reader);
}
END_TEST

/* Parse a line such as "0af  0d 00 00  what"; returns 0 for any other. */
static size_t parse_hex(const char *line, uint8_t *bytes)
{
	static const char digits[] = "0123456789abcdef";
	size_t count = 0;

	if (strspn(line, digits) != 3 || strncmp(line + 3, "  ", 2) != 0)
		return 0;
	for (line += 3;; line += 2) {
		size_t spaces = strspn(line, " ");

		line += spaces;
		if (spaces < 1 || spaces > 2 || strspn(line, digits) != 2 ||
		    !strchr(" \n", line[2]))
			return count;
		bytes[count++] = (uint8_t)strtoul(line, NULL, 16);
	}
}

/* The worked example of FORMAT.md is a valid profile. */
START_TEST(test_example_in_format)
{
	const char *top = getenv("abs_top_srcdir");
	const struct sw_reader_table *table;
	struct sw_reader *reader;
	uint8_t bytes[1024];
	char line[512];
	size_t size = 0;
	FILE *file;

	snprintf(line, sizeof(line), "%s/profiles/FORMAT.md", top ? top : ".");
	file = fopen(line, "re");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file))
		size += parse_hex(line, bytes + size);
	fclose(file);
	ck_assert_uint_eq(size, 267);
	reader = sw_reader_parse((struct sw_bytes){ bytes, size },
				 (struct sw_bytes){ 0 }, &all, NULL);
	ck_assert_ptr_nonnull(reader);
	ck_assert(sw_reader_health(reader)->is_finished);
	ck_assert_uint_eq(sw_reader_health(reader)->frames_read, 4);
	table = sw_reader_find(reader, "t");
	ck_assert_ptr_nonnull(table);
	ck_assert_uint_eq(table->row_count, 4);
	ck_assert_uint_eq(table->columns[0].numbers[3], 8000000);
	ck_assert_uint_eq(table->columns[1].numbers[2], 110);
	sw_reader_close(reader);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("open");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, test_no_profile);
	tcase_add_test(tcase, test_version);
	tcase_add_test(tcase, test_no_permission);
	tcase_add_test(tcase, test_too_large);
	tcase_add_test(tcase, test_unknown_frames);
	tcase_add_test(tcase, test_values_are_bounded);
	tcase_add_test(tcase, test_golden_v1_1);
	tcase_add_test(tcase, test_example_in_format);
	return run_tests("profiles_open", tcase, NULL);
}
