/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pass by BPF over live processes with known behavior, on both backends:
 * their threads, usage of exited ones, and several concurrent steps.  Skipped
 * without BPF in the kernel or for the user.
 */
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/bpf/account.h"
#include "recorder/programs/programs.h"
#include "recorder/waits/wait_tally.h"
#include "test/run_tests.h"

enum { MIB = 1 << 20, STEPS = 3, BLOCK = 4096, PATIENCE = 1000 };

static const char *const backends[] = { "bpf", "bpf.iter" };

enum { RUNGS = sizeof(backends) / sizeof(backends[0]) };

/* A step of one task, which runs something between two messages. */
struct step {
	struct sw_programs *programs;
	pid_t pid;
	int go, done;		/* our ends of its pipes */
};

static int proc_fd;

static void say(int fd)
{
	ck_assert_int_eq(write(fd, "x", 1), 1);
}

static void hear(int fd)
{
	char c;

	ck_assert_int_eq(read(fd, &c, 1), 1);
}

static void nap(long msec)
{
	const struct timespec time = { .tv_nsec = msec * 1000000 };

	nanosleep(&time, NULL);
}

/* In the child: message, deed, message, until the parent is done. */
static void behave(void (*deed)(int), int argument, int go, int done)
{
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(go, &c, 1) == 1) {
		deed(argument);
		if (write(done, "x", 1) == 1)
			while (read(go, &c, 1) < 0)
				;
	}
	_exit(0);
}

/* Return false if there is no such backend here. */
static bool start(struct step *step, const char *backend, void (*deed)(int),
		  int argument)
{
	struct sw_programs_target target = {
		.cgroup_fd = -1, .proc_fd = proc_fd, .has_many = true,
		.only = "bpf",
	};
	int go[2], done[2];

	setenv("STEPWELL_SNAPSHOT", backend, 1);
	ck_assert_int_eq(pipe2(go, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(done, O_CLOEXEC), 0);
	fflush(NULL);
	step->pid = fork();
	if (step->pid == 0) {
		/* No assertions: Check writes each to a file. */
		close(go[1]);
		behave(deed, argument, go[0], done[1]);
	}
	ck_assert_int_gt(step->pid, 0);
	close(go[0]);
	close(done[1]);
	step->go = go[1];
	step->done = done[0];
	step->programs = sw_programs_create(&target, NULL);
	ck_assert_ptr_nonnull(step->programs);
	if (sw_programs_attach(step->programs, step->pid) == 0) {
		/* A thread loads the sampling programs as the recorder runs. */
		sw_programs_prepare(0);
		while (sw_programs_is_coming(step->programs))
			nap(1);
	}
	if (!sw_programs_sample_backend(step->programs)) {
		printf("# skipped: %s: %s\n", backend,
		       sw_programs_reason(step->programs)
			       ? sw_programs_reason(step->programs)
			       : "no such pass");
		return false;
	}
	ck_assert_str_eq(sw_programs_sample_backend(step->programs), backend);
	return true;
}

static void stop(struct step *step)
{
	kill(step->pid, SIGKILL);
	waitpid(step->pid, NULL, 0);
	close(step->go);
	close(step->done);
	sw_programs_destroy(step->programs);
}

static struct sw_account_part look(struct step *step)
{
	const struct sw_account *account;
	struct sw_account_part part;

	sw_programs_expire();
	account = sw_programs_sample(step->programs);
	ck_assert_ptr_nonnull(account);
	ck_assert_uint_eq(account->task_count, 1);
	sw_account_sum(account, &part);
	return part;
}

/* Wait until there are this many, since starts and exits take a moment. */
static struct sw_account_part look_for(struct step *step, unsigned processes,
				       unsigned threads, unsigned running)
{
	struct sw_account_part part = look(step);
	int round;

	for (round = 0; round < PATIENCE &&
			(part.processes != processes ||
			 part.threads != threads || part.running != running);
	     round++) {
		nap(10);
		part = look(step);
	}
	return part;
}

/* The process's CPU time according to the kernel, in nanoseconds. */
static uint64_t clock_of(pid_t pid)
{
	struct timespec time;
	clockid_t clock;

	ck_assert_int_eq(clock_getcpuclockid(pid, &clock), 0);
	ck_assert_int_eq(clock_gettime(clock, &time), 0);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void write_blocks(int count)
{
	static char block[BLOCK];
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC), i;

	for (i = 0; i < count; i++)
		(void)!write(fd, block, sizeof(block));
	close(fd);
}

static void burn(uint64_t nsec)
{
	struct timespec time;
	uint64_t start = 0, now;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
		now = (uint64_t)time.tv_sec * 1000000000 +
		      (uint64_t)time.tv_nsec;
		start = start ? start : now;
	} while (now - start < nsec);
}

static void *burn_on(void *unused)
{
	burn(UINT64_MAX);
	return unused;
}

static void *sleep_on(void *unused)
{
	pause();
	return unused;
}

static void have_threads(int unused)
{
	void *(*const deeds[])(void *) = { burn_on, burn_on, sleep_on };
	pthread_t thread;
	size_t i;

	(void)unused;
	for (i = 0; i < 3; i++)
		pthread_create(&thread, NULL, deeds[i], NULL);
}

START_TEST(threads)
{
	struct sw_account_part part, before;
	struct step step;
	uint64_t running = 0, clock;
	int i;

	if (!start(&step, backends[_i], have_threads, 0))
		return;
	say(step.go);
	hear(step.done);
	before = look(&step);
	for (i = 0; i < 10; i++) {
		nap(30);
		part = look(&step);
		ck_assert_uint_eq(part.processes, 1);
		ck_assert_uint_eq(part.threads, 4);
		ck_assert_uint_le(part.running, 3);
		running += part.running;
		ck_assert_uint_ge(part.sums.runtime_nsec,
				  before.sums.runtime_nsec);
	}
	/* Two that spin, in each of ten samples, and one that wakes up. */
	ck_assert_uint_ge(running, 18);
	part = look(&step);
	clock = clock_of(step.pid);
	/* A tick of each of the two, and the time in between. */
	ck_assert_uint_gt(part.sums.runtime_nsec, before.sums.runtime_nsec);
	ck_assert_uint_le(part.sums.runtime_nsec, clock);
	ck_assert_uint_le(clock - part.sums.runtime_nsec, 60 * 1000000);
	stop(&step);
}
END_TEST

/*
 * CPU time of a thread after its sums were taken at its exit is only in its
 * process's clock: tens of microseconds of these 4 ms.
 */
static void *burn_and_end(void *unused)
{
	burn(4000000);
	write_blocks(3);
	return unused;
}

static void end_threads(int count)
{
	pthread_t thread;
	int i;

	for (i = 0; i < count; i++) {
		pthread_create(&thread, NULL, burn_and_end, NULL);
		pthread_join(thread, NULL);
	}
}

START_TEST(dead_threads)
{
	struct sw_account_part part;
	struct step step;
	uint64_t clock;

	if (!start(&step, backends[_i], end_threads, 100))
		return;
	say(step.go);
	hear(step.done);
	part = look_for(&step, 1, 1, 0);
	clock = clock_of(step.pid);
	ck_assert_uint_eq(part.threads, 1);
	/* 300 blocks, and one message on a pipe. */
	ck_assert_uint_eq(part.sums.wchar, 300 * BLOCK + 1);
	ck_assert_uint_eq(part.sums.syscw, 301);
	/* The fallback does not have the scheduler's clock. */
	if (_i == 0)
		ck_assert_uint_ge(part.sums.runtime_nsec, clock / 100 * 97);
	ck_assert_uint_le(part.sums.runtime_nsec, clock / 100 * 101);
	stop(&step);
}
END_TEST

/* Children with memory and I/O, every second of which is waited for. */
static void end_children(int count)
{
	char *memory;
	pid_t pid;
	int i;

	for (i = 0; i < count; i++) {
		pid = fork();
		if (pid == 0) {
			memory = mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			/* A fault for each page of the usual size. */
			madvise(memory, 32 * MIB, MADV_NOHUGEPAGE);
			memset(memory, i + 1, 32 * MIB);
			write_blocks(memory[MIB] == i + 1 ? 16 : 0);
			_exit(0);
		}
		if (i % 2)
			waitpid(pid, NULL, 0);
	}
	for (i = 0; i < 100 && waitpid(-1, NULL, WNOHANG) >= 0; i++)
		nap(10);
}

START_TEST(dead_children)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct sw_account_part part;
	struct step step;

	if (!start(&step, backends[_i], end_children, 20))
		return;
	say(step.go);
	hear(step.done);
	part = look(&step);
	ck_assert_uint_eq(part.processes, 1);
	ck_assert_uint_eq(part.sums.wchar, 20 * 16 * BLOCK + 1);
	ck_assert_uint_ge(part.sums.minflt, 20 * 32 * MIB / page);
	ck_assert_uint_ge(part.hiwater_max * page, 32 * MIB);
	ck_assert_uint_le(part.hiwater_max * page, 64 * MIB);
	ck_assert_uint_lt(part.rss * page, 32 * MIB);
	stop(&step);
}
END_TEST

static void do_all(int factor)
{
	pid_t pid;
	int i;

	for (i = 0; i < 10; i++) {
		pid = fork();
		if (pid == 0) {
			write_blocks(factor);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		write_blocks(factor);
	}
}

/* Concurrent, and sampled all the time: no usage of another's. */
START_TEST(three_steps)
{
	struct step steps[STEPS];
	struct sw_account_part part;
	uint64_t seen[STEPS] = { 0 };
	int factor, i, k;

	for (i = 0, factor = 1; i < STEPS; i++, factor *= 100) {
		if (!start(&steps[i], backends[_i], do_all, factor))
			return;
	}
	for (i = 0; i < STEPS; i++)
		say(steps[i].go);
	for (k = 0; k < 200; k++) {
		for (i = 0; i < STEPS; i++) {
			part = look(&steps[i]);
			/* No value ever decreases. */
			ck_assert_uint_ge(part.sums.wchar, seen[i]);
			seen[i] = part.sums.wchar;
		}
	}
	for (i = 0, factor = 1; i < STEPS; i++, factor *= 100) {
		hear(steps[i].done);
		part = look(&steps[i]);
		ck_assert_uint_eq(part.sums.wchar,
				  20 * (uint64_t)factor * BLOCK + 1);
		ck_assert_uint_eq(part.processes, 1);
	}
	for (i = 0; i < STEPS; i++)
		stop(&steps[i]);
}
END_TEST

static void hold_memory(int mib)
{
	char *memory = malloc((size_t)mib * MIB);

	memset(memory, 1, (size_t)mib * MIB);
	/* Shared with a child: only one process of the family counts. */
	if (fork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(memory[0]);
	}
}

START_TEST(memory)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct sw_account_part part;
	struct step step;

	if (!start(&step, backends[_i], hold_memory, 64))
		return;
	say(step.go);
	hear(step.done);
	part = look_for(&step, 2, 2, 0);
	ck_assert_uint_eq(part.processes, 2);
	ck_assert_uint_ge(part.anon * page, 127 * MIB);
	ck_assert_uint_ge(part.anon_low * page, 63 * MIB);
	ck_assert_uint_le(part.anon_low * page, 80 * MIB);
	ck_assert_uint_ge(part.hiwater_max * page, 63 * MIB);
	stop(&step);
}
END_TEST

static void *read_pipe(void *unused)
{
	int fd[2];
	char c;

	if (pipe2(fd, O_CLOEXEC) == 0)
		(void)!read(fd[0], &c, 1);
	return unused;
}

static void *wait_long(void *unused)
{
	sleep(1000);
	return unused;
}

static void wait_variously(int unused)
{
	pthread_t thread;

	(void)unused;
	pthread_create(&thread, NULL, read_pipe, NULL);
	pthread_create(&thread, NULL, wait_long, NULL);
	pthread_create(&thread, NULL, burn_on, NULL);
}

static uint64_t waiting(const struct sw_wait_tally *tally,
			enum sw_wait_kind kind)
{
	size_t i;

	for (i = 0; i < tally->count; i++) {
		if (tally->group[i].reason.kind == kind)
			return tally->group[i].threads;
	}
	return 0;
}

START_TEST(waits)
{
	const struct sw_wait_tally *tally;
	uint64_t all = 0;
	struct step step;
	size_t i;

	if (!start(&step, backends[_i], wait_variously, 0))
		return;
	if (!sw_programs_waits_backend(step.programs)) {
		printf("# skipped: waits cannot be seen here\n");
		return;
	}
	say(step.go);
	hear(step.done);
	look_for(&step, 1, 4, 1);
	sw_programs_expire();
	tally = sw_programs_waits(step.programs);
	ck_assert_ptr_nonnull(tally);
	for (i = 0; i < tally->count; i++)
		all += tally->group[i].threads;
	/* The main thread also reads a pipe; one thread runs. */
	ck_assert_uint_eq(all, 3);
	ck_assert_uint_eq(waiting(tally, SW_WAIT_PIPE), 2);
	ck_assert_uint_eq(waiting(tally, SW_WAIT_SLEEP), 1);
	ck_assert_uint_eq(tally->io.threads, 0);
	ck_assert_uint_eq(tally->left_out, 0);
	/* Once per wake-up. */
	ck_assert_ptr_eq(sw_programs_waits(step.programs), tally);
	ck_assert_uint_eq(tally->looks, 1);
	stop(&step);
}
END_TEST

static void end_at_once(int unused)
{
	(void)unused;
	write_blocks(5);
	_exit(0);
}

/* All usage of a step is included when its parent sees the exit. */
START_TEST(gone)
{
	struct sw_account_part part;
	struct step step;

	if (!start(&step, backends[_i], end_at_once, 0))
		return;
	say(step.go);
	ck_assert_int_eq(waitpid(step.pid, NULL, 0), step.pid);
	part = look(&step);
	ck_assert_uint_eq(part.processes, 0);
	ck_assert_uint_eq(part.sums.wchar, 5 * BLOCK);
	close(step.go);
	close(step.done);
	sw_programs_destroy(step.programs);
}
END_TEST

int main(void)
{
	TCase *live = tcase_create("live");

	tcase_set_timeout(live, 60);
	tcase_add_loop_test(live, threads, 0, RUNGS);
	tcase_add_loop_test(live, dead_threads, 0, RUNGS);
	tcase_add_loop_test(live, dead_children, 0, RUNGS);
	tcase_add_loop_test(live, three_steps, 0, RUNGS);
	tcase_add_loop_test(live, memory, 0, RUNGS);
	tcase_add_loop_test(live, waits, 0, RUNGS);
	tcase_add_loop_test(live, gone, 0, RUNGS);
	proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return run_tests("snapshot", live, NULL);
}
