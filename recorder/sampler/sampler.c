/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the counter sources: open, read, write one row each. */
#include "recorder/sampler/sampler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/pages.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/programs.h"
#include "recorder/sampler/sampler_internal.h"
#include "recorder/sources/shared.h"

enum {
	TENTH = 10,		/* SW_EVERY_TENTH, in rounds */
	GARBAGE_PATIENCE = 2,	/* failed reads in a row before slowing down */
	INTERVAL_MAX = 64,	/* maximum number of rounds between reads */
	COMPLAINTS_MAX = 8,	/* for a source that fails repeatedly */
	NOT_DEFINED = -2, NOT_THERE = -1,	/* instead of a table */
};

static bool is_shared(const struct slot *slot)
{
	return slot->source->scope == SW_SCOPE_NODE;
}

static void note(struct sw_sampler *sampler, const struct slot *slot,
		 const char *kind, const char *why)
{
	char detail[SW_TEXT_SIZE_MAX];

	snprintf(detail, sizeof(detail), "%s: %s", slot->source->name, why);
	sw_events_add(sampler->events, &(struct sw_event){
		.kind = kind, .value = SW_MISSING, .detail = detail });
}

static void complain(struct sw_sampler *sampler, struct slot *slot,
		     const char *kind, const char *why)
{
	if (slot->has_complained || slot->complaints == COMPLAINTS_MAX)
		return;
	slot->has_complained = true;
	slot->complaints++;
	note(sampler, slot, kind, why);
}

static bool is_of_cgroup(const struct slot *slot)
{
	return !strncmp(slot->backend, "cgroup", 6);
}

/* Return the reason given by the source, or NULL. */
static const char *own_reason(const struct slot *slot,
			      enum sw_read_status status)
{
	const void *state = is_shared(slot) ? NULL : slot->reading.state;

	return sw_source_reason(slot->source, state, status);
}

static const char *absence(const struct sw_sampler *sampler,
			   const struct slot *slot)
{
	const char *reason = own_reason(slot, SW_READ_ABSENT);

	if (is_of_cgroup(slot) && sampler->target->cgroup_fd < 0 &&
	    !sw_cgroup_v1_is_any(sampler->target->v1))
		return "the command has no cgroup of its own";
	return reason ? reason : "this machine does not have it";
}

/* Return the reason why an existing source was lost. */
static const char *loss(const struct slot *slot)
{
	const char *reason = own_reason(slot, SW_READ_GONE);

	return reason ? reason : is_of_cgroup(slot) ?
		       "the command's cgroup was removed" :
		       "what was being sampled no longer exists";
}

static enum sw_read_status open_source(struct sw_sampler *sampler,
				       struct slot *slot)
{
	if (!is_shared(slot))
		return sw_reading_open(&slot->reading, sampler->target);
	if (!sampler->target->shared)
		return SW_READ_ABSENT;
	return sw_shared_open(sampler->target->shared, slot->source);
}

/* A table has one source for all steps, and for all recorders of a job. */
static void note_backend(struct sw_sampler *sampler, const struct slot *slot)
{
	const char *first = sw_writer_source(sampler->writer, slot->table);
	char why[SW_TEXT_SIZE_MAX / 2];

	if (!strcmp(first, slot->backend))
		return;
	snprintf(why, sizeof(why), "sampled by %s here, by %s in the rest of the profile",
		 slot->backend, first);
	note(sampler, slot, "source_partial", why);
}

static void define_slot(struct sw_sampler *sampler, struct slot *slot)
{
	struct sw_error error;

	if (slot->source->find_backend && !is_shared(slot))
		slot->backend = slot->source->find_backend(slot->reading.state);
	slot->table = sw_reading_table(slot->source, slot->backend,
				       sampler->writer, &error);
	if (slot->table < 0) {
		slot->table = NOT_THERE;
		complain(sampler, slot, "source_absent", error.text);
		return;
	}
	note_backend(sampler, slot);
}

static void open_slot(struct sw_sampler *sampler, struct slot *slot)
{
	const struct sw_source *source = slot->source;
	enum sw_read_status status;
	const char *partial;

	slot->interval = 1;
	slot->backend = source->backend;
	slot->table = NOT_THERE;
	if (source->is_wanted && !source->is_wanted())
		return;
	status = open_source(sampler, slot);
	if (status != SW_READ_OK && status != SW_READ_LATER) {
		complain(sampler, slot, "source_absent",
			 absence(sampler, slot));
		return;
	}
	/* An out-of-process source may later turn out to be absent. */
	slot->is_later = status == SW_READ_LATER;
	if (slot->source->is_out_of_process || slot->is_later)
		slot->table = NOT_DEFINED;
	else
		define_slot(sampler, slot);
	partial = own_reason(slot, SW_READ_OK);
	if (partial)
		note(sampler, slot, "source_partial", partial);
}

static size_t last_bytes(const struct sw_source *source)
{
	return source->column_count * sizeof(uint64_t);
}

static int allocate(struct sw_sampler *sampler,
		    const struct sw_source *const *sources)
{
	size_t i, size = 1;	/* not zero, even without sources */
	char *next;

	for (; sources[sampler->count]; sampler->count++)
		size += sw_reading_bytes(sources[sampler->count]) +
			last_bytes(sources[sampler->count]);
	sampler->slots = calloc(sampler->count, sizeof(*sampler->slots));
	sampler->arena_bytes = size;
	sampler->arena = sw_pages_take(size);
	if (!sampler->slots || !sampler->arena)
		return -1;
	for (i = 0, next = sampler->arena; i < sampler->count; i++) {
		sampler->slots[i].source = sources[i];
		sw_reading_init(&sampler->slots[i].reading, sources[i], next);
		next += sw_reading_bytes(sources[i]);
	}
	/* After all states, which have a larger alignment. */
	for (i = 0; i < sampler->count; i++) {
		sampler->slots[i].last = (uint64_t *)(void *)next;
		next += last_bytes(sources[i]);
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
	sampler->subjects = (struct sw_subjects){
		.writer = writer, .table = -1, .step = target->step };
	for (i = 0; i < sampler->count; i++)
		open_slot(sampler, &sampler->slots[i]);
	sw_self_open(&sampler->own, target->proc_fd, writer);
	return sampler;
}

static bool describe(struct sw_sampler *sampler, const struct slot *slot,
		     uint64_t index, struct sw_subject *subject)
{
	if (is_shared(slot))
		return sw_shared_describe(sampler->target->shared,
					  slot->source, index, subject);
	return sw_reading_describe(&slot->reading, index, subject);
}

static void name_subject(struct sw_sampler *sampler, struct slot *slot,
			 uint64_t index)
{
	struct sw_subject subject;

	if (index >= SW_SUBJECTS_MAX ||
	    (sw_subjects_note(&slot->named, index) &&
	     (is_shared(slot) ||
	      !sw_reading_is_renamed(&slot->reading, index))) ||
	    !describe(sampler, slot, index, &subject))
		return;
	sw_subjects_write(&sampler->subjects, slot->source->name, index,
			  &subject);
}

static void write_rows(struct sw_sampler *sampler, struct slot *slot,
		       const struct sw_rows *rows)
{
	uint64_t now;
	size_t i;

	if (rows->count > 0 && slot->table == NOT_DEFINED)
		define_slot(sampler, slot);
	if (slot->table < 0)
		return;
	for (i = 0; i < rows->count; i++)
		name_subject(sampler, slot, sw_rows_index(rows, i));
	/* All rows of a read have one time, not before their names. */
	now = sw_clock_boottime_usec();
	for (i = 0; i < rows->count; i++)
		sw_slot_write(sampler, slot, now, sw_rows_index(rows, i),
			      sw_rows_values(rows, i));
	if (rows->left_out > 0 && !slot->has_left_out) {
		slot->has_left_out = true;
		sw_events_add(sampler->events, &(struct sw_event){
			.kind = "rows_skipped", .value = rows->left_out,
			.detail = slot->source->name });
	}
}

/*
 * Write a row of zeros for a source that began with the step but could not be
 * read until now.  Without it, its counts so far would be lost.
 */
static void write_zeros(struct sw_sampler *sampler, struct slot *slot,
			const struct sw_rows *rows)
{
	const struct sw_source *source = slot->source;
	uint64_t numbers[SW_TABLE_COLUMNS_MAX];
	size_t i;

	if (slot->table == NOT_DEFINED)
		define_slot(sampler, slot);
	for (i = 0; i < source->column_count; i++)
		numbers[i] = source->columns[i].kind == SW_KIND_COUNTER ?
				     0 : SW_MISSING;
	for (i = 0; slot->table >= 0 && i < rows->count; i++)
		sw_slot_write_only(sampler, slot, slot->later_usec,
				   sw_rows_index(rows, i), numbers);
}

/* Read less often after repeated failures; one success ends that. */
static void slow_down(struct slot *slot)
{
	if (++slot->bad >= GARBAGE_PATIENCE && slot->interval < INTERVAL_MAX)
		slot->interval *= 2;
}

/* The source can be read again after failures. */
static void recover(struct sw_sampler *sampler, struct slot *slot)
{
	slot->bad = 0;
	slot->interval = 1;
	if (!slot->has_complained)
		return;
	slot->has_complained = false;
	sw_events_add(sampler->events, &(struct sw_event){
		.kind = "source_restored", .value = SW_MISSING,
		.detail = slot->source->name });
}

static enum sw_read_status take_rows(struct sw_sampler *sampler,
				     struct slot *slot,
				     const struct sw_rows **rows)
{
	if (is_shared(slot))
		return sw_shared_take(sampler->target->shared, slot->source,
				      rows);
	*rows = &slot->reading.rows;
	return sw_reading_take(&slot->reading, sampler->target);
}

static void visit(struct sw_sampler *sampler, struct slot *slot)
{
	const struct sw_rows *rows;

	switch (take_rows(sampler, slot, &rows)) {
	case SW_READ_LATER:
		slot->is_later = true;
		if (!slot->later_usec)
			slot->later_usec = sw_clock_boottime_usec();
		break;
	case SW_READ_OK:
		recover(sampler, slot);
		if (slot->is_later && slot->later_usec)
			write_zeros(sampler, slot, rows);
		slot->is_later = false;
		write_rows(sampler, slot, rows);
		break;
	case SW_READ_GARBAGE:
		slow_down(slot);
		if (slot->bad >= GARBAGE_PATIENCE)
			complain(sampler, slot, "source_invalid",
				 "the kernel's text could not be parsed");
		break;
	case SW_READ_ABSENT:
		slow_down(slot);
		complain(sampler, slot, slot->table == NOT_DEFINED ?
				"source_absent" : "source_lost",
			 absence(sampler, slot));
		break;
	case SW_READ_GONE:
		slow_down(slot);
		complain(sampler, slot, "source_lost", loss(slot));
		break;
	}
}

/* Sample all processes of the node at once if possible, else this step's. */
static void look_at_processes(const struct sw_target *target)
{
	if (target->programs && sw_programs_sample(target->programs))
		return;
	if (target->tree)
		sw_tree_refresh(target->tree);
}

static bool is_due(const struct sw_sampler *sampler, const struct slot *slot)
{
	const struct sw_source *source = slot->source;

	if (sampler->round >= slot->next)
		return true;
	return source->is_due && !is_shared(slot) && !slot->bad &&
	       source->is_due(slot->reading.state);
}

static void look_for_hang(struct sw_sampler *sampler)
{
	uint64_t now = sw_clock_boottime_usec();
	uint64_t cpu = sw_sampler_last(sampler, "cpu", "usage_usec");
	uint64_t queue = sw_sampler_last(sampler, "proc", "run_queue_wait_usec");

	if (sw_is_missing(cpu))
		cpu = sw_add_u64(
			sw_sampler_last(sampler, "proc", "utime_usec"),
			sw_sampler_last(sampler, "proc", "stime_usec"));
	switch (sw_hang_check(&sampler->hang, now, cpu, queue)) {
	case SW_HANG_MARK:
		sw_hang_mark(&sampler->hang, sampler->target, now);
		break;
	case SW_HANG_TAKE:
		sw_hang_take(&sampler->hang, sampler->target, sampler->writer,
			     &sampler->capture, now);
		break;
	case SW_HANG_NOTHING:
		break;
	}
}

static void look_at_pipes(struct sw_sampler *sampler)
{
	const struct sw_target *target = sampler->target;

	if (target->waits && sw_pipes_is_due(&sampler->pipes, *target->waits))
		sw_pipes_add(&sampler->pipes,
			     sw_pipes_take(target, sampler->writer,
					   sw_clock_boottime_usec()));
}

void sw_sampler_take(struct sw_sampler *sampler,
		     const struct sw_sampler_self *self, bool is_final)
{
	size_t i;

	look_at_processes(sampler->target);
	for (i = 0; i < sampler->count; i++) {
		struct slot *slot = &sampler->slots[i];
		uint64_t stride;

		if (slot->table == NOT_THERE ||
		    (is_shared(slot) && !self) ||
		    (!is_final && !is_due(sampler, slot)))
			continue;
		visit(sampler, slot);
		stride = slot->source->cadence == SW_EVERY_TENTH ? TENTH : 1;
		slot->next = sampler->round + stride * slot->interval;
	}
	if (!is_final) {
		look_for_hang(sampler);
		look_at_pipes(sampler);
	}
	sw_capture_collect(&sampler->capture, sampler->writer,
			   sampler->target->step, is_final);
	if (self)
		sw_self_write(&sampler->own, sampler->writer, self);
	sampler->round++;
}

void sw_sampler_catch_up(struct sw_sampler *sampler)
{
	size_t i;

	look_at_processes(sampler->target);
	for (i = 0; i < sampler->count; i++) {
		if (sampler->slots[i].is_later)
			visit(sampler, &sampler->slots[i]);
	}
}

void sw_sampler_destroy(struct sw_sampler *sampler)
{
	size_t i;

	if (!sampler)
		return;
	/* Also after a failed open, as source.h requires. */
	for (i = 0; i < sampler->count; i++) {
		if (!is_shared(&sampler->slots[i]))
			sw_reading_close(&sampler->slots[i].reading);
	}
	sw_capture_end(&sampler->capture);
	sw_self_close(&sampler->own);
	free(sampler->slots);
	sw_pages_give(sampler->arena, sampler->arena_bytes);
	free(sampler);
}
