/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A node's file of the day, copied while its recorder writes it: each row that
 * existed when the copy began is in it exactly once.
 */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/sweep/gather/gather.h"
#include "analyzer/sweep/night/day_files.h"
#include "profiles/reader.h"
#include "profiles/writer.h"
#include "test/run_tests.h"

#define DAY "2026-11-22.n1.stepwell"

static const struct sw_column columns[] = {
	{ "n", "", SW_KIND_STATE, "" },
	{ "text", "", SW_KIND_TEXT, "" },
};
static const struct sw_table table = {
	.name = "step_summaries", .scope = SW_SCOPE_JOB, .source = "slurm",
	.columns = columns, .column_count = 2,
};

static char from[64], into[64], path[128];
static int from_fd;
static struct sw_writer *writer;
static struct sw_error error;
static struct sw_gathered gathered;
static int number;

static void set_up(void)
{
	strcpy(from, "/tmp/check_gather.XXXXXX");
	strcpy(into, "/tmp/check_gather.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(from));
	ck_assert_ptr_nonnull(mkdtemp(into));
	snprintf(path, sizeof(path), "%s/" DAY, into);
	from_fd = open(from, O_RDONLY | O_DIRECTORY);
	writer = sw_writer_create(from_fd, DAY, false, &error);
	ck_assert_ptr_nonnull(writer);
	number = sw_writer_table(writer, &table, &error);
	ck_assert_int_ge(number, 0);
}

static void tear_down(void)
{
	char command[256];

	sw_writer_destroy(writer);
	close(from_fd);
	snprintf(command, sizeof(command), "rm -r %s %s", from, into);
	ck_assert_int_eq(system(command), 0);
}

static void put(uint64_t n)
{
	union sw_value values[2];

	values[0].number = n;
	values[1].text = n % 3 ? "a text that is longer than a number" : NULL;
	ck_assert_int_eq(sw_writer_row(writer, number, values, n + 1), 0);
}

static void complain(void *context, const char *text)
{
	(void)context;
	ck_abort_msg("%s", text);
}

static void gather(void)
{
	const struct sw_gather what = {
		.from = from, .into = into, .complain = complain,
	};

	ck_assert_msg(sw_gather(&gathered, &what, &error) == 0, "%s",
		      error.text);
}

/* Check that the copy has consecutive rows from 0 on; returns their number. */
static uint64_t count_copied(void)
{
	struct sw_reader *reader = sw_reader_open(path, &error);
	const struct sw_reader_table *found;
	uint64_t i, count;

	ck_assert_msg(reader != NULL, "%s", error.text);
	found = sw_reader_find(reader, "step_summaries");
	count = found ? found->row_count : 0;
	for (i = 0; i < count; i++)
		ck_assert_uint_eq(found->columns[0].numbers[i], i);
	ck_assert_uint_eq(sw_reader_gap_count(reader), 0);
	sw_reader_close(reader);
	return count;
}

START_TEST(the_last_minute_is_copied)
{
	put(0);
	put(1);
	gather();
	ck_assert_uint_eq(count_copied(), 2);
	/* The file itself has not changed. */
	put(2);
	gather();
	ck_assert_uint_eq(gathered.copied, 1);
	ck_assert_uint_eq(count_copied(), 3);
	/* The block closes: rows of the tail move to the file. */
	sw_writer_flush(writer, 10);
	gather();
	ck_assert_uint_eq(count_copied(), 3);
	put(3);
	gather();
	ck_assert_uint_eq(count_copied(), 4);
	gather();
	ck_assert_uint_eq(count_copied(), 4);
}
END_TEST

START_TEST(a_finished_file_needs_none)
{
	char tail[128];

	put(0);
	gather();
	snprintf(tail, sizeof(tail), "%s/2026-11-22.n1.stepwell.tail", into);
	ck_assert_int_eq(access(tail, F_OK), 0);
	ck_assert(sw_is_day_tail("2026-11-22.n1.stepwell.tail"));
	ck_assert(!sw_is_day_tail("2026-11-22.n1.stepwell"));
	ck_assert(!sw_is_day_tail("x.tail") && !sw_is_day_tail(".tail"));
	ck_assert_int_eq(sw_writer_finish(writer, 10, &error), 0);
	gather();
	ck_assert_uint_eq(count_copied(), 1);
	ck_assert_int_ne(access(tail, F_OK), 0);
}
END_TEST

/* Leftovers of an earlier copy, of another file or of older rows. */
START_TEST(old_tails_do_no_harm)
{
	char command[512];

	put(0);
	gather();
	snprintf(command, sizeof(command), "cp %s/" DAY ".tail %s/kept", into,
		 into);
	ck_assert_int_eq(system(command), 0);
	put(1);
	sw_writer_flush(writer, 10);
	put(2);
	gather();
	snprintf(command, sizeof(command), "cp %s/kept %s/" DAY ".tail", into,
		 into);
	ck_assert_int_eq(system(command), 0);
	ck_assert_uint_eq(count_copied(), 2);
	gather();
	ck_assert_uint_eq(count_copied(), 3);
}
END_TEST

/* Copies of a file that is being written continuously. */
START_TEST(while_it_is_written)
{
	volatile uint64_t *written =
		mmap(NULL, sizeof(*written), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t before, copied = 0, i;
	pid_t pid = fork();

	ck_assert_ptr_ne((void *)(uintptr_t)written, MAP_FAILED);
	for (i = 0; pid == 0; i++) {
		put(i);
		*written = i + 1;
		if (i % 100 == 99)
			sw_writer_flush(writer, i);
	}
	while (copied < 20000) {
		before = *written;
		gather();
		if (before == 0)
			continue;
		copied = count_copied();
		ck_assert_uint_ge(copied, before);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	gather();
	ck_assert_uint_ge(count_copied(), *written);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("all");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_set_timeout(tests, 0);
	tcase_add_test(tests, the_last_minute_is_copied);
	tcase_add_test(tests, a_finished_file_needs_none);
	tcase_add_test(tests, old_tails_do_no_harm);
	tcase_add_test(tests, while_it_is_written);
	return run_tests("gather", tests, NULL);
}
