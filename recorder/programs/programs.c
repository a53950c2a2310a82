/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs inside a step: choice of the backend, and the table. */
#include "recorder/programs/programs.h"

#include <stdio.h>
#include <string.h>

#include "common/pages.h"
#include "config.h"
#include "recorder/kernel/share.h"
#include "recorder/programs/exits.h"
#include "recorder/programs/programs_internal.h"

/* Best first */
static const struct sw_programs_backend *const backends[] = {
#ifdef HAVE_LIBBPF
	&sw_programs_backend_bpf,
#endif
	&sw_programs_backend_perf,
	&sw_programs_backend_proc,
};

enum { BACKENDS = sizeof(backends) / sizeof(backends[0]) };

static void close_backend(struct sw_programs *programs)
{
	if (programs->backend)
		programs->backend->destroy(programs->state);
	programs->backend = NULL;
}

struct sw_programs *sw_programs_create(const struct sw_programs_target *target,
				       struct sw_error *error)
{
	struct sw_programs *programs = sw_pages_take(sizeof(*programs));

	if (!programs) {
		sw_error_set(error, "not enough memory to follow the programs");
		return NULL;
	}
	programs->target = *target;
	programs->table = programs->exits_table = -1;
#ifndef HAVE_LIBBPF
	sw_error_set(&programs->reason, "bpf: built without libbpf");
#endif
	return programs;
}

void sw_programs_limit(unsigned processes)
{
	size_t i;

	for (i = 0; i < BACKENDS; i++) {
		if (backends[i]->limit)
			backends[i]->limit(processes);
	}
}

void sw_programs_prepare(unsigned int nap_msec)
{
	size_t i;

	for (i = 0; i < BACKENDS; i++) {
		if (backends[i]->prepare)
			backends[i]->prepare(nap_msec);
	}
}

bool sw_programs_are_preparing(void)
{
	size_t i;

	for (i = 0; i < BACKENDS; i++) {
		if (backends[i]->is_preparing && backends[i]->is_preparing())
			return true;
	}
	return false;
}

int sw_programs_news_fd(void)
{
	int fd = -1;
	size_t i;

	for (i = 0; i < BACKENDS && fd < 0; i++) {
		if (backends[i]->news_fd)
			fd = backends[i]->news_fd();
	}
	return fd;
}

void sw_programs_await(void)
{
	size_t i;

	for (i = 0; i < BACKENDS; i++) {
		if (backends[i]->await)
			backends[i]->await();
	}
}

/* Append the reason why a backend is unavailable. */
static void add_reason(struct sw_error *reason, const struct sw_error *more)
{
	size_t length = strlen(reason->text);

	snprintf(reason->text + length, sizeof(reason->text) - length, "%s%s",
		 length ? "; " : "", more->text);
}

const struct sw_exit_feeds *sw_programs_feeds(struct sw_programs *programs)
{
	struct sw_error error;

	if (programs->has_asked_feeds)
		return programs->feeds;
	programs->has_asked_feeds = true;
	programs->feeds = sw_exits_open(&error);
	if (error.text[0])
		add_reason(&programs->reason, &error);
	return programs->feeds;
}

int sw_programs_attach(struct sw_programs *programs, pid_t pid)
{
	const char *only = programs->target.only;
	struct sw_error *reason = &programs->reason, error;
	size_t i;

	if (programs->backend)
		return programs->backend->attach(programs->state, pid, reason);
	for (i = 0; i < BACKENDS; i++) {
		if ((only && strcmp(only, backends[i]->name) != 0) ||
		    (programs->target.has_many && backends[i]->follows_one))
			continue;
		programs->state = backends[i]->create(programs, &error);
		if (programs->state) {
			programs->backend = backends[i];
			if (backends[i]->attach(programs->state, pid, &error) ==
			    0)
				return 0;
			close_backend(programs);
		}
		add_reason(reason, &error);
	}
	if (!reason->text[0])
		sw_error_set(reason, "no such backend for programs: %s", only);
	return -1;
}

void sw_programs_set_late(struct sw_programs *programs)
{
	programs->target.is_late = true;
}

const char *sw_programs_source(const struct sw_programs *programs)
{
	return programs->backend ? programs->backend->name : "none";
}

const char *sw_programs_failures_source(const struct sw_programs *programs)
{
	return programs->backend && programs->backend->failures_source
		       ? programs->backend->failures_source()
		       : "none";
}

const char *sw_programs_failures_reason(const struct sw_programs *programs)
{
	return programs->backend && programs->backend->failures_reason
		       ? programs->backend->failures_reason()
		       : NULL;
}

int sw_programs_tell_failures(FILE *out)
{
	const struct sw_programs_backend *best = backends[0];
	struct sw_error error;
	const char *reason;

	if (!best->probe) {
		fputs("none: built without libbpf\n", out);
	} else if (best->probe(&error) < 0) {
		fprintf(out, "none: %s\n", error.text);
	} else {
		reason = best->failures_reason();
		fprintf(out, "%s%s%s\n", best->failures_source(),
			reason ? ": " : "", reason ? reason : "");
	}
	return fflush(out) == 0 ? 0 : 1;
}

void sw_programs_leave(const struct sw_programs *programs)
{
	if (programs->backend && programs->backend->leave)
		programs->backend->leave();
}

const char *sw_programs_reason(const struct sw_programs *programs)
{
	return programs->reason.text[0] ? programs->reason.text : NULL;
}

int sw_programs_fd(const struct sw_programs *programs)
{
	if (!programs->backend || !programs->backend->fd)
		return -1;
	return programs->backend->fd(programs->state);
}

unsigned sw_programs_find(struct sw_programs *programs, const char *name)
{
	unsigned i;

	for (i = 0; i < programs->count; i++) {
		if (!strncmp(programs->program[i].name, name,
			     SW_PROGRAM_SIZE - 1))
			return i;
	}
	if (programs->has_other)
		return programs->count - 1;
	/* The last entry is for all further programs. */
	programs->has_other = i == SW_PROGRAMS_MAX ||
		!sw_share_take(programs->target.share, sizeof(programs->program[i]));
	sw_program_init(&programs->program[i], programs->has_other ? "(other)" : name);
	programs->program[i].share = programs->target.share;
	programs->program[i].is_complete = programs->is_complete;
	programs->count++;
	return i;
}

void sw_programs_set_complete(struct sw_programs *programs, bool is_complete)
{
	unsigned i;

	if (programs->is_complete == is_complete)
		return;
	programs->is_complete = is_complete;
	for (i = 0; i < programs->count; i++) {
		programs->program[i].is_complete = is_complete;
		programs->program[i].is_changed = true;
	}
}

void sw_programs_belong(struct sw_programs *programs, unsigned *program,
			const char *name, uint64_t start_usec)
{
	unsigned now = sw_programs_find(programs, name);
	struct sw_program *to = &programs->program[now];

	if (*program == now)
		return;
	if (*program != SW_NO_PROGRAM) {
		if (to->started == 0)
			to->origin = &programs->program[*program];
		programs->program[*program].started--;
		programs->program[*program].is_changed = true;
	}
	to->started++;
	to->is_changed = true;
	if (sw_is_missing(to->first_start_usec))
		to->first_start_usec = start_usec;
	*program = now;
}

void sw_programs_drain(struct sw_programs *programs, uint64_t now_usec)
{
	if (programs->backend)
		programs->backend->drain(programs->state, now_usec);
}

void sw_programs_expire(void)
{
	size_t i;

	for (i = 0; i < BACKENDS; i++) {
		if (backends[i]->expire)
			backends[i]->expire();
	}
}

const struct sw_account *sw_programs_sample(struct sw_programs *programs)
{
	if (!programs->backend || !programs->backend->sample)
		return NULL;
	return programs->backend->sample(programs->state);
}

const char *sw_programs_sample_backend(const struct sw_programs *programs)
{
	if (!programs->backend || !programs->backend->sample_backend)
		return NULL;
	return programs->backend->sample_backend(programs->state);
}

const struct sw_wait_tally *sw_programs_waits(struct sw_programs *programs)
{
	if (!programs->backend || !programs->backend->waits)
		return NULL;
	return programs->backend->waits(programs->state);
}

const char *sw_programs_waits_backend(const struct sw_programs *programs)
{
	if (!programs->backend || !programs->backend->waits_backend)
		return NULL;
	return programs->backend->waits_backend(programs->state);
}

void sw_programs_adopt_waits(struct sw_programs *programs,
			     const struct sw_wait_tally *tally)
{
	if (programs->backend && programs->backend->adopt_waits)
		programs->backend->adopt_waits(programs->state, tally);
}

bool sw_programs_is_coming(const struct sw_programs *programs)
{
	return programs->backend && programs->backend->is_coming &&
	       programs->backend->is_coming(programs->state);
}

void sw_programs_settle(struct sw_programs *programs)
{
	if (programs->backend && programs->backend->settle)
		programs->backend->settle(programs->state);
}

void sw_programs_reaped(struct sw_programs *programs, pid_t pid,
			int wait_status, const struct rusage *usage)
{
	(void)usage;	/* includes its children's usage */
	if (programs->backend && programs->backend->reaped)
		programs->backend->reaped(programs->state, pid, wait_status);
}

/* Write the kinds of exit that changed; the table begins with the first. */
static void write_exits(struct sw_programs *programs, unsigned i,
			struct sw_writer *writer, uint64_t now_usec)
{
	struct sw_program *program = &programs->program[i];
	union sw_value values[SW_PROGRAM_EXITS_COLUMNS];
	int kind;

	while ((kind = sw_program_exits_row(program, programs->target.step,
					    programs->target.first_key + i,
					    now_usec, values)) >= 0) {
		if (programs->exits_table < 0)
			programs->exits_table = sw_writer_table(
				writer, &sw_program_exits_table, NULL);
		if (programs->exits_table < 0 ||
		    sw_writer_row(writer, programs->exits_table, values,
				  now_usec) < 0)
			return;
		sw_program_wrote_exits(program, kind);
	}
}

void sw_programs_write(struct sw_programs *programs, struct sw_writer *writer,
		       uint64_t now_usec, bool is_final)
{
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	unsigned i;

	if (is_final && programs->backend && programs->backend->finish)
		programs->backend->finish(programs->state);
	if (programs->table < 0)
		programs->table =
			sw_writer_table(writer, &sw_program_table, NULL);
	if (programs->table < 0)
		return;
	for (i = 0; i < programs->count; i++) {
		struct sw_program *program = &programs->program[i];

		if (!program->is_changed)
			continue;
		sw_program_row(program, programs->target.step,
			    programs->target.first_key + i, now_usec, values);
		if (sw_writer_row(writer, programs->table, values, now_usec) == 0)
			program->is_changed = false;
		write_exits(programs, i, writer, now_usec);
	}
}

void sw_programs_peaks(const struct sw_programs *programs, uint64_t *anon_bytes,
		       uint64_t *all_bytes)
{
	unsigned i;

	*anon_bytes = *all_bytes = SW_MISSING;
	for (i = 0; i < programs->count; i++) {
		*anon_bytes = sw_max_u64(*anon_bytes,
					 programs->program[i].peak_anon_bytes);
		*all_bytes =
			sw_max_u64(*all_bytes, programs->program[i].peak_bytes);
	}
}

void sw_programs_destroy(struct sw_programs *programs)
{
	unsigned i;

	if (!programs)
		return;
	close_backend(programs);
	if (programs->feeds)
		sw_exits_close();
	for (i = 0; i < programs->count; i++)
		sw_program_fini(&programs->program[i]);
	sw_share_give(programs->target.share,
		      (programs->count - programs->has_other) *
			      sizeof(programs->program[0]));
	sw_pages_give(programs, sizeof(*programs));
}
