/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process belongs to the job if its environment names the job, or if LSF put
 * it into a cgroup that does.  Children of such a process are found by the
 * recorder.  Any other process may become one by execve(), so it is checked
 * again, at increasing intervals.
 */
#include "contrib/lsf/members.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	SLOTS = 8192, /* processes of one user on a host */
	TEXT_SIZE = 1 << 20,
	FIRST_SCANS = 20, /* at shorter intervals */
	FIRST_NSEC = 100000000,
	IDLE_SECONDS = 86400,
	RARE_SCANS = 64,
};

struct known {
	pid_t pid;
	uint64_t start_ticks;
	unsigned scan;	     /* last scan that has seen it */
	unsigned wait, next; /* scans until the next check */
	bool is_member, is_told;
};

struct watch {
	struct sw_lsf_process own;
	pid_t recorder;
	const struct sw_lsf_job *job;
	const struct sw_lsf_process *shell;
	int fd;
	unsigned scan;
	size_t living; /* members in this scan */
	struct known known[SLOTS];
	char text[TEXT_SIZE];
};

static struct watch watch;

/* Return NULL if the table is full: the process is then checked each time. */
static struct known *find(pid_t pid)
{
	size_t slot = (size_t)pid * 2654435761u % SLOTS, tries;

	for (tries = 0; tries < SLOTS; tries++) {
		struct known *known = &watch.known[slot];

		if (known->pid == pid || !known->pid)
			return known;
		slot = (slot + 1) % SLOTS;
	}
	return NULL;
}

/* Find NAME=VALUE (NULL: any) in a list of NUL-terminated strings. */
static bool has_word(const char *text, size_t length, const char *name,
		     const char *value)
{
	size_t name_length = strlen(name);
	const char *end = text + length;

	for (; text < end; text += strlen(text) + 1) {
		if (!strncmp(text, name, name_length) &&
		    text[name_length] == '=')
			return !value || !strcmp(text + name_length + 1, value);
	}
	return false;
}

/* Post-processing has the job's environment as well, plus its exit status. */
static bool is_named_by_environment(pid_t pid)
{
	size_t length = sw_lsf_process_file(pid, "environ", watch.text,
					    sizeof(watch.text));

	return !has_word(watch.text, length, "LSB_JOBEXIT_STAT", NULL) &&
	       has_word(watch.text, length, "LSB_JOBID", watch.job->number) &&
	       (has_word(watch.text, length, "LSB_JOBINDEX",
			 watch.job->index) ||
		(!strcmp(watch.job->index, "0") &&
		 !has_word(watch.text, length, "LSB_JOBINDEX", NULL)));
}

/* ".../lsf/CLUSTER/job.12.PID.TIME"; not specific enough for an array. */
static bool is_named_by_cgroup(pid_t pid)
{
	char wanted[48], *lsf;

	if (strcmp(watch.job->index, "0") != 0)
		return false;
	snprintf(wanted, sizeof(wanted), "/job.%s.", watch.job->number);
	sw_lsf_process_file(pid, "cgroup", watch.text, sizeof(watch.text));
	lsf = strstr(watch.text, "/lsf/");
	return lsf && strstr(lsf, wanted);
}

static void look_at(struct known *known, const struct sw_lsf_process *process)
{
	if (known->pid != process->pid ||
	    known->start_ticks != process->start_ticks)
		*known = (struct known){ .pid = process->pid,
					 .wait = 1,
					 .start_ticks = process->start_ticks };
	known->scan = watch.scan;
	if (known->is_member || watch.scan < known->next)
		return;
	known->is_member = is_named_by_cgroup(process->pid) ||
			   is_named_by_environment(process->pid);
	known->next = watch.scan + known->wait;
	if (known->wait < RARE_SCANS)
		known->wait *= 2;
}

static bool is_told(const struct sw_lsf_process *process)
{
	char line[48];
	int length = snprintf(line, sizeof(line), "%d:%" PRIu64 "\n",
			      (int)process->pid, process->start_ticks);

	return write(watch.fd, line, (size_t)length) == length;
}

static bool is_living_member(pid_t pid)
{
	const struct known *known = find(pid);

	return (watch.shell && pid == watch.shell->pid) ||
	       (known && known->pid == pid && known->is_member &&
		watch.scan - known->scan <= 1);
}

/* If two started in the same tick, the later one has the larger pid. */
static bool was_before(const struct sw_lsf_process *process)
{
	if (process->start_ticks == watch.own.start_ticks)
		return process->pid < watch.own.pid;
	return process->start_ticks < watch.own.start_ticks;
}

/* Return true for older processes and for those of the recorder. */
static bool is_foreign(const struct sw_lsf_process *process)
{
	return was_before(process) || process->pid == watch.own.pid ||
	       process->pid == watch.recorder ||
	       process->parent == watch.recorder;
}

static bool take(void *context, const struct sw_lsf_process *process)
{
	struct known *known = find(process->pid), none = { .pid = 0 };

	(void)context;
	known = known ? known : &none;
	if (is_foreign(process))
		return true;
	look_at(known, process);
	watch.living += known->is_member && process->state != 'Z';
	if (known->is_member && !known->is_told &&
	    !is_living_member(process->parent) &&
	    !(watch.shell && process->pid == watch.shell->pid))
		known->is_told = is_told(process);
	return true;
}

/* Drop the processes that have exited. */
static void forget(void)
{
	static struct known kept[SLOTS];
	size_t i, count = 0;

	for (i = 0; i < SLOTS; i++) {
		if (watch.known[i].pid && watch.known[i].scan == watch.scan)
			kept[count++] = watch.known[i];
	}
	memset(watch.known, 0, sizeof(watch.known));
	for (i = 0; i < count; i++)
		*find(kept[i].pid) = kept[i];
}

static void get_signals(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGCHLD);
}

void sw_lsf_members_hold(void)
{
	sigset_t signals;

	get_signals(&signals);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Return true when it is time to exit. */
static bool nap(pid_t recorder)
{
	struct timespec pause = { .tv_sec = 1 };
	sigset_t signals;

	if (watch.scan < FIRST_SCANS)
		pause = (struct timespec){ .tv_nsec = FIRST_NSEC };
	get_signals(&signals);
	return sigtimedwait(&signals, NULL, &pause) == SIGTERM ||
	       waitpid(recorder, NULL, WNOHANG) != 0;
}

void sw_lsf_members_watch(const struct sw_lsf_job *job,
			  const struct sw_lsf_process *shell, int fd,
			  pid_t recorder)
{
	time_t last = time(NULL);

	if (!sw_lsf_process_read(&watch.own, getpid()))
		return;
	watch.recorder = recorder;
	watch.job = job;
	watch.shell = shell;
	watch.fd = fd;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	do {
		watch.scan++;
		watch.living = 0;
		sw_lsf_processes(take, NULL);
		forget();
		if (watch.living || shell)
			last = time(NULL);
	} while (!nap(recorder) && time(NULL) - last < IDLE_SECONDS);
}
