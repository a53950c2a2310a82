/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel files of any length line by line, and counters that wrap between two
 * reads.
 */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/kernel/kernlines.h"
#include "recorder/sources/reading.h"
#include "test/run_tests.h"

static char folder[] = "/tmp/check-kernlines-XXXXXX";

static void make_folder(void)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void put(const char *name, const void *text, size_t size)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(text, 1, size, file), size);
	fclose(file);
}

static void begin(struct sw_kernlines *lines, struct sw_kernfile *file,
		  const void *text, size_t size)
{
	char path[256];

	make_folder();
	put("lines", text, size);
	snprintf(path, sizeof(path), "%s/lines", folder);
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(file->fd, 0);
	unlink(path);
	rmdir(folder);
	sw_kernlines_begin(lines, file);
}

static void expect(struct sw_kernlines *lines, const char *text)
{
	char *line;

	ck_assert_int_eq(sw_kernlines_next(lines, &line), SW_READ_OK);
	if (text)
		ck_assert_str_eq(line, text);
	else
		ck_assert_ptr_null(line);
}

START_TEST(short_lines)
{
	struct sw_kernlines lines;
	struct sw_kernfile file;

	begin(&lines, &file, "one\n\n three", 11);
	expect(&lines, "one");
	expect(&lines, "");
	expect(&lines, " three");
	expect(&lines, NULL);
	expect(&lines, NULL);
	sw_kernlines_begin(&lines, &file);
	expect(&lines, "one");
	sw_kernfile_close(&file);
}
END_TEST

/* Lengths around the buffer size, with a line before and after. */
START_TEST(long_line)
{
	size_t size = SW_KERNLINES_SIZE - 4 + (size_t)_i, kept;
	char *text = malloc(size + 16), *line;
	struct sw_kernlines lines;
	struct sw_kernfile file;

	ck_assert_ptr_nonnull(text);
	memcpy(text, "before\n", 7);
	memset(text + 7, 'x', size);
	memcpy(text + 7 + size, "\nbehind\n", 8);
	begin(&lines, &file, text, size + 15);
	expect(&lines, "before");
	ck_assert_int_eq(sw_kernlines_next(&lines, &line), SW_READ_OK);
	kept = size < SW_KERNLINES_SIZE - 1 ? size : SW_KERNLINES_SIZE - 1;
	ck_assert_uint_eq(strlen(line), kept);
	ck_assert_uint_eq(strspn(line, "x"), kept);
	expect(&lines, "behind");
	expect(&lines, NULL);
	sw_kernfile_close(&file);
	free(text);
}
END_TEST

/* The rest of a line several times as long is not returned as a line. */
START_TEST(very_long_line)
{
	static char text[5 * SW_KERNLINES_SIZE];
	struct sw_kernlines lines;
	struct sw_kernfile file;
	char *line;

	memset(text, 'x', sizeof(text));
	memcpy(text + sizeof(text) - 5, "\nend\n", 5);
	begin(&lines, &file, text, sizeof(text));
	ck_assert_int_eq(sw_kernlines_next(&lines, &line), SW_READ_OK);
	ck_assert_uint_eq(strlen(line), SW_KERNLINES_SIZE - 1);
	expect(&lines, "end");
	expect(&lines, NULL);
	sw_kernfile_close(&file);
}
END_TEST

START_TEST(no_lines)
{
	struct sw_kernfile closed = { .fd = -1 };
	struct sw_kernlines lines;
	struct sw_kernfile file;
	char *line;

	begin(&lines, &file, "", 0);
	expect(&lines, NULL);
	sw_kernfile_close(&file);
	begin(&lines, &file, "a\0b\n", 4);
	ck_assert_int_eq(sw_kernlines_next(&lines, &line), SW_READ_GARBAGE);
	sw_kernfile_close(&file);
	sw_kernlines_begin(&lines, &closed);
	ck_assert_int_eq(sw_kernlines_next(&lines, &line), SW_READ_ABSENT);
}
END_TEST

START_TEST(numbers)
{
	const char *text = " 12\t 7 x", *p = text;
	uint64_t values[2];

	ck_assert_int_eq(sw_kern_next_u64s(&p, values, 2), 0);
	ck_assert_uint_eq(values[0], 12);
	ck_assert_uint_eq(values[1], 7);
	ck_assert_int_eq(sw_kern_next_u64(&p, values), -1);
}
END_TEST

/* A zone of RAPL with a range of 1,000 microjoules. */
static uint64_t read_energy(struct sw_reading *reading,
			    const struct sw_target *target, const char *now)
{
	put("class/powercap/intel-rapl:0/energy_uj", now, strlen(now));
	ck_assert_int_eq(sw_reading_take(reading, target), SW_READ_OK);
	ck_assert_uint_eq(reading->rows.count, 1);
	return sw_rows_values(&reading->rows, 0)[0];
}

START_TEST(energy_wraps)
{
	struct sw_target target = { .cgroup_fd = -1, .proc_fd = -1 };
	void *memory = calloc(1, sw_reading_bytes(&sw_src_energy));
	struct sw_reading reading;
	char command[128];

	make_folder();
	snprintf(command, sizeof(command),
		 "mkdir -p %s/class/powercap/intel-rapl:0", folder);
	ck_assert_int_eq(system(command), 0);
	put("class/powercap/intel-rapl:0/name", "package-0\n", 10);
	put("class/powercap/intel-rapl:0/max_energy_range_uj", "1000\n", 5);
	put("class/powercap/intel-rapl:0/energy_uj", "900\n", 4);
	target.sys_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	sw_reading_init(&reading, &sw_src_energy, memory);
	ck_assert_int_eq(sw_reading_open(&reading, &target), SW_READ_OK);
	ck_assert_uint_eq(read_energy(&reading, &target, "900\n"), 900);
	ck_assert_uint_eq(read_energy(&reading, &target, "950\n"), 950);
	ck_assert_uint_eq(read_energy(&reading, &target, "30\n"), 1030);
	ck_assert_uint_eq(read_energy(&reading, &target, "40\n"), 1040);
	ck_assert_uint_eq(read_energy(&reading, &target, "0\n"), 2000);
	sw_reading_close(&reading);
	close(target.sys_fd);
	free(memory);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("kernlines");

	tcase_add_test(tcase, short_lines);
	tcase_add_loop_test(tcase, long_line, 0, 8);
	tcase_add_test(tcase, very_long_line);
	tcase_add_test(tcase, no_lines);
	tcase_add_test(tcase, numbers);
	tcase_add_test(tcase, energy_wraps);
	return run_tests("kernlines", tcase, NULL);
}
