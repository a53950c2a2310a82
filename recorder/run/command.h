/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorded command: started early, held before exec until the recorder has
 * taken its first sample, and not touched afterwards.
 */
#ifndef SW_RECORDER_COMMAND_H
#define SW_RECORDER_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/error.h"
#include "recorder/run/signals.h"

enum {
	SW_EXIT_NOT_EXECUTABLE = 126,	/* as in POSIX sh */
	SW_EXIT_NOT_FOUND = 127,
	SW_EXIT_SIGNALED = 128,
};

struct sw_command {
	pid_t pid;
	bool is_in_cgroup;	/* of sw_command_start() */
	int release_fd;		/* closed to release the child */
	int status_fd;		/* errno of a failed exec, or end of file */
};

/*
 * Fork the child, which waits.  It has the standard descriptors, signal mask,
 * dispositions and everything else with which this process was started.  If the
 * kernel supports it, the child starts in the given cgroup (-1: ours).  Return
 * 0, or -1 with *error.
 */
int sw_command_start(struct sw_command *command, char **argv,
		     const struct sw_signals *signals, int cgroup_fd,
		     struct sw_error *error);

/* Let the child execute. */
void sw_command_release(struct sw_command *command);

/*
 * Once the child has exited, return the errno of a failed exec, or 0 if the
 * command was executed.
 */
int sw_command_exec_errno(struct sw_command *command);

/*
 * Return the exit status that a shell would return for a command that failed to
 * execute with exec_errno, and its message in *error.
 */
int sw_command_exec_failure(const char *program, int exec_errno,
			    struct sw_error *error);

/* Return the exit status that a shell would return for a wait status. */
int sw_command_exit_status(int wait_status);

#endif
