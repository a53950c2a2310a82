/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorder/kernel/kernfile.c and the stat line of recorder/kernel/process.c. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/kernel/kernfile.h"
#include "test/run_tests.h"

enum { VALUES = 3, UNTOUCHED = 77 };

#define ROW(text) text, sizeof(text) - 1
#define COUNT_OF(rows) ((int)(sizeof(rows) / sizeof((rows)[0])))
#define MISSING SW_MISSING
#define MAX_U64 "18446744073709551615"
#define TWO_TO_64 "18446744073709551616"

static char folder[] = "/tmp/check-kernfile-XXXXXX";
static int folder_fd = -1;

static void setup(void)
{
	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(folder_fd, 0);
}

static void teardown(void)
{
	unlinkat(folder_fd, "file", 0);
	close(folder_fd);
	rmdir(folder);
}

static struct sw_kernfile make(const char *text, size_t size)
{
	struct sw_kernfile file;
	int fd = openat(folder_fd, "file", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, size), (ssize_t)size);
	close(fd);
	ck_assert_int_eq(sw_kernfile_open(&file, folder_fd, "file"),
			 SW_READ_OK);
	return file;
}

static struct sw_kernfile make_long(const char *start, char fill, size_t size)
{
	char *text = malloc(size);
	struct sw_kernfile file;

	ck_assert_ptr_nonnull(text);
	memset(text, fill, size);
	memcpy(text, start, strlen(start));
	text[size - 1] = '\n';
	file = make(text, size);
	free(text);
	return file;
}

/* Single numbers. */

static const struct number_row {
	const char *text;
	size_t size;
	enum sw_read_status status;
	uint64_t value;
} number_rows[] = {
	{ ROW(""), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW(TWO_TO_64 "\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("99999999999999999999999\n"), SW_READ_GARBAGE, UNTOUCHED },
	/* It would be read as missing. */
	{ ROW(MAX_U64 "\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("-1\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("+1\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW(" 1\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("1 \n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("1\n\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("1\n2\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("0x10\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("1.5\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("maximum\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("max 5\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("ma\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("5\0006\n"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("\0"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("5\n\0"), SW_READ_GARBAGE, UNTOUCHED },
	{ ROW("max\n"), SW_READ_OK, MISSING },
	{ ROW("max"), SW_READ_OK, MISSING },
	{ ROW("0\n"), SW_READ_OK, 0 },
	{ ROW("42"), SW_READ_OK, 42 },
	{ ROW("18446744073709551614\n"), SW_READ_OK, UINT64_MAX - 1 },
	{ ROW("00000000000000000000000007\n"), SW_READ_OK, 7 },
};

START_TEST(number)
{
	const struct number_row *row = &number_rows[_i];
	struct sw_kernfile file = make(row->text, row->size);
	uint64_t value = UNTOUCHED;

	ck_assert_int_eq(sw_kernfile_number(&file, &value), row->status);
	ck_assert_uint_eq(value, row->value);
	sw_kernfile_close(&file);
	ck_assert_int_eq(file.fd, -1);
}
END_TEST

/* Lines of a key and a number. */

struct lines_row {
	const char *text;
	size_t size;
	enum sw_read_status status;
	uint64_t values[VALUES];	/* of "a", "bb", "a_c" */
};

static const struct sw_kernkey keys[VALUES] = {
	{ "a", 0 }, { "bb", 1 }, { "a_c", 2 },
};

/* A key before the damage has its value. */
static const struct lines_row keyed_rows[] = {
	{ ROW("a"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a \n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW(" 1\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a 1"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a max"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a maximum\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a -1\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a  1\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a\t1\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a 1 2\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a " TWO_TO_64 "\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a " MAX_U64 "\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("x what\na 1\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("x\na 1\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW("a 1\nbb 2\nx 3\0004\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	{ ROW(""), SW_READ_OK, { 77, 77, 77 } },
	{ ROW("x 1\nab 2\nbbb 3\nb 4\na_ 5\n"), SW_READ_OK, { 77, 77, 77 } },
	{ ROW("a 1\nbb 2\na_c 3\n"), SW_READ_OK, { 1, 2, 3 } },
	{ ROW("a_c 3\nx 18446744073709551614\nbb 0\n"), SW_READ_OK,
	  { 77, 0, 3 } },
	{ ROW("a max\nbb 2\n"), SW_READ_OK, { MISSING, 2, 77 } },
};

START_TEST(keyed)
{
	const struct lines_row *row = &keyed_rows[_i];
	struct sw_kernfile file = make(row->text, row->size);
	uint64_t values[VALUES] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };
	size_t i;

	ck_assert_int_eq(sw_kernfile_keyed(&file, keys, VALUES, values),
			 row->status);
	for (i = 0; i < VALUES; i++)
		ck_assert_uint_eq(values[i], row->values[i]);
	sw_kernfile_close(&file);
}
END_TEST

/* Lines of a device and pairs. */

#define NONE { MISSING, MISSING, MISSING }

static const struct lines_row nested_rows[] = {
	{ ROW("\n"), SW_READ_GARBAGE, NONE },
	{ ROW("max\n"), SW_READ_GARBAGE, NONE },
	{ ROW("a=1\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 a\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 a=\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 a=-1\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 a=1x\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 a=1,bb=2\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0  a=1\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 what a=1\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 =1\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 a=max\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 a=" TWO_TO_64 "\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 a=1\n\n8:1 a=1\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 a=1\nnoise\n"), SW_READ_GARBAGE, NONE },
	{ ROW("8:0 a=1\n8:1 a=\0001\n"), SW_READ_GARBAGE, { 77, 77, 77 } },
	/* Values of the next device are not used. */
	{ ROW("8:0 a\n8:1 a=1\n"), SW_READ_GARBAGE, NONE },
	{ ROW(""), SW_READ_OK, { 0, 0, 0 } },
	{ ROW("8:0\n"), SW_READ_OK, { 0, 0, 0 } },
	{ ROW("8:0 \n"), SW_READ_OK, { 0, 0, 0 } },
	{ ROW("8:0 a=1"), SW_READ_OK, { 1, 0, 0 } },
	{ ROW("8:0 a=1 bb=2 a_c=3\n"), SW_READ_OK, { 1, 2, 3 } },
	{ ROW("8:0 a=1 x=9 bb=2 \n253:16 a=10 a_c=5\n7:0\n"), SW_READ_OK,
	  { 11, 2, 5 } },
	{ ROW("8:0 aa=4 a_=5 b=6\n"), SW_READ_OK, { 0, 0, 0 } },
};

START_TEST(nested)
{
	const struct lines_row *row = &nested_rows[_i];
	struct sw_kernfile file = make(row->text, row->size);
	uint64_t values[VALUES] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };
	size_t i;

	ck_assert_int_eq(sw_kernfile_nested(&file, keys, VALUES, values),
			 row->status);
	for (i = 0; i < VALUES; i++)
		ck_assert_uint_eq(values[i], row->values[i]);
	sw_kernfile_close(&file);
}
END_TEST

/* Pressure. */

#define AVG "avg10=0.00 avg60=1.50 avg300=0.00"

static const struct pressure_row {
	const char *text;
	size_t size;
	enum sw_read_status status;
	uint64_t some, full;
} pressure_rows[] = {
	{ ROW(""), SW_READ_GARBAGE, 77, 77 },
	{ ROW("\n"), SW_READ_GARBAGE, MISSING, MISSING },
	{ ROW("some\n"), SW_READ_GARBAGE, MISSING, MISSING },
	{ ROW("some " AVG "\n"), SW_READ_GARBAGE, MISSING, MISSING },
	{ ROW("some " AVG " total=\n"), SW_READ_GARBAGE, MISSING, MISSING },
	{ ROW("some " AVG " total=-1\n"), SW_READ_GARBAGE, MISSING, MISSING },
	{ ROW("some " AVG " total=1 x=2\n"), SW_READ_GARBAGE, MISSING,
	  MISSING },
	{ ROW("some " AVG " total=max\n"), SW_READ_GARBAGE, MISSING, MISSING },
	{ ROW("some " AVG " total=" TWO_TO_64 "\n"), SW_READ_GARBAGE, MISSING,
	  MISSING },
	{ ROW("most " AVG " total=1\n"), SW_READ_GARBAGE, MISSING, MISSING },
	/* The total of the next line is not used for this line. */
	{ ROW("some " AVG "\nfull " AVG " total=5\n"), SW_READ_GARBAGE,
	  MISSING, MISSING },
	{ ROW("some " AVG " total=5\nfull\n"), SW_READ_GARBAGE, MISSING,
	  MISSING },
	{ ROW("some " AVG " total=5\0\n"), SW_READ_GARBAGE, 77, 77 },
	{ ROW("some " AVG " total=5\n"), SW_READ_OK, 5, 77 },
	{ ROW("some " AVG " total=5"), SW_READ_OK, 5, 77 },
	{ ROW("some " AVG " total=5\nfull " AVG " total=0\n"), SW_READ_OK,
	  5, 0 },
};

START_TEST(pressure)
{
	const struct pressure_row *row = &pressure_rows[_i];
	struct sw_kernfile file = make(row->text, row->size);
	uint64_t some = UNTOUCHED, full = UNTOUCHED;

	ck_assert_int_eq(sw_kernfile_pressure(&file, &some, &full),
			 row->status);
	ck_assert_uint_eq(some, row->some);
	ck_assert_uint_eq(full, row->full);
	sw_kernfile_close(&file);
}
END_TEST

/* A line of 70 kB is longer than any reader's buffer. */
START_TEST(long_lines)
{
	static const char *const starts[] = {
		"1", "a 1", "8:0 a=1", "some " AVG " total=1",
	};
	uint64_t values[VALUES] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };
	struct sw_kernfile file = make_long(starts[_i], '0', 70000);

	ck_assert_int_eq(sw_kernfile_number(&file, &values[0]),
			 SW_READ_GARBAGE);
	ck_assert_int_eq(sw_kernfile_keyed(&file, keys, VALUES, values),
			 SW_READ_GARBAGE);
	ck_assert_int_eq(sw_kernfile_nested(&file, keys, VALUES, values),
			 SW_READ_GARBAGE);
	ck_assert_int_eq(sw_kernfile_pressure(&file, &values[0], &values[1]),
			 SW_READ_GARBAGE);
	ck_assert_uint_eq(values[0], UNTOUCHED);
	ck_assert_uint_eq(values[1], UNTOUCHED);
	ck_assert_uint_eq(values[2], UNTOUCHED);
	sw_kernfile_close(&file);
}
END_TEST

START_TEST(exact_fit)
{
	struct sw_kernfile file = make("1234567", 7);
	char buf[8];

	ck_assert_int_eq(sw_kernfile_read(&file, buf, 7), SW_READ_GARBAGE);
	ck_assert_int_eq(sw_kernfile_read(&file, buf, 8), SW_READ_OK);
	ck_assert_str_eq(buf, "1234567");
	sw_kernfile_close(&file);
}
END_TEST

START_TEST(no_such_file)
{
	struct sw_kernfile file;
	uint64_t value = UNTOUCHED;

	ck_assert_int_eq(sw_kernfile_open(&file, folder_fd, "none"),
			 SW_READ_ABSENT);
	ck_assert_int_eq(file.fd, -1);
	ck_assert_int_eq(sw_kernfile_number(&file, &value), SW_READ_ABSENT);
	ck_assert_uint_eq(value, UNTOUCHED);
	ck_assert_int_eq(sw_kernfile_open(&file, -1, "file"), SW_READ_ABSENT);
	sw_kernfile_close(&file);
	sw_kernfile_close(&file);
}
END_TEST

/* A link could lead out of the folder; a folder has no text. */
START_TEST(no_plain_file)
{
	struct sw_kernfile file;
	char buf[8];

	ck_assert_int_eq(symlinkat("/etc/hostname", folder_fd, "file"), 0);
	ck_assert_int_ne(sw_kernfile_open(&file, folder_fd, "file"),
			 SW_READ_OK);
	ck_assert_int_eq(sw_kernfile_open(&file, folder_fd, "."), SW_READ_OK);
	ck_assert_int_ne(sw_kernfile_read(&file, buf, sizeof(buf)),
			 SW_READ_OK);
	sw_kernfile_close(&file);
}
END_TEST

/* Each read starts at the beginning. */
START_TEST(read_again)
{
	struct sw_kernfile file = make("5\n", 2);
	uint64_t value = UNTOUCHED;
	int fd = openat(folder_fd, "file", O_WRONLY | O_TRUNC);

	ck_assert_int_eq(write(fd, "123\n", 4), 4);
	close(fd);
	ck_assert_int_eq(sw_kernfile_number(&file, &value), SW_READ_OK);
	ck_assert_uint_eq(value, 123);
	ck_assert_int_eq(sw_kernfile_number(&file, &value), SW_READ_OK);
	ck_assert_uint_eq(value, 123);
	sw_kernfile_close(&file);
}
END_TEST

/* memory.numa_stat. */
struct nodes {
	size_t calls;
	uint64_t value[4][2];
};

static void take_node(void *context, uint64_t node, size_t index,
		      uint64_t value)
{
	struct nodes *nodes = context;

	nodes->calls++;
	ck_assert_uint_lt(node, 4);
	ck_assert_uint_lt(index, 2);
	nodes->value[node][index] = value;
}

static const struct nodes_row {
	const char *text;
	enum sw_read_status status;
} nodes_rows[] = {
	{ "", SW_READ_OK },
	{ "anon N0=1 N3=2\nother N0=5\nfile N0=3 N3=4\n", SW_READ_OK },
	{ "anon\n", SW_READ_GARBAGE },
	{ "anon N0=1", SW_READ_GARBAGE },
	{ "anon N0=1 \n", SW_READ_GARBAGE },
	{ "anon N0=\n", SW_READ_GARBAGE },
	{ "anon N=1\n", SW_READ_GARBAGE },
	{ "anon 0=1\n", SW_READ_GARBAGE },
	{ "anon N0 1\n", SW_READ_GARBAGE },
	{ "anon N0=99999999999999999999999\n", SW_READ_GARBAGE },
	{ " N0=1\n", SW_READ_GARBAGE },
};

START_TEST(numa_nodes)
{
	static const struct sw_kernkey numa_keys[] = {
		{ "anon", 0 }, { "file", 1 },
	};
	struct nodes nodes = { 0 };

	ck_assert_int_eq(sw_kern_parse_nodes(nodes_rows[_i].text, numa_keys, 2,
					     take_node, &nodes),
			 nodes_rows[_i].status);
	if (_i != 1)
		return;
	ck_assert_uint_eq(nodes.calls, 4);
	ck_assert_uint_eq(nodes.value[0][0], 1);
	ck_assert_uint_eq(nodes.value[3][0], 2);
	ck_assert_uint_eq(nodes.value[0][1], 3);
	ck_assert_uint_eq(nodes.value[3][1], 4);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("kernfile");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, number, 0, COUNT_OF(number_rows));
	tcase_add_loop_test(tcase, keyed, 0, COUNT_OF(keyed_rows));
	tcase_add_loop_test(tcase, nested, 0, COUNT_OF(nested_rows));
	tcase_add_loop_test(tcase, pressure, 0, COUNT_OF(pressure_rows));
	tcase_add_loop_test(tcase, long_lines, 0, 4);
	tcase_add_test(tcase, exact_fit);
	tcase_add_test(tcase, no_such_file);
	tcase_add_test(tcase, no_plain_file);
	tcase_add_test(tcase, read_again);
	tcase_add_loop_test(tcase, numa_nodes, 0, COUNT_OF(nodes_rows));
	return run_tests("kernfile", tcase, NULL);
}
