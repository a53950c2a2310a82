/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorded command: started early, held before it executes until the
 * recorder has taken its first sample, and left alone from then on.
 */
#ifndef SW_RECORDER_COMMAND_H
#define SW_RECORDER_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/error.h"
#include "recorder/run/signals.h"

enum {
	SW_EXIT_NOT_EXECUTABLE = 126,	/* as POSIX sh has them */
	SW_EXIT_NOT_FOUND = 127,
	SW_EXIT_SIGNALED = 128,
};

struct sw_command {
	pid_t pid;
	bool is_in_cgroup;	/* that of sw_command_start() */
	int release_fd;		/* closed to let the child go */
	int status_fd;		/* errno of a failed exec, or end of file */
};

/*
 * Fork the child, which waits.  It has the standard descriptors, signal mask,
 * dispositions and everything else that this process was started with.  Where
 * the kernel can, it begins in the cgroup of this folder (-1: in ours).
 * Returns 0, or -1 with *error.
 */
int sw_command_start(struct sw_command *command, char **argv,
		     const struct sw_signals *signals, int cgroup_fd,
		     struct sw_error *error);

/* Let the child execute. */
void sw_command_release(struct sw_command *command);

/*
 * Once the child has ended: errno of the exec that failed, or 0 where the
 * command was executed and its end is its own.
 */
int sw_command_exec_errno(struct sw_command *command);

/*
 * What a shell would say and return for a command that failed to execute
 * with exec_errno: the exit status, and *error.
 */
int sw_command_exec_failure(const char *program, int exec_errno,
			    struct sw_error *error);

/* The exit status a shell would give for a wait status. */
int sw_command_exit_status(int wait_status);

#endif
