/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of a live process tree (the backend "proc", which works for
 * every user), their table, and the sketch of their lifetimes.
 */
#include <check.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "profiles/reader.h"
#include "profiles/writer.h"
#include "recorder/kernel/share.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/programs.h"
#include "recorder/programs/programs_internal.h"
#include "test/run_tests.h"

#define FIRST "sw-first"
#define SECOND "sw (second) \n 2"

/* A recorder without its loop. */
struct stage {
	int proc_fd;
	struct sw_tree *tree;
	struct sw_programs *programs;
	char folder[32];
};

static struct stage stage;

static void nap(void)
{
	const struct timespec time = { .tv_nsec = 30 * 1000000 };

	nanosleep(&time, NULL);
}

/* Wait until the process has this name, which is truncated to 15 bytes. */
static void await_name(pid_t pid, const char *name)
{
	char path[32], comm[32], expected[SW_COMM_SIZE + 1];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	snprintf(expected, sizeof(expected), "%.15s\n", name);
	do {
		sched_yield();
		fd = open(path, O_RDONLY | O_CLOEXEC);
		ck_assert_int_ge(fd, 0);
		length = read(fd, comm, sizeof(comm) - 1);
		comm[length > 0 ? length : 0] = '\0';
		close(fd);
	} while (strcmp(comm, expected) != 0);
}

/* Start a child that runs program until told to exit with status. */
static pid_t run(const char *program, int status)
{
	sigset_t set;
	pid_t pid;
	int got;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		/* Check's own handler would forward it to all. */
		signal(SIGTERM, SIG_DFL);
		prctl(PR_SET_NAME, program);
		sigwait(&set, &got);
		_exit(status);
	}
	await_name(pid, program);
	return pid;
}

static void start(pid_t root)
{
	struct sw_programs_target target = {
		.root_pid = root, .cgroup_fd = -1, .only = "proc",
	};

	memset(&stage, 0, sizeof(stage));
	stage.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	stage.tree = sw_tree_create(stage.proc_fd, root, NULL);
	target.proc_fd = stage.proc_fd;
	target.tree = stage.tree;
	stage.programs = sw_programs_create(&target, NULL);
	ck_assert_ptr_nonnull(stage.programs);
	ck_assert_int_eq(sw_programs_attach(stage.programs, root), 0);
	ck_assert_str_eq(sw_programs_source(stage.programs), "proc");
	ck_assert_int_eq(sw_programs_fd(stage.programs), -1);
}

static void sample(void)
{
	nap();
	sw_tree_refresh(stage.tree);
	sw_programs_drain(stage.programs, sw_clock_boottime_usec());
}

/* End it and wait for it, as the loop does. */
static void reap(pid_t pid, int signal)
{
	int status;

	kill(pid, signal);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	sw_programs_reaped(stage.programs, pid, status, NULL);
}

/* Return the profile, read back as by the analyzer. */
static struct sw_reader *write_out(void)
{
	struct sw_error error;
	struct sw_writer *writer;
	struct sw_reader *reader;
	char path[64];
	int fd;

	strcpy(stage.folder, "/tmp/check-programs-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(stage.folder));
	fd = open(stage.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	writer = sw_writer_create(fd, "a", false, &error);
	ck_assert_ptr_nonnull(writer);
	sw_programs_write(stage.programs, writer, sw_clock_boottime_usec(),
			  true);
	ck_assert_int_eq(
		sw_writer_finish(writer, sw_clock_boottime_usec(), &error), 0);
	sw_writer_destroy(writer);
	snprintf(path, sizeof(path), "%s/a", stage.folder);
	reader = sw_reader_open(path, &error);
	ck_assert_ptr_nonnull(reader);
	unlinkat(fd, "a", 0);
	rmdir(stage.folder);
	close(fd);
	return reader;
}

static void stop(struct sw_reader *reader)
{
	sw_reader_close(reader);
	sw_programs_destroy(stage.programs);
	sw_tree_destroy(stage.tree);
	close(stage.proc_fd);
}

static uint64_t value_of(const struct sw_reader *reader, const char *program,
			 const char *name)
{
	const struct sw_reader_table *table =
		sw_reader_find(reader, "programs");
	const struct sw_reader_column *programs, *column;
	uint64_t value = 0;
	size_t i, found = 0;

	ck_assert_ptr_nonnull(table);
	programs = sw_reader_find_column(table, "name");
	column = sw_reader_find_column(table, name);
	ck_assert_msg(programs && column, "no column %s", name);
	for (i = 0; i < table->row_count; i++) {
		if (strcmp(programs->texts[i], program))
			continue;
		value = column->numbers[i];
		found++;
	}
	ck_assert_msg(found == 1, "%zu rows of %s", found, program);
	return value;
}

#define IS(program, name, value) \
	ck_assert_uint_eq(value_of(reader, program, name), value)

/* Two programs, and every kind of exit. */
START_TEST(counted)
{
	struct sw_reader *reader;
	pid_t pid[6];

	pid[0] = run(FIRST, 0);
	start(pid[0]);
	pid[1] = run(FIRST, 3);
	pid[2] = run(FIRST, 0);
	pid[3] = run(SECOND, 0);
	pid[4] = run(SECOND, 0);
	pid[5] = run(SECOND, 7);
	sample();
	sample();
	reap(pid[1], SIGUSR1);
	reap(pid[0], SIGUSR1);
	reap(pid[3], SIGKILL);
	sample();
	reap(pid[4], SIGTERM);
	reap(pid[5], SIGUSR1);
	reader = write_out();
	IS(FIRST, "started", 3);
	IS(FIRST, "ended", 2);
	IS(FIRST, "running", 1);
	IS(FIRST, "exited_ok", 1);
	IS(FIRST, "exited_nonzero", 1);
	IS(FIRST, "last_exit_status", 3);
	IS(FIRST, "killed", 0);
	IS(FIRST, "last_signal", SW_MISSING);
	/* Samples cannot prove that they saw everything. */
	IS(FIRST, "is_complete", 0);
	IS(SECOND, "started", 3);
	IS(SECOND, "ended", 3);
	IS(SECOND, "running", 0);
	IS(SECOND, "killed", 2);
	IS(SECOND, "signal_kill", 1);
	IS(SECOND, "signal_term", 1);
	IS(SECOND, "signal_segv", 0);
	IS(SECOND, "exited_ok", 0);
	IS(SECOND, "exited_nonzero", 1);
	IS(SECOND, "last_signal", SIGTERM);
	IS(SECOND, "last_exit_status", 7);
	IS(SECOND, "oom_killed", SW_MISSING);
	ck_assert_uint_gt(value_of(reader, SECOND, "peak_bytes"), 4096);
	ck_assert_uint_ge(value_of(reader, SECOND, "elapsed_max_usec"), 60000);
	ck_assert_uint_lt(value_of(reader, SECOND, "elapsed_max_usec"),
			  10000000);
	reap(pid[2], SIGKILL);
	stop(reader);
}
END_TEST

/* Another process waits for it; the status is unknown here. */
START_TEST(end_unknown)
{
	struct sw_reader *reader;
	pid_t pid = run(FIRST, 0);

	start(pid);
	sample();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	sample();
	sample();
	reader = write_out();
	IS(FIRST, "started", 1);
	IS(FIRST, "ended", 1);
	IS(FIRST, "killed", SW_MISSING);
	IS(FIRST, "exited_ok", SW_MISSING);
	IS(FIRST, "last_signal", SW_MISSING);
	stop(reader);
}
END_TEST

/* The command is the recorder's copy until it executes. */
START_TEST(not_yet_executed)
{
	struct sw_reader *reader;
	char own[SW_COMM_SIZE] = "";
	pid_t pid;

	prctl(PR_GET_NAME, own);
	pid = run(own, 0);
	start(pid);
	sample();
	reap(pid, SIGUSR1);
	sample();
	reader = write_out();
	ck_assert_ptr_nonnull(sw_reader_find(reader, "programs"));
	ck_assert_uint_eq(sw_reader_find(reader, "programs")->row_count, 0);
	stop(reader);
}
END_TEST

/* A process counts for the program it executed last. */
START_TEST(executes)
{
	struct sw_reader *reader;
	int ends[2];
	pid_t pid;
	char byte;

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_NAME, FIRST);
		close(ends[1]);
		while (read(ends[0], &byte, 1) > 0)
			;
		execlp("sleep", "sleep", "60", (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	await_name(pid, FIRST);
	start(pid);
	sample();
	close(ends[1]);
	await_name(pid, "sleep");
	sample();
	sample();
	reap(pid, SIGKILL);
	reader = write_out();
	IS(FIRST, "started", 0);
	IS(FIRST, "ended", 0);
	IS("sleep", "started", 1);
	IS("sleep", "ended", 1);
	IS("sleep", "killed", 1);
	stop(reader);
}
END_TEST

/* An unknown backend is an error. */
START_TEST(no_such_backend)
{
	struct sw_programs_target target = {
		.root_pid = 1, .cgroup_fd = -1, .proc_fd = -1,
		.only = "crystal ball",
	};
	struct sw_programs *programs = sw_programs_create(&target, NULL);

	ck_assert_ptr_nonnull(programs);
	ck_assert_int_eq(sw_programs_attach(programs, 1), -1);
	ck_assert_str_eq(sw_programs_source(programs), "none");
	ck_assert_ptr_nonnull(sw_programs_reason(programs));
	sw_programs_drain(programs, 1);
	sw_programs_destroy(programs);
}
END_TEST

/* The table is limited; further programs share a row, however many. */
START_TEST(more_programs_than_rows)
{
	struct sw_programs_target target = { .root_pid = 1, .proc_fd = -1 };
	struct sw_programs *programs = sw_programs_create(&target, NULL);
	char program[SW_PROGRAM_SIZE];
	unsigned i, found;

	for (i = 0; i < SW_PROGRAMS_MAX + 100; i++) {
		snprintf(program, sizeof(program), "program %u", i);
		found = sw_programs_find(programs, program);
		ck_assert_uint_eq(found,
				  i < SW_PROGRAMS_MAX ? i : SW_PROGRAMS_MAX);
	}
	ck_assert_str_eq(programs->program[SW_PROGRAMS_MAX].name, "(other)");
	ck_assert_uint_eq(programs->count, SW_PROGRAMS_MAX + 1);
	ck_assert_uint_eq(sw_programs_find(programs, "program 7"), 7);
	sw_programs_destroy(programs);
}
END_TEST

/* Programs of one job have limited room in the memory shared by jobs. */
START_TEST(more_programs_than_memory)
{
	struct sw_share_pool pool = { .capacity = 96 * sizeof(struct sw_program) };
	struct sw_programs_target target = {
		.root_pid = 1,
		.proc_fd = -1,
		.share = sw_share_open(&pool, 1000),
	};
	struct sw_programs *programs = sw_programs_create(&target, NULL);
	struct sw_program *lives;
	char program[SW_PROGRAM_SIZE];
	unsigned i, other;

	for (i = 0; i < SW_PROGRAMS_MAX; i++) {
		snprintf(program, sizeof(program), "program %u", i);
		other = sw_programs_find(programs, program);
	}
	ck_assert_uint_eq(other, programs->count - 1);
	ck_assert_uint_ge(other, 30);
	ck_assert_uint_le(other, 32);
	ck_assert_str_eq(programs->program[other].name, "(other)");
	ck_assert_uint_eq(sw_programs_find(programs, "program 7"), 7);
	ck_assert_uint_eq(sw_programs_find(programs, "one more"), other);
	/* What is not known of all is not said of some. */
	lives = &programs->program[other];
	for (i = 0; i < 64; i++)
		sw_program_count_elapsed(lives, 1ull << i);
	ck_assert(lives->has_no_elapsed);
	ck_assert_uint_eq(lives->elapsed_bytes, 0);
	ck_assert_uint_eq(sw_quantiles_at(&lives->elapsed_usec, 1, 2),
			  SW_MISSING);
	ck_assert_uint_eq(lives->elapsed_max_usec, 1ull << 63);
	sw_programs_destroy(programs);
	ck_assert_uint_eq(target.share->used, 0);
	sw_share_close(target.share);
}
END_TEST

/* Each row is marked once counts are no longer exact, and immediately. */
START_TEST(completeness_is_that_of_all)
{
	struct sw_programs_target target = { .root_pid = 1, .proc_fd = -1 };
	struct sw_programs *programs = sw_programs_create(&target, NULL);

	sw_programs_find(programs, "before");
	ck_assert(!programs->program[0].is_complete);
	sw_programs_set_complete(programs, true);
	sw_programs_find(programs, "behind");
	ck_assert(programs->program[0].is_complete &&
		  programs->program[0].is_changed);
	ck_assert(programs->program[1].is_complete);
	programs->program[0].is_changed = programs->program[1].is_changed =
		false;
	sw_programs_set_complete(programs, true);
	ck_assert(!programs->program[0].is_changed);
	sw_programs_set_complete(programs, false);
	ck_assert(!programs->program[0].is_complete && programs->program[0].is_changed);
	ck_assert(!programs->program[1].is_complete && programs->program[1].is_changed);
	sw_programs_destroy(programs);
}
END_TEST

/* What it takes is not taken for the cost of recording while it lasts. */
START_TEST(tells_that_it_prepares)
{
	bool is_preparing;

	sw_programs_prepare(300);
	is_preparing = sw_programs_are_preparing();
	ck_assert_int_eq(is_preparing, sw_programs_news_fd() >= 0);
	while (sw_programs_are_preparing())
		nap();
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("programs");

	tcase_set_timeout(tcase, 20);
	tcase_add_test(tcase, counted);
	tcase_add_test(tcase, end_unknown);
	tcase_add_test(tcase, not_yet_executed);
	tcase_add_test(tcase, executes);
	tcase_add_test(tcase, no_such_backend);
	tcase_add_test(tcase, more_programs_than_rows);
	tcase_add_test(tcase, more_programs_than_memory);
	tcase_add_test(tcase, tells_that_it_prepares);
	tcase_add_test(tcase, completeness_is_that_of_all);
	return run_tests("programs", tcase, NULL);
}
