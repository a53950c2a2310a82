/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluation of perf's task events, made up here in any order: attribution of
 * counts to programs, and cases with incomplete counts.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/units.h"
#include "recorder/programs/perf_tasks.h"

enum { COMMAND = 100, USEC = 1000, MSEC = 1000000 };

static struct sw_perf_tasks tasks;
static struct sw_programs *programs;

static void setup(void)
{
	struct sw_programs_target target = {
		.root_pid = COMMAND, .cgroup_fd = -1, .proc_fd = -1,
	};

	programs = sw_programs_create(&target, NULL);
	ck_assert_ptr_nonnull(programs);
	ck_assert_int_eq(sw_perf_tasks_open(&tasks, programs, NULL), 0);
	tasks.has_all_switches = true;
	sw_perf_tasks_begin(&tasks, COMMAND, 0);
}

static void teardown(void)
{
	sw_perf_tasks_close(&tasks);
	sw_programs_destroy(programs);
}

static void take(struct sw_perf_record record)
{
	sw_perf_tasks_take(&tasks, 0, &record);
}

static void fork_at(pid_t parent, pid_t pid, uint64_t time)
{
	take((struct sw_perf_record){ .kind = SW_PERF_FORK, .pid = pid,
		.tid = pid, .parent = parent, .time_nsec = time });
}

static void exec_at(pid_t pid, const char *program, uint64_t time)
{
	struct sw_perf_record record = {
		.kind = SW_PERF_COMM, .pid = pid, .tid = pid, .is_exec = true,
		.time_nsec = time,
	};

	strncpy(record.comm, program, sizeof(record.comm) - 1);
	take(record);
}

static void exit_at(pid_t pid, pid_t tid, uint64_t time)
{
	take((struct sw_perf_record){ .kind = SW_PERF_EXIT, .pid = pid,
		.tid = tid, .parent = COMMAND, .time_nsec = time });
}

static void switch_at(pid_t pid, bool is_out, uint64_t time)
{
	take((struct sw_perf_record){ .kind = SW_PERF_SWITCH, .pid = pid,
		.tid = pid, .is_out = is_out, .time_nsec = time });
}

static const struct sw_program *program(const char *name)
{
	unsigned i = sw_programs_find(programs, name);

	return &programs->program[i];
}

static void has_counted(const char *name, uint64_t started, uint64_t ended)
{
	ck_assert_uint_eq(program(name)->started, started);
	ck_assert_uint_eq(program(name)->ended, ended);
}

static void is_whole(bool is_so)
{
	ck_assert(is_so == (!tasks.has_unseen && !tasks.lost));
}

START_TEST(life)
{
	exec_at(COMMAND, "sh", 1 * MSEC);
	fork_at(COMMAND, 101, 2 * MSEC);
	has_counted("sh", 2, 0);
	exec_at(101, "true", 3 * MSEC);
	has_counted("sh", 1, 0);
	exit_at(101, 101, 4 * MSEC);
	has_counted("true", 1, 1);
	ck_assert_uint_eq(program("true")->first_start_usec, 2 * USEC);
	ck_assert_uint_eq(program("true")->last_end_usec, 4 * USEC);
	ck_assert_uint_eq(program("true")->elapsed_usec.max, 2 * USEC);
	exit_at(COMMAND, COMMAND, 9 * MSEC);
	has_counted("sh", 1, 1);
	sw_perf_tasks_reaped(&tasks, COMMAND, 7 << 8, 9 * MSEC);
	ck_assert_uint_eq(program("sh")->last_exit_status, 7);
	has_counted("sh", 1, 1);
	is_whole(true);
	ck_assert_uint_eq(tasks.processes.count, 0);
	ck_assert_uint_eq(tasks.ended.count, 0);
}
END_TEST

/* Usage of a process before it executed moves with it. */
START_TEST(time_moves)
{
	exec_at(COMMAND, "sh", 1 * MSEC);
	fork_at(COMMAND, 101, 2 * MSEC);
	switch_at(101, false, 2 * MSEC);
	switch_at(101, true, 3 * MSEC);
	ck_assert_uint_eq(program("sh")->cpu_usec, 1 * USEC);
	switch_at(101, false, 5 * MSEC);
	exec_at(101, "cc", 6 * MSEC);
	sw_perf_tasks_advance(&tasks, 7 * MSEC);
	ck_assert_uint_eq(program("cc")->cpu_usec, 3 * USEC);
	exit_at(101, 101, 8 * MSEC);
	ck_assert_uint_eq(program("cc")->cpu_usec, 4 * USEC);
	ck_assert_uint_eq(program("sh")->cpu_usec, 0);
	/* No thread runs there any more. */
	sw_perf_tasks_advance(&tasks, 20 * MSEC);
	ck_assert_uint_eq(program("cc")->cpu_usec, 4 * USEC);
	ck_assert(sw_is_missing(program("cc")->user_usec));
}
END_TEST

/* A switch out without a known switch in counts no time. */
START_TEST(time_unknown)
{
	exec_at(COMMAND, "sh", 1 * MSEC);
	switch_at(COMMAND, true, 5 * MSEC);
	switch_at(COMMAND, false, 6 * MSEC);
	take((struct sw_perf_record){ .kind = SW_PERF_LOST, .lost = 3,
		.time_nsec = 7 * MSEC });
	switch_at(COMMAND, true, 9 * MSEC);
	ck_assert_uint_eq(program("sh")->cpu_usec, 0);
}
END_TEST

/* The process ends with its last thread, whichever that is. */
START_TEST(threads)
{
	exec_at(COMMAND, "a", 1 * MSEC);
	take((struct sw_perf_record){ .kind = SW_PERF_FORK, .pid = COMMAND,
		.tid = 105, .parent = COMMAND, .time_nsec = 2 * MSEC });
	has_counted("a", 1, 0);
	exit_at(COMMAND, COMMAND, 3 * MSEC);
	has_counted("a", 1, 0);
	exit_at(COMMAND, 105, 4 * MSEC);
	has_counted("a", 1, 1);
}
END_TEST

/* A thread executes: the first one's exit was not the process's. */
START_TEST(thread_executes)
{
	exec_at(COMMAND, "a", 1 * MSEC);
	take((struct sw_perf_record){ .kind = SW_PERF_FORK, .pid = COMMAND,
		.tid = 105, .parent = COMMAND, .time_nsec = 2 * MSEC });
	exit_at(COMMAND, COMMAND, 3 * MSEC);
	exec_at(COMMAND, "b", 4 * MSEC);
	has_counted("a", 0, 0);
	has_counted("b", 1, 0);
	exit_at(COMMAND, COMMAND, 5 * MSEC);
	has_counted("b", 1, 1);
}
END_TEST

/* Inaccessible programs end the events, not themselves. */
START_TEST(beyond_reach)
{
	tasks.is_privileged = false;
	exec_at(COMMAND, "sudo", 1 * MSEC);
	is_whole(true);
	exit_at(COMMAND, COMMAND, 1 * MSEC + 5 * USEC);
	has_counted("sudo", 1, 0);
	is_whole(false);
	sw_perf_tasks_reaped(&tasks, COMMAND, 0, 9 * MSEC);
	has_counted("sudo", 1, 1);
	ck_assert_uint_eq(program("sudo")->exited_ok, 1);
	ck_assert_uint_eq(tasks.sampled_count, 0);
	ck_assert_uint_eq(tasks.ended.count, 0);
}
END_TEST

/* Records without their predecessors or successors. */
START_TEST(unseen_fork)
{
	exec_at(300, "x", 1 * MSEC);
	has_counted("x", 1, 0);
	is_whole(false);
}
END_TEST

START_TEST(unseen_end)
{
	fork_at(COMMAND, 101, 1 * MSEC);
	exec_at(101, "x", 2 * MSEC);
	fork_at(COMMAND, 101, 3 * MSEC);
	exec_at(101, "y", 4 * MSEC);
	has_counted("x", 1, 1);
	has_counted("y", 1, 0);
	is_whole(false);
}
END_TEST

START_TEST(unseen_end_of_command)
{
	exec_at(COMMAND, "x", 1 * MSEC);
	sw_perf_tasks_reaped(&tasks, COMMAND, 0, 2 * MSEC);
	has_counted("x", 1, 1);
	is_whole(false);
}
END_TEST

/* More at once than there is memory for: the rest is lost, and reported. */
START_TEST(too_many)
{
	pid_t pid;

	exec_at(COMMAND, "sh", 1 * MSEC);
	for (pid = 1000; pid < 11000; pid++)
		fork_at(COMMAND, pid, 2 * MSEC);
	ck_assert_uint_gt(program("sh")->started, 1000);
	ck_assert_uint_eq(program("sh")->started + tasks.lost, 10001);
	is_whole(false);
	for (pid = 1000; pid < 11000; pid++)
		exit_at(pid, pid, 3 * MSEC);
	ck_assert_uint_eq(program("sh")->ended + 1, program("sh")->started);
	ck_assert_uint_eq(tasks.processes.count, 1);
}
END_TEST

/* Any records in any order: no count is negative, and all of it ends. */
START_TEST(chaos)
{
	static const char *const names[] = { "a", "b", "" };
	uint64_t seed = (uint64_t)_i, time = 0;
	unsigned draw, i;

	tasks.is_privileged = false;
	for (i = 0; i < 20000; i++) {
		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		draw = (unsigned)(seed >> 33);
		time += draw % 30000;
		take((struct sw_perf_record){
			.kind = (enum sw_perf_kind)(draw % 5),
			.pid = (pid_t)(draw / 8 % 40) - 2,
			.tid = (pid_t)(draw / 512 % 40) - 2,
			.parent = draw % 7 ? COMMAND : getpid(),
			.time_nsec = time - draw % 100, .lost = 1,
			.is_exec = draw / 16 % 2, .is_out = draw / 32 % 2,
		});
		exec_at((pid_t)(draw / 8 % 40), names[draw % 3], time);
		if (draw % 50 == 0)
			sw_perf_tasks_reaped(&tasks, (pid_t)(draw % 40), 9,
					     time);
	}
	for (i = 0; i < programs->count; i++) {
		ck_assert_uint_le(programs->program[i].started, 2 * 20000);
		ck_assert_uint_ge(programs->program[i].started,
				  programs->program[i].ended);
		ck_assert(sw_is_missing(programs->program[i].cpu_usec) ||
			  programs->program[i].cpu_usec <= time / USEC);
	}
	ck_assert_uint_le(tasks.processes.count, 41);
}
END_TEST

/* Exits reported by the kernel for failed processes. */

static struct sw_exit_feeds feeds;

static void begin_ends(void)
{
	sw_ends_close(&tasks.ends);
	sw_exit_feed_begin(&feeds.of[SW_EXIT_FIRST_THREADS], 0);
	sw_exit_feed_begin(&feeds.of[SW_EXIT_OTHER_THREADS], 0);
	ck_assert_int_eq(sw_ends_open(&tasks.ends, programs, &feeds), 0);
	exec_at(COMMAND, "sh", 1 * MSEC);
	fork_at(COMMAND, 101, 2 * MSEC);
	exec_at(101, "tool", 3 * MSEC);
}

static void tell_of(pid_t pid, pid_t tid, int wait_status, uint64_t time)
{
	struct sw_exit_feed *feed =
		&feeds.of[tid == pid ? SW_EXIT_FIRST_THREADS :
				       SW_EXIT_OTHER_THREADS];

	sw_exit_feed_put(feed, &(struct sw_exit){ pid, tid, wait_status, time });
	/* Run passes until then. */
	do {
		uint64_t at = sw_min_u64(tasks.ends.taken_nsec + 100 * MSEC,
					 time);

		feeds.of[SW_EXIT_FIRST_THREADS].read_nsec = at;
		feeds.of[SW_EXIT_OTHER_THREADS].read_nsec = at;
		sw_ends_take(&tasks.ends, at, sw_perf_tasks_is_living, &tasks);
	} while (tasks.ends.taken_nsec < time);
}

static void tell_at(pid_t pid, int wait_status, uint64_t time)
{
	tell_of(pid, pid, wait_status, time);
}

static void begin_thread(void)
{
	take((struct sw_perf_record){ .kind = SW_PERF_FORK, .pid = 101,
		.tid = 102, .parent = 101, .time_nsec = 3 * MSEC + 1 });
}

static void has_ended(uint64_t ok, uint64_t failed, uint64_t killed)
{
	const struct sw_program *tool = program("tool");

	ck_assert_uint_eq(sw_zero_if_missing(tool->exited_ok), ok);
	ck_assert_uint_eq(sw_zero_if_missing(tool->exited_nonzero), failed);
	ck_assert_uint_eq(sw_zero_if_missing(tool->killed), killed);
	has_counted("tool", 1, 1);
}

START_TEST(told_failure)
{
	begin_ends();
	exit_at(101, 101, 4 * MSEC);
	tell_at(101, 5 << 8, 4 * MSEC + 10);
	has_ended(0, 1, 0);
}
END_TEST

START_TEST(quiet_success)
{
	begin_ends();
	exit_at(101, 101, 4 * MSEC);
	tell_at(7, 9, 3000 * (uint64_t)MSEC);
	has_ended(1, 0, 0);
}
END_TEST

/* The first thread's message precedes the exit of the last one. */
START_TEST(told_of_threads)
{
	begin_ends();
	begin_thread();
	exit_at(101, 101, 4 * MSEC);
	tell_at(101, 9, 4 * MSEC + 10);
	exit_at(101, 102, 5 * MSEC);
	has_ended(0, 0, 1);
}
END_TEST

/*
 * The same, with its message read after the last record: by a signal, and with
 * a status.
 */
START_TEST(told_of_threads_later)
{
	int status = _i ? 9 : 3 << 8;

	begin_ends();
	begin_thread();
	exit_at(101, 101, 4 * MSEC);
	exit_at(101, 102, 5 * MSEC);
	sw_exit_feed_put(&feeds.of[SW_EXIT_FIRST_THREADS],
			 &(struct sw_exit){ 101, 101, status, 4 * MSEC + 10 });
	tell_of(101, 102, status, 5 * MSEC + 10);
	tell_at(7, 9, 3000 * (uint64_t)MSEC);
	has_ended(0, _i == 0, _i == 1);
}
END_TEST

/* The first one exits; the last one's message has the process's status. */
START_TEST(first_thread_leaves)
{
	uint64_t end = 3000 * (uint64_t)MSEC;

	begin_ends();
	begin_thread();
	exit_at(101, 101, 4 * MSEC);
	exit_at(101, 102, end);
	if (_i)
		tell_of(101, 102, 3 << 8, end + 10);
	tell_at(7, 9, 2 * end);
	has_ended(_i == 0, _i == 1, 0);
}
END_TEST

/* The others continue without the first: its status is not the process's. */
START_TEST(first_thread_fails_alone)
{
	begin_ends();
	begin_thread();
	exit_at(101, 101, 4 * MSEC);
	tell_at(101, 3 << 8, 4 * MSEC + 10);
	exit_at(101, 102, 3000 * (uint64_t)MSEC);
	tell_at(7, 9, 6000 * (uint64_t)MSEC);
	has_ended(0, 0, 0);
	ck_assert(sw_is_missing(program("tool")->exited_ok));
}
END_TEST

/* Exits of threads before the execution of another program do not count. */
START_TEST(told_before_it_executes)
{
	begin_ends();
	begin_thread();
	exit_at(101, 101, 4 * MSEC);
	if (_i)
		exec_at(101, "tool", 5 * MSEC);
	tell_at(101, 3 << 8, 4 * MSEC + 10);
	if (!_i)
		exec_at(101, "tool", 5 * MSEC);
	exit_at(101, 101, 6 * MSEC);
	tell_at(7, 9, 6000 * (uint64_t)MSEC);
	has_ended(1, 0, 0);
}
END_TEST

/* A process that is waited for is counted once, by its waiter. */
START_TEST(told_and_waited_for)
{
	begin_ends();
	tell_at(COMMAND, 1 << 8, 5 * MSEC);
	exit_at(COMMAND, COMMAND, 5 * MSEC);
	tell_at(7, 9, 6000 * (uint64_t)MSEC);
	sw_perf_tasks_reaped(&tasks, COMMAND, 1 << 8, 6000 * (uint64_t)MSEC);
	/* Its exit was not reported. */
	sw_perf_tasks_reaped(&tasks, 101, 2 << 8, 6000 * (uint64_t)MSEC);
	tell_at(101, 2 << 8, 6001 * (uint64_t)MSEC);
	tell_at(7, 9, 9000 * (uint64_t)MSEC);
	ck_assert_uint_eq(program("sh")->exited_nonzero, 1);
	ck_assert_uint_eq(program("sh")->exited_ok, 0);
	has_ended(0, 1, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("perf_tasks");
	TCase *tcase = tcase_create("perf_tasks");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, life);
	tcase_add_test(tcase, time_moves);
	tcase_add_test(tcase, time_unknown);
	tcase_add_test(tcase, threads);
	tcase_add_test(tcase, thread_executes);
	tcase_add_test(tcase, beyond_reach);
	tcase_add_test(tcase, unseen_fork);
	tcase_add_test(tcase, unseen_end);
	tcase_add_test(tcase, unseen_end_of_command);
	tcase_add_test(tcase, too_many);
	tcase_add_loop_test(tcase, chaos, 0, 10);
	tcase_add_test(tcase, told_failure);
	tcase_add_test(tcase, quiet_success);
	tcase_add_test(tcase, told_of_threads);
	tcase_add_loop_test(tcase, told_of_threads_later, 0, 2);
	tcase_add_loop_test(tcase, first_thread_leaves, 0, 2);
	tcase_add_test(tcase, first_thread_fails_alone);
	tcase_add_loop_test(tcase, told_before_it_executes, 0, 2);
	tcase_add_test(tcase, told_and_waited_for);
	suite_add_tcase(suite, tcase);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
