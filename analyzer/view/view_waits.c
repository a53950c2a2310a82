/* SPDX-License-Identifier: GPL-2.0-or-later */
/* I/O waits of a view, by file system. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_internal.h"
#include "analyzer/view/wait_eras.h"
#include "common/delta.h"

enum { SOME, THREADS, IDLE, SCRATCH_FILES, SCRATCH_BYTES, SCRATCH_USEC,
       COUNTERS };

static const char *const counters[COUNTERS] = {
	[SOME] = "some_usec", [THREADS] = "thread_usec", [IDLE] = "idle_usec",
	[SCRATCH_FILES] = "scratch_files", [SCRATCH_BYTES] = "scratch_bytes",
	[SCRATCH_USEC] = "scratch_usec",
};

/* Rows of a subject, which are cumulative for one recorder. */
struct subject {
	const char *kind, *name, *detail;	/* NULL: unknown */
	bool has_rows;
	uint64_t last[COUNTERS], sum[COUNTERS];
};

static void read_names(const struct sw_series *names,
		       const struct sw_wait_era *era, struct subject *subject)
{
	const char *kind;
	uint64_t index;
	size_t i;

	memset(subject, 0, SW_WAIT_SUBJECTS * sizeof(*subject));
	for (i = era->first; i < era->end; i++) {
		index = sw_wait_era_subject(names, i, &kind);
		if (sw_is_missing(index))
			continue;
		subject[index].kind = kind;
		subject[index].name = sw_series_text(names, i, "name");
		subject[index].detail = sw_series_text(names, i, "detail");
	}
}

/* numbers: by counter, NULL without a column. */
static void read_row(const uint64_t *const *numbers, size_t row,
		     struct subject *subject)
{
	uint64_t value;
	size_t i;

	subject->has_rows = true;
	for (i = 0; i < COUNTERS; i++) {
		value = numbers[i] ? numbers[i][row] : SW_MISSING;
		if (sw_is_missing(value))
			continue;
		subject->sum[i] += value < subject->last[i] ? value :
				   value - subject->last[i];
		subject->last[i] = value;
	}
}

static bool is(const char *text, const char *what)
{
	return text && !strcmp(text, what);
}

static struct sw_view_wait *find_wait(struct sw_view_io *io,
					const struct subject *subject)
{
	struct sw_view_wait *wait;
	size_t i;

	for (i = 0; i < io->wait_count; i++) {
		wait = &io->waits[i];
		if (sw_is_same_text(wait->name, subject->name) &&
		    sw_is_same_text(wait->detail, subject->detail))
			return wait;
	}
	if (io->wait_count == SW_VIEW_WAITS)
		return NULL;
	wait = &io->waits[io->wait_count++];
	*wait = (struct sw_view_wait){ .name = subject->name,
					 .detail = subject->detail };
	return wait;
}

const char *sw_view_wait_words(const struct sw_view_wait *wait)
{
	static const struct {
		const char *name, *words;	/* as in wait_reason.c */
	} types[] = {
		{ "unknown", NULL }, { "local", "a local file system" },
		{ "nfs", "NFS" }, { "fuse", "FUSE" }, { "lustre", "Lustre" },
		{ "gpfs", "GPFS" }, { "beegfs", "BeeGFS" }, { "ceph", "Ceph" },
		{ "cifs", "CIFS" },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (is(wait->name, types[i].name))
			return types[i].words;
	}
	return wait->name;
}

static void add_wait(struct sw_view_io *io, const struct subject *subject)
{
	struct sw_view_wait *wait;

	if (subject->sum[SOME] == 0)
		return;
	wait = find_wait(io, subject);
	if (!wait)
		return;
	wait->waited_usec += subject->sum[SOME];
	wait->waited_thread_usec += subject->sum[THREADS];
	wait->waited_idle_usec += subject->sum[IDLE];
	wait->scratch_files += subject->sum[SCRATCH_FILES];
	wait->scratch_bytes += subject->sum[SCRATCH_BYTES];
	wait->scratch_usec += subject->sum[SCRATCH_USEC];
}

static void close_wait(const struct sw_view_io *io, struct sw_view_wait *wait)
{
	/* Waits under two numbers may have been simultaneous. */
	if (wait->waited_usec > io->waited_usec)
		wait->waited_usec = io->waited_usec;
	/* Meaningless without files. */
	if (!wait->scratch_files)
		wait->scratch_bytes = wait->scratch_usec = SW_MISSING;
}

static int compare_waits(const void *a, const void *b)
{
	const struct sw_view_wait *one = a, *two = b;

	if (one->waited_usec != two->waited_usec)
		return one->waited_usec < two->waited_usec ? 1 : -1;
	return strcmp(sw_text(one->name), sw_text(two->name));
}

static void add_all(struct sw_view_io *io, const struct subject *subject)
{
	io->waited_usec = sw_sum_u64(io->waited_usec, subject->sum[SOME]);
	io->waited_thread_usec =
		sw_sum_u64(io->waited_thread_usec, subject->sum[THREADS]);
	io->waited_idle_usec =
		sw_sum_u64(io->waited_idle_usec, subject->sum[IDLE]);
}

/* Add what one recorder saw. */
static void add_subjects(struct sw_view *view, const struct subject *subject)
{
	struct sw_view_io *io = &view->io;
	size_t i;

	for (i = 0; i < SW_WAIT_SUBJECTS; i++) {
		if (subject[i].has_rows && is(subject[i].kind, "all"))
			add_all(io, &subject[i]);
		else if (subject[i].has_rows && is(subject[i].kind, "io"))
			add_wait(io, &subject[i]);
		else if (subject[i].has_rows && is(subject[i].kind, "pipe"))
			view->pipe_waited_usec += subject[i].sum[SOME];
	}
}

static void finish(struct sw_view_io *io)
{
	size_t i;

	if (sw_is_missing(io->waited_usec))
		io->wait_count = 0;
	for (i = 0; i < io->wait_count; i++)
		close_wait(io, &io->waits[i]);
	qsort(io->waits, io->wait_count, sizeof(io->waits[0]),
	      compare_waits);
}

/* Minimum over all samples. */
static uint64_t least(const struct sw_series *s, const char *column)
{
	const uint64_t *numbers = sw_series_numbers(s, column);
	size_t i, rows = sw_series_rows(s);
	uint64_t found = SW_MISSING;

	for (i = 0; numbers && i < rows; i++) {
		if (sw_series_is_ours(s, i))
			found = sw_min_u64(found, numbers[i]);
	}
	return found;
}

/* Read rows before end_usec, starting at row; return the next row. */
static size_t read_rows(const struct sw_series *s, size_t row,
			uint64_t end_usec, struct subject *subject)
{
	const uint64_t *index = sw_series_numbers(s, "subject");
	const uint64_t *numbers[COUNTERS];
	size_t i, rows = index ? sw_series_rows(s) : 0;

	for (i = 0; i < COUNTERS; i++)
		numbers[i] = sw_series_numbers(s, counters[i]);
	for (; row < rows; row++) {
		if (!sw_series_is_ours(s, row) ||
		    index[row] >= SW_WAIT_SUBJECTS)
			continue;
		if (s->time_usec && s->time_usec[row] >= end_usec)
			break;
		read_row(numbers, row, &subject[index[row]]);
	}
	return row;
}

int sw_view_fill_waits(struct sw_view *view,
		       const struct sw_view_parts *parts)
{
	struct sw_series s = sw_series_open(parts->reader, "series.waits",
					    parts->step_key);
	struct sw_series names =
		sw_series_open(parts->reader, "subjects", parts->step_key);
	struct sw_view_io *io = &view->io;
	struct sw_wait_era era = { .end = 0 };
	struct subject *subject;
	size_t row = 0;

	if (sw_series_rows(&s) == 0)
		return 0;
	subject = calloc(SW_WAIT_SUBJECTS, sizeof(*subject));
	if (!subject)
		return -1;
	io->waited_source = s.table->source;
	io->local_free_bytes = least(&s, "local_free_bytes");
	while (sw_wait_era_next(&era, &names)) {
		read_names(&names, &era, subject);
		row = read_rows(&s, row, era.end_usec, subject);
		add_subjects(view, subject);
	}
	finish(io);
	free(subject);
	return 0;
}
