/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches the memory.events of a cgroup, or its v1 equivalent.  Silently does
 * nothing if the cgroup has no memory controller: the series report that.
 */
#include "recorder/sampler/watch.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/sources/step/memory_v1.h"

/* A limit can be hit a hundred times a second; write one row a second. */
#define QUIET_USEC SW_USEC_PER_SEC

enum { ANCESTORS_MAX = 64 };

enum { OOM_KILL, MAX, HIGH };

static const struct sw_kernkey keys[SW_WATCH_KINDS] = {
	{ "oom_kill", OOM_KILL },
	{ "max", MAX },
	{ "high", HIGH },
};

/* Names of the events. */
static const struct {
	const char *kind;
	bool is_each_written;
} kinds[SW_WATCH_KINDS] = {
	[OOM_KILL] = { "oom_kill", true },
	[MAX] = { "memory_max", false },
	[HIGH] = { "memory_high", false },
};

static enum sw_read_status read_v1(const struct sw_watch *watch,
				   uint64_t *values)
{
	values[OOM_KILL] = sw_memory_v1_oom_kills(watch->v1_fd, watch->tasks,
						  watch->task_count);
	values[MAX] = sw_memory_v1_hits(watch->v1_fd);
	return sw_is_missing(values[MAX]) ? SW_READ_GONE : SW_READ_OK;
}

static enum sw_read_status read_values(const struct sw_watch *watch,
				       uint64_t *values)
{
	sw_set_missing(values, SW_WATCH_KINDS);
	if (watch->v1_fd >= 0)
		return read_v1(watch, values);
	return sw_kernfile_keyed(&watch->file, keys, SW_WATCH_KINDS, values);
}

void sw_watch_none(struct sw_watch *watch)
{
	*watch = (struct sw_watch){ .file.fd = -1, .v1_fd = -1 };
}

static bool open_at(struct sw_watch *watch, int cgroup_fd)
{
	if (cgroup_fd < 0 ||
	    sw_kernfile_open(&watch->file, cgroup_fd, "memory.events") !=
	    SW_READ_OK)
		return false;
	if (read_values(watch, watch->first) == SW_READ_OK)
		return true;
	sw_watch_close(watch);
	return false;
}

static bool open_v1(struct sw_watch *watch, const struct sw_cgroup_v1 *v1)
{
	watch->v1_fd = v1 ? v1->fd[SW_V1_MEMORY] : -1;
	if (watch->v1_fd >= 0 &&
	    read_values(watch, watch->first) == SW_READ_OK)
		return true;
	watch->v1_fd = -1;
	return false;
}

/* Search up to the root of the cgroup file system.  Closes fd. */
static bool open_above(struct sw_watch *watch, int fd)
{
	bool is_open = false;
	int i, up;

	for (i = 0; i < ANCESTORS_MAX && fd >= 0 && !is_open; i++) {
		if (faccessat(fd, "cgroup.controllers", F_OK, 0) < 0)
			break;
		is_open = open_at(watch, fd);
		up = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = up;
	}
	if (fd >= 0)
		close(fd);
	return is_open;
}

void sw_watch_open(struct sw_watch *watch, const struct sw_target *target,
		   int home_fd, const struct sw_cgroup_v1 *shared)
{
	sw_watch_none(watch);
	watch->tasks = target->tasks;
	watch->task_count = target->task_count;
	if (!open_at(watch, target->cgroup_fd) &&
	    !open_v1(watch, target->v1)) {
		watch->task_count = 0;
		if ((home_fd >= 0 &&
		     open_above(watch, openat(home_fd, ".", O_RDONLY |
					      O_DIRECTORY | O_CLOEXEC))) ||
		    open_v1(watch, shared))
			watch->detail =
				"in a cgroup that is shared with others";
	}
	memcpy(watch->seen, watch->first, sizeof(watch->seen));
}

bool sw_watch_is_asked(const struct sw_watch *watch)
{
	return watch->v1_fd >= 0;
}

/*
 * In a shared cgroup any process may have been killed.  The kernel reports a
 * change up to 10 ms late, so a sample may have been taken before.
 */
static bool find_killed(const struct sw_watch *watch, struct sw_tree *tree,
			struct sw_process *killed)
{
	const struct sw_process *fallen;
	bool is_found;

	if (!tree || watch->detail)
		return false;
	fallen = sw_tree_fallen(tree);
	is_found = fallen != NULL;
	if (fallen)
		*killed = *fallen;
	sw_tree_refresh(tree);
	fallen = sw_tree_fallen(tree);
	if (fallen)
		*killed = *fallen;
	return is_found || fallen;
}

bool sw_watch_check(struct sw_watch *watch, struct sw_tree *tree,
		    struct sw_events *events)
{
	uint64_t values[SW_WATCH_KINDS], now = sw_clock_boottime_usec();
	struct sw_process killed;
	bool is_notable = false;
	size_t i;

	if (watch->file.fd < 0 && watch->v1_fd < 0)
		return false;
	if (read_values(watch, values) != SW_READ_OK) {
		sw_watch_close(watch);	/* the cgroup was removed */
		return false;
	}
	for (i = 0; i < SW_WATCH_KINDS; i++) {
		uint64_t grown = sw_delta_u64(values[i], watch->seen[i]);
		struct sw_event event = {
			.time_usec = now, .kind = kinds[i].kind,
			.value = sw_delta_u64(values[i], watch->first[i]),
			.detail = watch->detail,
		};

		if (sw_is_missing(grown) || grown == 0)
			continue;
		if (!kinds[i].is_each_written && watch->written_usec[i] &&
		    now - watch->written_usec[i] < QUIET_USEC)
			continue;
		is_notable |= kinds[i].is_each_written ||
			      !watch->written_usec[i];
		watch->seen[i] = values[i];
		watch->written_usec[i] = now;
		if (i == OOM_KILL && find_killed(watch, tree, &killed)) {
			event.program = killed.comm;
			event.pid = (uint64_t)killed.pid;
		}
		sw_events_add(events, &event);
	}
	return is_notable;
}

void sw_watch_close(struct sw_watch *watch)
{
	sw_kernfile_close(&watch->file);
	watch->v1_fd = -1;
}
