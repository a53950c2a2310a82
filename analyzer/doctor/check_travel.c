/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Test the whole path of a profile: write and read it in the spool as root,
 * then in the users' folder as another user, like a delivery.  Each step runs
 * in a child, since a file system may hang forever, with a timeout of LEG_MSEC.
 * Test folders begin with a dot, so that nobody takes them for profiles.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/doctor/doctor.h"
#include "analyzer/doctor/plugstack.h"
#include "common/clock.h"
#include "profiles/reader.h"
#include "profiles/writer.h"

enum { LEG_MSEC = 5000, TEXT_SIZE = 256, NOBODY = 65534, ROW_COUNT = 100 };

#define PROFILE "doctor.stepwell"

static const struct sw_column columns[] = {
	{ "time_usec", "usec", SW_KIND_TIME, "" },
	{ "number", "count", SW_KIND_COUNTER, "" },
};
static const struct sw_table table = {
	"series.doctor", SW_SCOPE_NODE, "doctor", columns, 2,
};

static int write_rows(struct sw_writer *writer, struct sw_error *error)
{
	uint64_t now = sw_clock_boottime_usec(), i;
	int number = sw_writer_table(writer, &table, error);

	if (number < 0)
		return -1;
	for (i = 0; i < ROW_COUNT; i++) {
		const union sw_value row[] = {
			{ .number = now + i }, { .number = i * i },
		};

		if (sw_writer_row(writer, number, row, now + i) < 0)
			return sw_error_errno(error, "a row was dropped");
	}
	return sw_writer_finish(writer, now + i, error);
}

static int write_profile(int dirfd, struct sw_error *error)
{
	struct sw_writer *writer;
	int rc;

	writer = sw_writer_create(dirfd, PROFILE, false, error);
	if (!writer)
		return -1;
	rc = write_rows(writer, error);
	sw_writer_destroy(writer);
	return rc;
}

static int check_rows(const struct sw_reader *reader, struct sw_error *error)
{
	const struct sw_reader_table *rows = sw_reader_find(reader, table.name);
	const struct sw_reader_column *column;
	uint64_t i;

	column = rows ? sw_reader_find_column(rows, "number") : NULL;
	errno = EBADMSG;
	if (!column || rows->row_count != ROW_COUNT ||
	    !sw_reader_health(reader)->is_finished)
		return sw_error_set(error, "what was read is incomplete");
	for (i = 0; i < ROW_COUNT; i++) {
		if (column->numbers[i] != i * i)
			return sw_error_set(error, "what was read differs from "
					    "what was written");
	}
	return 0;
}

/* Relative to the open folder: its parents may be inaccessible to us. */
static int read_profile(int dirfd, struct sw_error *error)
{
	struct sw_reader *reader = sw_reader_open_in(dirfd, PROFILE, false,
						     NULL, error);
	int rc;

	if (!reader)
		return -1;
	rc = check_rows(reader, error);
	sw_reader_close(reader);
	return rc;
}

static void remove_profile(int parent, const char *name, int dirfd)
{
	unlinkat(dirfd, PROFILE, 0);
	unlinkat(dirfd, PROFILE ".part", 0);
	unlinkat(dirfd, PROFILE ".tail", 0);
	unlinkat(parent, name, AT_REMOVEDIR);
}

static int travel(int parent, const char *name, struct sw_error *error)
{
	int dirfd, rc;

	if (mkdirat(parent, name, 0700) < 0)
		return sw_error_errno(error, "no folder can be created");
	dirfd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
		       O_CLOEXEC);
	if (dirfd < 0) {
		unlinkat(parent, name, AT_REMOVEDIR);
		return sw_error_errno(error, "the new folder cannot be opened");
	}
	rc = write_profile(dirfd, error);
	if (rc == 0)
		rc = read_profile(dirfd, error);
	remove_profile(parent, name, dirfd);
	close(dirfd);
	return rc;
}

/* Only root can change its uid; other users already have theirs. */
static int become(uid_t uid)
{
	if (geteuid() != 0 || uid == 0)
		return 0;
	return setgroups(0, NULL) < 0 || setresgid(uid, uid, uid) < 0 ||
	       setresuid(uid, uid, uid) < 0 ? -1 : 0;
}

static void run_child(int parent, const char *name, uid_t uid, int out)
{
	struct sw_error error = { "" };
	int rc;

	if (become(uid) < 0)
		rc = sw_error_errno(&error, "cannot become user %u", uid);
	else
		rc = travel(parent, name, &error);
	if (rc < 0 && write(out, error.text, strlen(error.text)) < 0)
		_exit(2);
	_exit(rc < 0 ? 1 : 0);
}

/* A child stuck in the kernel stays behind, and exits when it can. */
static int await_child(pid_t pid, int in, struct sw_error *error)
{
	struct pollfd poll_fd = { .fd = in, .events = POLLIN };
	char text[TEXT_SIZE];
	ssize_t length = 0;
	int status;

	errno = ETIMEDOUT;
	if (poll(&poll_fd, 1, LEG_MSEC) <= 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, WNOHANG);
		return sw_error_set(error, "no answer within %d ms: the file "
				    "system hangs", LEG_MSEC);
	}
	length = read(in, text, sizeof(text) - 1);
	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	    WEXITSTATUS(status) == 0)
		return 0;
	text[length > 0 ? length : 0] = '\0';
	return sw_error_set(error, "%s", *text ? text : "it ended early");
}

static int run_leg(const struct sw_doctor *doctor, const char *folder,
		   uid_t uid, struct sw_error *error)
{
	/* O_PATH: the users' folder can be entered, but not read. */
	int parent = sw_doctor_open(doctor, folder,
				    O_PATH | O_DIRECTORY | O_NOFOLLOW);
	char name[48];
	int fds[2], rc = -1;
	pid_t pid;

	if (parent < 0)
		return sw_error_errno(error, "it cannot be opened");
	snprintf(name, sizeof(name), ".doctor.%ld.%u", (long)getpid(), uid);
	if (pipe2(fds, O_CLOEXEC) < 0) {
		sw_error_errno(error, "no pipe");
		goto out;
	}
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		run_child(parent, name, uid, fds[1]);
	}
	close(fds[1]);
	rc = pid < 0 ? sw_error_errno(error, "no child") :
		       await_child(pid, fds[0], error);
	close(fds[0]);
out:
	close(parent);
	return rc;
}

void sw_check_travel(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	uid_t user = geteuid() == 0 ? NOBODY : geteuid();
	char profile_dir[PATH_MAX];
	struct sw_error error;

	sw_doctor_profile_dir(doctor, profile_dir, sizeof(profile_dir));
	if (!doctor->is_root)
		sw_answer_skip(answer, "needs root",
			       "only root can write to the spool");
	else if (!sw_slurm_has_daemon(doctor) &&
		 !sw_doctor_has(doctor, SW_DOCTOR_SPOOL))
		sw_answer_skip(
			answer, "no slurmd here",
			"no slurmd here, so nothing has to be delivered");
	else if (run_leg(doctor, SW_DOCTOR_SPOOL, doctor->owner, &error) < 0)
		sw_answer_fail(answer, "the spool accepts no profile",
			       "no profile can be written to "
			       "" SW_DOCTOR_SPOOL " and read back: %s",
			       error.text);
	else if (run_leg(doctor, profile_dir, user, &error) < 0)
		sw_answer_fail(answer, "users get no profiles",
			       "user %u cannot write a profile below %s and "
			       "read it back: %s", user, profile_dir,
			       error.text);
	else
		sw_answer_ok(answer, "a profile was written to the spool and "
			     "read back, and as user %u below %s", user,
			     profile_dir);
}
