/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages about tasks that end, as Linux 6.18 has sent them
 * (test/fixtures/taskstats) and as nobody would, and whose child one was.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "recorder/kernel/share.h"
#include "recorder/programs/lineage.h"
#include "recorder/programs/taskstats.h"
#include "recorder/programs/programs.h"
#include "recorder/programs/programs_internal.h"

enum {
	MESSAGE_MAX = 2048,
	/* Of a message: its headers, and those of the attributes in it. */
	COMMAND_AT = 16, VERSION_AT = 36,
	MUTATIONS = 20000,
};

static size_t load(const char *name, unsigned char *bytes)
{
	const char *top = getenv("abs_top_srcdir");
	char path[512];
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "%s/test/fixtures/taskstats/%s",
		 top ? top : ".", name);
	file = fopen(path, "re");
	ck_assert_msg(file != NULL, "%s", path);
	length = fread(bytes, 1, MESSAGE_MAX, file);
	fclose(file);
	return length;
}

/* Messages. */

static const struct {
	const char *name;
	bool is_last, is_leader;
	int wait_status;
	const char *comm;
} recorded[] = {
	{ "exit", true, true, 3 << 8, "sh" },
	{ "killed", true, true, 9, "sh" },
	{ "thread", false, false, 0, "rec-cap" },
	{ "last-thread", true, false, 0, "rec-cap" },
};

START_TEST(recorded_ends)
{
	unsigned char bytes[MESSAGE_MAX];
	struct sw_taskstats_end end;
	size_t length = load(recorded[_i].name, bytes);

	ck_assert_int_eq(sw_taskstats_parse(bytes, length, &end),
			 SW_TASKSTATS_END);
	ck_assert_int_eq(end.is_last, recorded[_i].is_last);
	ck_assert_int_eq(end.pid == end.process, recorded[_i].is_leader);
	ck_assert_int_eq(end.wait_status, recorded[_i].wait_status);
	ck_assert_str_eq(end.comm, recorded[_i].comm);
	ck_assert_int_eq(end.parent, 14089);
	ck_assert_uint_gt(end.elapsed_usec, 1000);
	ck_assert_uint_lt(end.elapsed_usec, 1000000);
	ck_assert_uint_gt(end.peak_bytes, 1000000);
}
END_TEST

START_TEST(cut_anywhere)
{
	unsigned char bytes[MESSAGE_MAX], *cut;
	struct sw_taskstats_end end;
	size_t length = load("last-thread", bytes), i;

	for (i = 0; i < length; i++) {
		/* On the heap, so that a byte too far is seen. */
		cut = malloc(i + 1);
		ck_assert_ptr_nonnull(cut);
		memcpy(cut, bytes, i);
		ck_assert_int_eq(sw_taskstats_parse(cut, i, &end),
				 SW_TASKSTATS_GARBAGE);
		free(cut);
	}
}
END_TEST

START_TEST(other_versions)
{
	unsigned char bytes[MESSAGE_MAX];
	struct sw_taskstats_end end;
	size_t length = load("exit", bytes);

	ck_assert_uint_eq(bytes[VERSION_AT], 16);
	bytes[VERSION_AT] = 11;		/* Linux 5.18 */
	ck_assert_int_eq(sw_taskstats_parse(bytes, length, &end),
			 SW_TASKSTATS_OLD);
	bytes[VERSION_AT] = 200;
	ck_assert_int_eq(sw_taskstats_parse(bytes, length, &end),
			 SW_TASKSTATS_END);
	bytes[COMMAND_AT] = 77;
	ck_assert_int_eq(sw_taskstats_parse(bytes, length, &end),
			 SW_TASKSTATS_OTHER);
}
END_TEST

/* Nothing may be read beyond it, whatever it says of its own lengths. */
START_TEST(bytes_that_are_wrong)
{
	unsigned char bytes[MESSAGE_MAX], *wrong;
	size_t length = load("last-thread", bytes);
	struct sw_taskstats_end end;
	uint64_t seed = 1;
	int i, j;

	wrong = malloc(length);
	ck_assert_ptr_nonnull(wrong);
	for (i = 0; i < MUTATIONS; i++) {
		memcpy(wrong, bytes, length);
		for (j = 0; j < 4; j++) {
			seed = seed * 6364136223846793005ull + 1;
			wrong[(seed >> 33) % (j ? 64 : length)] =
				(unsigned char)(seed >> 25);
		}
		if (sw_taskstats_parse(wrong, length, &end) ==
		    SW_TASKSTATS_END)
			ck_assert_int_ne(end.process, 0);
	}
	free(wrong);
}
END_TEST

/* Whose child. */

/* Numbers that no living process has. */
enum { TASK = 5000001, CHILD, GRANDCHILD, STRANGER, THREAD };

static struct sw_lineage lineage;
static struct sw_lineage_owner step;
static unsigned buried;
static struct sw_kin last;

static void bury(struct sw_lineage_owner *owner, struct sw_kin *kin)
{
	ck_assert_ptr_eq(owner, &step);
	buried++;
	last = *kin;
}

static void open_lineage(void)
{
	buried = 0;
	step = (struct sw_lineage_owner){ 0 };
	ck_assert_int_eq(sw_lineage_open(&lineage, open("/proc",
			 O_RDONLY | O_DIRECTORY | O_CLOEXEC)), 0);
	ck_assert_int_eq(sw_lineage_add(&lineage, TASK, &step), 0);
}

static void close_lineage(void)
{
	close(lineage.proc_fd);
	sw_lineage_close(&lineage);
}

static void end_one(pid_t pid, pid_t process, pid_t parent, bool is_last)
{
	const struct sw_taskstats_end end = {
		.pid = pid, .process = process, .parent = parent,
		.is_last = is_last, .wait_status = pid == process ? 256 : 0,
		.comm = "x", .elapsed_usec = 10, .peak_bytes = 4096,
		.sums = { .cpu_nsec = 1000, .rchar = 5 },
	};

	sw_lineage_take(&lineage, &end);
}

/* A grandchild ends before its parent, whom nobody knows, does. */
START_TEST(known_by_a_later_end)
{
	end_one(GRANDCHILD, GRANDCHILD, CHILD, true);
	ck_assert_uint_eq(sw_lineage_resolve(&lineage, false, bury), 1);
	ck_assert_uint_eq(buried, 0);
	end_one(CHILD, CHILD, TASK, true);
	ck_assert_uint_eq(sw_lineage_resolve(&lineage, true, bury), 0);
	ck_assert_uint_eq(buried, 2);
	/* One that is told of a little after its parent's end. */
	end_one(THREAD, THREAD, CHILD, true);
	sw_lineage_resolve(&lineage, false, bury);
	ck_assert_uint_eq(buried, 3);
	ck_assert_uint_eq(lineage.missed, 0);
}
END_TEST

START_TEST(strangers_are_nobodys)
{
	end_one(CHILD, CHILD, STRANGER, true);
	ck_assert_uint_eq(sw_lineage_resolve(&lineage, false, bury), 1);
	ck_assert_uint_eq(sw_lineage_resolve(&lineage, true, bury), 0);
	end_one(CHILD, CHILD, 1, true);		/* an orphan of the node */
	end_one(GRANDCHILD, GRANDCHILD, getpid(), true);
	ck_assert_uint_eq(sw_lineage_resolve(&lineage, false, bury), 0);
	ck_assert_uint_eq(buried, 0);
	sw_lineage_inherit(&lineage, &step);
	end_one(GRANDCHILD, GRANDCHILD, getpid(), true);
	sw_lineage_resolve(&lineage, false, bury);
	ck_assert_uint_eq(buried, 1);
}
END_TEST

START_TEST(threads_are_of_one_process)
{
	end_one(THREAD, CHILD, TASK, false);
	end_one(CHILD, CHILD, TASK, false);
	sw_lineage_resolve(&lineage, false, bury);
	ck_assert_uint_eq(buried, 0);
	end_one(THREAD + 1, CHILD, TASK, true);
	sw_lineage_resolve(&lineage, false, bury);
	ck_assert_uint_eq(buried, 1);
	ck_assert_uint_eq(last.sums.cpu_nsec, 3000);
	ck_assert_uint_eq(last.sums.rchar, 15);
	ck_assert_int_eq(last.wait_status, 256);	/* the main thread's */
	ck_assert_ptr_null(sw_lineage_see(&lineage, CHILD, &step));
	/* The number comes again. */
	end_one(CHILD, CHILD, TASK, true);
	sw_lineage_resolve(&lineage, false, bury);
	ck_assert_uint_eq(buried, 2);
	ck_assert_uint_eq(last.sums.cpu_nsec, 1000);
}
END_TEST

/* More than there is room for: that is known, and nothing else happens. */
START_TEST(too_many)
{
	pid_t i;

	for (i = 0; i < 2 * SW_LINEAGE_MAX; i++)
		end_one(STRANGER + i, STRANGER + i, TASK, true);
	ck_assert_uint_eq(lineage.missed, SW_LINEAGE_MAX + 1);
	sw_lineage_resolve(&lineage, true, bury);
	ck_assert_uint_eq(buried, SW_LINEAGE_MAX - 1);
	sw_lineage_forget(&lineage, &step);
	ck_assert_uint_eq(lineage.map.count, 0);
}
END_TEST

/* 400 steps of one user's ten jobs, with all that they can have. */
START_TEST(a_greedy_users_jobs)
{
	enum { STEPS = 400, JOBS = 10, EACH = 100, OTHERS = 500 };
	struct sw_share_pool pool = { .capacity = SW_LINEAGE_SHARED };
	struct sw_lineage_owner greedy[STEPS] = { 0 }, other = { 0 };
	struct sw_share *job[JOBS];
	pid_t pid = STRANGER + 100;
	size_t i, n;

	for (i = 0; i < JOBS; i++)
		job[i] = sw_share_open(&pool, 1000);
	for (i = 0; i < STEPS; i++) {
		greedy[i].share = job[i % JOBS];
		for (n = 0; n < EACH; n++)
			sw_lineage_see(&lineage, pid++, &greedy[i]);
	}
	ck_assert_uint_ge(pool.used, SW_LINEAGE_SHARED / 3);
	ck_assert_uint_le(pool.used, SW_LINEAGE_SHARED / 2);
	other.share = sw_share_open(&pool, 1001);
	for (n = 0; n < OTHERS; n++)
		ck_assert_ptr_nonnull(sw_lineage_see(&lineage, pid++, &other));
	for (i = 0; i < STEPS; i++)
		sw_lineage_forget(&lineage, &greedy[i]);
	ck_assert_uint_eq(pool.used, OTHERS);
	sw_lineage_forget(&lineage, &other);
	ck_assert_uint_eq(pool.used, 0);
	sw_share_close(other.share);
	for (i = 0; i < JOBS; i++)
		sw_share_close(job[i]);
}
END_TEST

/* Who is beyond the share is counted at the end, and what is not is told. */
START_TEST(beyond_the_share)
{
	struct sw_share_pool pool = { .capacity = 8 };

	step.share = sw_share_open(&pool, 1000);
	ck_assert_ptr_nonnull(sw_lineage_see(&lineage, CHILD, &step));
	ck_assert_ptr_nonnull(sw_lineage_see(&lineage, GRANDCHILD, &step));
	ck_assert_ptr_null(sw_lineage_see(&lineage, STRANGER, &step));
	ck_assert_int_eq(sw_lineage_add(&lineage, STRANGER, &step), -1);
	ck_assert_int_eq(errno, ENOSPC);
	/* A thread of it, then the rest. */
	end_one(THREAD, STRANGER, TASK, false);
	sw_lineage_resolve(&lineage, false, bury);
	ck_assert_uint_eq(step.missed, 1);
	ck_assert_uint_eq(buried, 0);
	end_one(STRANGER, STRANGER, TASK, true);
	sw_lineage_resolve(&lineage, false, bury);
	ck_assert_uint_eq(buried, 1);
	ck_assert_uint_eq(last.sums.cpu_nsec, 1000);
	end_one(CHILD, CHILD, TASK, true);
	end_one(GRANDCHILD, GRANDCHILD, TASK, true);
	sw_lineage_resolve(&lineage, false, bury);
	ck_assert_uint_eq(pool.used, 0);
	ck_assert_uint_eq(lineage.missed, 0);
	sw_lineage_forget(&lineage, &step);
	sw_share_close(step.share);
}
END_TEST

static void lose(struct sw_lineage_owner *owner, struct sw_kin *kin)
{
	bury(owner, kin);
}

START_TEST(after_a_loss)
{
	ck_assert_ptr_nonnull(sw_lineage_see(&lineage, getpid(), &step));
	ck_assert_ptr_nonnull(sw_lineage_see(&lineage, CHILD, &step));
	sw_lineage_purge(&lineage, lose);
	ck_assert_uint_eq(buried, 2);	/* the task, and its child */
	ck_assert_uint_eq(lineage.map.count, 1);
}
END_TEST

static pid_t run_child(void)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		for (;;)
			pause();
	}
	return pid;
}

static void drain_all(struct sw_programs *const *programs, int count)
{
	const struct timespec nap = { .tv_nsec = 30 * 1000000 };

	nanosleep(&nap, NULL);
	while (count-- > 0)
		sw_programs_drain(programs[count], sw_clock_boottime_usec());
}

/* Two steps of one job and one of another's, by the kernel's accounts. */
START_TEST(taskstats_of_two_jobs)
{
	enum { STEPS = 3 };
	struct sw_share_pool pool = { .capacity = 64 << 20 };
	struct sw_share *job[] = { sw_share_open(&pool, 1000),
				   sw_share_open(&pool, 1001) };
	struct sw_programs *programs[STEPS];
	int i, n;
	pid_t pid[STEPS];

	for (i = 0; i < STEPS; i++) {
		struct sw_programs_target target = {
			.cgroup_fd = -1, .proc_fd = lineage.proc_fd, .has_many = true,
			.only = "taskstats", .share = job[i / 2],
		};

		pid[i] = run_child();
		target.root_pid = pid[i];
		programs[i] = sw_programs_create(&target, NULL);
		/* Not for everyone: who has no right to it has the reason. */
		if (sw_programs_attach(programs[i], pid[i]) < 0)
			ck_assert_ptr_nonnull(sw_programs_reason(programs[i]));
	}
	for (i = 0; i < STEPS; i++) {
		kill(pid[i], SIGKILL);
		ck_assert_int_eq(waitpid(pid[i], NULL, 0), pid[i]);
	}
	for (n = 0; n < 100 && programs[2]->count == 0 && programs[2]->backend;
	     n++)
		drain_all(programs, STEPS);
	for (i = 0; i < STEPS; i++) {
		if (programs[i]->backend) {
			ck_assert_uint_eq(programs[i]->count, 1);
			ck_assert_uint_eq(programs[i]->program[0].ended, 1);
			ck_assert_uint_eq(programs[i]->program[0].killed, 1);
		}
		sw_programs_destroy(programs[i]);
	}
	sw_share_close(job[0]);
	sw_share_close(job[1]);
	ck_assert_uint_eq(pool.used, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("taskstats");
	TCase *messages = tcase_create("messages");
	TCase *kin = tcase_create("kin");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(messages, recorded_ends, 0,
			    sizeof(recorded) / sizeof(recorded[0]));
	tcase_add_test(messages, cut_anywhere);
	tcase_add_test(messages, other_versions);
	tcase_add_test(messages, bytes_that_are_wrong);
	suite_add_tcase(suite, messages);
	tcase_add_checked_fixture(kin, open_lineage, close_lineage);
	tcase_add_test(kin, known_by_a_later_end);
	tcase_add_test(kin, strangers_are_nobodys);
	tcase_add_test(kin, threads_are_of_one_process);
	tcase_add_test(kin, too_many);
	tcase_add_test(kin, a_greedy_users_jobs);
	tcase_add_test(kin, beyond_the_share);
	tcase_add_test(kin, after_a_loss);
	tcase_add_test(kin, taskstats_of_two_jobs);
	suite_add_tcase(suite, kin);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
