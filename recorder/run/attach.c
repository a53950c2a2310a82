/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attach to a process that is not a child of this one. */
#include "recorder/run/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/proc_stat.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/kernel/process.h"

enum { STATUS_TRIES = 10, TOLD_TRIES = 100, STATUS_MAX = 0xffff };

/* <linux/pidfd.h> of Linux 6.15; earlier versions lack part or all of it */
struct exit_info {
	uint64_t mask;
	uint64_t cgroup;
	uint32_t ids[11];
	int32_t exit_code;
};
#define EXIT_INFO     (1 << 3)
#define GET_EXIT_INFO _IOWR(0xff, 11, struct exit_info)

int sw_attach_parse(struct sw_attach *attach, const char *text)
{
	int length = 0;

	attach->fd = -1;
	if (sscanf(text, "%9d:%18" SCNu64 "%n", &attach->pid,
		   &attach->start_ticks, &length) == 2 &&
	    !text[length] && attach->pid > 1)
		return 0;
	errno = EINVAL;
	return -1;
}

/* Return whether it is the same process and still running. */
static bool is_alive(const struct sw_attach *attach, int proc_fd)
{
	struct sw_process process;

	return sw_process_read_stat(&process, proc_fd, attach->pid) ==
		       SW_READ_OK &&
	       process.start_ticks == attach->start_ticks &&
	       process.state != 'Z' && process.state != 'X';
}

int sw_attach_open(struct sw_attach *attach, int proc_fd,
		   struct sw_error *error)
{
#ifdef SYS_pidfd_open
	attach->fd = (int)syscall(SYS_pidfd_open, attach->pid, 0);
#endif
	/* Check afterwards: the descriptor may refer to a later process. */
	if (is_alive(attach, proc_fd))
		return 0;
	if (attach->fd >= 0)
		close(attach->fd);
	attach->fd = -1;
	return sw_error_set(error, "process %d has ended", (int)attach->pid);
}

bool sw_attach_has_ended(const struct sw_attach *attach, int proc_fd)
{
	struct pollfd polled = { .fd = attach->fd, .events = POLLIN };

	if (attach->fd < 0)
		return !is_alive(attach, proc_fd);
	return poll(&polled, 1, 0) > 0;
}

/* The kernel shows the status of a zombie to its own user alone. */
static int status_of_zombie(const struct sw_attach *attach, int proc_fd)
{
	struct sw_proc_stat stat;
	char folder[16];

	snprintf(folder, sizeof(folder), "%d", (int)attach->pid);
	if (sw_proc_stat_read(&stat, proc_fd, folder) < 0 ||
	    stat.state != 'Z' ||
	    stat.field[SW_PROC_START_TICKS] != attach->start_ticks ||
	    stat.field[SW_PROC_EXIT_STATUS] > STATUS_MAX)
		return -1;
	return (int)stat.field[SW_PROC_EXIT_STATUS];
}

static int status_of_reaped(const struct sw_attach *attach)
{
	struct exit_info info = { .mask = EXIT_INFO };

	if (attach->fd < 0 || ioctl(attach->fd, GET_EXIT_INFO, &info) < 0 ||
	    !(info.mask & EXIT_INFO))
		return -1;
	return info.exit_code;
}

int sw_attach_wait_status(const struct sw_attach *attach, int proc_fd)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	int i, status = -1;

	/* Its parent is reaping it right now: before or after us. */
	for (i = 0; i < STATUS_TRIES && status < 0; i++) {
		if (i > 0)
			nanosleep(&nap, NULL);
		status = status_of_zombie(attach, proc_fd);
		if (status < 0)
			status = status_of_reaped(attach);
	}
	return status;
}

static int read_told(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW |
				     O_NONBLOCK);
	char text[16];
	ssize_t length;
	long status;

	if (fd < 0)
		return -1;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	/* Complete only with the newline */
	if (*text < '0' || *text > '9' || !strchr(text, '\n'))
		return -1;
	unlinkat(dirfd, name, 0);
	status = strtol(text, NULL, 10);
	return status > STATUS_MAX ? -1 : (int)status;
}

int sw_attach_told_status(int dirfd, const char *name)
{
	const struct timespec nap = { .tv_nsec = 50000000 };
	char file[NAME_MAX + 8];
	int i, status = -1;

	snprintf(file, sizeof(file), "%s.status", name);
	for (i = 0; i < TOLD_TRIES && status < 0; i++) {
		if (i > 0)
			nanosleep(&nap, NULL);
		status = read_told(dirfd, file);
	}
	return status;
}
