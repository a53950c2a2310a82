/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Record a command or an attached process.  Errors only affect part of the
 * recording.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/escape.h"
#include "recorder/log/say.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/programs.h"
#include "recorder/run/foreground_internal.h"
#include "recorder/run/report_end.h"
#include "recorder/run/start_rows.h"
#include "recorder/sources/shared.h"
#include "recorder/tables/summary.h"

/* The first run of a boot may wait for the topology, which is kept. */
#define TOPOLOGY_WAIT_USEC 50000

/* Return the backend that is used. */
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

/* Attach to the command, and to its children if it was already running. */
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
		/* Tests compare a fallback with the best backend. */
		.only = sw_run_is_of_members(run) ? "proc" :
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
		.available = &run->available,
		.programs = run->loop.programs,
		.backend = find_backend(run),
		.backend_reason = run->cgroup.reason.text,
		.start_usec = run->loop.start_usec,
		.root_pid = run->command.pid,
		.proc_fd = run->target.proc_fd,
	};

	return sw_start_rows_write(&start, run->place.writer, error);
}

/* Without a tail, a killed recorder would lose even the start of the step. */
static void keep_start(struct run *run)
{
	struct sw_writer_stats stats;

	sw_writer_stats(run->place.writer, &stats);
	if (!stats.has_tail)
		sw_writer_flush(run->place.writer, sw_clock_boottime_usec());
}

/* The command is the only task. */
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
	/* A shared quota also throttles the command. */
	run->own_v1.fd[SW_V1_CPU] = run->home_v1.fd[SW_V1_CPU];
	run->target.v1 = &run->own_v1;
}

/* Start everything that observes the command, while it waits to execute. */
void sw_run_start(struct run *run)
{
	struct sw_error error;

	enter_cgroups(run);
	run->target.root_pid = run->command.pid;
	run->target.uid = getuid();
	run->target.gid = getgid();
	run->target.waits = &run->waits;
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
	/* For an attached process, nothing is counted from its start. */
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
	/* Setup time is not part of the command's run time. */
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

/* Return the backend that provides the end-of-step values. */
static const char *final_source(const struct run *run)
{
	if (run->loop.is_end_unseen)
		return "none";
	if (sw_sampler_has(run->loop.sampler, "cgroup.v2"))
		return "cgroup.v2";
	/* Not if values of v2 have been lost */
	if (run->target.cgroup_fd < 0 &&
	    sw_sampler_has(run->loop.sampler, "cgroup.v1"))
		return "cgroup.v1";
	/* From processes, whatever the backend */
	return sw_sampler_last(run->loop.sampler, "proc", "utime_usec") !=
	       SW_MISSING ? "proc" : "none";
}

/* The disk is full, or the directory removed: report what was written. */
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

void sw_run_finish(struct run *run)
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

void sw_run_close(struct run *run)
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

/* Call after the report, which considers this run the newest anyway. */
void sw_run_keep(struct run *run)
{
	struct sw_error error;

	if (!run->options->reporter || run->is_lost)
		return;
	if (sw_report_history(run->options->reporter, run->place.path,
			      &run->signals, &error) < 0)
		sw_say("%s", error.text);
}

void sw_run_set_up(struct run *run)
{
	run->loop.command = &run->command;
	run->loop.signals = &run->signals;
	run->loop.events = &run->events;
	run->loop.writer = run->place.writer;
	run->loop.proc_fd = run->target.proc_fd;
	run->loop.period_usec = run->options->period_usec;
	sw_watch_none(&run->loop.watch);
}
