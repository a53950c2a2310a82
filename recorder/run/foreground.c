/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "stepwell run".  Before the command is started, an error ends the run;
 * afterwards, errors only affect part of the recording.
 */
#include "recorder/run/foreground.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/escape.h"
#include "recorder/log/say.h"
#include "recorder/run/descriptors.h"
#include "recorder/run/foreground_internal.h"
#include "recorder/run/leftovers.h"
#include "recorder/run/report_end.h"
#include "recorder/sources/pmu/components.h"
#include "recorder/sources/pmu/counters.h"
#include "recorder/waits/local_space.h"

/* Create a cgroup, or note why not, and read the limits of its parents. */
static void prepare_cgroup(struct run *run)
{
	sw_cgroup_create(&run->cgroup, run->target.proc_fd);
	sw_cgroup_v1_open_own(&run->home_v1, run->target.proc_fd);
	if (strcmp(run->cgroup.backend, "cgroup.v2") != 0 &&
	    run->home_v1.fd[SW_V1_MEMORY] >= 0)
		sw_cgroup_create_v1(&run->cgroup_v1, run->target.proc_fd);
	sw_available_read(&run->available, run->target.proc_fd,
			  run->cgroup.home_fd, &run->home_v1);
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
		sw_run_keep(run);
	}
	sw_destination_close(&run->place);
	if (run->loop.is_interrupted && WIFSIGNALED(status) &&
	    (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGQUIT))
		sw_signals_end_by(WTERMSIG(status));
	return sw_command_exit_status(status);
}

/* Call before there are other children.  Failures are not fatal. */
static void choose_counters(const struct sw_options *options)
{
	sw_counters_choose(options->counters, &(struct sw_papi_origin){
		.events_file = options->events_file,
		/* Tests simulate another processor. */
		.processor = getenv("STEPWELL_PROCESSOR") });
	if (sw_counters_refused()[0])
		sw_say("counters: %s", sw_counters_refused());
	sw_components_choose(options->components);
	if (sw_components_refused()[0])
		sw_say("papi-components: %s", sw_components_refused());
}

/* Record from the held child to its exit. */
static int record(struct run *run)
{
	int exec_errno;

	sw_run_set_up(run);
	sw_descriptors_drop();
	if (run->place.writer)
		sw_run_start(run);
	/* Otherwise the samples are aligned to the start of the recording. */
	if (!run->loop.sampler)
		run->loop.start_usec = sw_clock_boottime_usec();
	sw_command_release(&run->command);
	sw_loop_run(&run->loop);
	exec_errno = sw_command_exec_errno(&run->command);
	release_leftovers(run);
	if (!exec_errno)
		sw_run_finish(run);
	sw_run_close(run);
	return end_run(run, exec_errno);
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
		return sw_run_attached(&run);
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
