/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources of the node: one read for all steps; blocking ones in a helper
 * process.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/processes/helpers.h"
#include "recorder/sources/shared.h"
#include "recorder/tables/self.h"
#include "test/run_tests.h"

/* Control and counters of the fakes, shared by both processes. */
static struct {
	atomic_uint opens, reads, good_reads, closes;
	atomic_uint reader_pid;
	atomic_bool is_hanging, is_dying, is_missing, has_terminal_open;
} *fake;

static const struct sw_column columns[] = {
	{ "number", "count", SW_KIND_COUNTER, "Reads so far." },
};

static enum sw_read_status open_fake(void *state,
				     const struct sw_target *target)
{
	(void)state;
	ck_assert_int_eq(target->cgroup_fd, -1);
	fake->opens++;
	return fake->is_missing ? SW_READ_ABSENT : SW_READ_OK;
}

static enum sw_read_status read_fake(void *state,
				     const struct sw_target *target,
				     struct sw_rows *rows)
{
	unsigned i, reads = ++fake->reads;
	uint64_t *values;

	(void)state;
	(void)target;
	fake->reader_pid = (unsigned)getpid();
	if (isatty(0) || fcntl(7, F_GETFD) >= 0)
		fake->has_terminal_open = true;
	if (fake->is_dying)
		_exit(3);
	while (fake->is_hanging)
		pause();
	for (i = 0; i < 4; i++) {
		values = sw_rows_add(rows, i == 3 ? 300 : i);
		if (values)
			values[0] = reads;
	}
	return SW_READ_OK;
}

static bool describe_fake(void *state, uint64_t index,
			  struct sw_subject *subject)
{
	(void)state;
	strcpy(subject->kind, "fake");
	snprintf(subject->name, sizeof(subject->name), "number %d",
		 (int)index);
	return true;
}

static void close_fake(void *state)
{
	(void)state;
	fake->closes++;
}

#define FAKE							\
	.backend = "fake", .scope = SW_SCOPE_NODE,		\
	.columns = columns, .column_count = 1, .state_size = 8,	\
	.open = open_fake, .read_rows = read_fake, .rows_max = 8,\
	.describe = describe_fake, .close = close_fake

static const struct sw_source in_loop = { .name = "in_loop", FAKE };
static const struct sw_source aside = { .name = "aside", FAKE,
					.is_out_of_process = true };
/* In the same process, but it never hangs. */
static enum sw_read_status read_well(void *state,
				     const struct sw_target *target,
				     struct sw_rows *rows)
{
	uint64_t *values = sw_rows_add(rows, 0);

	(void)state;
	(void)target;
	values[0] = ++fake->good_reads;
	return SW_READ_OK;
}

static const struct sw_source good_aside = {
	.name = "good_aside", .backend = "fake", .scope = SW_SCOPE_NODE,
	.is_out_of_process = true, .columns = columns, .column_count = 1,
	.state_size = 8, .open = open_fake, .read_rows = read_well,
	.rows_max = 1, .describe = describe_fake, .close = close_fake,
};
static const struct sw_source of_step = {
	.name = "of_step", .scope = SW_SCOPE_STEP };
static const struct sw_source *const sources[] = { &of_step, &in_loop, NULL };
static const struct sw_source *const asides[] = { &good_aside, &aside, NULL };
static const struct sw_source *const none[] = { NULL };

static void nap(long milliseconds)
{
	const struct timespec time = { .tv_sec = milliseconds / 1000,
		.tv_nsec = milliseconds % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static void set_up(void)
{
	fake = mmap(NULL, sizeof(*fake), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(fake, MAP_FAILED);
}

static struct sw_shared *make(const struct sw_source *const *list)
{
	struct sw_shared *shared = sw_shared_create(list, none, 0, 0, NULL);

	ck_assert_ptr_nonnull(shared);
	return shared;
}

START_TEST(one_read_for_all)
{
	struct sw_shared *shared = make(sources);
	const struct sw_rows *rows;
	struct sw_subject subject;

	ck_assert_uint_eq(fake->opens, 0);
	ck_assert_int_eq(sw_shared_open(shared, &in_loop), SW_READ_OK);
	ck_assert_int_eq(sw_shared_open(shared, &of_step), SW_READ_ABSENT);
	ck_assert_int_eq(sw_shared_take(shared, &in_loop, &rows), SW_READ_OK);
	ck_assert_int_eq(sw_shared_take(shared, &in_loop, &rows), SW_READ_OK);
	ck_assert_uint_eq(fake->opens, 1);
	ck_assert_uint_eq(fake->reads, 1);
	ck_assert_uint_eq(rows->count, 3);
	ck_assert_uint_eq(rows->left_out, 1);
	ck_assert_uint_eq(sw_rows_index(rows, 2), 2);
	ck_assert_uint_eq(sw_rows_values(rows, 2)[0], 1);
	ck_assert(sw_shared_describe(shared, &in_loop, 2, &subject));
	ck_assert_str_eq(subject.name, "number 2");
	nap(30);
	ck_assert_int_eq(sw_shared_take(shared, &in_loop, &rows), SW_READ_OK);
	ck_assert_uint_eq(sw_rows_values(rows, 0)[0], 2);
	sw_shared_destroy(shared);
	ck_assert_uint_eq(fake->closes, 1);
}
END_TEST

/* Take until there are rows, or the status differs. */
static enum sw_read_status await_rows(struct sw_shared *shared,
				      const struct sw_rows **rows)
{
	enum sw_read_status status;
	int i;

	for (i = 0; i < 1000; i++) {
		status = sw_shared_take(shared, &aside, rows);
		if (status != SW_READ_OK || (*rows)->count > 0)
			return status;
		nap(30);
	}
	return status;
}

START_TEST(read_aside)
{
	struct sw_shared *shared;
	const struct sw_rows *rows;
	struct sw_subject subject;
	uint64_t before;

	dup2(1, 7);
	shared = make(asides);
	ck_assert_int_eq(sw_shared_open(shared, &aside), SW_READ_OK);
	ck_assert_int_eq(await_rows(shared, &rows), SW_READ_OK);
	ck_assert_uint_eq(rows->count, 3);
	ck_assert_uint_ne(fake->reader_pid, (unsigned)getpid());
	ck_assert(!fake->has_terminal_open);
	ck_assert(sw_helpers_have((pid_t)fake->reader_pid));
	ck_assert(sw_shared_describe(shared, &aside, 1, &subject));
	ck_assert_str_eq(subject.name, "number 1");
	ck_assert(!sw_shared_describe(shared, &aside, 7, &subject));
	/* A wait for the command's processes does not see it. */
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
	before = sw_self_cpu_usec();
	ck_assert_uint_ge(sw_self_cpu_usec(), before);
	sw_shared_destroy(shared);
	/* It is killed, which may take time on a busy machine. */
	while (kill((pid_t)fake->reader_pid, 0) == 0)
		waitpid((pid_t)fake->reader_pid, NULL, __WALL);
	close(7);
}
END_TEST

START_TEST(not_there)
{
	struct sw_shared *shared;
	const struct sw_rows *rows;

	fake->is_missing = true;
	shared = make(asides);
	ck_assert_int_eq(sw_shared_open(shared, &aside), SW_READ_OK);
	ck_assert_int_eq(await_rows(shared, &rows), SW_READ_ABSENT);
	ck_assert_int_eq(sw_shared_open(shared, &aside), SW_READ_ABSENT);
	nap(1200); /* nor is it tried in the next pass */
	ck_assert_int_eq(await_rows(shared, &rows), SW_READ_ABSENT);
	ck_assert_uint_eq(fake->opens, 2);
	sw_shared_destroy(shared);
}
END_TEST

/* A hanging source delays nobody, is reported as gone, and killed. */
START_TEST(gone)
{
	struct sw_shared *shared = make(asides);
	const struct sw_rows *rows;
	enum sw_read_status status;
	unsigned reads, good_reads;
	uint64_t begin, number = 0;
	pid_t pid;
	int i;

	ck_assert_int_eq(await_rows(shared, &rows), SW_READ_OK);
	pid = (pid_t)fake->reader_pid;
	if (_i == 0)
		fake->is_hanging = true;
	else
		fake->is_dying = true;
	begin = sw_clock_boottime_usec();
	do {
		nap(100);
		status = sw_shared_take(shared, &aside, &rows);
	} while (status == SW_READ_OK &&
		 sw_clock_boottime_usec() - begin < 60 * SW_USEC_PER_SEC);
	ck_assert_int_eq(status, SW_READ_GONE);
	ck_assert_uint_eq(rows->count, 0);
	/* The others continue without it, in another process. */
	reads = fake->reads;
	good_reads = fake->good_reads;
	for (i = 0; i < 1000 && number <= good_reads + 1; i++) {
		nap(30);
		ck_assert_int_eq(sw_shared_take(shared, &good_aside, &rows),
				 SW_READ_OK);
		number = rows->count ? sw_rows_values(rows, 0)[0] : 0;
	}
	ck_assert_uint_gt(number, good_reads + 1);
	ck_assert_int_eq(sw_shared_take(shared, &aside, &rows), SW_READ_GONE);
	ck_assert_uint_eq(fake->reads, reads);
	sw_shared_destroy(shared);
	waitpid(pid, NULL, __WALL);
	ck_assert_int_eq(kill(pid, 0), -1);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("shared");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, one_read_for_all);
	tcase_add_test(tcase, read_aside);
	tcase_add_test(tcase, not_there);
	tcase_add_loop_test(tcase, gone, 0, 2);
	return run_tests("shared", tcase, NULL);
}
