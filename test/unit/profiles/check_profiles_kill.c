/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writers killed at any moment: every accepted row is there, and no wrong one.
 * STEPWELL_KILLS in the environment sets the number of kills.
 */
#include <check.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "profiles_kit.h"
#include "test/run_tests.h"

enum {
	KILLS = 300, KILLS_MANY = 8,	/* maximum, times as many */
	ROWS_MAX = 400000, SLEEP_MAX_NSEC = 8000000,
};

static struct kit kit;
static bool seen[ROWS_MAX];
static _Atomic uint64_t *accepted;	/* shared with the child */

static void setup(void)
{
	kit_init(&kit);
	accepted = mmap(NULL, sizeof(*accepted), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(accepted, MAP_FAILED);
}

static void teardown(void)
{
	munmap((void *)accepted, sizeof(*accepted));
	kit_fini(&kit);
}

/* Blocks close by time, every few rows to every few thousand. */
static void write_for_ever(uint64_t step_usec)
{
	struct sw_writer *writer = kit_create(&kit, "one");

	for (uint64_t i = 0; i < ROWS_MAX; i++) {
		if (kit_row(&kit, writer, i, i * step_usec) < 0)
			_exit(1);
		atomic_store(accepted, i + 1);
	}
	sw_writer_finish(writer, 0, NULL);
	_exit(0);
}

static void kill_after(pid_t pid, uint64_t nsec)
{
	struct timespec pause = { .tv_nsec = (long)nsec };
	int status;

	nanosleep(&pause, NULL);
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
}

/* Check the rows, and count kills with rows in the tail and in blocks. */
static void check_rows(uint64_t count, uint64_t *with_tail,
		       uint64_t *with_blocks)
{
	struct sw_error error = { "" };
	struct sw_reader *reader = sw_reader_open(kit_file(&kit, "one"),
						  &error);
	const struct sw_reader_health *health;
	uint64_t got;

	/* Killed before the file had a header: there must be no row. */
	if (count == 0 && !reader)
		return;
	ck_assert_msg(reader, "%s", error.text);
	health = sw_reader_health(reader);
	got = kit_check(reader, seen, ROWS_MAX);
	for (uint64_t i = 0; i < count; i++)
		ck_assert_msg(seen[i], "row %llu of %llu is lost",
			      (unsigned long long)i,
			      (unsigned long long)count);
	/* The child may have been killed before counting the last row. */
	ck_assert_uint_le(got, count + 1);
	ck_assert_uint_eq(health->frames_damaged, 0);
	ck_assert_uint_eq(health->frames_missing, 0);
	*with_tail += health->is_from_tail;
	*with_blocks += health->frames_read > 3;
	sw_reader_close(reader);
}

static uint64_t kill_count(void)
{
	const char *text = getenv("STEPWELL_KILLS");

	return text ? strtoull(text, NULL, 10) : KILLS;
}

START_TEST(test_kills)
{
	uint64_t with_tail = 0, with_blocks = 0, kills = kill_count(), i;

	/* Under load more kills come before there is anything to lose. */
	for (i = 0; i < kills || (i < KILLS_MANY * kills &&
				  (with_tail <= kills / 4 ||
				   with_blocks <= kills / 4)); i++) {
		uint64_t random = kit_mix(i + (uint64_t)time(NULL));
		pid_t pid;

		atomic_store(accepted, 0);
		pid = fork();
		ck_assert_int_ge(pid, 0);
		if (pid == 0)
			write_for_ever(random % 2 ? 25000000 : 150000);
		kill_after(pid, (random >> 1) % SLEEP_MAX_NSEC);
		check_rows(atomic_load(accepted), &with_tail, &with_blocks);
		remove(kit_file(&kit, "one"));
		remove(kit_file(&kit, "one.part"));
		remove(kit_file(&kit, "one.tail"));
	}
	fprintf(stderr,
		"%llu kills: %llu with rows in the tail, %llu with blocks\n",
		(unsigned long long)i, (unsigned long long)with_tail,
		(unsigned long long)with_blocks);
	ck_assert_uint_gt(with_tail, kills / 4);
	ck_assert_uint_gt(with_blocks, kills / 4);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("kill");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 3600);
	tcase_add_test(tcase, test_kills);
	return run_tests("profiles_kill", tcase, NULL);
}
