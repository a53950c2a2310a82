/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report at the end of a job.  Gives up after PATIENCE_USEC, or when the
 * hook does.
 */
#include "recorder/report_job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/pass_fd.h"
#include "common/units.h"
#include "recorder/become.h"

/* The longest that end_wait_ms= lets a hook wait. */
#define PATIENCE_USEC (10 * SW_USEC_PER_SEC)
#define PREFIX "stepwell: "

enum {
	NOBODY = 65534,
	PROFILE_FD = 3,			/* in the child that reports */
	MEMORY_BYTES_MAX = 512 << 20,
	COPY_BYTES_MAX = 256 << 20,
	CPU_SECONDS_MAX = 5,
	FILES_MAX = 16,
};

static bool is_default_name(const char *name,
			    const struct sw_message_step *step)
{
	char wanted[64];

	if (step->array_task_id != SW_NO_ID)
		snprintf(wanted, sizeof(wanted),
			 "slurm-%" PRIu32 "_%" PRIu32 ".out",
			 step->array_job_id, step->array_task_id);
	else
		snprintf(wanted, sizeof(wanted), "slurm-%" PRIu32 ".out",
			 step->job_id);
	return !strcmp(name, wanted);
}

bool sw_report_job_is_wanted(int proc_fd, const struct sw_message_step *step,
			     bool is_error_apart)
{
	char link[32], path[4096];
	const char *slash;
	ssize_t length;

	if (step->mode == SW_MODE_QUIET || step->mode == SW_MODE_OFF)
		return false;
	if (step->mode == SW_MODE_REPORT || is_error_apart)
		return true;
	/* The name only: the file's own system is not asked. */
	snprintf(link, sizeof(link), "%" PRIu32 "/fd/%d", step->stepd_pid,
		 STDERR_FILENO);
	length = readlinkat(proc_fd, link, path, sizeof(path) - 1);
	if (length <= 0)
		return false;
	path[length] = '\0';
	slash = strrchr(path, '/');
	return slash && is_default_name(slash + 1, step);
}

/*
 * A copy that anybody with the descriptor may open; -1 with errno.  It is
 * locked as the recording is: what its end lacks is still to come.
 */
static int copy_profile(int profile_fd)
{
	int fd = memfd_create("stepwell-profile", MFD_CLOEXEC);
	struct stat status;
	off_t from = 0;
	ssize_t length;

	if (fd < 0)
		return -1;
	if (fstat(profile_fd, &status) < 0 || status.st_size > COPY_BYTES_MAX ||
	    fchmod(fd, 0444) < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
		goto error;
	while (from < status.st_size) {
		length = sendfile(fd, profile_fd, &from,
				  (size_t)(status.st_size - from));
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			goto error;
	}
	return fd;
error:
	close(fd);
	return -1;
}

static void limit(__rlimit_resource_t resource, rlim_t value)
{
	const struct rlimit both = { value, value };

	setrlimit(resource, &both);
}

/* The child that reports: nobody, with no file, no time and no children. */
__attribute__((noreturn))
static void execute(const char *reporter, int profile_fd, int text_fd)
{
	static char path[] = "/proc/self/fd/3";
	char *const arguments[] = {
		(char *)(uintptr_t)"stepwell", (char *)(uintptr_t)"report",
		(char *)(uintptr_t)"--brief", path, NULL,
	};
	static char *const environment[] = {
		(char *)(uintptr_t)"LC_ALL=C",
		(char *)(uintptr_t)"NO_COLOR=1",
		(char *)(uintptr_t)"PATH=/usr/bin:/bin", NULL,
	};
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0 ||
	    dup2(text_fd, STDOUT_FILENO) < 0)
		_exit(127);
	if (profile_fd == PROFILE_FD)
		fcntl(PROFILE_FD, F_SETFD, 0);
	else if (dup2(profile_fd, PROFILE_FD) < 0)
		_exit(127);
	close_range(PROFILE_FD + 1, ~0u, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	limit(RLIMIT_AS, MEMORY_BYTES_MAX);
	limit(RLIMIT_CPU, CPU_SECONDS_MAX);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NOFILE, FILES_MAX);
	if (geteuid() == 0 && sw_become(NOBODY, NOBODY) < 0)
		_exit(127);
	execve(reporter, arguments, environment);
	_exit(127);
}

int sw_report_job_begin(struct sw_report_job *report, const char *reporter,
			int profile_fd, int peer_fd, struct sw_error *error)
{
	int copy_fd = copy_profile(profile_fd), pipes[2];

	*report = (struct sw_report_job){ .text_fd = -1, .peer_fd = peer_fd };
	if (copy_fd < 0 || pipe2(pipes, O_CLOEXEC | O_NONBLOCK) < 0) {
		sw_error_errno(error, "no report");
		goto error;
	}
	report->pid = fork();
	if (report->pid == 0) {
		fcntl(pipes[1], F_SETFL, 0);
		execute(reporter, copy_fd, pipes[1]);
	}
	close(pipes[1]);
	if (report->pid < 0) {
		sw_error_errno(error, "no report");
		close(pipes[0]);
		report->pid = 0;
		goto error;
	}
	close(copy_fd);
	report->text_fd = pipes[0];
	report->until_usec = sw_clock_boottime_usec() + PATIENCE_USEC;
	return 0;
error:
	if (copy_fd >= 0)
		close(copy_fd);
	return -1;
}

int sw_report_job_fd(const struct sw_report_job *report)
{
	return report->text_fd;
}

size_t sw_report_job_clean(char *text, size_t length)
{
	size_t from = 0, to = 0, lines = 0, end, i;
	const size_t prefix = strlen(PREFIX);

	while (from < length && lines < SW_REPORT_LINES_MAX) {
		const char *newline = memchr(text + from, '\n', length - from);

		if (!newline)
			break;	/* cut in its middle */
		end = (size_t)(newline - text);
		if (end - from > prefix &&
		    memcmp(text + from, PREFIX, prefix) == 0 &&
		    to + end - from + 1 <= SW_REPORT_BYTES_MAX) {
			for (i = from; i < end; i++)
				text[to++] = text[i] >= ' ' && text[i] <= '~' ?
					     text[i] : '?';
			text[to++] = '\n';
			lines++;
		}
		from = end + 1;
	}
	return to;
}

/* All of the text, or -1: there is more to come. */
static int read_text(struct sw_report_job *report)
{
	ssize_t length;

	for (;;) {
		size_t room = sizeof(report->text) - report->length;

		if (room == 0)
			return 0;
		length = read(report->text_fd, report->text + report->length,
			      room);
		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0)
			return errno == EAGAIN ? -1 : 0;
		if (length == 0)
			return 0;
		report->length += (size_t)length;
	}
}

/* The one write, by a child that may be held up and is not missed. */
static void begin_write(struct sw_report_job *report)
{
	union sw_message message;
	int error_fd, flags;
	pid_t pid = fork();

	if (pid == 0) {
		/* It may hang for ever: with nothing else, the lock above all. */
		dup2(report->peer_fd, STDIN_FILENO);
		close_range(STDERR_FILENO + 1, ~0u, 0);
		sw_receive_with_fd(STDIN_FILENO, &message, sizeof(message),
				   &error_fd, &flags);
		/* Who waits is told by the parent. */
		close(STDIN_FILENO);
		/* To the end, whatever the user's programs did to the file. */
		fcntl(error_fd, F_SETFL, O_APPEND);
		_exit(write(error_fd, report->text, report->length) < 0);
	}
	report->pid = pid > 0 ? pid : 0;
}

static bool give_up(struct sw_report_job *report)
{
	if (report->pid > 0)
		kill(report->pid, SIGKILL);	/* reaped by the loop */
	report->pid = 0;
	if (report->text_fd >= 0)
		close(report->text_fd);
	return true;
}

bool sw_report_job_turn(struct sw_report_job *report, bool is_awaited)
{
	int status;

	if (!is_awaited || sw_clock_boottime_usec() > report->until_usec)
		return give_up(report);
	if (report->text_fd >= 0) {
		if (read_text(report) < 0)
			return false;
		close(report->text_fd);
		report->text_fd = -1;
		report->length = sw_report_job_clean(report->text,
						     report->length);
		waitpid(report->pid, &status, WNOHANG);
		if (report->length == 0)
			return give_up(report);
		begin_write(report);
	}
	if (report->pid > 0 &&
	    waitpid(report->pid, &status, WNOHANG) == 0)
		return false;
	report->pid = 0;
	return true;
}
