/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the loop, and the child that makes the report's text.
 *
 * The report at the end of a job.  Gives up after PATIENCE_USEC.
 */
#include "recorder/delivery/report_job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/delivery/report_history.h"
#include "recorder/kernel/become.h"

/* Far more than the reporter's CPU limit, for very busy nodes */
#define PATIENCE_USEC (60 * SW_USEC_PER_SEC)
#define PREFIX "stepwell: "

enum {
	NOBODY = 65534,
	PROFILE_FD = 3,			/* in the reporting child */
	MEMORY_BYTES_MAX = 512 << 20,
	COPY_BYTES_MAX = 256 << 20,
	CPU_SECONDS_MAX = 20,
	FILES_MAX = 16,
	/*
	 * A job's other nodes deliver within seconds of its end, or, without an
	 * extern step, half a minute after their last step.
	 */
	NODES_MSEC = 45000,
};

bool sw_report_job_is_wanted(const struct sw_message_step *step)
{
	return step->step_id == SW_STEP_BATCH &&
	       (step->mode == SW_MODE_ON || step->mode == SW_MODE_REPORT);
}

/*
 * Make a private copy for the child; -1 with errno.  It is locked like the
 * recording: its end is still missing.
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
	    fchmod(fd, S_IRUSR) < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
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

/*
 * Uids without a user (systemd.io/UIDS-GIDS), another one for each process:
 * other processes of "nobody" on the node could read the open files of a child
 * with that uid.
 */
#define ALONE_FIRST UINT32_C(4290000000)

static int become_one(uid_t uid, int profile_fd)
{
	return fchown(profile_fd, uid, uid) < 0 ? -1 :
						  sw_become_alone(uid, uid);
}

/* Become the owner of the history, and of the profiles of other nodes. */
static int become_user(const struct sw_message_step *step, int profile_fd)
{
	if (geteuid() == 0)
		return fchown(profile_fd, step->uid, step->gid) < 0 ? -1 :
			sw_become_alone(step->uid, step->gid);
	sw_become_limit(RLIMIT_NPROC, 0);
	return 0;
}

/* A user namespace in which the recorder is root may lack that uid. */
static int become_no_user(int profile_fd)
{
	if (geteuid() != 0) {
		sw_become_limit(RLIMIT_NPROC, 0);
		return 0;
	}
	if (become_one(ALONE_FIRST + (uid_t)getpid(), profile_fd) == 0)
		return 0;
	return errno == EINVAL ? become_one(NOBODY, profile_fd) : -1;
}

/* Execute the reporter with our profile, then those of other nodes. */
__attribute__((noreturn))
static void execute_reporter(const char *reporter, const char *home,
			     const int *nodes, size_t node_count)
{
	static char home_variable[PATH_MAX + sizeof("HOME=")];
	static char paths[1 + SW_REPORT_NODES_MAX][32];
	char *arguments[5 + SW_REPORT_NODES_MAX + 1] = {
		(char *)(uintptr_t)"stepwell", (char *)(uintptr_t)"report",
		(char *)(uintptr_t)"--brief",
		/* Slurm has no final state yet, and must not be queried. */
		(char *)(uintptr_t)"--no-sacct", paths[0],
	};
	size_t i;
	static char *environment[] = {
		(char *)(uintptr_t)"LC_ALL=C",
		(char *)(uintptr_t)"NO_COLOR=1",
		(char *)(uintptr_t)"PATH=/usr/bin:/bin", NULL, NULL,
	};

	snprintf(home_variable, sizeof(home_variable), "HOME=%s", home);
	if (*home)
		environment[3] = home_variable;

	snprintf(paths[0], sizeof(paths[0]), "/proc/self/fd/%d", PROFILE_FD);
	for (i = 0; i < node_count; i++) {
		snprintf(paths[1 + i], sizeof(paths[0]), "/proc/self/fd/%d",
			 nodes[i]);
		arguments[5 + i] = paths[1 + i];
	}
	execve(reporter, arguments, environment);
	_exit(127);
}

/*
 * Run the reporting child: without a user, files, much time or children.  Only
 * the user can read a history of past runs, and profiles delivered by other
 * nodes, so with these it runs as the user.
 */
__attribute__((noreturn))
static void execute(const struct sw_report_by *by,
		    const struct sw_message_step *step,
		    const struct sw_report_nodes *nodes, int profile_fd,
		    int text_fd)
{
	char home[PATH_MAX];
	bool is_user;
	int null = open("/dev/null", O_RDWR), others[SW_REPORT_NODES_MAX];
	size_t count = 0;
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
	is_user = sw_report_has_history(step->uid, step->gid, by->history_dir,
					home) || nodes;
	sw_become_limit(RLIMIT_AS, MEMORY_BYTES_MAX);
	sw_become_limit(RLIMIT_CPU, CPU_SECONDS_MAX);
	sw_become_limit(RLIMIT_FSIZE, 0);
	sw_become_limit(RLIMIT_NOFILE,
			FILES_MAX + (nodes ? SW_REPORT_NODES_MAX : 0));
	if ((is_user ? become_user(step, PROFILE_FD) :
		     become_no_user(PROFILE_FD)) < 0)
		_exit(127);
	if (nodes)
		count = sw_report_nodes_await(nodes, step->uid, NODES_MSEC,
					      others);
	execute_reporter(by->reporter, home, others, count);
}

static void close_text(struct sw_report_job *report)
{
	if (report->text_fd >= 0)
		close(report->text_fd);
	report->text_fd = -1;
}

/* End the text: the writer notices that, and exits. */
static void end_text(struct sw_report_job *report)
{
	if (report->reporter > 0)
		kill(report->reporter, SIGKILL);
	report->reporter = 0;
	close_text(report);
	free(report->text);
	report->text = NULL;
	if (report->write_fd >= 0)
		close(report->write_fd);
	report->write_fd = -1;
}

/* Fork the reporting child.  Return 0, or -1 with errno. */
static int begin_text(struct sw_report_job *report,
		      const struct sw_report_by *by,
		      const struct sw_message_step *step,
		      const struct sw_report_nodes *nodes, int profile_fd)
{
	int copy_fd = copy_profile(profile_fd), pipes[2], saved;

	if (copy_fd < 0)
		return -1;
	report->text = malloc(SW_REPORT_TEXT_SIZE);
	if (!report->text || pipe2(pipes, O_CLOEXEC | O_NONBLOCK) < 0) {
		close(copy_fd);
		return -1;
	}
	report->reporter = fork();
	if (report->reporter == 0) {
		fcntl(pipes[1], F_SETFL, 0);
		execute(by, step, nodes, copy_fd, pipes[1]);
	}
	saved = errno;
	close(pipes[1]);
	close(copy_fd);
	report->text_fd = pipes[0];
	errno = saved;
	return report->reporter < 0 ? -1 : 0;
}

static void begin(struct sw_report_job *report,
		  const struct sw_message_step *step)
{
	*report = (struct sw_report_job){
		.uid = step->uid, .text_fd = -1, .write_fd = -1,
		.until_usec = sw_clock_boottime_usec() + PATIENCE_USEC,
	};
}

int sw_report_job_begin(struct sw_report_job *report,
			const struct sw_report_by *by,
			int profile_fd, int peer_fd,
			const struct sw_message_step *step,
			const struct sw_report_nodes *nodes,
			struct sw_error *error)
{
	begin(report, step);
	report->writer = sw_report_write_begin(peer_fd, step->uid, step->gid,
					       &report->write_fd);
	if (report->writer < 0) {
		report->writer = 0;
		return sw_error_errno(error, "no report");
	}
	if (nodes)
		report->until_usec += NODES_MSEC * (SW_USEC_PER_SEC / 1000);
	if (begin_text(report, by, step, nodes, profile_fd) == 0)
		return 0;
	sw_error_errno(error, "no report");
	end_text(report);
	return 0;
}

void sw_report_job_let_go(struct sw_report_job *report, int peer_fd,
			  const struct sw_message_step *step)
{
	begin(report, step);
	report->writer = sw_report_write_begin(peer_fd, step->uid, step->gid,
					       NULL);
	report->state = SW_REPORT_JOB_NO_FILE;
	if (report->writer < 0)
		report->writer = 0;
}

int sw_report_job_fd(const struct sw_report_job *report)
{
	return report->text_fd;
}

/* Keep our own complete lines; replace unprintable characters; in place. */
static size_t clean(char *text, size_t length)
{
	size_t from = 0, to = 0, lines = 0, end, i;
	const size_t prefix = strlen(PREFIX);

	while (from < length && lines < SW_REPORT_LINES_MAX) {
		const char *newline = memchr(text + from, '\n', length - from);

		if (!newline)
			break;	/* truncated */
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

/* Read the text.  Return 0 at its end, or -1 if there is more to come. */
static int read_text(struct sw_report_job *report)
{
	ssize_t length;

	for (;;) {
		size_t room = SW_REPORT_TEXT_SIZE - report->length;

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

void sw_report_job_stop(struct sw_report_job *report)
{
	end_text(report);
	if (report->state == SW_REPORT_JOB_GOES_ON)
		report->state = SW_REPORT_JOB_FAILED;
	if (report->writer > 0)
		kill(report->writer, SIGKILL);
}

/* The text is complete: send it to the writer. */
static void pass_text(struct sw_report_job *report)
{
	close_text(report);
	report->length = clean(report->text, report->length);
	if (report->length == 0 ||
	    send(report->write_fd, report->text, report->length,
		 MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		end_text(report);
}

enum sw_report_job_state sw_report_job_advance(struct sw_report_job *report)
{
	if (report->text_fd >= 0 && read_text(report) == 0)
		pass_text(report);
	if (report->writer > 0 &&
	    sw_clock_boottime_usec() > report->until_usec)
		sw_report_job_stop(report);
	return report->state;
}

static enum sw_report_job_state state_of(int written)
{
	switch (written) {
	case SW_REPORT_WRITTEN:
		return SW_REPORT_JOB_WRITTEN;
	case SW_REPORT_NO_FILE:
		return SW_REPORT_JOB_NO_FILE;
	case SW_REPORT_FOREIGN:
		return SW_REPORT_JOB_FOREIGN;
	case SW_REPORT_UNWRITABLE:
		return SW_REPORT_JOB_UNWRITABLE;
	default:
		return SW_REPORT_JOB_FAILED;
	}
}

bool sw_report_job_reaped(struct sw_report_job *report, pid_t pid, int status)
{
	if (pid == report->reporter)
		report->reporter = 0;
	if (pid != report->writer)
		return false;
	report->writer = 0;
	end_text(report);
	if (report->state != SW_REPORT_JOB_GOES_ON)
		return true;
	report->state = WIFEXITED(status) ? state_of(WEXITSTATUS(status)) :
					    SW_REPORT_JOB_FAILED;
	return true;
}
