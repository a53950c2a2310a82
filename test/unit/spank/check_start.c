/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmd starts a recorder unless the socket accepts: a unit's does while its
 * recorder starts.  The socket of a killed recorder accepts a message, too,
 * until the kernel has cleaned up.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
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

#include "common/protocol.h"
#include "spank/start.h"
#include "test/run_tests.h"

static char folder[] = "/tmp/check_start.XXXXXX";
static char recorder[64], mark[64];
static struct sockaddr_un address = { .sun_family = AF_UNIX };

static void make_recorder(const char *last_line)
{
	FILE *file = fopen(recorder, "w");

	ck_assert(file);
	fprintf(file, "#!/bin/sh\n: >%s\n%s\n", mark, last_line);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(chmod(recorder, 0755), 0);
}

static void make_folder(void)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	ck_assert(mkdtemp(folder));
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/s", folder);
	snprintf(recorder, sizeof(recorder), "%s/recorder", folder);
	snprintf(mark, sizeof(mark), "%s/mark", folder);
	make_recorder("");
}

static void remove_folder(void)
{
	unlink(address.sun_path);
	unlink(recorder);
	unlink(mark);
	rmdir(folder);
}

static bool was_started(void)
{
	return access(mark, F_OK) == 0;
}

static int listening(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bind(fd, (const struct sockaddr *)&address,
			      sizeof(address)), 0);
	ck_assert_int_eq(listen(fd, 8), 0);
	return fd;
}

START_TEST(nobody_listens)
{
	ck_assert_int_eq(sw_start_recorder(recorder, address.sun_path), 0);
	ck_assert(was_started());
}
END_TEST

/* As systemd's does while the unit's recorder starts. */
START_TEST(one_accepts)
{
	int fd = listening();

	ck_assert_int_eq(sw_start_recorder(recorder, address.sun_path), 0);
	ck_assert(!was_started());
	close(fd);
}
END_TEST

START_TEST(one_was_killed)
{
	siginfo_t end;
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	pid_t pid;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bind(fd, (const struct sockaddr *)&address,
			      sizeof(address)), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(listen(fd, 8));
	/* Its socket is open here, as in an exiting process. */
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &end, WEXITED | WNOWAIT), 0);
	ck_assert_int_eq(sw_start_recorder(recorder, address.sun_path), 0);
	ck_assert(was_started());
	waitpid(pid, NULL, 0);
	close(fd);
}
END_TEST

START_TEST(it_fails)
{
	make_recorder("exit 1");
	ck_assert_int_eq(sw_start_recorder(recorder, address.sun_path), -1);
	ck_assert_int_eq(errno, ENOEXEC);
	ck_assert(was_started());
}
END_TEST

/* slurmd continues, and has no child to wait for. */
START_TEST(it_takes_long)
{
	char line[128];

	snprintf(line, sizeof(line), "while [ -e %s ]; do sleep 0.1; done",
		 mark);
	make_recorder(line);
	ck_assert_int_eq(sw_start_recorder(recorder, address.sun_path), -1);
	ck_assert_int_eq(errno, EINPROGRESS);
	ck_assert(was_started());
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

static void answer(int listener)
{
	struct sw_message_header message;
	int fd = accept(listener, NULL, NULL);

	if (fd < 0 || recv(fd, &message, sizeof(message), 0) < 0)
		_exit(1);
	sw_message_head(&message, SW_MESSAGE_ANSWER, sizeof(message));
	_exit(send(fd, &message, sizeof(message), 0) < 0);
}

START_TEST(one_answers)
{
	int fd = listening(), status;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		answer(fd);
	ck_assert_int_eq(sw_start_recorder(recorder, address.sun_path), 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert(!was_started());
	close(fd);
}
END_TEST

START_TEST(there_is_none)
{
	unlink(recorder);
	ck_assert_int_eq(sw_start_recorder(recorder, address.sun_path), -1);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("recorder");

	tcase_add_checked_fixture(tcase, make_folder, remove_folder);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, nobody_listens);
	/* Only root is trusted. */
	if (geteuid() == 0) {
		tcase_add_test(tcase, one_answers);
		tcase_add_test(tcase, one_accepts);
	}
	tcase_add_test(tcase, one_was_killed);
	tcase_add_test(tcase, it_fails);
	tcase_add_test(tcase, it_takes_long);
	tcase_add_test(tcase, there_is_none);
	return run_tests("start", tcase, NULL);
}
