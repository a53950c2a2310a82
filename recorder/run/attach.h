/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that somebody else started and waits for, such as the shell of a
 * batch job: it is named by its pid and its start, and never signalled.
 */
#ifndef SW_RECORDER_ATTACH_H
#define SW_RECORDER_ATTACH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

struct sw_attach {
	pid_t pid;
	uint64_t start_ticks; /* with pid, its identity */
	int fd;		      /* a pidfd; -1: before Linux 5.3 */
};

/* "PID:TICKS", the start as in /proc/PID/stat.  0, or -1 with errno. */
int sw_attach_parse(struct sw_attach *attach, const char *text);

/* Hold it.  0, or -1 with *error where it has ended or is another one. */
int sw_attach_open(struct sw_attach *attach, int proc_fd,
		   struct sw_error *error);

/* Cheap; true as soon as it is a zombie. */
bool sw_attach_has_ended(const struct sw_attach *attach, int proc_fd);

/*
 * Its wait status: what the kernel tells of a zombie, or since Linux 6.15 of
 * one that was waited for.  -1: not known.
 */
int sw_attach_wait_status(const struct sw_attach *attach, int proc_fd);

/*
 * What whoever waited for it has written to NAME.status below dirfd, which is
 * removed; -1 where it does not come within seconds.
 */
int sw_attach_told_status(int dirfd, const char *name);

#endif
