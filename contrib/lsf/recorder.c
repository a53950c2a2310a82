/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder of one job.  Everything that may block, such as access to the
 * file system of the user's home, is done by a process that is not waited for.
 */
#include "contrib/lsf/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "contrib/lsf/limits.h"
#include "contrib/lsf/members.h"

enum {
	PATIENCE_MSEC = 5000,
	FDS_MAX = 65536,	/* for kernels without close_range() */
	ARGUMENTS_MAX = 28,
};

/* Anyone who can write to a parent directory could replace the program. */
static bool is_trusted(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	       (status.st_uid == 0 || status.st_uid == geteuid()) &&
	       !(status.st_mode & S_IWOTH) && access(path, X_OK) == 0;
}

/* Find NAME in a directory of the build tree, else use the installed one. */
static void find_program(char *path, size_t size, const char *folder,
			 const char *name, const char *installed)
{
	char own[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	const char *slash;

	own[length > 0 ? length : 0] = '\0';
	slash = strrchr(own, '/');
	if (snprintf(path, size, "%.*s/../../%s/%s",
		     slash ? (int)(slash - own) : 0, own, folder, name) <
		    (int)size &&
	    is_trusted(path))
		return;
	snprintf(path, size, "%s/%s", installed, name);
}

/* Create all missing directories of path, with access only for the user. */
static void make_folders(char *path)
{
	char *slash = path;

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

/* The log is next to the recordings: the output belongs to the job. */
static void open_log(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char path[PATH_MAX];
	int fd;

	if (state && state[0] == '/')
		snprintf(path, sizeof(path), "%s/stepwell/lsf.log", state);
	else
		snprintf(path, sizeof(path),
			 "%s/.local/state/stepwell/lsf.log", home ? home : "");
	make_folders(path);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC |
				O_NONBLOCK, 0600);
	if (fd >= 0)
		dup2(fd, STDERR_FILENO);
}

/* Close descriptors of the job, such as a pipe that is read until closed. */
static void drop_descriptors(int ready_fd)
{
	int null_fd = open("/dev/null", O_RDWR), fd;

	dup2(null_fd, STDIN_FILENO);
	dup2(null_fd, STDERR_FILENO);
	dup2(ready_fd, STDOUT_FILENO);
#ifdef SYS_close_range
	if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0) == 0)
		return;
#endif
	for (fd = STDERR_FILENO + 1; fd < FDS_MAX; fd++)
		close(fd);
}

static void complain(const struct sw_lsf_job *job, const char *what,
		     const char *why)
{
	dprintf(STDERR_FILENO, "stepwell: job %s: %s%s%s\n", job->id, what,
		why ? ": " : "", why ? why : "");
}

static void add(const char **argv, size_t *count, const char *option,
		const char *value)
{
	if (!value || !*value || *count + 2 >= ARGUMENTS_MAX)
		return;
	argv[(*count)++] = option;
	argv[(*count)++] = value;
}

/* shell NULL: there is none; record the processes that are found. */
static void execute(const struct sw_lsf_job *job,
		    const struct sw_lsf_process *shell, const char *program)
{
	char path[PATH_MAX], reporter[PATH_MAX], target[48] = "";
	struct sw_lsf_limits limits;
	const char *argv[ARGUMENTS_MAX + 4];
	size_t count = 0;

	find_program(path, sizeof(path), "recorder", "stepwell-recorder",
		     PKGLIBEXECDIR);
	find_program(reporter, sizeof(reporter), "analyzer", "stepwell",
		     BINDIR);
	sw_lsf_limits_read(&limits, job);
	if (shell)
		snprintf(target, sizeof(target), "%d:%" PRIu64,
			 (int)shell->pid, shell->start_ticks);
	argv[count++] = "stepwell-recorder";
	argv[count++] = "--foreground";
	add(argv, &count, "--attach", target);
	if (job->has_many)
		argv[count++] = "--members";
	add(argv, &count, "--lsf-job", job->id);
	add(argv, &count, "--nodes", job->hosts);
	add(argv, &count, "--cpus", job->slots);
	add(argv, &count, "--mem", limits.memory);
	add(argv, &count, "--limits-note", limits.note);
	add(argv, &count, "--name", job->name);
	add(argv, &count, "--reporter", reporter);
	add(argv, &count, "--", program);
	argv[count] = NULL;
	execv(path, (char *const *)(uintptr_t)argv);
	complain(job, path, strerror(errno));
	complain(job, "it was not recorded", NULL);
}

/* Run the recorder as a child of the process that finds the job's others. */
static void execute_and_watch(const struct sw_lsf_job *job,
			      const struct sw_lsf_process *shell,
			      const char *program)
{
	int fds[2], null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t signals;
	pid_t recorder;

	sigprocmask(SIG_SETMASK, NULL, &signals);
	sw_lsf_members_hold();
	if (pipe2(fds, O_CLOEXEC) < 0)
		return;
	recorder = fork();
	if (recorder == 0) {
		dup2(fds[0], STDIN_FILENO);
		sigprocmask(SIG_SETMASK, &signals, NULL);
		signal(SIGPIPE, SIG_DFL);
		unsetenv("LSB_JOBID");
		execute(job, shell, program);
		_exit(1);
	}
	close(fds[0]);
	/* This signals to the caller that the recorder has started. */
	dup2(null_fd, STDOUT_FILENO);
	if (recorder > 0)
		sw_lsf_members_watch(job, shell, fds[1], recorder);
	close(fds[1]);
	if (recorder > 0)
		waitpid(recorder, NULL, 0);
}

static void __attribute__((noreturn))
leave_job(int ready_fd, void (*become)(const void *context),
	  const void *context)
{
	/* The recorder must not receive signals for the job's process group. */
	setsid();
	if (fork() != 0)
		_exit(0);
	drop_descriptors(ready_fd);
	if (chdir("/") < 0)
		_exit(1);
	open_log();
	become(context);
	_exit(1);
}

/* Start a process and wait until it is ready, when it closes the pipe. */
static void start(void (*become)(const void *context), const void *context)
{
	struct pollfd ready = { .events = POLLIN };
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return;
	pid = fork();
	if (pid == 0)
		leave_job(fds[1], become, context);
	close(fds[1]);
	ready.fd = fds[0];
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	/* The pipe is closed when the recorder is recording or has failed. */
	if (pid > 0)
		poll(&ready, 1, PATIENCE_MSEC);
	close(fds[0]);
}

struct work {
	const struct sw_lsf_job *job;
	const struct sw_lsf_process *shell;
	const char *program;
};

static void become_recorder(const void *context)
{
	const struct work *work = context;

	if (!work->shell)
		complain(work->job, "its shell was not found, so that it was "
				    "not recorded", NULL);
	else if (work->job->has_many)
		execute_and_watch(work->job, work->shell, work->program);
	else
		execute(work->job, work->shell, work->program);
}

void sw_lsf_record(const struct sw_lsf_job *job,
		   const struct sw_lsf_process *shell, const char *program)
{
	const struct work work = { job, shell, program };

	start(become_recorder, &work);
}

static void become_keeper(const void *context)
{
	const struct sw_lsf_job *job = context;

	execl("/proc/self/exe", "stepwell-host", "keep", job->id, NULL);
	complain(job, "stepwell-host", strerror(errno));
}

void sw_lsf_record_host(const struct sw_lsf_job *job)
{
	start(become_keeper, job);
}

void sw_lsf_keep_host(const struct sw_lsf_job *job)
{
	execute_and_watch(job, NULL, "job");
}
