/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recorder started right after another was killed must not mistake the dying
 * one, whose socket still listens, for a serving one.
 */
#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/daemon/node_socket.h"
#include "test/run_tests.h"

static char folder[] = "/tmp/check_node_socket.XXXXXX";
static struct sockaddr_un address = { .sun_family = AF_UNIX };

static void make_folder(void)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	ck_assert(mkdtemp(folder));
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/s", folder);
}

static void remove_folder(void)
{
	unlink(address.sun_path);
	rmdir(folder);
}

static int bound(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bind(fd, (const struct sockaddr *)&address,
			      sizeof(address)), 0);
	return fd;
}

START_TEST(nobody)
{
	ck_assert(!sw_node_is_served(address.sun_path));
	close(bound());
	ck_assert(!sw_node_is_served(address.sun_path));
}
END_TEST

START_TEST(one_that_lives)
{
	int fd = bound(), i;

	ck_assert_int_eq(listen(fd, 1), 0);
	/* Even if the queue is full. */
	for (i = 0; i < 4; i++)
		ck_assert(sw_node_is_served(address.sun_path));
	close(fd);
}
END_TEST

START_TEST(one_that_was_killed)
{
	int fd = bound(), pipes[2];
	siginfo_t end;
	pid_t pid;
	char byte;

	ck_assert_int_eq(pipe(pipes), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		/* The process that called listen() is the listener. */
		if (listen(fd, 8) == 0 && write(pipes[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
	ck_assert(sw_node_is_served(address.sun_path));
	/* The socket stays open here, as in an exiting process. */
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &end, WEXITED | WNOWAIT), 0);
	ck_assert(!sw_node_is_served(address.sun_path));
	waitpid(pid, NULL, 0);
	ck_assert(!sw_node_is_served(address.sun_path));
	close(fd);
	close(pipes[0]);
	close(pipes[1]);
}
END_TEST

/* The unit's socket is never recreated, a leftover one is. */
START_TEST(only_what_is_left_over)
{
	static struct sw_node_socket node;
	struct sw_error error;
	struct stat before, after;
	int fd = bound();

	ck_assert_int_eq(listen(fd, 8), 0);
	ck_assert_int_eq(stat(address.sun_path, &before), 0);
	ck_assert_int_eq(sw_node_socket_open(&node, address.sun_path, -1,
					     &error), -1);
	ck_assert_int_eq(stat(address.sun_path, &after), 0);
	ck_assert_uint_eq(before.st_ino, after.st_ino);
	close(fd);
	ck_assert_int_eq(sw_node_socket_open(&node, address.sun_path, -1,
					     &error), 0);
	ck_assert(sw_node_is_served(address.sun_path));
	sw_node_socket_close(&node, address.sun_path);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("served");

	tcase_add_checked_fixture(tcase, make_folder, remove_folder);
	tcase_add_test(tcase, nobody);
	tcase_add_test(tcase, one_that_lives);
	tcase_add_test(tcase, one_that_was_killed);
	tcase_add_test(tcase, only_what_is_left_over);
	return run_tests("node_socket", tcase, NULL);
}
