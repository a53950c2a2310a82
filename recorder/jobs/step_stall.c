/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the file system for which a step waited most. */
#include "recorder/jobs/step_stall.h"

#include <stdio.h>
#include <unistd.h>

#include "common/missing.h"
#include "common/units.h"
#include "recorder/processes/visits.h"
#include "recorder/tables/privacy.h"

/* Below this the mount is not looked up: many steps are short. */
#define NAMED_USEC_MIN SW_USEC_PER_SEC

static bool is_worse(const struct sw_wait_group *group,
		     const struct sw_wait_group *than)
{
	if (group->idle_usec != than->idle_usec)
		return group->idle_usec > than->idle_usec;
	return group->some_usec > than->some_usec;
}

static const struct sw_wait_group *find_worst(const struct sw_wait_tally *waits)
{
	const struct sw_wait_group *worst = NULL;
	size_t i;

	for (i = 0; i < waits->count; i++) {
		const struct sw_wait_group *group = &waits->group[i];

		if (group->reason.kind == SW_WAIT_IO && group->some_usec &&
		    (!worst || is_worse(group, worst)))
			worst = group;
	}
	return worst;
}

/* Return the kind of more than half of the waits. */
static const char *kind_of(const struct sw_wait_group *group)
{
	enum sw_wait_access i;

	for (i = SW_ACCESS_READ; i < SW_ACCESSES; i++) {
		if (group->access_usec[i] > group->thread_usec / 2)
			return sw_wait_access_name(i);
	}
	return NULL;
}

/* Use the mount as seen by the recorder, not by the step. */
static void put_mount(struct sw_step_stall *stall,
		      const struct sw_wait_group *group, int proc_fd)
{
	struct sw_mount mount = { .device = group->device,
				  .fs = group->reason.fs };

	if (!sw_privacy_has_paths() || group->some_usec < NAMED_USEC_MIN ||
	    (!group->device && !sw_wait_is_elsewhere(group->reason.fs)) ||
	    !sw_visit_mount(proc_fd, getpid(), &mount) || mount.is_of_user)
		return;
	if (snprintf(stall->mount, sizeof(stall->mount), "%s", mount.point) >=
	    (int)sizeof(stall->mount))
		stall->mount[0] = '\0';
}

void sw_step_stall_find(struct sw_step_stall *stall,
			const struct sw_wait_tally *waits, int proc_fd)
{
	const struct sw_wait_group *worst;

	*stall = (struct sw_step_stall){ SW_MISSING, SW_MISSING, SW_MISSING,
					 "",	    "",		"" };
	if (!waits)
		return;
	stall->usec = stall->idle_usec = stall->intervals = 0;
	worst = find_worst(waits);
	if (!worst)
		return;
	stall->usec = worst->some_usec;
	stall->idle_usec = worst->idle_usec;
	stall->intervals = worst->intervals;
	snprintf(stall->kind, sizeof(stall->kind), "%s",
		 sw_text(kind_of(worst)));
	snprintf(stall->fs, sizeof(stall->fs), "%s",
		 sw_wait_fs_name(worst->reason.fs));
	put_mount(stall, worst, proc_fd);
}
