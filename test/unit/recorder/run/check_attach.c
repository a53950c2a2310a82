/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that another one waits for: its identity, and its exit. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/kernel/process.h"
#include "recorder/run/attach.h"
#include "test/run_tests.h"

static const char *const no_process[] = {
	"", "1:5", "0:5", "-3:5", "12", "12:", "12:x", "12:5 ", "12:5:6", ":5",
	"99999999999:5",
};

START_TEST(refuses_what_names_no_process)
{
	struct sw_attach attach;

	ck_assert_int_eq(sw_attach_parse(&attach, no_process[_i]), -1);
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

/* A child that exits with status 7 when its pipe is closed. */
struct child {
	pid_t pid;
	int go_fd, proc_fd;
	struct sw_attach attach;
};

static void start(struct child *child)
{
	struct sw_process process;
	char text[64], byte;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	child->pid = fork();
	if (child->pid == 0) {
		close(fds[1]);
		_exit(read(fds[0], &byte, 1) == 0 ? 7 : 1);
	}
	close(fds[0]);
	child->go_fd = fds[1];
	child->proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_eq(sw_process_read_stat(&process, child->proc_fd,
					      child->pid), SW_READ_OK);
	snprintf(text, sizeof(text), "%d:%llu", (int)child->pid,
		 (unsigned long long)process.start_ticks);
	ck_assert_int_eq(sw_attach_parse(&child->attach, text), 0);
}

static void end(struct child *child)
{
	siginfo_t info;

	close(child->go_fd);
	waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT);
}

START_TEST(sees_the_end_of_a_zombie)
{
	struct child child;
	struct sw_error error;

	start(&child);
	ck_assert_int_eq(sw_attach_open(&child.attach, child.proc_fd, &error),
			 0);
	/* As before Linux 5.3. */
	if (_i == 1)
		child.attach.fd = -1;
	ck_assert(!sw_attach_has_ended(&child.attach, child.proc_fd));
	end(&child);
	ck_assert(sw_attach_has_ended(&child.attach, child.proc_fd));
	ck_assert_int_eq(sw_attach_wait_status(&child.attach, child.proc_fd),
			 7 << 8);
	waitpid(child.pid, NULL, 0);
	ck_assert(sw_attach_has_ended(&child.attach, child.proc_fd));
}
END_TEST

START_TEST(knows_no_end_without_the_kernels_word)
{
	struct child child;
	struct sw_error error;

	start(&child);
	ck_assert_int_eq(sw_attach_open(&child.attach, child.proc_fd, &error),
			 0);
	child.attach.fd = -1;
	end(&child);
	waitpid(child.pid, NULL, 0);
	ck_assert_int_eq(sw_attach_wait_status(&child.attach, child.proc_fd),
			 -1);
}
END_TEST

START_TEST(is_not_taken_for_another)
{
	struct child child;
	struct sw_error error;

	start(&child);
	child.attach.start_ticks++;
	ck_assert_int_eq(sw_attach_open(&child.attach, child.proc_fd, &error),
			 -1);
	child.attach.start_ticks--;
	end(&child);
	/* A zombie has nothing to record. */
	ck_assert_int_eq(sw_attach_open(&child.attach, child.proc_fd, &error),
			 -1);
	waitpid(child.pid, NULL, 0);
}
END_TEST

START_TEST(takes_the_word_of_who_waited)
{
	char folder[] = "/tmp/check_attach.XXXXXX", path[64];
	int dirfd, fd;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	dirfd = open(folder, O_RDONLY | O_DIRECTORY);
	snprintf(path, sizeof(path), "%s/a.status", folder);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	/* Incomplete. */
	ck_assert_int_eq(write(fd, "76", 2), 2);
	if (fork() == 0) {
		usleep(120000);
		_exit(write(fd, "8\n", 2) != 2);
	}
	ck_assert_int_eq(sw_attach_told_status(dirfd, "a"), 768);
	ck_assert_int_eq(access(path, F_OK), -1);
	wait(NULL);
	close(fd);
	close(dirfd);
	rmdir(folder);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("attach");

	tcase_add_loop_test(tests, refuses_what_names_no_process, 0,
			    sizeof(no_process) / sizeof(*no_process));
	tcase_add_loop_test(tests, sees_the_end_of_a_zombie, 0, 2);
	tcase_add_test(tests, knows_no_end_without_the_kernels_word);
	tcase_add_test(tests, is_not_taken_for_another);
	tcase_add_test(tests, takes_the_word_of_who_waited);
	return run_tests("attach", tests, NULL);
}
