/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "stepwell run".  Before the command is started, an error ends the run; from
 * then on whatever fails costs a part of the recording and nothing else.
 */
#include "recorder/run/foreground.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/escape.h"
#include "recorder/cgroup/cgroup.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/cgroup/limits.h"
#include "recorder/log/say.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/programs.h"
#include "recorder/run/attach.h"
#include "recorder/run/command.h"
#include "recorder/run/descriptors.h"
#include "recorder/run/destination.h"
#include "recorder/run/leftovers.h"
#include "recorder/run/loop.h"
#include "recorder/run/members.h"
#include "recorder/run/report_end.h"
#include "recorder/run/signals.h"
#include "recorder/run/start_rows.h"
#include "recorder/sampler/sampler.h"
#include "recorder/sources/pmu/components.h"
#include "recorder/sources/pmu/counters.h"
#include "recorder/sources/shared.h"
#include "recorder/tables/events.h"
#include "recorder/tables/summary.h"
#include "recorder/topology/topology_load.h"
#include "recorder/waits/local_space.h"

/* The first run of a boot may have to wait for what all of them then have. */
#define TOPOLOGY_WAIT_USEC 50000

struct run {
	const struct sw_options *options;
	struct sw_destination place;	/* writer NULL: not recorded */
	struct sw_signals signals;
	struct sw_cgroup cgroup;
	struct sw_cgroup cgroup_v1;	/* where that counts no memory */
	struct sw_cgroup_v1 own_v1;	/* the target's */
	struct sw_cgroup_v1 home_v1;	/* where the recorder was started */
	struct sw_limits limits;
	struct sw_command command;
	struct sw_attach attach; /* in its place */
	struct sw_members members;
	struct sw_events events;
	struct sw_target target;
	struct sw_target_task task;
	struct sw_topology_load topology;
	struct sw_loop loop;
	uint64_t leftover_count;
	bool has_stderr;
	bool is_lost;		/* the profile has no name any more */
};

/* A cgroup, or the reason why there is none, and what its parents allow. */
static void prepare_cgroup(struct run *run)
{
	sw_cgroup_create(&run->cgroup, run->target.proc_fd);
	sw_cgroup_v1_open_own(&run->home_v1, run->target.proc_fd);
	if (strcmp(run->cgroup.backend, "cgroup.v2") != 0 &&
	    run->home_v1.fd[SW_V1_MEMORY] >= 0)
		sw_cgroup_create_v1(&run->cgroup_v1, run->target.proc_fd);
	sw_limits_read(&run->limits, run->target.proc_fd, run->cgroup.home_fd,
		       &run->home_v1);
}

/* Without a process that all others come of: only the tree has them. */
static bool is_of_members(const struct run *run)
{
	return run->options->is_attached && !run->options->attach.pid;
}

/* It stays where it is; what limits the recorder there limits it, too. */
static void prepare_attached(struct run *run)
{
	struct sw_cgroup *cgroup = &run->cgroup;

	cgroup->backend = "process.tree";
	sw_error_set(&cgroup->reason, "it ran before the recorder was started");
	/* Where members are, the recorder need not be. */
	if (!is_of_members(run) &&
	    sw_cgroup_find(run->target.proc_fd, NULL, cgroup->path,
			   sizeof(cgroup->path), NULL) == 0)
		cgroup->home_fd =
			open(cgroup->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!is_of_members(run))
		sw_cgroup_v1_open_own(&run->home_v1, run->target.proc_fd);
	sw_limits_read(&run->limits, run->target.proc_fd, cgroup->home_fd,
		       &run->home_v1);
}

/* The backend that was reached, and why it is not the highest. */
static const char *find_backend(const struct run *run)
{
	return run->cgroup_v1.fd >= 0 ? run->cgroup_v1.backend
				      : run->cgroup.backend;
}

static void note_program(void *context, const struct sw_event *event)
{
	struct run *run = context;

	sw_events_add(&run->events, event);
}

/* The command, and what it has started where it was there before. */
static int attach_programs(const struct run *run)
{
	const struct sw_tree *tree = run->target.tree;
	size_t i;
	int rc = sw_programs_attach(run->loop.programs, run->command.pid);

	for (i = 1; rc == 0 && i < sw_tree_count(tree); i++)
		sw_programs_attach(run->loop.programs,
				   sw_tree_process(tree, i)->pid);
	return rc;
}

static void open_programs(struct run *run)
{
	struct sw_programs_target target = {
		.root_pid = run->command.pid,
		.cgroup_fd = run->cgroup.fd,
		.proc_fd = run->target.proc_fd,
		/* Tests hold a lower backend against the truth by this. */
		.only = is_of_members(run) ? "proc" :
					    getenv("STEPWELL_PROGRAMS"),
		.is_late = run->options->is_attached,
		.has_many = run->options->is_attached,
		.event = note_program,
		.context = run,
		.tree = run->target.tree,
	};
	struct sw_error error;

	run->loop.programs = sw_programs_create(&target, &error);
	run->target.programs = run->loop.programs;
	if (!run->loop.programs || attach_programs(run) < 0)
		sw_say("%s; programs are not recorded",
		       run->loop.programs
			       ? sw_programs_reason(run->loop.programs)
			       : error.text);
}

static int write_start(struct run *run, struct sw_error *error)
{
	const struct sw_start_rows start = {
		.options = run->options,
		.limits = &run->limits,
		.programs = run->loop.programs,
		.backend = find_backend(run),
		.backend_reason = run->cgroup.reason.text,
		.start_usec = run->loop.start_usec,
		.root_pid = run->command.pid,
		.proc_fd = run->target.proc_fd,
	};

	return sw_start_rows_write(&start, run->place.writer, error);
}

/* Where a killed recorder would take even the step's start with it. */
static void keep_start(struct run *run)
{
	struct sw_writer_stats stats;

	sw_writer_stats(run->place.writer, &stats);
	if (!stats.has_tail)
		sw_writer_flush(run->place.writer, sw_clock_boottime_usec());
}

/* The command is its only task. */
static void take_task(struct run *run)
{
	const struct sw_tree *tree = run->target.tree;

	run->task = (struct sw_target_task){
		.pid = run->command.pid, .rank = SW_MISSING,
		.cgroup_number = SW_MISSING };
	if (sw_tree_count(tree) > 0 &&
	    sw_tree_process(tree, 0)->pid == run->command.pid)
		run->task.start_ticks = sw_tree_process(tree, 0)->start_ticks;
	run->target.tasks = &run->task;
	run->target.task_count = 1;
}

static void enter_cgroups(struct run *run)
{
	if (!run->command.is_in_cgroup)
		sw_cgroup_enter(&run->cgroup, run->command.pid);
	sw_cgroup_enter(&run->cgroup_v1, run->command.pid);
	run->target.cgroup_fd = run->cgroup.fd;
	run->own_v1.fd[SW_V1_MEMORY] = run->cgroup_v1.fd;
	/* A quota that is shared holds the command back as well. */
	run->own_v1.fd[SW_V1_CPU] = run->home_v1.fd[SW_V1_CPU];
	run->target.v1 = &run->own_v1;
}

/* Everything that watches the command, while it waits to execute. */
static void start_recording(struct run *run)
{
	struct sw_error error;

	enter_cgroups(run);
	run->target.root_pid = run->command.pid;
	run->target.is_late = run->options->is_attached;
	run->target.tree = run->options->is_attached
				   ? sw_tree_create_of(run->target.proc_fd,
						       run->options->attach.pid,
						       &error)
				   : sw_tree_create(run->target.proc_fd,
						    run->command.pid, &error);
	if (!run->target.tree)
		goto unrecorded;
	run->loop.tree = run->target.tree;
	sw_tree_refresh(run->target.tree);
	/* Of one that was there before nothing is counted from its start. */
	if (!run->options->is_attached)
		take_task(run);
	open_programs(run);
	if (sw_events_open(&run->events, run->place.writer, &error) < 0)
		goto unrecorded;
	run->target.shared = sw_shared_create(sw_sources, sw_hidden_sources,
					      run->target.proc_fd,
					      run->target.sys_fd, &error);
	if (!run->target.shared)
		goto unrecorded;
	run->loop.sampler = sw_sampler_create(sw_sources, &run->target,
					      run->place.writer,
					      &run->events, &error);
	if (!run->loop.sampler)
		goto unrecorded;
	/* What it took to get ready is not the command's time. */
	run->loop.start_usec = sw_clock_boottime_usec();
	if (write_start(run, &error) < 0)
		goto no_start;
	sw_watch_open(&run->loop.watch, &run->target, run->cgroup.home_fd,
		      &run->home_v1);
	sw_topology_begin_own(&run->topology, run->target.proc_fd,
			      run->target.sys_fd);
	run->loop.topology = &run->topology;
	sw_loop_sample(&run->loop);
	keep_start(run);
	return;
no_start:
	sw_sampler_destroy(run->loop.sampler);
	run->loop.sampler = NULL;
unrecorded:
	sw_say("%s; the command runs unrecorded", error.text);
}

static void release_leftovers(struct run *run)
{
	struct sw_leftovers leftovers = {
		.events = run->loop.sampler ? &run->events : NULL,
		.tree = run->target.tree,
		.proc_fd = run->target.proc_fd,
	};

	sw_leftovers_release(&leftovers, &run->cgroup, &run->cgroup_v1);
	run->leftover_count = leftovers.count;
}

/* The backend whose counters the last sample holds. */
static const char *final_source(const struct run *run)
{
	if (run->loop.is_end_unseen)
		return "none";
	if (sw_sampler_has(run->loop.sampler, "cgroup.v2"))
		return "cgroup.v2";
	/* Not where what v2 counted was lost. */
	if (run->target.cgroup_fd < 0 &&
	    sw_sampler_has(run->loop.sampler, "cgroup.v1"))
		return "cgroup.v1";
	/* Of the processes, on whatever backend these are read. */
	return sw_sampler_last(run->loop.sampler, "proc", "utime_usec") !=
	       SW_MISSING ? "proc" : "none";
}

/* The disk is full, or the folder gone: the report takes what there is. */
static void fall_back(struct run *run, const char *why)
{
	char quoted[PATH_MAX];

	run->is_lost = !sw_destination_fall_back(&run->place);
	if (run->is_lost) {
		sw_say("%s", why);
		return;
	}
	sw_escape_terminal(quoted, sizeof(quoted), run->place.path);
	sw_say("%s; \"stepwell report %s\" shows it", why, quoted);
}

static void finish_profile(struct run *run)
{
	const struct sw_loop *loop = &run->loop;
	struct sw_summary summary = {
		.end_usec = loop->end_usec,
		.wait_status = loop->wait_status,
		.usage = loop->attach ? NULL : &loop->usage,
		.reaped_user_usec = loop->reaped_user_usec,
		.reaped_system_usec = loop->reaped_system_usec,
		.lost_samples = loop->lost_samples,
		.leftover_processes = run->leftover_count,
		.proc_fd = loop->proc_fd,
		.restart_count = SW_MISSING,
	};
	struct sw_error error;

	if (!loop->sampler)
		return;
	if (!loop->has_topology)
		sw_topology_write(sw_topology_finish(&run->topology,
						     TOPOLOGY_WAIT_USEC),
				  run->place.writer);
	summary.final_source = final_source(run);
	summary.samples = sw_sampler_count(loop->sampler);
	sw_summary_write(&summary, run->place.writer);
	if (sw_writer_finish(run->place.writer, sw_clock_boottime_usec(),
			     &error) < 0)
		fall_back(run, error.text);
}

static void close_recording(struct run *run)
{
	sw_watch_close(&run->loop.watch);
	sw_sampler_destroy(run->loop.sampler);
	sw_shared_destroy(run->target.shared);
	if (run->loop.topology)
		sw_topology_end(&run->topology);
	if (run->loop.programs)
		sw_programs_leave(run->loop.programs);
	sw_programs_destroy(run->loop.programs);
	sw_tree_destroy(run->target.tree);
	run->target.tree = run->loop.tree = NULL;
}

static void print_report(struct run *run)
{
	struct sw_error error;
	char quoted[PATH_MAX];

	if (!run->options->has_report || !run->options->reporter ||
	    !run->has_stderr)
		return;
	if (sw_report_end(run->options->reporter, run->place.path,
			  &run->signals, &error) == 0)
		return;
	sw_escape_terminal(quoted, sizeof(quoted), run->place.path);
	sw_say("%s; the recording is %s", error.text,
	       run->is_lost ? "lost" : quoted);
}

/* After the report, which has the run for the newest one in any case. */
static void keep_in_history(struct run *run)
{
	struct sw_error error;

	if (!run->options->reporter || run->is_lost)
		return;
	if (sw_report_history(run->options->reporter, run->place.path,
			      &run->signals, &error) < 0)
		sw_say("%s", error.text);
}

static int end_run(struct run *run, int exec_errno)
{
	const char *program = run->options->command[0];
	int status = run->loop.wait_status;
	struct sw_error error;

	if (exec_errno) {
		sw_destination_discard(&run->place);
		status = sw_command_exec_failure(program, exec_errno, &error);
		sw_say("%s", error.text);
		return status;
	}
	if (run->loop.sampler) {
		print_report(run);
		keep_in_history(run);
	}
	sw_destination_close(&run->place);
	if (run->loop.is_interrupted && WIFSIGNALED(status) &&
	    (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGQUIT))
		sw_signals_end_by(WTERMSIG(status));
	return sw_command_exit_status(status);
}

static void set_up_loop(struct run *run)
{
	run->loop.command = &run->command;
	run->loop.signals = &run->signals;
	run->loop.events = &run->events;
	run->loop.writer = run->place.writer;
	run->loop.proc_fd = run->target.proc_fd;
	run->loop.period_usec = run->options->period_usec;
	sw_watch_none(&run->loop.watch);
}

/* Before there are other children.  What cannot be had costs nothing else. */
static void choose_counters(const struct sw_options *options)
{
	sw_counters_choose(options->counters, &(struct sw_papi_origin){
		.events_file = options->events_file,
		/* Tests assume another processor by this. */
		.processor = getenv("STEPWELL_PROCESSOR") });
	if (sw_counters_refused()[0])
		sw_say("counters: %s", sw_counters_refused());
	sw_components_choose(options->components);
	if (sw_components_refused()[0])
		sw_say("papi-components: %s", sw_components_refused());
}

/* From the held child to its end. */
static int record(struct run *run)
{
	int exec_errno;

	set_up_loop(run);
	sw_descriptors_drop();
	if (run->place.writer)
		start_recording(run);
	/* Else the grid of samples begins where the recording says. */
	if (!run->loop.sampler)
		run->loop.start_usec = sw_clock_boottime_usec();
	sw_command_release(&run->command);
	sw_loop_run(&run->loop);
	exec_errno = sw_command_exec_errno(&run->command);
	release_leftovers(run);
	if (!exec_errno)
		finish_profile(run);
	close_recording(run);
	return end_run(run, exec_errno);
}

/*
 * A process that is there already.  Whoever waits for the recording to begin
 * sees the end of standard output.
 */
static int record_attached(struct run *run)
{
	struct sw_error error;

	run->attach = run->options->attach;
	if (!run->place.writer)
		return SW_EXIT_FAILURE;
	if (run->options->has_members)
		sw_members_open(&run->members);
	if (!is_of_members(run) &&
	    sw_attach_open(&run->attach, run->target.proc_fd, &error) < 0) {
		sw_say("%s; nothing was recorded", error.text);
		sw_destination_discard(&run->place);
		return SW_EXIT_FAILURE;
	}
	/* Who finds the members is not one of them, but lives as long. */
	run->command.pid = is_of_members(run) ? getppid() : run->attach.pid;
	run->loop.attach = &run->attach;
	run->loop.members = run->options->has_members ? &run->members : NULL;
	prepare_attached(run);
	set_up_loop(run);
	start_recording(run);
	sw_descriptors_drop();
	if (run->loop.sampler)
		sw_loop_run(&run->loop);
	if (run->loop.sampler && run->loop.wait_status < 0 &&
	    !is_of_members(run))
		run->loop.wait_status = sw_attach_told_status(
			run->place.dirfd, run->place.name);
	finish_profile(run);
	close_recording(run);
	if (run->loop.sampler)
		keep_in_history(run);
	sw_destination_close(&run->place);
	return 0;
}

int sw_foreground_run(const struct sw_options *options)
{
	struct run run = {
		.options = options,
		.signals.fd = -1,
		.cgroup = { .fd = -1, .home_fd = -1, .parent_fd = -1 },
		.cgroup_v1 = { .fd = -1, .home_fd = -1, .parent_fd = -1 },
		.events.table = -1,
		.place.dirfd = -1,
		.target = { .cgroup_fd = -1, .proc_fd = -1, .sys_fd = -1 },
	};
	struct sw_error error;
	int status;

	sw_cgroup_v1_none(&run.own_v1);
	sw_cgroup_v1_none(&run.home_v1);
	run.has_stderr = sw_descriptors_hold();
	if (sw_signals_open(&run.signals, &error) < 0)
		goto error;
	status = sw_destination_begin(&run.place, options);
	if (status != 0)
		return status;
	choose_counters(options);
	sw_local_space_set(getenv("TMPDIR"));
	run.target.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	run.target.sys_fd = open("/sys", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (options->is_attached)
		return record_attached(&run);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (run.place.writer)
		prepare_cgroup(&run);
	if (sw_command_start(&run.command, options->command, &run.signals,
			     run.cgroup.fd, &error) < 0)
		goto error;
	return record(&run);
error:
	sw_say("%s; the command was not started", error.text);
	sw_cgroup_destroy(&run.cgroup, NULL);
	sw_cgroup_destroy(&run.cgroup_v1, NULL);
	sw_destination_discard(&run.place);
	return SW_EXIT_FAILURE;
}
