/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of a process that a hook shares with others, and must leave as it found
 * it.
 */
#ifndef SW_TEST_SPANK_STATE_H
#define SW_TEST_SPANK_STATE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define STATE_FDS_MAX 2048
#define STATE_SIGNALS 64

struct state_fd {
	int fd;
	int flags;
	dev_t device;
	ino_t inode;
};

struct state {
	unsigned int nfds;
	struct state_fd fds[STATE_FDS_MAX];
	unsigned int nthreads;
	unsigned int nchildren;
	sigset_t mask;
	struct sigaction actions[STATE_SIGNALS + 1];
	mode_t umask;
	uid_t euid;
	gid_t egid;
	char cwd[256];
	uint64_t timer_usec;
	uint64_t env_hash;
	size_t heap_bytes;
};

void state_take(struct state *state);

/*
 * Report each difference as a violation in where.  Heap bytes only if
 * is_heap_checked.
 */
void state_compare(const struct state *before, const struct state *after,
		   const char *where, int is_heap_checked);

/*
 * Before exec: report each descriptor above 2 that the program would inherit
 * and that was not open at the host's start.
 */
void state_check_inherited(const struct state *start, const char *where);

#endif
