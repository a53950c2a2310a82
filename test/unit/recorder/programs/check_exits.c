/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exits of processes: the kernel's messages, well-formed and hostile, losses,
 * and conclusions from silence.  Only messages_live uses the kernel.
 */
#include <check.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/programs/ends.h"
#include "recorder/tables/events.h"

/* Messages. */

enum { WHAT_AT = 36, TIME_AT = 44, PID_AT = 52, TGID_AT = 56, CODE_AT = 60 };

/* Linux 6.18's message that process 735 exited with 1. */
static const unsigned char recorded[] = {
	0x4c, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x85, 0x6b, 0x01,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00,
	0x00, 0x00, 0x85, 0x6b, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x28,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00,
	0xf6, 0x8f, 0x87, 0x56, 0x9a, 0x17, 0x00, 0x00, 0xdf, 0x02, 0x00,
	0x00, 0xdf, 0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0xde, 0x02, 0x00, 0x00, 0xde, 0x02, 0x00, 0x00,
};

static const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };

static bool parse_with(size_t at, uint32_t word, struct sw_exit *exit)
{
	unsigned char bytes[sizeof(recorded)];

	memcpy(bytes, recorded, sizeof(bytes));
	memcpy(bytes + at, &word, sizeof(word));
	return sw_exit_parse(&kernel, bytes, sizeof(bytes), exit);
}

START_TEST(message)
{
	struct sw_exit exit;

	ck_assert(sw_exit_parse(&kernel, recorded, sizeof(recorded), &exit));
	ck_assert_int_eq(exit.pid, 735);
	ck_assert_int_eq(exit.wait_status, 1 << 8);
	ck_assert_uint_eq(exit.time_nsec, 0x179a56878ff6);
	ck_assert(parse_with(CODE_AT, SIGSEGV | 0x80, &exit));
	ck_assert(WCOREDUMP(exit.wait_status));
	ck_assert_int_eq(WTERMSIG(exit.wait_status), SIGSEGV);
}
END_TEST

START_TEST(message_that_does_not_count)
{
	struct sockaddr_nl from = kernel;
	struct sw_exit exit;
	size_t size;

	/* Another process has its own address, whatever it sends. */
	from.nl_pid = 735;
	ck_assert(!sw_exit_parse(&from, recorded, sizeof(recorded), &exit));
	from = kernel;
	from.nl_family = AF_UNIX;
	ck_assert(!sw_exit_parse(&from, recorded, sizeof(recorded), &exit));
	for (size = 0; size < CODE_AT + 8; size++)
		ck_assert(!sw_exit_parse(&kernel, recorded, size, &exit));
	ck_assert(!parse_with(0, 16, &exit));
	ck_assert(!parse_with(16, 2, &exit));
	ck_assert(!parse_with(20, 2, &exit));
	ck_assert(!parse_with(32, 8, &exit));
	ck_assert(!parse_with(WHAT_AT, 0, &exit));
	ck_assert(!parse_with(WHAT_AT, 1, &exit));
	/* The idle process, invalid pids, and no failure. */
	ck_assert(!parse_with(CODE_AT, 0, &exit));
	memset(&exit, 0, sizeof(exit));
	ck_assert(!parse_with(PID_AT, 0, &exit));
	ck_assert(!parse_with(PID_AT, UINT32_MAX, &exit));
	ck_assert(!parse_with(TGID_AT, 0, &exit));
	ck_assert(!parse_with(TGID_AT, UINT32_MAX, &exit));
}
END_TEST

START_TEST(message_of_a_thread)
{
	struct sw_exit exit;

	ck_assert(parse_with(TGID_AT, 734, &exit));
	ck_assert_int_eq(exit.pid, 734);
	ck_assert_int_eq(exit.tid, 735);
}
END_TEST

/* Evaluation by the steps. */

enum { USER = 77, SHELL = 100, FIRST = 101, SECOND = 102 };

#define MSEC ((uint64_t)1000000)
#define SEC  (1000 * MSEC)

static struct sw_programs *programs;
static struct sw_exit_feeds feeds;
static struct sw_ends ends;
static unsigned tool, event_count;
static pid_t living;
static struct sw_event last_event;

static void note_event(void *context, const struct sw_event *event)
{
	(void)context;
	event_count++;
	last_event = *event;
}

static void setup(void)
{
	struct sw_programs_target target = {
		.root_pid = SHELL,
		.cgroup_fd = -1,
		.proc_fd = -1,
		.event = note_event,
	};

	event_count = 0;
	living = 0;
	programs = sw_programs_create(&target, NULL);
	ck_assert_ptr_nonnull(programs);
	tool = sw_programs_find(programs, "tool");
	feeds.idle_nsec = 0;
	sw_exit_feed_begin(&feeds.of[SW_EXIT_FIRST_THREADS], 1 * SEC);
	sw_exit_feed_begin(&feeds.of[SW_EXIT_OTHER_THREADS], 1 * SEC);
	ck_assert_int_eq(sw_ends_open(&ends, programs, &feeds), 0);
}

static void teardown(void)
{
	sw_ends_close(&ends);
	sw_programs_destroy(programs);
}

static bool is_living(void *context, const struct sw_exit *exit)
{
	(void)context;
	return exit->pid == living;
}

static void tell_of(pid_t pid, pid_t tid, int wait_status, uint64_t time_nsec)
{
	sw_exit_feed_put(&feeds.of[tid == pid ? SW_EXIT_FIRST_THREADS :
						SW_EXIT_OTHER_THREADS],
			 &(struct sw_exit){ pid, tid, wait_status, time_nsec });
}

static void tell(pid_t pid, int wait_status, uint64_t time_nsec)
{
	tell_of(pid, pid, wait_status, time_nsec);
}

static void add(struct sw_end end)
{
	programs->program[tool].ended++;
	end.program = tool;
	sw_ends_add(&ends, &end);
}

/* Exits of a single thread, and of a process whose first ended at since. */
static void end_at(pid_t pid, uint64_t time_nsec)
{
	add((struct sw_end){ .pid = pid, .last_tid = pid,
			     .begin_nsec = time_nsec, .since_nsec = time_nsec,
			     .until_nsec = time_nsec });
}

static void end_by(pid_t pid, pid_t last_tid, uint64_t since_nsec,
		   uint64_t until_nsec)
{
	add((struct sw_end){ .pid = pid, .last_tid = last_tid,
			     .begin_nsec = 1, .since_nsec = since_nsec,
			     .until_nsec = until_nsec });
}

static void take_once_at(uint64_t time_nsec)
{
	feeds.of[SW_EXIT_FIRST_THREADS].read_nsec = time_nsec;
	feeds.of[SW_EXIT_OTHER_THREADS].read_nsec = time_nsec;
	sw_ends_take(&ends, time_nsec, is_living, NULL);
}

/* Run passes until that time. */
static void take_at(uint64_t time_nsec)
{
	while (ends.taken_nsec + 100 * MSEC < time_nsec)
		take_once_at(ends.taken_nsec + 100 * MSEC);
	take_once_at(time_nsec);
}

static void has_ended(uint64_t ok, uint64_t failed, uint64_t killed)
{
	const struct sw_program *program = &programs->program[tool];

	ck_assert_uint_eq(sw_zero_if_missing(program->exited_ok), ok);
	ck_assert_uint_eq(sw_zero_if_missing(program->exited_nonzero), failed);
	ck_assert_uint_eq(sw_zero_if_missing(program->killed), killed);
}

START_TEST(one_that_failed)
{
	end_at(FIRST, 2 * SEC);
	take_at(2 * SEC + 1);
	has_ended(0, 0, 0);
	ck_assert(sw_is_missing(programs->program[tool].exited_ok));
	tell(FIRST, 3 << 8, 2 * SEC + 2);
	tell(USER, 9, 2 * SEC + 3);
	take_at(2 * SEC + 10);
	has_ended(0, 1, 0);
	ck_assert_uint_eq(programs->program[tool].last_exit_status, 3);
	ck_assert_uint_eq(event_count, 0);
	/* Reported once. */
	take_at(9 * SEC);
	tell(FIRST, 3 << 8, 8 * SEC);
	take_at(20 * SEC);
	has_ended(0, 1, 0);
	ck_assert_uint_eq(ends.quiet.count, 0);
}
END_TEST

START_TEST(one_that_was_killed)
{
	end_at(FIRST, 2 * SEC);
	tell(FIRST, SIGSEGV | 0x80, 2 * SEC + 2);
	take_at(3 * SEC);
	has_ended(0, 0, 1);
	ck_assert_uint_eq(programs->program[tool].signal_segv, 1);
	ck_assert_uint_eq(event_count, 1);
	ck_assert_str_eq(last_event.kind, "killed");
	ck_assert_str_eq(last_event.program, "tool");
	ck_assert_uint_eq(last_event.pid, FIRST);
	ck_assert_uint_eq(last_event.value, SIGSEGV);
	ck_assert_uint_eq(last_event.time_usec, 2 * SEC / 1000);
}
END_TEST

/* Silence means 0 once a later message arrives, and not before. */
START_TEST(one_that_is_quiet)
{
	end_at(FIRST, 2 * SEC);
	take_at(9 * SEC);
	has_ended(0, 0, 0);
	ck_assert(!sw_ends_need_proof(&ends, 9 * SEC));
	ck_assert(sw_ends_need_proof(&ends, 12 * SEC));
	ck_assert_uint_eq(sw_ends_last_nsec(&ends), 2 * SEC);
	tell(USER, 9, 12 * SEC);
	ck_assert(!sw_ends_need_proof(&ends, 13 * SEC));
	take_at(12 * SEC + 1);
	has_ended(1, 0, 0);
	ck_assert(sw_is_missing(sw_ends_last_nsec(&ends)));
	ck_assert(!sw_ends_need_proof(&ends, 30 * SEC));
}
END_TEST

/* A message can be late: by a second, and less at the end of a step. */
START_TEST(one_that_is_told_late)
{
	end_at(FIRST, 2 * SEC);
	end_at(SECOND, 2 * SEC);
	tell(USER, 9, 2 * SEC + 1);
	take_at(2 * SEC + 900 * MSEC);
	has_ended(0, 0, 0);
	tell(FIRST, 1 << 8, 2 * SEC + 901 * MSEC);
	take_at(2 * SEC + 902 * MSEC);
	has_ended(0, 1, 0);
	sw_ends_settle(&ends, 903 * MSEC);
	has_ended(0, 1, 0);
	sw_ends_settle(&ends, 902 * MSEC);
	has_ended(1, 1, 0);
}
END_TEST

/* Unread messages may be about it. */
START_TEST(the_end_of_a_step)
{
	end_at(FIRST, 2 * SEC);
	tell(USER, 9, 2 * SEC + 1);
	take_at(2 * SEC + 50 * MSEC - 1);
	sw_ends_settle(&ends, 50 * MSEC);
	has_ended(0, 0, 0);
	take_at(2 * SEC + 50 * MSEC);
	sw_ends_settle(&ends, 50 * MSEC);
	has_ended(1, 0, 0);
}
END_TEST

/* The machine was stopped, and so was the sender. */
START_TEST(a_machine_that_stands_still)
{
	take_at(2 * SEC);
	end_at(FIRST, 2 * SEC);
	tell(USER, 9, 2 * SEC + 1);
	take_once_at(2 * SEC + 1);
	take_once_at(20 * SEC);
	has_ended(0, 0, 0);
	tell(FIRST, 9, 20 * SEC + 1);
	take_once_at(20 * SEC + 2);
	has_ended(0, 0, 1);
}
END_TEST

/* On an idle machine nothing is delayed, but only read messages count. */
START_TEST(an_idle_machine)
{
	end_at(FIRST, 2 * SEC);
	end_at(SECOND, 3 * SEC);
	tell(USER, 9, 4 * SEC);
	feeds.idle_nsec = 2 * SEC;
	take_at(2 * SEC - 1);
	has_ended(0, 0, 0);
	take_at(2 * SEC);
	has_ended(1, 0, 0);
	take_at(3 * SEC + 1);
	has_ended(1, 0, 0);
}
END_TEST

/* Threads. */

enum { THREAD = 1001, OTHER = 1002 };

/*
 * exit_group(2) or a signal ends all; the first thread's message arrives long
 * before the last one exits.
 */
START_TEST(threads_that_fail_together)
{
	int status = _i ? SIGKILL : 3 << 8;

	end_by(FIRST, THREAD, 2 * SEC, 2 * SEC + 30 * MSEC);
	tell(FIRST, status, 2 * SEC + 1);
	tell_of(FIRST, OTHER, status, 2 * SEC + 20 * MSEC);
	tell_of(FIRST, THREAD, status, 2 * SEC + 31 * MSEC);
	take_at(2 * SEC + 40 * MSEC);
	has_ended(0, _i == 0, _i == 1);
	ck_assert_uint_eq(ends.quiet.count, 0);
	tell(USER, 9, 5 * SEC);
	take_at(6 * SEC);
	has_ended(0, _i == 0, _i == 1);
}
END_TEST

/* The first one has exited; one of the others ends the process. */
START_TEST(threads_that_fail_without_the_first)
{
	end_by(FIRST, THREAD, 2 * SEC, 9 * SEC);
	tell_of(FIRST, THREAD, 3 << 8, 9 * SEC + 1);
	take_at(9 * SEC + 2);
	has_ended(0, 1, 0);
}
END_TEST

START_TEST(threads_that_are_quiet)
{
	end_by(FIRST, THREAD, 2 * SEC, 9 * SEC);
	tell(USER, 9, 10 * SEC);
	take_at(20 * SEC);
	has_ended(1, 0, 0);
}
END_TEST

/* A thread exited by itself, independently of the process's status. */
START_TEST(thread_that_fails_alone)
{
	end_by(FIRST, THREAD, 2 * SEC, 2 * SEC + MSEC);
	if (_i)
		tell(FIRST, 5 << 8, 2 * SEC + 1);
	else
		tell_of(FIRST, OTHER, 5 << 8, 1 * SEC + 1);
	tell(USER, 9, 10 * SEC);
	take_at(20 * SEC);
	has_ended(0, 0, 0);
	ck_assert_uint_eq(ends.quiet.count, 0);
	/* Unless a signal killed it. */
	end_by(SECOND, THREAD, 22 * SEC, 22 * SEC + MSEC);
	tell_of(SECOND, OTHER, 5 << 8, 21 * SEC);
	tell(SECOND, SIGSEGV, 22 * SEC + 1);
	take_at(23 * SEC);
	has_ended(0, 0, 1);
	/* Two that disagree. */
	end_by(FIRST, THREAD, 24 * SEC, 24 * SEC + MSEC);
	tell_of(FIRST, OTHER, 5 << 8, 23 * SEC);
	tell_of(FIRST, THREAD, 6 << 8, 25 * SEC);
	tell(USER, 9, 26 * SEC);
	take_at(30 * SEC);
	has_ended(0, 0, 1);
}
END_TEST

/* Only the thread that dumps core has the core flag. */
START_TEST(threads_that_dump_core)
{
	end_by(FIRST, THREAD, 2 * SEC, 2 * SEC + MSEC);
	tell_of(FIRST, OTHER, SIGABRT, 2 * SEC + 1);
	tell_of(FIRST, THREAD, SIGABRT | 0x80, 2 * SEC + 2);
	take_at(3 * SEC);
	has_ended(0, 0, 1);
	ck_assert_uint_eq(programs->program[tool].signal_abrt, 1);
}
END_TEST

/* Messages of other threads were lost: the first one's may be enough. */
START_TEST(lost_of_threads)
{
	feeds.of[SW_EXIT_OTHER_THREADS].blind_nsec = 20 * SEC;
	end_by(FIRST, THREAD, 2 * SEC, 2 * SEC + MSEC);
	tell(FIRST, 3 << 8, 2 * SEC + 1);
	tell(USER, 9, 3 * SEC);
	take_at(4 * SEC);
	has_ended(0, 1, 0);
	/* Success is not implied then, except for a single thread. */
	end_by(FIRST, THREAD, 5 * SEC, 5 * SEC + MSEC);
	end_by(SECOND, SECOND, 5 * SEC, 5 * SEC + MSEC);
	tell(USER, 9, 6 * SEC);
	take_at(7 * SEC);
	has_ended(1, 1, 0);
	/* An earlier status of the first thread does not count, either. */
	end_by(FIRST, THREAD, 7 * SEC, 9 * SEC);
	tell(FIRST, 3 << 8, 7 * SEC + 1);
	tell(USER, 9, 10 * SEC);
	take_at(11 * SEC);
	has_ended(1, 1, 0);
	ck_assert_uint_eq(ends.quiet.count, 0);
}
END_TEST

/* With samples it is not known which thread was the last one. */
static void end_somehow(bool has_threads, bool has_left)
{
	add((struct sw_end){ .pid = FIRST, .has_threads = has_threads,
			     .has_left = has_left, .begin_nsec = 1,
			     .since_nsec = 2 * SEC, .until_nsec = 3 * SEC });
}

static void conclude(uint64_t ok, uint64_t failed, uint64_t killed)
{
	tell(USER, 9, 4 * SEC);
	take_at(5 * SEC);
	has_ended(ok, failed, killed);
	ck_assert_uint_eq(ends.quiet.count, 0);
}

START_TEST(sampled_that_is_quiet)
{
	end_somehow(_i, false);
	conclude(1, 0, 0);
}
END_TEST

START_TEST(sampled_that_failed)
{
	end_somehow(false, false);
	tell(FIRST, 3 << 8, 2 * SEC + 1);
	conclude(0, 1, 0);
}
END_TEST

START_TEST(sampled_that_was_killed)
{
	end_somehow(true, false);
	tell(FIRST, SIGKILL, 2 * SEC + 1);
	conclude(0, 0, 1);
}
END_TEST

/* Two threads that agree ended together; a single one may have exited alone. */
START_TEST(sampled_of_threads)
{
	static const struct {
		bool tells_first, tells_other, has_left;
		uint64_t failed;
	} cases[] = {
		{ true, true, false, 1 },  { true, false, false, 0 },
		{ false, true, false, 0 }, { false, true, true, 1 },
		{ true, false, true, 0 },
	};

	end_somehow(true, cases[_i].has_left);
	if (cases[_i].tells_first)
		tell(FIRST, 3 << 8, 2 * SEC + 1);
	if (cases[_i].tells_other)
		tell_of(FIRST, THREAD, 3 << 8, 2 * SEC + 2);
	conclude(0, cases[_i].failed, 0);
}
END_TEST

/* The recorder becomes the parent of orphans. */
START_TEST(waited_for_after_all)
{
	end_at(FIRST, 2 * SEC);
	sw_ends_reaped(&ends, SECOND, 9);
	has_ended(0, 0, 0);
	sw_ends_reaped(&ends, FIRST, 9);
	has_ended(0, 0, 1);
	sw_ends_reaped(&ends, FIRST, 9);
	conclude(0, 0, 1);
}
END_TEST

/* An exit while messages were lost is not taken as status 0. */
START_TEST(lost)
{
	end_at(FIRST, 2 * SEC);
	tell(FIRST, 1 << 8, 2 * SEC + 1);
	end_at(SECOND, 3 * SEC);
	feeds.of[SW_EXIT_FIRST_THREADS].blind_nsec = 3 * SEC;
	tell(USER, 9, 4 * SEC);
	end_at(103, 3 * SEC + 1);
	take_once_at(4 * SEC);
	take_at(9 * SEC);
	has_ended(1, 1, 0);
	ck_assert_uint_eq(programs->program[tool].ended, 3);
	ck_assert_uint_eq(ends.quiet.count, 0);
	/* Same for an exit that may have been in that time. */
	end_by(SECOND, SECOND, 2 * SEC, 4 * SEC);
	take_at(9 * SEC);
	has_ended(1, 1, 0);
	ck_assert_uint_eq(ends.quiet.count, 0);
}
END_TEST

/* Others fail so often that this step cannot keep up. */
START_TEST(overrun)
{
	unsigned i;

	end_at(FIRST, 2 * SEC);
	tell(FIRST, 1 << 8, 2 * SEC + 1);
	for (i = 0; i < SW_EXIT_FEED_SIZE; i++)
		tell(USER, 9, 2 * SEC + 2 + i);
	end_at(SECOND, 8 * SEC);
	tell(USER, 9, 8 * SEC + 1);
	take_at(10 * SEC);
	has_ended(1, 0, 0);
	ck_assert_uint_eq(ends.quiet.count, 0);
	ck_assert_uint_eq(ends.reader[SW_EXIT_FIRST_THREADS].at,
			  feeds.of[SW_EXIT_FIRST_THREADS].count);
}
END_TEST

/* A pid that another process had before, or has now. */
START_TEST(pid_that_comes_again)
{
	tell(FIRST, 1 << 8, 2 * SEC - 1);
	end_at(FIRST, 2 * SEC);
	take_at(2 * SEC + 1);
	has_ended(0, 0, 0);
	living = FIRST;
	tell(FIRST, 1 << 8, 2 * SEC + 2);
	take_at(4 * SEC);
	has_ended(1, 0, 0);
	/* A pid reused within a moment: the earlier status is unknown. */
	end_at(SECOND, 5 * SEC);
	end_at(SECOND, 5 * SEC + 10);
	tell(SECOND, 1 << 8, 5 * SEC + 11);
	take_at(7 * SEC);
	has_ended(1, 1, 0);
}
END_TEST

/* More than can be pending, and a probe is requested long before. */
START_TEST(storm)
{
	unsigned i;

	for (i = 0; i < 2500; i++)
		end_at((pid_t)(1000 + i), 2 * SEC + i);
	ck_assert(sw_ends_need_proof(&ends, 2 * SEC + i));
	for (; i < 5000; i++)
		end_at((pid_t)(1000 + i), 2 * SEC + i);
	tell(USER, 9, 2 * SEC + i);
	take_at(2 * SEC + i + 5 * MSEC);
	has_ended(0, 0, 0);
	take_at(2 * SEC + i + 200 * MSEC);
	ck_assert_uint_eq(ends.quiet.count, 0);
	has_ended(4096, 0, 0);
}
END_TEST

START_TEST(kernel_that_tells_nothing)
{
	sw_ends_close(&ends);
	ck_assert_int_eq(sw_ends_open(&ends, programs, NULL), 0);
	end_at(FIRST, 2 * SEC);
	sw_ends_take(&ends, 3 * SEC, is_living, NULL);
	has_ended(0, 0, 0);
	ck_assert(sw_is_missing(programs->program[tool].exited_ok));
}
END_TEST

/* The kernel's own messages. */

/* Whatever else happens here: only one's own child counts. */
static bool await_own(int fd, pid_t pid, struct sw_exit *exit)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };
	struct sw_exit_batch batch;
	size_t i;

	while (poll(&polled, 1, -1) >= 0 || errno == EINTR) {
		sw_exit_socket_read(fd, &batch);
		ck_assert(!batch.has_lost);
		for (i = 0; i < batch.count; i++) {
			*exit = batch.exit[i];
			if (exit->pid == pid)
				return true;
		}
	}
	return false;
}

static void *stay(void *context)
{
	pause();
	return context;
}

/* Start a process that exits with threads, by exit() or by a signal. */
static pid_t run_threads(int status)
{
	pid_t pid = fork();

	if (pid == 0) {
		pthread_t thread;
		unsigned i;

		for (i = 0; i < 20; i++)
			pthread_create(&thread, NULL, stay, NULL);
		if (status)
			_exit(status);
		signal(SIGTERM, SIG_DFL);
		kill(getpid(), SIGTERM);
	}
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	return pid;
}

START_TEST(messages_live)
{
	struct sw_exit_batch batch;
	struct sw_error error;
	struct sw_exit exit;
	int fd = sw_exit_socket_open(SW_EXIT_FIRST_THREADS, &error);
	pid_t pid;

	if (fd < 0) {
		/* As the reason says; nothing else can be tested. */
		ck_assert_ptr_nonnull(strstr(error.text, "exit events"));
		return;
	}
	pid = sw_exit_probe();
	ck_assert_int_gt(pid, 0);
	ck_assert(await_own(fd, pid, &exit));
	ck_assert_int_eq(exit.wait_status, 1 << 8);
	pid = run_threads(7);
	ck_assert(await_own(fd, pid, &exit));
	ck_assert_int_eq(exit.wait_status, 7 << 8);
	pid = run_threads(0);
	ck_assert(await_own(fd, pid, &exit));
	ck_assert_int_eq(exit.wait_status, SIGTERM);
	do
		sw_exit_socket_read(fd, &batch);
	while (!batch.is_last);
	sw_exit_socket_close(fd);
}
END_TEST

/* Refuse a system call in a child: the call, and its errno. */
static bool is_refused(int call, int error, const char *reason)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { 4, code };
	struct sw_error why;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
			_exit(2);
		_exit(sw_exit_socket_open(SW_EXIT_FIRST_THREADS, &why) >= 0 || errno != error ||
		      !strstr(why.text, reason));
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

START_TEST(kernels_that_refuse)
{
	struct sw_error why;
	int fd = sw_exit_socket_open(SW_EXIT_FIRST_THREADS, &why);

	if (fd < 0)
		return; /* this kernel supports it */
	sw_exit_socket_close(fd);
	ck_assert(is_refused(SYS_bind, EPERM, "need root before Linux 6.6"));
	ck_assert(is_refused(SYS_socket, EPROTONOSUPPORT, "no process events"));
	ck_assert(is_refused(SYS_sendto, ECONNREFUSED, "network namespace"));
	ck_assert(is_refused(SYS_setsockopt, ENOMEM, "socket filter"));
}
END_TEST

static int run_one(int status)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(status);
	return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

/*
 * Before 6.6 the kernel sends all events to subscribers: the socket's own
 * filter passes only failures, and one message a process.
 */
static int listen_to_all(void)
{
	struct pollfd polled = { .events = POLLIN };
	unsigned char bytes[256];
	struct sw_error why;
	struct sw_exit exit = { .pid = 0 };
	ssize_t size;
	pid_t pid;

	personality(UNAME26);
	polled.fd = sw_exit_socket_open(SW_EXIT_FIRST_THREADS, &why);
	if (polled.fd < 0 || run_one(0) < 0)
		return 1;
	pid = run_threads(7);
	for (;;) {
		poll(&polled, 1, -1);
		size = recv(polled.fd, bytes, sizeof(bytes), 0);
		/* Nothing else passes. */
		if (size < 0 ||
		    !sw_exit_parse(&kernel, bytes, (size_t)size, &exit) ||
		    exit.pid == pid)
			break;
	}
	sw_exit_socket_close(polled.fd);
	return exit.pid != pid || exit.wait_status != 7 << 8;
}

START_TEST(kernels_that_send_all)
{
	struct sw_error why;
	int status, fd = sw_exit_socket_open(SW_EXIT_FIRST_THREADS, &why);
	pid_t pid;

	if (fd < 0)
		return; /* no messages here */
	sw_exit_socket_close(fd);
	pid = fork();
	if (pid == 0)
		_exit(listen_to_all());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* No wait for other children sees it, and it sends no signal. */
START_TEST(probe)
{
	siginfo_t info;

	ck_assert_int_gt(sw_exit_probe(), 0);
	ck_assert_int_eq(waitid(P_ALL, 0, &info, WEXITED | WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

/* Work done by failed processes; not counted for a mere fork. */
START_TEST(work_is_of_what_failed)
{
	struct sw_end end = {
		.pid = FIRST, .last_tid = FIRST, .cpu_usec = 70,
		.told = { .wait_status = 3 << 8, .last_tid = FIRST },
	};

	add(end);
	ck_assert_uint_eq(programs->program[tool].failed_cpu_usec, 70);
	end.executed = SW_ONLY_FORKED;
	end.cpu_usec = 90;
	add(end);
	ck_assert_uint_eq(programs->program[tool].failed_cpu_usec, 70);
	ck_assert_uint_eq(programs->program[tool].forked_nonzero, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("exits");
	TCase *messages = tcase_create("messages"), *steps;
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(messages, message);
	tcase_add_test(messages, message_that_does_not_count);
	tcase_add_test(messages, message_of_a_thread);
	tcase_add_test(messages, messages_live);
	tcase_add_test(messages, kernels_that_refuse);
	tcase_add_test(messages, kernels_that_send_all);
	tcase_add_test(messages, probe);
	suite_add_tcase(suite, messages);
	steps = tcase_create("steps");
	tcase_add_checked_fixture(steps, setup, teardown);
	tcase_add_test(steps, work_is_of_what_failed);
	tcase_add_test(steps, one_that_failed);
	tcase_add_test(steps, one_that_was_killed);
	tcase_add_test(steps, one_that_is_quiet);
	tcase_add_test(steps, one_that_is_told_late);
	tcase_add_test(steps, the_end_of_a_step);
	tcase_add_test(steps, a_machine_that_stands_still);
	tcase_add_test(steps, an_idle_machine);
	tcase_add_loop_test(steps, threads_that_fail_together, 0, 2);
	tcase_add_test(steps, threads_that_fail_without_the_first);
	tcase_add_test(steps, threads_that_are_quiet);
	tcase_add_loop_test(steps, thread_that_fails_alone, 0, 2);
	tcase_add_test(steps, threads_that_dump_core);
	tcase_add_test(steps, lost_of_threads);
	tcase_add_loop_test(steps, sampled_that_is_quiet, 0, 2);
	tcase_add_test(steps, sampled_that_failed);
	tcase_add_test(steps, sampled_that_was_killed);
	tcase_add_loop_test(steps, sampled_of_threads, 0, 5);
	tcase_add_test(steps, waited_for_after_all);
	tcase_add_test(steps, lost);
	tcase_add_test(steps, overrun);
	tcase_add_test(steps, pid_that_comes_again);
	tcase_add_test(steps, storm);
	tcase_add_test(steps, kernel_that_tells_nothing);
	suite_add_tcase(suite, steps);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
