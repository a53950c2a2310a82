/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals of a recorder between a shell and a command: which ones come from the
 * terminal, which ones are meant for the command, and how to restore the
 * command's signal state.
 */
#ifndef SW_RECORDER_SIGNALS_H
#define SW_RECORDER_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>
#include <sys/types.h>

#include "common/error.h"

struct sw_signals {
	int fd;			/* signalfd of all blocked signals */
	sigset_t mask;		/* as inherited by the recorder */
	struct sigaction pipe;
	struct sigaction child;
};

/* Block signals from now on.  Return 0, or -1 with *error. */
int sw_signals_open(struct sw_signals *signals, struct sw_error *error);

/* Call in a child before exec: restore the state before sw_signals_open(). */
void sw_signals_restore(const struct sw_signals *signals);

/*
 * Return whether to forward this signal to the command: not if the terminal
 * sent it to the whole process group (the command has it already), or if it
 * comes from the command's own process tree.
 */
bool sw_signals_is_forwarded(const struct signalfd_siginfo *info, int proc_fd);

/* Return whether the terminal sent it (Ctrl-C, Ctrl-\, Ctrl-Z, a hang-up). */
bool sw_signals_is_of_terminal(const struct signalfd_siginfo *info);

/*
 * The command was stopped by this signal: stop this process by the same signal,
 * if the shell waits for that, and return when continued.  A stop of the
 * command from elsewhere (SIGSTOP while it does not have the terminal) is not
 * followed: the sender will continue only the command.
 */
void sw_signals_follow_stop(int signal);

/* End by this signal as a shell does, so that a calling script sees it. */
void sw_signals_end_by(int signal_number);

#endif
