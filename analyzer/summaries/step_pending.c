/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table of lists; rows that were taken are reused. */
#include "analyzer/summaries/step_pending.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 1024, HEADS_PER_ROW = 2 };

/* Job ids are sequential, so that neighbors have different hashes. */
static uint32_t *head_of(const struct sw_step_pending *pending,
			 uint32_t cluster, uint64_t job_id)
{
	uint64_t hash =
		(job_id ^ (uint64_t)cluster << 40) * 0x9e3779b97f4a7c15u;

	return &pending->heads[(hash >> 32) & (pending->head_room - 1)];
}

static bool is_of(const struct sw_step_row *row, uint32_t cluster,
		  uint64_t job_id)
{
	return row->job_id == job_id && row->cluster == cluster;
}

static void link_row(struct sw_step_pending *pending, uint32_t at)
{
	struct sw_step_row *row = &pending->rows[at];
	uint32_t *head = head_of(pending, row->cluster, row->job_id);

	row->next = *head;
	*head = at;
}

/* All rows are in lists when the table grows: none is free. */
static int grow(struct sw_step_pending *pending)
{
	uint32_t room = pending->room ? 2 * pending->room : ROOM_FIRST, i;
	struct sw_step_row *rows;
	uint32_t *heads, *list;

	if (room > UINT32_MAX / HEADS_PER_ROW / 2) {
		errno = ENOMEM;
		return -1;
	}
	rows = reallocarray(pending->rows, room, sizeof(*rows));
	if (!rows)
		return -1;
	pending->rows = rows;
	list = reallocarray(pending->free, room, sizeof(*list));
	if (!list)
		return -1;
	pending->free = list;
	heads = calloc((size_t)room * HEADS_PER_ROW, sizeof(*heads));
	if (!heads)
		return -1;
	free(pending->heads);
	pending->heads = heads;
	pending->head_room = room * HEADS_PER_ROW;
	pending->room = room;
	for (i = 1; i <= pending->used; i++)
		link_row(pending, i);
	return 0;
}

int sw_step_pending_add(struct sw_step_pending *pending,
			const struct sw_step_row *row)
{
	uint32_t at;

	if (!pending->free_count && pending->used + 1 >= pending->room &&
	    grow(pending) < 0)
		return -1;
	at = pending->free_count ? pending->free[--pending->free_count]
				 : ++pending->used;
	pending->rows[at] = *row;
	link_row(pending, at);
	return 0;
}

static size_t count_rows(const struct sw_step_pending *pending,
			 uint32_t cluster, uint64_t job_id)
{
	uint32_t at = *head_of(pending, cluster, job_id);
	size_t count = 0;

	for (; at; at = pending->rows[at].next)
		count += is_of(&pending->rows[at], cluster, job_id);
	return count;
}

static int make_room(struct sw_step_row **rows, size_t *room, size_t count)
{
	struct sw_step_row *grown;

	if (count <= *room)
		return 0;
	grown = reallocarray(*rows, 2 * count, sizeof(*grown));
	if (!grown)
		return -1;
	*rows = grown;
	*room = 2 * count;
	return 0;
}

ssize_t sw_step_pending_take(struct sw_step_pending *pending, uint32_t cluster,
			     uint64_t job_id, struct sw_step_row **rows,
			     size_t *room)
{
	size_t count = pending->room ? count_rows(pending, cluster, job_id) : 0;
	uint32_t *link, at;
	size_t left = count;

	if (!count)
		return 0;
	if (make_room(rows, room, count) < 0)
		return -1;
	/* Lists have the newest row in front. */
	link = head_of(pending, cluster, job_id);
	while ((at = *link)) {
		struct sw_step_row *row = &pending->rows[at];

		if (!is_of(row, cluster, job_id)) {
			link = &row->next;
			continue;
		}
		(*rows)[--left] = *row;
		*link = row->next;
		row->job_id = SW_MISSING;
		pending->free[pending->free_count++] = at;
	}
	return (ssize_t)count;
}

const struct sw_step_row *
sw_step_pending_any(const struct sw_step_pending *pending, uint32_t *from)
{
	for (; *from <= pending->used; ++*from) {
		if (*from &&
		    !sw_is_missing(pending->rows[*from].job_id))
			return &pending->rows[*from];
	}
	return NULL;
}

void sw_step_pending_fini(struct sw_step_pending *pending)
{
	free(pending->rows);
	free(pending->heads);
	free(pending->free);
	*pending = (struct sw_step_pending){ 0 };
}
