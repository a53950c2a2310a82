/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals of a recorder between a shell and a command. */
#include "recorder/run/signals.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/missing.h"
#include "common/proc_stat.h"

enum { ANCESTORS_MAX = 64 };

/* Cannot be blocked, or would indicate a fault of the recorder itself */
static const int never_held[] = { SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE,
				  SIGILL,  SIGTRAP, SIGSYS,  SIGABRT };

/* Sent by a terminal to the whole foreground process group */
static const int of_terminal[] = { SIGINT,  SIGQUIT, SIGTSTP, SIGTTIN,
				   SIGTTOU, SIGHUP,  SIGCONT, SIGWINCH };

int sw_signals_open(struct sw_signals *signals, struct sw_error *error)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction standard = { .sa_handler = SIG_DFL };
	sigset_t held;
	size_t i;

	sigfillset(&held);
	for (i = 0; i < sizeof(never_held) / sizeof(never_held[0]); i++)
		sigdelset(&held, never_held[i]);
	if (sigprocmask(SIG_BLOCK, &held, &signals->mask) < 0 ||
	    sigaction(SIGPIPE, &ignore, &signals->pipe) < 0 ||
	    sigaction(SIGCHLD, &standard, &signals->child) < 0)
		return sw_error_errno(error, "signals cannot be blocked");
	signals->fd = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals->fd < 0)
		return sw_error_errno(error, "signalfd");
	return 0;
}

void sw_signals_restore(const struct sw_signals *signals)
{
	sigaction(SIGPIPE, &signals->pipe, NULL);
	sigaction(SIGCHLD, &signals->child, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}

/* Return the parent of a process; 0: unknown. */
static pid_t parent_of(int proc_fd, pid_t pid)
{
	struct sw_proc_stat stat;
	char folder[16];

	snprintf(folder, sizeof(folder), "%d", (int)pid);
	if (sw_proc_stat_read(&stat, proc_fd, folder) < 0)
		return 0;
	return (pid_t)sw_zero_if_missing(stat.field[SW_PROC_PARENT]);
}

/* Return whether the recorder is an ancestor of the process. */
static bool is_of_own_tree(int proc_fd, pid_t pid)
{
	int i;

	for (i = 0; i < ANCESTORS_MAX && pid > 1; i++) {
		pid = parent_of(proc_fd, pid);
		if (pid == getpid())
			return true;
	}
	return false;
}

bool sw_signals_is_of_terminal(const struct signalfd_siginfo *info)
{
	size_t i;

	if (info->ssi_code != SI_KERNEL)
		return false;
	for (i = 0; i < sizeof(of_terminal) / sizeof(of_terminal[0]); i++) {
		if ((int)info->ssi_signo == of_terminal[i])
			return true;
	}
	return false;
}

bool sw_signals_is_forwarded(const struct signalfd_siginfo *info, int proc_fd)
{
	if (info->ssi_signo == SIGCHLD || info->ssi_signo == SIGPIPE ||
	    sw_signals_is_of_terminal(info))
		return false;
	if (info->ssi_code == SI_KERNEL || info->ssi_pid == 0)
		return true;
	return !is_of_own_tree(proc_fd, (pid_t)info->ssi_pid);
}

static bool has_terminal(void)
{
	int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
	bool is_in_front;

	if (terminal < 0)
		return false;
	is_in_front = tcgetpgrp(terminal) == getpgrp();
	close(terminal);
	return is_in_front;
}

void sw_signals_follow_stop(int signal)
{
	struct sigaction standard = { .sa_handler = SIG_DFL }, before;
	sigset_t set;

	if (signal != SIGTSTP && signal != SIGTTIN && signal != SIGTTOU) {
		if (has_terminal())
			kill(getpid(), SIGSTOP);
		return;
	}
	/* The kernel ignores it if no shell could continue us. */
	sigemptyset(&set);
	sigaddset(&set, signal);
	sigaction(signal, &standard, &before);
	kill(getpid(), signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(signal, &before, NULL);
}

void sw_signals_end_by(int signal_number)
{
	const struct rlimit no_core = { 0, 0 };
	sigset_t set;

	setrlimit(RLIMIT_CORE, &no_core);
	signal(signal_number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signal_number);
	kill(getpid(), signal_number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
