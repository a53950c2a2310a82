/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects that a thread waits for, in this process's memory and files. */
#include <arpa/inet.h>
#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/waits/ends.h"
#include "recorder/waits/file_locks.h"
#include "recorder/waits/sockets.h"
#include "recorder/waits/wait_object.h"
#include "test/run_tests.h"

static int proc_fd;

static void set_up(void)
{
	proc_fd = open("/proc", O_RDONLY | O_DIRECTORY);
	ck_assert_int_ge(proc_fd, 0);
}

static void tear_down(void)
{
	close(proc_fd);
}

static struct sw_wait_object ask(int call, const void *first, uint64_t second,
				 const void *third)
{
	struct sw_wait_object object = {
		.call = call,
		.argument = { (uintptr_t)first, second, (uintptr_t)third } };

	ck_assert_int_eq(sw_wait_object_read(&object, proc_fd, getpid()),
			 SW_READ_OK);
	return object;
}

START_TEST(test_mutex_names_its_owner)
{
	/* glibc's mutex with a waiter, 2, and its owner. */
	uint32_t mutex[4] = { 2, 0, (uint32_t)getpid(), 1 };

	ck_assert_int_eq(ask(SYS_futex, mutex, 128, NULL).owner, getpid());
	mutex[2] = 1;	/* no thread of this process */
	ck_assert_int_eq(ask(SYS_futex, mutex, 128, NULL).owner, 0);
}
END_TEST

START_TEST(test_real_mutex_names_its_owner)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	uint32_t contended = 2;

	pthread_mutex_lock(&mutex);
	memcpy(&mutex, &contended, sizeof(contended));
	ck_assert_int_eq(ask(SYS_futex, &mutex, 128, NULL).owner, getpid());
}
END_TEST

START_TEST(test_condition_names_nobody)
{
	const uint32_t condition[4] = { 7, 0, (uint32_t)getpid(), 1 };

	ck_assert_int_eq(ask(SYS_futex, condition, 128, NULL).owner, 0);
	ck_assert_int_eq(ask(SYS_futex, NULL, 128, NULL).owner, 0);
	ck_assert_int_eq(ask(SYS_futex, (void *)16, 128, NULL).owner, 0);
}
END_TEST

START_TEST(test_join_names_the_thread)
{
	const uint32_t tid = (uint32_t)getpid();

	ck_assert_int_eq(ask(SYS_futex, &tid, 265, NULL).owner, getpid());
}
END_TEST

START_TEST(test_sleep_has_its_length)
{
	const struct timespec time = { .tv_sec = 60, .tv_nsec = 500000000 };
	struct timespec until;

	ck_assert_uint_eq(ask(SYS_nanosleep, &time, 0, NULL).sleep_usec,
			  60500000);
	ck_assert_uint_eq(ask(SYS_clock_nanosleep, NULL, 0, &time).sleep_usec,
			  60500000);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += 100;
	ck_assert_uint_le(ask(SYS_clock_nanosleep, (void *)CLOCK_MONOTONIC,
			      TIMER_ABSTIME, &until).sleep_usec, 100000000);
	ck_assert_uint_ge(ask(SYS_clock_nanosleep, (void *)CLOCK_MONOTONIC,
			      TIMER_ABSTIME, &until).sleep_usec, 10000000);
}
END_TEST

static struct sw_wait_object ask_select(int call, const void *limit)
{
	struct sw_wait_object object = {
		.call = call, .argument = { [4] = (uintptr_t)limit } };

	ck_assert_int_eq(sw_wait_object_read(&object, proc_fd, getpid()),
			 SW_READ_OK);
	return object;
}

START_TEST(test_select_has_its_limit)
{
	const struct timespec time = { .tv_sec = 2, .tv_nsec = 500000000 };

	ck_assert_uint_eq(ask_select(SYS_pselect6, &time).sleep_usec, 2500000);
	ck_assert_uint_eq(ask_select(SYS_pselect6, NULL).sleep_usec,
			  SW_MISSING);
#ifdef SYS_select
	ck_assert_uint_eq(ask_select(SYS_select, &(struct timeval){
				  2, 500000 }).sleep_usec, 2500000);
	ck_assert_uint_eq(ask_select(SYS_select, &(struct timeval){
				  -1, 0 }).sleep_usec, SW_MISSING);
#endif
}
END_TEST

START_TEST(test_path_as_it_was_given)
{
	static const char *const path = "/scratch/a b";

	ck_assert_str_eq(ask(SYS_openat, NULL, (uintptr_t)path, NULL).path,
			 path);
	ck_assert_str_eq(ask(SYS_chdir, path, 0, NULL).path, path);
	ck_assert_str_eq(ask(SYS_chdir, (void *)16, 0, NULL).path, "");
	ck_assert_str_eq(ask(SYS_read, path, 0, NULL).path, "");
}
END_TEST

START_TEST(test_poll_has_its_descriptors)
{
	const struct pollfd polled[] = { { .fd = 5 }, { .fd = -1 },
					 { .fd = 77 } };
	struct sw_wait_object object = ask(SYS_ppoll, polled, 3, NULL);
	int epoll = epoll_create1(0), ends[2];
	fd_set set;

	ck_assert_uint_eq(object.count, 2);
	ck_assert_int_eq(object.descriptor[0], 5);
	ck_assert_int_eq(object.descriptor[1], 77);
	FD_ZERO(&set);
	FD_SET(70, &set);
	object = ask(SYS_pselect6, (void *)71, (uintptr_t)&set, NULL);
	ck_assert_uint_eq(object.count, 1);
	ck_assert_int_eq(object.descriptor[0], 70);
	ck_assert_int_eq(pipe(ends), 0);
	epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0],
		  &(struct epoll_event){ .events = EPOLLIN });
	object = ask(SYS_epoll_pwait, (void *)(intptr_t)epoll, 0, NULL);
	ck_assert_uint_eq(object.count, 1);
	ck_assert_int_eq(object.descriptor[0], ends[0]);
}
END_TEST

static uint64_t inode_of(int fd)
{
	struct stat status;

	ck_assert_int_eq(fstat(fd, &status), 0);
	return status.st_ino;
}

/* Find readers and writers, "r" and "w", of the inode. */
static void look_for(char *found, uint64_t inode)
{
	struct sw_ends ends;
	size_t i;

	ck_assert_int_eq(sw_ends_read(&ends, proc_fd, getpid()), SW_READ_OK);
	for (i = 0; i < ends.count; i++) {
		if (ends.end[i].inode != inode)
			continue;
		if (ends.end[i].can_read)
			*found++ = 'r';
		if (ends.end[i].can_write)
			*found++ = 'w';
	}
	*found = '\0';
}

START_TEST(test_ends_of_pipe)
{
	char found[SW_ENDS_MAX * 2 + 1];
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	look_for(found, inode_of(ends[0]));
	ck_assert_str_eq(found, "rw");
	close(ends[1]);
	look_for(found, inode_of(ends[0]));
	ck_assert_str_eq(found, "r");
	ck_assert_uint_eq(sw_end_inode("pipe:[123]"), 123);
	ck_assert_uint_eq(sw_end_inode("socket:[9]"), 9);
	ck_assert_uint_eq(sw_end_inode("/pipe:[9]"), 0);
}
END_TEST

START_TEST(test_tcp_peer)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM, 0);
	int client = socket(AF_INET, SOCK_STREAM, 0), accepted;
	struct sw_socket found;
	char text[64];

	ck_assert_int_eq(bind(server, (void *)&address, size), 0);
	ck_assert_int_eq(listen(server, 1), 0);
	getsockname(server, (void *)&address, &size);
	ck_assert_int_eq(connect(client, (void *)&address, size), 0);
	accepted = accept(server, NULL, NULL);
	ck_assert_int_ge(accepted, 0);
	found = (struct sw_socket){ .inode = inode_of(client) };
	ck_assert_int_eq(sw_socket_find(&found, proc_fd, getpid()),
			 SW_READ_OK);
	snprintf(text, sizeof(text), "127.0.0.1:%d", ntohs(address.sin_port));
	ck_assert_str_eq(found.peer, text);
	ck_assert_uint_eq(found.peer_inode, inode_of(accepted));
	found = (struct sw_socket){ .inode = inode_of(server) };
	ck_assert_int_eq(sw_socket_find(&found, proc_fd, getpid()),
			 SW_READ_OK);
	snprintf(text, sizeof(text), "port %d", ntohs(address.sin_port));
	ck_assert_str_eq(found.peer, text);
	close(client);
	close(accepted);
	close(server);
}
END_TEST

START_TEST(test_local_peer)
{
	struct sw_socket found;
	int ends[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	found = (struct sw_socket){ .inode = inode_of(ends[0]) };
	/* A kernel may lack the module, or refuse. */
	if (sw_socket_find(&found, proc_fd, getpid()) == SW_READ_OK) {
		ck_assert_uint_eq(found.peer_inode, inode_of(ends[1]));
		ck_assert_str_eq(found.peer, "");
	}
	close(ends[0]);
	close(ends[1]);
}
END_TEST

START_TEST(test_local_peer_has_its_path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char folder[] = "/tmp/check_local.XXXXXX";
	int server = socket(AF_UNIX, SOCK_STREAM, 0);
	int client = socket(AF_UNIX, SOCK_STREAM, 0), accepted;
	struct sw_socket found;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket",
		 folder);
	ck_assert_int_eq(bind(server, (void *)&address, sizeof(address)), 0);
	ck_assert_int_eq(listen(server, 1), 0);
	ck_assert_int_eq(connect(client, (void *)&address, sizeof(address)),
			 0);
	accepted = accept(server, NULL, NULL);
	found = (struct sw_socket){ .inode = inode_of(client) };
	if (sw_socket_find(&found, proc_fd, getpid()) == SW_READ_OK) {
		ck_assert_str_eq(found.peer, address.sun_path);
		ck_assert_uint_eq(found.peer_inode, inode_of(accepted));
	}
	close(accepted);
	close(client);
	close(server);
	unlink(address.sun_path);
	rmdir(folder);
}
END_TEST

START_TEST(test_lock_holder)
{
	char folder[] = "/tmp/check_locks.XXXXXX", path[64];
	FILE *file;
	int fd;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/locks", folder);
	file = fopen(path, "w");
	fputs("1: FLOCK  ADVISORY  WRITE 100 08:01:99 0 EOF\n"
	      "1: -> FLOCK  ADVISORY  WRITE 101 08:01:99 0 EOF\n"
	      "2: POSIX  ADVISORY  READ 200 08:01:98 0 EOF\n"
	      "3: OFDLCK ADVISORY  WRITE -1 08:01:97 0 EOF\n"
	      "3: -> OFDLCK ADVISORY  WRITE 102 08:01:97 0 EOF\n", file);
	fclose(file);
	fd = open(folder, O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(sw_file_lock_holder(fd, 101), 100);
	ck_assert_int_eq(sw_file_lock_holder(fd, 100), 0);
	ck_assert_int_eq(sw_file_lock_holder(fd, 102), 0);
	ck_assert_int_eq(sw_file_lock_holder(fd, 7), 0);
	close(fd);
	unlink(path);
	rmdir(folder);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("object");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, test_mutex_names_its_owner);
	tcase_add_test(tcase, test_real_mutex_names_its_owner);
	tcase_add_test(tcase, test_condition_names_nobody);
	tcase_add_test(tcase, test_join_names_the_thread);
	tcase_add_test(tcase, test_sleep_has_its_length);
	tcase_add_test(tcase, test_select_has_its_limit);
	tcase_add_test(tcase, test_path_as_it_was_given);
	tcase_add_test(tcase, test_poll_has_its_descriptors);
	tcase_add_test(tcase, test_ends_of_pipe);
	tcase_add_test(tcase, test_tcp_peer);
	tcase_add_test(tcase, test_local_peer);
	tcase_add_test(tcase, test_local_peer_has_its_path);
	tcase_add_test(tcase, test_lock_holder);
	return run_tests("wait_object", tcase, NULL);
}
