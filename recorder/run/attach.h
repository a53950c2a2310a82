/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attach to a process that another program started and waits for, such as the
 * shell of a batch job: identified by pid and start time, and never signalled.
 */
#ifndef SW_RECORDER_ATTACH_H
#define SW_RECORDER_ATTACH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

struct sw_attach {
	pid_t pid;
	uint64_t start_ticks; /* identifies the process, with pid */
	int fd;		      /* a pidfd; -1: before Linux 5.3 */
};

/* Parse "PID:TICKS" (ticks of /proc/PID/stat).  Return 0, or -1 with errno. */
int sw_attach_parse(struct sw_attach *attach, const char *text);

/* Open it.  Return 0, or -1 with *error if it exited or is another one. */
int sw_attach_open(struct sw_attach *attach, int proc_fd,
		   struct sw_error *error);

/* Inexpensive; true also for a zombie. */
bool sw_attach_has_ended(const struct sw_attach *attach, int proc_fd);

/*
 * Return the wait status, as the kernel shows it for a zombie, or since Linux
 * 6.15 for a reaped process; -1: unknown.
 */
int sw_attach_wait_status(const struct sw_attach *attach, int proc_fd);

/*
 * Return the status that the waiting program wrote to NAME.status below dirfd,
 * and remove the file; -1 if it does not appear within seconds.
 */
int sw_attach_told_status(int dirfd, const char *name);

#endif
