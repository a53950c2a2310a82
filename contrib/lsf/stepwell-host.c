/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepwell-host start|stop: for HOST_PRE_EXEC and HOST_POST_EXEC of LSF's
 * queues, which run on each host of a job.  The starter records on the first
 * host; on the others the process started here does, until it is stopped.
 * Always succeeds, because the exit status decides whether the job runs.
 *
 * The process itself is the only sign that it is running: there is no file that
 * another user could create, change or remove.
 */
#include <errno.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "contrib/lsf/job.h"
#include "contrib/lsf/process.h"
#include "contrib/lsf/recorder.h"

enum { ARGUMENTS_SIZE = 128, PATIENCE_MSEC = 10000, NAP_MSEC = 50 };

struct keeper {
	const struct sw_lsf_job *job;
	struct sw_lsf_process process;
};

/* "stepwell-host\0keep\0ID\0" */
static bool is_keeper(pid_t pid, const struct sw_lsf_job *job)
{
	char wanted[ARGUMENTS_SIZE], found[ARGUMENTS_SIZE];
	int length = snprintf(wanted, sizeof(wanted), "stepwell-host%ckeep%c%s",
			      '\0', '\0', job->id);

	return sw_lsf_process_file(pid, "cmdline", found, sizeof(found)) ==
		       (size_t)length + 1 &&
	       !memcmp(wanted, found, (size_t)length + 1);
}

static bool take(void *context, const struct sw_lsf_process *process)
{
	struct keeper *keeper = context;

	if (process->state == 'Z' || !is_keeper(process->pid, keeper->job))
		return true;
	keeper->process = *process;
	return false;
}

static bool find_keeper(struct keeper *keeper)
{
	keeper->process.pid = 0;
	sw_lsf_processes(take, keeper);
	return keeper->process.pid > 0;
}

static bool is_there(const struct keeper *keeper)
{
	struct sw_lsf_process process;

	return sw_lsf_process_read(&process, keeper->process.pid) &&
	       process.start_ticks == keeper->process.start_ticks &&
	       process.state != 'Z';
}

/* Use a pidfd, which cannot refer to another process, if supported. */
static void end(const struct keeper *keeper)
{
	pid_t pid = keeper->process.pid;
#ifdef SYS_pidfd_send_signal
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd >= 0 && is_there(keeper))
		syscall(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0);
	if (fd >= 0) {
		close(fd);
		return;
	}
#endif
	if (is_there(keeper))
		kill(pid, SIGTERM);
}

/* Wait until the recording is complete: LSF may kill the process afterwards. */
static void stop(const struct sw_lsf_job *job)
{
	struct keeper keeper = { .job = job };
	int waited;

	if (!find_keeper(&keeper))
		return;
	end(&keeper);
	for (waited = 0; is_there(&keeper) && waited < PATIENCE_MSEC;
	     waited += NAP_MSEC)
		poll(NULL, 0, NAP_MSEC);
}

/* Start it only once if both queue and application have the hook. */
static void begin(const struct sw_lsf_job *job)
{
	struct keeper keeper = { .job = job };

	if (job->has_many && !job->is_first && !find_keeper(&keeper))
		sw_lsf_record_host(job);
}

/* The environment may be almost empty. */
static void set_home(void)
{
	const struct passwd *user = getenv("HOME") ? NULL : getpwuid(geteuid());

	if (user)
		setenv("HOME", user->pw_dir, 1);
}

/* As root, another user's job is not visible or would be recorded as root's. */
static bool is_own_job(void)
{
	const char *name = getenv("LSFUSER");

	return geteuid() != 0 || (name && !strcmp(name, "root"));
}

int main(int argc, char **argv)
{
	struct utsname host = { .nodename = "" };
	const char *what = argc > 1 ? argv[1] : "";
	struct sw_lsf_job job;

	uname(&host);
	if (!sw_lsf_job_read(&job, host.nodename) || !is_own_job())
		return 0;
	set_home();
	if (!strcmp(what, "start"))
		begin(&job);
	else if (!strcmp(what, "stop"))
		stop(&job);
	else if (!strcmp(what, "keep"))
		sw_lsf_keep_host(&job);
	else
		fputs("stepwell-host: start or stop\n", stderr);
	return 0;
}
