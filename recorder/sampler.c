/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Visiting the counter sources: open, read, one row each. */
#include "recorder/sampler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "recorder/self.h"
#include "recorder/tree.h"

enum {
	TENTH = 10,		/* SW_EVERY_TENTH, in rounds */
	GARBAGE_PATIENCE = 2,	/* unreadable in a row: visit less often */
	INTERVAL_MAX = 64,	/* rounds between two visits, at most */
	COMPLAINTS_MAX = 8,	/* a source that comes and goes */
	OWN_COLUMNS = 2,	/* time_usec and step, before the source's */
	STATE_ALIGNMENT = 16,
};

/* One source and how it fares. */
struct slot {
	const struct sw_source *source;
	void *state;
	int table;		/* -1: not there, never read */
	unsigned int bad;	/* failed reads in a row */
	uint64_t interval;	/* rounds from one visit to the next */
	uint64_t next;		/* the next round to be visited in */
	bool has_complained;	/* of how it fares now */
	unsigned int complaints;	/* so far */
	bool has_rows;
	uint64_t last[SW_TABLE_COLUMNS_MAX];	/* the last row's */
};

struct sw_sampler {
	const struct sw_target *target;
	struct sw_writer *writer;
	struct sw_events *events;
	struct sw_self own;
	uint64_t round;
	size_t count;
	struct slot *slots;
	char *arena;		/* the sources' memory, in one piece */
};

static size_t aligned(size_t size)
{
	return (size + STATE_ALIGNMENT - 1) / STATE_ALIGNMENT *
	       STATE_ALIGNMENT;
}

static void complain(struct sw_sampler *sampler, struct slot *slot,
		     const char *kind, const char *why)
{
	char detail[SW_TEXT_SIZE_MAX];

	if (slot->has_complained || slot->complaints == COMPLAINTS_MAX)
		return;
	slot->has_complained = true;
	slot->complaints++;
	snprintf(detail, sizeof(detail), "%s: %s", slot->source->name, why);
	sw_events_add(sampler->events, &(struct sw_event){
		.kind = kind, .value = SW_MISSING, .detail = detail });
}

static const char *absence(const struct sw_sampler *sampler,
			   const struct slot *slot)
{
	if (!strncmp(slot->source->ladder, "cgroup", 6))
		return sampler->target->cgroup_fd < 0 ?
			       "the command has no cgroup of its own" :
			       "the command's cgroup has no such files";
	return "not on this machine";
}

/* It was there, and is no more. */
static const char *loss(const struct slot *slot)
{
	if (!strncmp(slot->source->ladder, "cgroup", 6))
		return "the command's cgroup was removed";
	return "what was watched is gone";
}

/* The table of a source: the loop's two columns, then the source's own. */
static int define(struct sw_sampler *sampler, const struct sw_source *source,
		  struct sw_error *error)
{
	struct sw_column columns[SW_TABLE_COLUMNS_MAX] = {
		{ "time_usec", "usec", SW_KIND_TIME, "When it was read." },
		{ "step", "", SW_KIND_KEY, "The step." },
	};
	char name[SW_NAME_SIZE_MAX];
	struct sw_table table = {
		.name = name,
		.scope = source->scope,
		.source = source->ladder,
		.columns = columns,
		.column_count = OWN_COLUMNS + source->column_count,
	};

	if (table.column_count > SW_TABLE_COLUMNS_MAX)
		return sw_error_set(error, "source %s has too many columns",
				    source->name);
	snprintf(name, sizeof(name), "series.%s", source->name);
	memcpy(columns + OWN_COLUMNS, source->columns,
	       source->column_count * sizeof(*columns));
	return sw_writer_table(sampler->writer, &table, error);
}

static void open_slot(struct sw_sampler *sampler, struct slot *slot)
{
	struct sw_error error;

	slot->interval = 1;
	slot->table = -1;
	if (slot->source->open(slot->state, sampler->target) != SW_READ_OK) {
		complain(sampler, slot, "source_absent",
			 absence(sampler, slot));
		return;
	}
	slot->table = define(sampler, slot->source, &error);
	if (slot->table < 0)
		complain(sampler, slot, "source_absent", error.text);
}

static int allocate(struct sw_sampler *sampler,
		    const struct sw_source *const *sources)
{
	size_t i, size = 0;
	char *next;

	while (sources[sampler->count])
		size += aligned(sources[sampler->count++]->state_size);
	sampler->slots = calloc(sampler->count, sizeof(*sampler->slots));
	sampler->arena = aligned_alloc(STATE_ALIGNMENT,
				       size + STATE_ALIGNMENT);
	if (!sampler->slots || !sampler->arena)
		return -1;
	memset(sampler->arena, 0, size + STATE_ALIGNMENT);
	for (i = 0, next = sampler->arena; i < sampler->count; i++) {
		sampler->slots[i].source = sources[i];
		sampler->slots[i].state = next;
		next += aligned(sources[i]->state_size);
	}
	return 0;
}

struct sw_sampler *sw_sampler_create(const struct sw_source *const *sources,
				     const struct sw_target *target,
				     struct sw_writer *writer,
				     struct sw_events *events,
				     struct sw_error *error)
{
	struct sw_sampler *sampler = calloc(1, sizeof(*sampler));
	size_t i;

	if (!sampler || allocate(sampler, sources) < 0) {
		sw_error_errno(error, "counter sources");
		if (sampler)
			free(sampler->slots);
		free(sampler);
		return NULL;
	}
	sampler->target = target;
	sampler->writer = writer;
	sampler->events = events;
	for (i = 0; i < sampler->count; i++)
		open_slot(sampler, &sampler->slots[i]);
	sw_self_open(&sampler->own, target->proc_fd, writer);
	return sampler;
}

static void write_values(struct sw_sampler *sampler, struct slot *slot,
			 const uint64_t *numbers)
{
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	uint64_t now = sw_clock_boottime_usec();
	size_t i;

	memcpy(slot->last, numbers,
	       slot->source->column_count * sizeof(*numbers));
	slot->has_rows = true;
	values[0].number = now;
	values[1].number = sampler->target->step;
	for (i = 0; i < slot->source->column_count; i++)
		values[OWN_COLUMNS + i].number = numbers[i];
	sw_writer_row(sampler->writer, slot->table, values, now);
}

/* Failures in a row thin the visits out; one good read ends that. */
static void slow_down(struct slot *slot)
{
	if (++slot->bad >= GARBAGE_PATIENCE && slot->interval < INTERVAL_MAX)
		slot->interval *= 2;
}

/* It can be read, and could not be before. */
static void recover(struct sw_sampler *sampler, struct slot *slot)
{
	slot->bad = 0;
	slot->interval = 1;
	if (!slot->has_complained)
		return;
	slot->has_complained = false;
	sw_events_add(sampler->events, &(struct sw_event){
		.kind = "source_back", .value = SW_MISSING,
		.detail = slot->source->name });
}

static void visit(struct sw_sampler *sampler, struct slot *slot)
{
	uint64_t numbers[SW_TABLE_COLUMNS_MAX];
	size_t i;

	for (i = 0; i < slot->source->column_count; i++)
		numbers[i] = SW_MISSING;
	switch (slot->source->read(slot->state, sampler->target, numbers)) {
	case SW_READ_OK:
		recover(sampler, slot);
		write_values(sampler, slot, numbers);
		break;
	case SW_READ_GARBAGE:
		slow_down(slot);
		if (slot->bad >= GARBAGE_PATIENCE)
			complain(sampler, slot, "source_garbage",
				 "the kernel's text was not understood");
		break;
	case SW_READ_ABSENT:
		slow_down(slot);
		complain(sampler, slot, "source_lost",
			 absence(sampler, slot));
		break;
	case SW_READ_GONE:
		slow_down(slot);
		complain(sampler, slot, "source_lost", loss(slot));
		break;
	}
}

void sw_sampler_take(struct sw_sampler *sampler,
		     const struct sw_sampler_self *self, bool is_final)
{
	size_t i;

	if (sampler->target->tree)
		sw_tree_refresh(sampler->target->tree);
	for (i = 0; i < sampler->count; i++) {
		struct slot *slot = &sampler->slots[i];
		uint64_t stride;

		if (slot->table < 0 || (!is_final &&
					sampler->round < slot->next))
			continue;
		visit(sampler, slot);
		if (slot->source->cadence == SW_EVERY_TENTH)
			stride = TENTH * slot->interval;
		else
			stride = slot->interval;
		slot->next = sampler->round + stride;
	}
	if (self)
		sw_self_write(&sampler->own, sampler->writer, self);
	sampler->round++;
}

static void put_value(const struct sw_source *source, uint64_t *numbers,
		      const struct sw_sampler_value *value)
{
	size_t i;

	for (i = 0; i < source->column_count; i++) {
		if (!strcmp(source->columns[i].name, value->column))
			numbers[i] = value->number;
	}
}

bool sw_sampler_put(struct sw_sampler *sampler, const char *source,
		    const struct sw_sampler_value *values, size_t count)
{
	uint64_t numbers[SW_TABLE_COLUMNS_MAX];
	struct slot *slot = NULL;
	size_t i;

	for (i = 0; i < sampler->count; i++) {
		if (!strcmp(sampler->slots[i].source->name, source))
			slot = &sampler->slots[i];
	}
	if (!slot || slot->table < 0 || slot->bad == 0)
		return false;
	for (i = 0; i < slot->source->column_count; i++)
		numbers[i] = SW_MISSING;
	for (i = 0; i < count; i++)
		put_value(slot->source, numbers, &values[i]);
	write_values(sampler, slot, numbers);
	return true;
}

uint64_t sw_sampler_last(const struct sw_sampler *sampler, const char *source,
			 const char *column)
{
	size_t i, j;

	for (i = 0; i < sampler->count; i++) {
		const struct slot *slot = &sampler->slots[i];

		if (!slot->has_rows || strcmp(slot->source->name, source) != 0)
			continue;
		for (j = 0; j < slot->source->column_count; j++) {
			if (!strcmp(slot->source->columns[j].name, column))
				return slot->last[j];
		}
	}
	return SW_MISSING;
}

uint64_t sw_sampler_count(const struct sw_sampler *sampler)
{
	return sampler->round;
}

bool sw_sampler_has(const struct sw_sampler *sampler, const char *ladder)
{
	size_t i;

	for (i = 0; i < sampler->count; i++) {
		if (sampler->slots[i].table >= 0 &&
		    !sampler->slots[i].bad &&
		    !strcmp(sampler->slots[i].source->ladder, ladder))
			return true;
	}
	return false;
}

void sw_sampler_destroy(struct sw_sampler *sampler)
{
	size_t i;

	if (!sampler)
		return;
	/* After a failed open, too: the contract of source.h. */
	for (i = 0; i < sampler->count; i++)
		sampler->slots[i].source->close(sampler->slots[i].state);
	sw_self_close(&sampler->own);
	free(sampler->slots);
	free(sampler->arena);
	free(sampler);
}
