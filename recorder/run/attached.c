/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Record a process that was started by another program. */
#include <fcntl.h>
#include <unistd.h>

#include "common/error.h"
#include "recorder/log/say.h"
#include "recorder/run/descriptors.h"
#include "recorder/run/foreground_internal.h"

/* It stays in its cgroup; limits are those of the recorder's cgroup. */
static void prepare_attached(struct run *run)
{
	struct sw_cgroup *cgroup = &run->cgroup;

	cgroup->backend = "process.tree";
	sw_error_set(&cgroup->reason, "it ran before the recorder was started");
	/* Members may be in another cgroup than the recorder. */
	if (!sw_run_is_of_members(run) &&
	    sw_cgroup_find(run->target.proc_fd, NULL, cgroup->path,
			   sizeof(cgroup->path), NULL) == 0)
		cgroup->home_fd =
			open(cgroup->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!sw_run_is_of_members(run))
		sw_cgroup_v1_open_own(&run->home_v1, run->target.proc_fd);
	sw_available_read(&run->available, run->target.proc_fd,
			  cgroup->home_fd, &run->home_v1);
}

/*
 * Record a running process.  The end of standard output signals that the
 * recording has begun.
 */
int sw_run_attached(struct run *run)
{
	struct sw_error error;

	run->attach = run->options->attach;
	run->attach.fd = -1;
	if (!run->place.writer)
		return SW_EXIT_FAILURE;
	if (run->options->has_members)
		sw_run_members_open(&run->members);
	if (!sw_run_is_of_members(run) &&
	    sw_attach_open(&run->attach, run->target.proc_fd, &error) < 0) {
		sw_say("%s; nothing was recorded", error.text);
		sw_destination_discard(&run->place);
		return SW_EXIT_FAILURE;
	}
	/* The parent finds the members; it is none but lives as long. */
	run->command.pid = sw_run_is_of_members(run) ? getppid() :
						       run->attach.pid;
	run->loop.attach = &run->attach;
	run->loop.members = run->options->has_members ? &run->members : NULL;
	prepare_attached(run);
	sw_run_set_up(run);
	sw_run_start(run);
	sw_descriptors_drop();
	if (run->loop.sampler)
		sw_loop_run(&run->loop);
	if (run->loop.sampler && run->loop.wait_status < 0 &&
	    !sw_run_is_of_members(run))
		run->loop.wait_status = sw_attach_told_status(
			run->place.dirfd, run->place.name);
	sw_run_finish(run);
	sw_run_close(run);
	if (run->loop.sampler)
		sw_run_keep(run);
	sw_destination_close(&run->place);
	return 0;
}
