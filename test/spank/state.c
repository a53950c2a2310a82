/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Record and compare the state of the calling process.  Directories are read
 * with getdents64(), so that recording allocates no heap.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>

#include "test/spank/out.h"
#include "test/spank/state.h"

extern char **environ;

struct kernel_dirent {
	uint64_t inode;
	int64_t offset;
	unsigned short length;
	unsigned char type;
	char name[];
};

/* Call see() for each entry of the folder that is a number. */
static void for_each_number(const char *path,
			    void (*see)(struct state *, int, int),
			    struct state *state)
{
	char buf[4096] __attribute__((aligned(8)));
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long n;

	if (fd < 0)
		return;
	while ((n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0) {
		for (long at = 0; at < n;) {
			const struct kernel_dirent *entry =
				(const void *)(buf + at);

			at += entry->length;
			if (entry->name[0] != '.')
				see(state, atoi(entry->name), fd);
		}
	}
	close(fd);
}

static void see_fd(struct state *state, int number, int own_fd)
{
	struct state_fd *entry = &state->fds[state->nfds];
	struct statx st;

	/* Does not query file systems, which may not respond. */
	if (number == own_fd || state->nfds == STATE_FDS_MAX ||
	    statx(number, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO,
		  &st) != 0)
		return;
	entry->fd = number;
	entry->flags = fcntl(number, F_GETFD);
	entry->device = makedev(st.stx_dev_major, st.stx_dev_minor);
	entry->inode = st.stx_ino;
	state->nfds++;
}

static void see_thread(struct state *state, int number, int own_fd)
{
	(void)number;
	(void)own_fd;
	state->nthreads++;
}

/* "children" lists pids of this thread's children, zombies included. */
static unsigned int count_children(void)
{
	char buf[16384];
	int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	unsigned int n = 0;
	ssize_t got;

	if (fd < 0)
		return 0;
	while ((got = read(fd, buf, sizeof(buf))) > 0) {
		for (ssize_t i = 0; i < got; i++)
			n += buf[i] == ' ';
	}
	close(fd);
	return n;
}

static uint64_t hash_environ(void)
{
	uint64_t hash = 14695981039346656037u;

	for (char **entry = environ; entry && *entry; entry++) {
		for (const char *p = *entry; *p; p++)
			hash = (hash ^ (unsigned char)*p) * 1099511628211u;
		hash *= 31;
	}
	return hash;
}

void state_take(struct state *state)
{
	struct itimerval timer = { 0 };

	memset(state, 0, sizeof(*state));
	for_each_number("/proc/self/fd", see_fd, state);
	for_each_number("/proc/self/task", see_thread, state);
	state->nchildren = count_children();
	sigprocmask(SIG_BLOCK, NULL, &state->mask);
	for (int i = 1; i <= STATE_SIGNALS; i++)
		sigaction(i, NULL, &state->actions[i]);
	state->umask = umask(0);
	umask(state->umask);
	state->euid = geteuid();
	state->egid = getegid();
	if (!getcwd(state->cwd, sizeof(state->cwd)))
		state->cwd[0] = '\0';
	getitimer(ITIMER_REAL, &timer);
	state->timer_usec = (uint64_t)timer.it_value.tv_sec * 1000000 +
			    (uint64_t)timer.it_value.tv_usec;
	state->env_hash = hash_environ();
	state->heap_bytes = mallinfo2().uordblks;
}

static const struct state_fd *find_fd(const struct state *state,
				      const struct state_fd *wanted)
{
	for (unsigned int i = 0; i < state->nfds; i++) {
		const struct state_fd *entry = &state->fds[i];

		if (entry->fd == wanted->fd &&
		    entry->device == wanted->device &&
		    entry->inode == wanted->inode &&
		    entry->flags == wanted->flags)
			return entry;
	}
	return NULL;
}

static void report_fd(const char *where, const char *what,
		      const struct state_fd *entry)
{
	char path[64];
	char target[256];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", entry->fd);
	n = readlink(path, target, sizeof(target) - 1);
	target[n > 0 ? n : 0] = '\0';
	out_violation("fd", where, "%s: %d %s%s", what, entry->fd, target,
		      entry->flags & FD_CLOEXEC ? "" : " (not close-on-exec)");
}

static void compare_fds(const struct state *before, const struct state *after,
			const char *where)
{
	for (unsigned int i = 0; i < after->nfds; i++) {
		if (!find_fd(before, &after->fds[i]))
			report_fd(where, "left open", &after->fds[i]);
	}
	for (unsigned int i = 0; i < before->nfds; i++) {
		if (!find_fd(after, &before->fds[i]))
			report_fd(where, "closed or changed", &before->fds[i]);
	}
}

static void compare_signals(const struct state *before,
			    const struct state *after, const char *where)
{
	for (int i = 1; i <= STATE_SIGNALS; i++) {
		if (sigismember(&before->mask, i) !=
		    sigismember(&after->mask, i))
			out_violation("signal mask", where, "signal %d", i);
		if (before->actions[i].sa_handler !=
		    after->actions[i].sa_handler ||
		    before->actions[i].sa_flags != after->actions[i].sa_flags)
			out_violation("signal disposition", where,
				      "signal %d", i);
	}
}

static void compare_number(const char *kind, const char *where,
			   uint64_t before, uint64_t after)
{
	if (before != after)
		out_violation(kind, where, "%llu before, %llu after",
			      (unsigned long long)before,
			      (unsigned long long)after);
}

void state_compare(const struct state *before, const struct state *after,
		   const char *where, int is_heap_checked)
{
	compare_fds(before, after, where);
	compare_number("threads", where, before->nthreads, after->nthreads);
	compare_number("children", where, before->nchildren,
		       after->nchildren);
	compare_signals(before, after, where);
	compare_number("umask", where, before->umask, after->umask);
	compare_number("euid", where, before->euid, after->euid);
	compare_number("egid", where, before->egid, after->egid);
	if (strcmp(before->cwd, after->cwd) != 0)
		out_violation("cwd", where, "%s before, %s after",
			      before->cwd, after->cwd);
	/* A running timer counts down: compare only whether there is one. */
	compare_number("timer", where, before->timer_usec != 0,
		       after->timer_usec != 0);
	compare_number("environment", where, before->env_hash,
		       after->env_hash);
	if (is_heap_checked)
		compare_number("heap", where, before->heap_bytes,
			       after->heap_bytes);
}

void state_check_inherited(const struct state *start, const char *where)
{
	static struct state now;

	state_take(&now);
	for (unsigned int i = 0; i < now.nfds; i++) {
		const struct state_fd *entry = &now.fds[i];

		if (entry->fd > STDERR_FILENO &&
		    !(entry->flags & FD_CLOEXEC) && !find_fd(start, entry))
			report_fd(where, "a task would inherit", entry);
	}
}
