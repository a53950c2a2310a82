/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorder's event loop. */
#include "recorder/run/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/kernel/process.h"
#include "recorder/processes/helpers.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/programs.h"
#include "recorder/sampler/period.h"
#include "recorder/topology/topology_load.h"

/* Minimum interval of extra samples triggered by events */
#define EXTRA_SAMPLE_USEC (SW_USEC_PER_SEC / 10)

enum {
	SIGNAL_BATCH = 8, COMM_SIZE = 64,
	/* For a shorter command, loading BPF's sampling is not worthwhile. */
	LOOKS_NAP_MSEC = 20,
};

static uint64_t period_now(const struct sw_loop *loop, uint64_t now)
{
	if (!sw_is_missing(loop->period_usec))
		return loop->period_usec;
	return sw_period_at(sw_excess_u64(now, loop->start_usec));
}

static void add_event(struct sw_loop *loop, const char *kind, uint64_t value)
{
	if (!loop->sampler)
		return;
	sw_events_add(loop->events, &(struct sw_event){
		.kind = kind, .value = value });
}

static void sample_programs(struct sw_loop *loop, bool is_final)
{
	uint64_t now = sw_clock_boottime_usec();

	if (!loop->sampler || !loop->programs)
		return;
	sw_programs_drain(loop->programs, now);
	sw_programs_write(loop->programs, loop->writer, now, is_final);
}

/* With BPF, the exits of all processes of the tree are reported. */
static bool has_bpf(const struct sw_loop *loop)
{
	return loop->programs &&
	       !strcmp(sw_programs_source(loop->programs), "bpf");
}

static bool check_watch(struct sw_loop *loop)
{
	return sw_watch_check(&loop->watch, has_bpf(loop) ? NULL : loop->tree,
			      loop->events);
}

void sw_loop_sample(struct sw_loop *loop)
{
	if (!loop->sampler)
		return;
	loop->last_usec = sw_clock_boottime_usec();
	if (sw_watch_is_asked(&loop->watch))
		check_watch(loop);
	sw_programs_expire();
	sw_sampler_take(loop->sampler, &loop->self, false);
	sample_programs(loop, false);
	if (loop->topology)
		sw_topology_offer(loop->topology, &loop->has_topology,
				  loop->writer);
}

static void note_gap(struct sw_loop *loop, uint64_t now)
{
	uint64_t gap = sw_excess_u64(now, loop->last_usec);

	if (gap > 2 * period_now(loop, loop->last_usec))
		add_event(loop, "gap", gap);
}

/* A round is due: sample, and record rounds that were missed. */
static void tick(struct sw_loop *loop)
{
	uint64_t now = sw_clock_boottime_usec();
	uint64_t period = period_now(loop, now), missed;

	loop->self.late_usec = sw_excess_u64(now, loop->next_usec);
	loop->next_usec = sw_period_next(loop->next_usec, now, period, &missed);
	loop->lost_samples += missed;
	note_gap(loop, now);
	sw_loop_sample(loop);
}

/*
 * The command was stopped.  If the terminal's user did that, the shell waits
 * for this process to stop, too.
 */
static void follow_stop(struct sw_loop *loop, int signal)
{
	add_event(loop, "stopped", (uint64_t)signal);
	loop->is_stopped = true;
	loop->stopped_usec = sw_clock_boottime_usec();
	sw_signals_follow_stop(signal);
}

static void follow_continue(struct sw_loop *loop)
{
	if (!loop->is_stopped)
		return;
	loop->is_stopped = false;
	add_event(loop, "continued",
		  sw_excess_u64(sw_clock_boottime_usec(), loop->stopped_usec));
}

static void note_killed(struct sw_loop *loop, const siginfo_t *info)
{
	char comm[COMM_SIZE];

	if (!loop->sampler || info->si_code == CLD_EXITED || has_bpf(loop))
		return;
	sw_process_read_comm(loop->proc_fd, info->si_pid, comm, sizeof(comm));
	sw_events_add(loop->events, &(struct sw_event){
		.kind = "killed", .program = comm[0] ? comm : NULL,
		.pid = (uint64_t)info->si_pid,
		.value = (uint64_t)info->si_status });
}

/* Reap an orphan that this process inherited. */
static void reap_orphan(struct sw_loop *loop, const siginfo_t *info)
{
	struct rusage usage;
	int status;

	/* A helper that called exec is reported like other children. */
	if (sw_helpers_have(info->si_pid)) {
		sw_helpers_end(info->si_pid, info->si_code);
		waitpid(info->si_pid, NULL, WNOHANG);
		return;
	}
	note_killed(loop, info);
	if (wait4(info->si_pid, &status, WNOHANG, &usage) != info->si_pid)
		return;
	loop->reaped_user_usec += sw_clock_timeval_usec(usage.ru_utime);
	loop->reaped_system_usec += sw_clock_timeval_usec(usage.ru_stime);
	if (loop->programs)
		sw_programs_reaped(loop->programs, info->si_pid, status,
				   &usage);
}

/*
 * Handle state changes of children without reaping the command, which can be
 * sampled as long as it is a zombie.  Return true once it has exited.
 */
static bool look_at_children(struct sw_loop *loop)
{
	const int options = WEXITED | WSTOPPED | WCONTINUED | WNOHANG;
	siginfo_t info;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, options | WNOWAIT) < 0)
			return errno == ECHILD;
		if (info.si_pid == 0)
			return false;
		if (info.si_code == CLD_STOPPED ||
		    info.si_code == CLD_CONTINUED) {
			waitid(P_PID, (id_t)info.si_pid, &info,
			       WSTOPPED | WCONTINUED | WNOHANG);
			if (info.si_pid != loop->command->pid)
				continue;
			if (info.si_code == CLD_STOPPED)
				follow_stop(loop, info.si_status);
			else
				follow_continue(loop);
		} else if (info.si_pid == loop->command->pid) {
			note_killed(loop, &info);
			return true;
		} else {
			reap_orphan(loop, &info);
		}
	}
}

static void pass_on(struct sw_loop *loop, const struct signalfd_siginfo *info)
{
	int signal = (int)info->ssi_signo;

	/* The batch system signals the job's processes itself. */
	if (loop->attach)
		return;
	if (signal == SIGCONT) {
		/* The command is to be continued, too. */
		if (loop->is_stopped)
			kill(loop->command->pid, SIGCONT);
		return;
	}
	if (sw_signals_is_of_terminal(info) &&
	    (signal == SIGINT || signal == SIGQUIT)) {
		loop->is_interrupted = true;
		add_event(loop, "interrupted", (uint64_t)signal);
	}
	if (!sw_signals_is_forwarded(info, loop->proc_fd))
		return;
	kill(loop->command->pid, signal);
	add_event(loop, "signal_forwarded", (uint64_t)signal);
}

/* Return true once the command has exited. */
static bool take_signals(struct sw_loop *loop)
{
	struct signalfd_siginfo infos[SIGNAL_BATCH];
	bool is_over;
	ssize_t length;
	size_t i;

	length = read(loop->signals->fd, infos, sizeof(infos));
	/* Children first: a stop must be noted before a SIGCONT. */
	is_over = look_at_children(loop) && !loop->attach;
	for (i = 0; length > 0 && i < (size_t)length / sizeof(infos[0]); i++) {
		if (infos[i].ssi_signo != SIGCHLD)
			pass_on(loop, &infos[i]);
	}
	return is_over;
}

static int wait_for_something(struct sw_loop *loop, struct pollfd *polled,
			      nfds_t count)
{
	uint64_t left = sw_excess_u64(loop->next_usec,
				      sw_clock_boottime_usec());
	struct timespec timeout = {
		.tv_sec = (time_t)(left / SW_USEC_PER_SEC),
		.tv_nsec = (long)(left % SW_USEC_PER_SEC * SW_NSEC_PER_USEC),
	};

	return ppoll(polled, count, loop->sampler ? &timeout : NULL, NULL);
}

/* Start the sources that wait for BPF now, not in the next round. */
static void take_news(struct sw_loop *loop)
{
	uint64_t count;

	if (read(sw_programs_news_fd(), &count, sizeof(count)) < 0 ||
	    sw_programs_is_coming(loop->programs))
		return;
	loop->awaits_looks = false;
	sw_programs_expire();
	sw_sampler_catch_up(loop->sampler);
}

static void take_member(void *context, pid_t pid, uint64_t start_ticks)
{
	struct sw_loop *loop = context;

	if (sw_tree_add_root(loop->tree, pid, start_ticks) && loop->programs)
		sw_programs_attach(loop->programs, pid);
}

/* Exits of members are not observed; their usage was sampled before. */
static bool have_gone(struct sw_loop *loop)
{
	if (sw_run_members_read(loop->members, take_member, loop))
		return false;
	sw_tree_refresh(loop->tree);
	loop->is_end_unseen = true;
	return true;
}

/*
 * Read its usage first, as long as it is a zombie: its parent may reap it at
 * any time, and totals must not decrease.
 */
static bool has_gone(struct sw_loop *loop)
{
	const struct sw_process *root;

	if (!loop->attach->pid)
		return have_gone(loop);
	if (loop->members)
		sw_run_members_read(loop->members, take_member, loop);
	if (!sw_attach_has_ended(loop->attach, loop->proc_fd))
		return false;
	sw_tree_refresh(loop->tree);
	root = sw_tree_count(loop->tree) ? sw_tree_process(loop->tree, 0) :
					   NULL;
	loop->is_end_unseen = !root || root->pid != loop->attach->pid;
	return true;
}

/* Run one wake-up.  Return true once the command has exited. */
static bool turn(struct sw_loop *loop)
{
	struct pollfd polled[] = {
		{ .fd = loop->signals->fd, .events = POLLIN },
		{ .fd = loop->watch.file.fd, .events = POLLPRI },
		{ .fd = loop->programs ? sw_programs_fd(loop->programs) : -1,
		  .events = POLLIN },
		{ .fd = loop->awaits_looks ? sw_programs_news_fd() : -1,
		  .events = POLLIN },
		{ .fd = loop->attach ? loop->attach->fd : -1,
		  .events = POLLIN },
		{ .fd = loop->members ? loop->members->fd : -1,
		  .events = POLLIN },
	};
	bool is_over = false;

	if (wait_for_something(loop, polled, 6) < 0 && errno != EINTR) {
		/* Recording cannot continue, but still wait for the command. */
		siginfo_t info;

		loop->sampler = NULL;
		return waitid(P_PID, (id_t)loop->command->pid, &info,
			      WEXITED | WNOWAIT) == 0 || errno == ECHILD;
	}
	loop->self.wakeups++;
	if (polled[0].revents)
		is_over = take_signals(loop);
	if (loop->attach)
		is_over = has_gone(loop);
	if (polled[1].revents && check_watch(loop) &&
	    sw_excess_u64(sw_clock_boottime_usec(), loop->last_usec) >=
	    EXTRA_SAMPLE_USEC)
		sw_loop_sample(loop);
	if (polled[2].revents)
		sw_programs_drain(loop->programs, sw_clock_boottime_usec());
	if (polled[3].revents)
		take_news(loop);
	if (is_over || !loop->sampler ||
	    sw_clock_boottime_usec() < loop->next_usec)
		return is_over;
	/*
	 * If this process was stopped after the wait, the command may have
	 * exited: sampling now would put the gap before its exit.
	 */
	is_over = loop->attach ? has_gone(loop) : take_signals(loop);
	if (!is_over)
		tick(loop);
	return is_over;
}

static void reap(struct sw_loop *loop)
{
	pid_t pid = loop->command->pid;
	siginfo_t info;

	if (loop->attach) {
		loop->wait_status = !loop->attach->pid ? -1 :
			sw_attach_wait_status(loop->attach, loop->proc_fd);
	} else if (wait4(pid, &loop->wait_status, 0, &loop->usage) == pid) {
		if (loop->programs)
			sw_programs_reaped(loop->programs, pid,
					   loop->wait_status, &loop->usage);
	}
	for (;;) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
		    info.si_pid == 0)
			break;
		reap_orphan(loop, &info);
	}
}

void sw_loop_run(struct sw_loop *loop)
{
	uint64_t missed;

	loop->next_usec = loop->start_usec +
			  period_now(loop, loop->start_usec);
	loop->awaits_looks = loop->sampler && loop->programs &&
			     sw_programs_is_coming(loop->programs);
	if (loop->awaits_looks)
		sw_programs_prepare(LOOKS_NAP_MSEC);
	while (!turn(loop))
		;
	if (loop->programs)
		sw_programs_settle(loop->programs);
	loop->end_usec = sw_clock_boottime_usec();
	if (loop->end_usec >= loop->next_usec) {
		/* Count the sample due before the exit, and those after. */
		sw_period_next(loop->next_usec, loop->end_usec,
			     period_now(loop, loop->end_usec), &missed);
		loop->lost_samples += missed + 1;
	}
	loop->self.late_usec = 0;
	follow_continue(loop);
	note_gap(loop, loop->end_usec);
	if (loop->sampler) {
		check_watch(loop);
		sw_programs_expire();
		/* First while its process can still be read ... */
		sw_sampler_take(loop->sampler, &loop->self, false);
	}
	reap(loop);
	/* ... then when its usage is part of this process's account. */
	if (loop->sampler) {
		sw_programs_expire();
		sw_sampler_take(loop->sampler, &loop->self, true);
	}
	sample_programs(loop, true);
}
