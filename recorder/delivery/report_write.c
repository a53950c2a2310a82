/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the child that has become the job's user.
 *
 * The child that holds a job's error file.
 */
#include "recorder/delivery/report_write.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/pass_fd.h"
#include "common/protocol.h"
#include "recorder/kernel/become.h"

/* If the recorder has exited: longer than a report takes */
enum { ALARM_SECONDS = 120 };

/* Receive the file of the message; -1: none. */
static int take_file(int peer_fd)
{
	union sw_message message;
	int fd, flags;

	/* This may block forever: keep nothing open, least of all the lock. */
	dup2(peer_fd, STDIN_FILENO);
	close_range(STDERR_FILENO + 1, ~0u, 0);
	sw_receive_with_fd(STDIN_FILENO, &message, sizeof(message), &fd,
			   &flags);
	/* The parent answers the peer. */
	close(STDIN_FILENO);
	return fd;
}

/*
 * Return whether the file ends within a line.  Slurm opened it write-only, so
 * reopen it, by the descriptor: the path may lead elsewhere by now.
 */
static bool is_within_line(int fd, off_t size)
{
	char path[32], last = '\n';
	int reading;

	if (size == 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reading = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (reading < 0)
		return true;	/* rather an empty line than an overlong one */
	if (pread(reading, &last, 1, size - 1) != 1)
		last = '\n';
	close(reading);
	return last != '\n';
}

/* Append all of it, or restore the file: no partial reports. */
static int append(int fd, const char *text, size_t size, off_t before)
{
	ssize_t length = write(fd, text, size);
	struct stat status;

	if (length == (ssize_t)size)
		return SW_REPORT_WRITTEN;
	if (length > 0 && fstat(fd, &status) == 0 &&
	    status.st_size == before + length && ftruncate(fd, before) < 0)
		return SW_REPORT_FAILED;
	return SW_REPORT_UNWRITABLE;
}

static int check_file(int fd, uid_t uid)
{
	struct stat status;

	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) ||
	    status.st_nlink == 0)
		return SW_REPORT_NO_FILE;
	return status.st_uid == uid ? SW_REPORT_WRITTEN : SW_REPORT_FOREIGN;
}

/* Run as the user, so that the user's quota and permissions apply. */
static int write_text(int fd, int text_fd, uid_t uid)
{
	/* a newline of ours, then the text */
	char text[1 + SW_REPORT_BYTES_MAX] = "\n";
	int result = check_file(fd, uid);
	struct stat status;
	ssize_t length;
	bool is_within;

	if (result != SW_REPORT_WRITTEN)
		return result;
	length = recv(text_fd, text + 1, sizeof(text) - 1, 0);
	/* Append at the end, whatever the user's programs did to the file. */
	if (length <= 0 || fstat(fd, &status) < 0 ||
	    fcntl(fd, F_SETFL, O_APPEND) < 0)
		return SW_REPORT_FAILED;
	is_within = is_within_line(fd, status.st_size);
	return append(fd, is_within ? text : text + 1,
		      (size_t)length + is_within, status.st_size);
}

__attribute__((noreturn))
static void hold_file(int peer_fd, int text_fd, uid_t uid, gid_t gid)
{
	bool is_wanted = text_fd >= 0;
	sigset_t none;
	int fd;

	if (is_wanted)
		dup2(text_fd, STDOUT_FILENO);
	fd = take_file(peer_fd);
	if (!is_wanted || fd < 0)
		_exit(SW_REPORT_NO_FILE);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	alarm(ALARM_SECONDS);
	if (geteuid() == 0 && sw_become(uid, gid) < 0)
		_exit(SW_REPORT_FAILED);
	_exit(write_text(fd, STDOUT_FILENO, uid));
}

pid_t sw_report_write_begin(int peer_fd, uid_t uid, gid_t gid, int *text_fd)
{
	int ends[2] = { -1, -1 };
	pid_t pid;

	if (text_fd && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
				  ends) < 0)
		return -1;
	pid = fork();
	if (pid == 0)
		hold_file(peer_fd, ends[1], uid, gid);
	if (!text_fd)
		return pid;
	close(ends[1]);
	if (pid < 0)
		close(ends[0]);
	else
		*text_fd = ends[0];
	return pid;
}
