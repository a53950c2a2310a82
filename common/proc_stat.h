/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file "stat" of a process or a thread in /proc: one line, whose second
 * field is a name that may hold any byte.  libc alone, no heap: the plugin
 * reads it inside slurmstepd.
 */
#ifndef SW_COMMON_PROC_STAT_H
#define SW_COMMON_PROC_STAT_H

#include <stdbool.h>
#include <stdint.h>

/* The names of kernel threads can be longer; they are truncated. */
enum { SW_COMM_SIZE = 17 };

/* Fields by their numbers in proc_pid_stat(5); CHILD_: waited-for children */
enum sw_proc_field {
	SW_PROC_PARENT = 4,
	SW_PROC_FLAGS = 9,
	SW_PROC_MINFLT = 10,
	SW_PROC_CHILD_MINFLT = 11,
	SW_PROC_MAJFLT = 12,
	SW_PROC_CHILD_MAJFLT = 13,
	SW_PROC_USER_TICKS = 14,
	SW_PROC_SYSTEM_TICKS = 15,
	SW_PROC_CHILD_USER_TICKS = 16,
	SW_PROC_CHILD_SYSTEM_TICKS = 17,
	SW_PROC_THREADS = 20,
	SW_PROC_START_TICKS = 22,
	SW_PROC_START_CODE = 26,
	SW_PROC_START_STACK = 28,
	SW_PROC_LAST_CPU = 39,
	SW_PROC_EXIT_STATUS = 52,	/* as for waitpid(2); zombies only */
	SW_PROC_FIELDS
};

struct sw_proc_stat {
	char comm[SW_COMM_SIZE];	/* untrusted */
	char state;			/* R S D T Z X ... */
	/* SW_MISSING: negative, unlimited, or not in this kernel's line */
	uint64_t field[SW_PROC_FIELDS];
};

/*
 * Parse a whole line with its newline.  Returns -1 if it is malformed or
 * truncated; *stat is undefined then.
 */
int sw_proc_stat_parse(struct sw_proc_stat *stat, const char *text);

/*
 * Open the file of a process by its folder ("PID", "PID/task/TID", or an
 * absolute path) below dirfd.  Returns a descriptor, or -1 with errno.
 */
int sw_proc_stat_open(int dirfd, const char *folder);

/*
 * Parse the content of an open file.  0, or -1 with errno: ESRCH if the process
 * has ended, EBADMSG if the text is malformed.
 */
int sw_proc_stat_take(struct sw_proc_stat *stat, int fd);

/* Open, parse and close the file; errors as for these two. */
int sw_proc_stat_read(struct sw_proc_stat *stat, int dirfd, const char *folder);

/* Is it a zombie, dead, or exiting? */
bool sw_proc_stat_is_dying(const struct sw_proc_stat *stat);

#endif
