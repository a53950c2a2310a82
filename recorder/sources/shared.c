/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counter sources of the node. */
#include "recorder/sources/shared.h"

#include <errno.h>
#include <stdlib.h>

#include "common/clock.h"
#include "recorder/sources/helper.h"
#include "recorder/sources/reading.h"

/* Steps sampled together see the same rows. */
#define FRESH_USEC 20000

struct slot {
	struct sw_reading reading;
	bool is_open;		/* open was called */
	enum sw_read_status opened, status;
	uint64_t read_usec;	/* 0: never */
};

struct sw_shared {
	struct sw_target target;
	const struct sw_source *const *sources, *const *hidden;
	struct sw_helper *aside;
	bool has_aside;		/* a start was tried */
	size_t count;
	struct slot *slots;
	char *arena;
};

static size_t count_node_sources(const struct sw_source *const *list,
				 size_t *bytes)
{
	size_t count = 0;

	for (; *list; list++) {
		if ((*list)->scope != SW_SCOPE_NODE)
			continue;
		*bytes += sw_reading_bytes(*list);
		count++;
	}
	return count;
}

static char *fill(struct sw_shared *shared,
		  const struct sw_source *const *list, char *next)
{
	for (; *list; list++) {
		if ((*list)->scope != SW_SCOPE_NODE)
			continue;
		sw_reading_init(&shared->slots[shared->count++].reading, *list,
				next);
		next += sw_reading_bytes(*list);
	}
	return next;
}

struct sw_shared *sw_shared_create(const struct sw_source *const *sources,
				   const struct sw_source *const *hidden,
				   int proc_fd, int sys_fd,
				   struct sw_error *error)
{
	struct sw_shared *shared = calloc(1, sizeof(*shared));
	size_t bytes = 0, count;

	if (!shared)
		goto error;
	count = count_node_sources(sources, &bytes) +
		count_node_sources(hidden, &bytes);
	shared->slots = calloc(count + 1, sizeof(*shared->slots));
	shared->arena = calloc(1, bytes + 1);
	if (!shared->slots || !shared->arena)
		goto error;
	shared->sources = sources;
	shared->hidden = hidden;
	shared->target = (struct sw_target){
		.cgroup_fd = -1, .proc_fd = proc_fd, .sys_fd = sys_fd };
	fill(shared, hidden, fill(shared, sources, shared->arena));
	return shared;
error:
	sw_error_errno(error, "counter sources of the node");
	sw_shared_destroy(shared);
	return NULL;
}

static struct slot *find(struct sw_shared *shared,
			 const struct sw_source *source)
{
	size_t i;

	for (i = 0; i < shared->count; i++) {
		if (shared->slots[i].reading.source == source)
			return &shared->slots[i];
	}
	return NULL;
}

static void start_aside(struct sw_shared *shared)
{
	struct sw_error error;

	if (shared->has_aside)
		return;
	shared->has_aside = true;
	shared->aside = sw_helper_start(shared->sources, shared->hidden,
					&shared->target, &error);
}

static enum sw_read_status open_slot(struct sw_shared *shared,
				     struct slot *slot)
{
	const struct sw_source *source = slot->reading.source;

	if (source->is_out_of_process) {
		start_aside(shared);
		if (!shared->aside ||
		    sw_helper_opened(shared->aside, source) == SW_READ_ABSENT)
			return SW_READ_ABSENT;
		return SW_READ_OK;
	}
	if (!slot->is_open) {
		slot->opened = sw_reading_open(&slot->reading,
					       &shared->target);
		slot->is_open = true;
	}
	return slot->opened;
}

void sw_shared_prepare(struct sw_shared *shared)
{
	size_t i;

	for (i = 0; i < shared->count; i++)
		open_slot(shared, &shared->slots[i]);
}

enum sw_read_status sw_shared_open(struct sw_shared *shared,
				   const struct sw_source *source)
{
	struct slot *slot = find(shared, source);

	return slot ? open_slot(shared, slot) : SW_READ_ABSENT;
}

enum sw_read_status sw_shared_take(struct sw_shared *shared,
				   const struct sw_source *source,
				   const struct sw_rows **rows)
{
	uint64_t now = sw_clock_boottime_usec();
	struct slot *slot = find(shared, source);

	if (!slot || open_slot(shared, slot) != SW_READ_OK)
		return SW_READ_ABSENT;
	*rows = &slot->reading.rows;
	if (slot->read_usec && now - slot->read_usec < FRESH_USEC)
		return slot->status;
	slot->read_usec = now;
	if (source->is_out_of_process)
		slot->status = sw_helper_take(shared->aside, source,
					      &slot->reading.rows);
	else
		slot->status = sw_reading_take(&slot->reading,
					       &shared->target);
	return slot->status;
}

bool sw_shared_describe(struct sw_shared *shared,
			const struct sw_source *source, uint64_t index,
			struct sw_subject *subject)
{
	struct slot *slot = find(shared, source);

	if (!slot)
		return false;
	if (source->is_out_of_process)
		return shared->aside &&
		       sw_helper_describe(shared->aside, source, index,
					  subject);
	return sw_reading_describe(&slot->reading, index, subject);
}

void sw_shared_destroy(struct sw_shared *shared)
{
	size_t i;

	if (!shared)
		return;
	sw_helper_stop(shared->aside);
	for (i = 0; i < shared->count; i++) {
		if (shared->slots[i].is_open)
			sw_reading_close(&shared->slots[i].reading);
	}
	free(shared->slots);
	free(shared->arena);
	free(shared);
}
