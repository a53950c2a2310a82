/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes followed by the BPF program: each exit is reported once, even if
 * the parent ignores SIGCHLD, the count of followed ones returns to 0, and the
 * recorder is woken.  Skipped without BPF in the kernel or for the user.
 */
#include <bpf/libbpf.h>
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "recorder/bpf/exec_load.h"
#include "recorder/bpf/exec_record.h"
#include "test/run_tests.h"

enum {
	CHILDREN = 60,
	THREADS = 4,
	PATIENCE = 1000,
	ROUND_MSEC = 10,
	WAKE_MSEC = 300000,	/* a loaded machine fills the ring slowly */
	FEW = 1000,
};

/* Counts of the received records. */
struct told {
	int forks, exits;
};

static struct exec_bpf *skeleton;
static struct ring_buffer *ring;
static struct told told;

static int count_record(void *context, void *data, size_t size)
{
	const struct sw_record_head *head = data;

	(void)context;
	(void)size;
	told.forks += head->kind == SW_RECORD_FORK;
	told.exits += head->kind == SW_RECORD_EXIT;
	return 0;
}

static bool load(void)
{
	struct sw_error error;

	skeleton = sw_exec_load(&error);
	if (!skeleton) {
		printf("# skipped: %s\n", error.text);
		return false;
	}
	ring = ring_buffer__new(bpf_map__fd(skeleton->maps.records),
				count_record, NULL, NULL);
	ck_assert_ptr_nonnull(ring);
	return true;
}

static void unload(void)
{
	ring_buffer__free(ring);
	exec_bpf__destroy(skeleton);
}

static unsigned followed(void)
{
	unsigned sum = 0, i;

	for (i = 0; i < SW_RECORD_GROUPS; i++)
		sum += __atomic_load_n(&skeleton->data_followed->followed[i],
				       __ATOMIC_RELAXED);
	return sum;
}

static void nap(void)
{
	const struct timespec time = { .tv_nsec = ROUND_MSEC * 1000000 };

	nanosleep(&time, NULL);
}

static void *do_nothing(void *unused)
{
	return unused;
}

/* Its threads exit with it, all at once, or before. */
static void end_with_threads(bool joins)
{
	pthread_t thread[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, do_nothing, NULL) != 0)
			_exit(1);
	for (i = 0; joins && i < THREADS; i++)
		pthread_join(thread[i], NULL);
	_exit(0);
}

/* Start all concurrently, and wait for all of them. */
static void have_children(bool threads)
{
	int i;

	for (i = 0; i < CHILDREN; i++) {
		if (fork() != 0)
			continue;
		if (threads)
			end_with_threads(i % 2);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
}

static void have_children_with_threads(void)
{
	have_children(true);
}

static void have_plain_children(void)
{
	have_children(false);
}

/* In sequence, until it is killed. */
static void have_children_for_ever(void)
{
	for (;;) {
		if (fork() == 0)
			_exit(0);
		wait(NULL);
	}
}

/* Start a followed process that runs deed on request. */
static pid_t start(void (*deed)(void), bool wants_to_know, int *go)
{
	int way[2];
	pid_t pid;
	char c;

	ck_assert_int_eq(pipe2(way, O_CLOEXEC), 0);
	fflush(NULL);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!wants_to_know)
			signal(SIGCHLD, SIG_IGN);
		if (read(way[0], &c, 1) == 1)
			deed();
		_exit(0);
	}
	close(way[0]);
	*go = way[1];
	return pid;
}

/* Bit 0 of the loop's number: with threads; bit 1: the parent ignores exits. */
START_TEST(ends)
{
	int go, round;
	pid_t pid;

	if (!load())
		return;
	told = (struct told){ 0 };
	pid = start(_i & 1 ? have_children_with_threads : have_plain_children,
		    !(_i & 2), &go);
	ck_assert_int_eq(sw_exec_follow(skeleton, 0, pid), 0);
	ck_assert_uint_eq(followed(), 1);
	ck_assert_int_eq(write(go, "x", 1), 1);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	close(go);
	/* Exited processes are freed a little later. */
	for (round = 0; round < PATIENCE && followed() > 0; round++)
		nap();
	ring_buffer__consume(ring);
	ck_assert_uint_eq(followed(), 0);
	ck_assert_uint_eq(skeleton->bss->untold.ends, 0);
	ck_assert_int_eq(told.forks, CHILDREN);
	ck_assert_int_eq(told.exits, CHILDREN + 1);
	unload();
}
END_TEST

START_TEST(forgotten)
{
	pid_t pid;
	int go;

	if (!load())
		return;
	told = (struct told){ 0 };
	pid = start(have_plain_children, true, &go);
	ck_assert_int_eq(sw_exec_follow(skeleton, 0, pid), 0);
	ck_assert_int_eq(sw_exec_follow(skeleton, 0, pid), 0);
	ck_assert_uint_eq(followed(), 1);
	sw_exec_forget(skeleton, pid);
	ck_assert_uint_eq(followed(), 0);
	sw_exec_forget(skeleton, pid);
	ck_assert_uint_eq(followed(), 0);
	ck_assert_int_eq(write(go, "x", 1), 1);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	close(go);
	ring_buffer__consume(ring);
	ck_assert_int_eq(told.forks, 0);
	ck_assert_int_eq(told.exits, 0);
	unload();
}
END_TEST

/* A sleeping recorder is woken for many records, and again for more. */
START_TEST(woken)
{
	struct epoll_event event;
	int go, round;
	pid_t pid;

	if (!load())
		return;
	pid = start(have_children_for_ever, true, &go);
	ck_assert_int_eq(sw_exec_follow(skeleton, 0, pid), 0);
	ck_assert_int_eq(write(go, "x", 1), 1);
	for (round = 0; round < 2; round++) {
		told = (struct told){ 0 };
		/* Records between the two calls are reported at once. */
		while (told.exits < FEW) {
			ck_assert_int_eq(epoll_wait(
				ring_buffer__epoll_fd(ring), &event, 1,
				WAKE_MSEC), 1);
			ring_buffer__consume(ring);
		}
	}
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	close(go);
	unload();
}
END_TEST

int main(void)
{
	TCase *bpf = tcase_create("bpf");

	tcase_set_timeout(bpf, 900);
	tcase_add_loop_test(bpf, ends, 0, 4);
	tcase_add_test(bpf, forgotten);
	tcase_add_test(bpf, woken);
	return run_tests("followed", bpf, NULL);
}
