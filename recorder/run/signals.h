/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals of a recorder that stands between a shell and a command: which are
 * the terminal's, which are meant for the command, and how the command gets
 * them back as it would have had them without a recorder.
 */
#ifndef SW_RECORDER_SIGNALS_H
#define SW_RECORDER_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>
#include <sys/types.h>

#include "common/error.h"

struct sw_signals {
	int fd;			/* signalfd of all that is held back */
	sigset_t mask;		/* what the recorder was started with */
	struct sigaction pipe;
	struct sigaction child;
};

/* Hold signals back from now on.  Returns 0, or -1 with *error. */
int sw_signals_open(struct sw_signals *signals, struct sw_error *error);

/* In a child, before it executes: as it was before sw_signals_open(). */
void sw_signals_restore(const struct sw_signals *signals);

/*
 * Is this signal to be passed on to the command?  Not what the terminal sent
 * to the whole process group (the command has it already), nor what a process
 * of the command's own tree sent.
 */
bool sw_signals_is_forwarded(const struct signalfd_siginfo *info, int proc_fd);

/* Did the terminal send it (Ctrl-C, Ctrl-\, Ctrl-Z, a hang-up)? */
bool sw_signals_is_of_terminal(const struct signalfd_siginfo *info);

/*
 * The command was stopped by this signal: stop this process by the same one,
 * if that is what the shell waits for, and return when it is continued.  A
 * pause of the command from elsewhere (SIGSTOP while it does not have the
 * terminal) is not followed: who paused it alone will continue it alone.
 */
void sw_signals_follow_stop(int signal);

/* As a shell: a script that is interrupted has to see how we ended. */
void sw_signals_end_by(int signal_number);

#endif
