/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Record processes left running by the command, and move them back to their
 * original cgroup.  Report a cgroup that cannot be removed.
 */
#include "recorder/run/leftovers.h"

#include "recorder/kernel/process.h"
#include "recorder/log/say.h"

static void note(void *context, pid_t pid)
{
	struct sw_leftovers *leftovers = context;
	char comm[64];

	sw_process_read_comm(leftovers->proc_fd, pid, comm, sizeof(comm));
	leftovers->count++;
	sw_events_add(leftovers->events, &(struct sw_event){
		.kind = "leftover", .program = comm[0] ? comm : NULL,
		.pid = (uint64_t)pid, .value = SW_MISSING });
}

/* Without a cgroup: remaining descendants */
static void note_orphans(struct sw_leftovers *leftovers)
{
	const struct sw_process *process;
	size_t i;

	sw_tree_refresh(leftovers->tree);
	for (i = 0; i < sw_tree_count(leftovers->tree); i++) {
		process = sw_tree_process(leftovers->tree, i);
		if (process->state != 'Z')
			note(leftovers, process->pid);
	}
}

static void remove_cgroup(struct sw_cgroup *cgroup)
{
	struct sw_error error;

	if (sw_cgroup_destroy(cgroup, &error) < 0)
		sw_say("%s", error.text);
}

void sw_leftovers_release(struct sw_leftovers *leftovers,
			  struct sw_cgroup *cgroup,
			  struct sw_cgroup *cgroup_v1)
{
	bool is_noted = leftovers->events && cgroup->fd >= 0;
	bool is_noted_v1 = leftovers->events && !is_noted &&
			   cgroup_v1->fd >= 0;

	sw_cgroup_evacuate(cgroup, is_noted ? note : NULL, leftovers);
	sw_cgroup_evacuate(cgroup_v1, is_noted_v1 ? note : NULL, leftovers);
	if (leftovers->events && !is_noted && !is_noted_v1 && leftovers->tree)
		note_orphans(leftovers);
	remove_cgroup(cgroup);
	remove_cgroup(cgroup_v1);
}
