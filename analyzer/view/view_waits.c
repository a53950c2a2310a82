/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view's waits for I/O, by file system. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_internal.h"
#include "common/delta.h"

enum { SUBJECTS = 256 };

enum { SOME, THREADS, IDLE, SCRATCH_FILES, SCRATCH_BYTES, SCRATCH_USEC,
       COUNTERS };

static const char *const counters[COUNTERS] = {
	[SOME] = "some_usec", [THREADS] = "thread_usec", [IDLE] = "idle_usec",
	[SCRATCH_FILES] = "scratch_files", [SCRATCH_BYTES] = "scratch_bytes",
	[SCRATCH_USEC] = "scratch_usec",
};

/* Rows of one subject, which are cumulative until a recorder begins anew. */
struct subject {
	const char *kind, *name, *detail;	/* NULL: not known */
	bool has_rows;
	uint64_t last[COUNTERS], sum[COUNTERS];
};

static void read_names(const struct sw_reader *reader, uint64_t step_key,
		       struct subject *subject)
{
	struct sw_series s = sw_series_open(reader, "subjects", step_key);
	size_t i, rows = sw_series_rows(&s);

	for (i = 0; i < rows; i++) {
		const char *source = sw_series_text(&s, i, "source");
		uint64_t index = sw_series_at(&s, i, "subject");

		if (!source || strcmp(source, "waits") != 0 ||
		    index >= SUBJECTS)
			continue;
		subject[index].kind = sw_series_text(&s, i, "kind");
		subject[index].name = sw_series_text(&s, i, "name");
		subject[index].detail = sw_series_text(&s, i, "detail");
	}
}

/* numbers: of each counter, NULL where it has no column. */
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
		const char *name, *words;	/* as wait_reason.c names it */
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

/* What was found under two numbers may have been at the same time. */
static void add_wait(struct sw_view_io *io, const struct subject *subject)
{
	struct sw_view_wait *wait;

	if (subject->sum[SOME] == 0)
		return;
	wait = find_wait(io, subject);
	if (!wait)
		return;
	wait->waited_usec += subject->sum[SOME];
	if (wait->waited_usec > io->waited_usec)
		wait->waited_usec = io->waited_usec;
	wait->waited_thread_usec += subject->sum[THREADS];
	wait->waited_idle_usec += subject->sum[IDLE];
	wait->scratch_files += subject->sum[SCRATCH_FILES];
	wait->scratch_bytes += subject->sum[SCRATCH_BYTES];
	wait->scratch_usec += subject->sum[SCRATCH_USEC];
}

/* Of no files there is nothing to say. */
static void forget_no_scratch(struct sw_view_io *io)
{
	size_t i;

	for (i = 0; i < io->wait_count; i++) {
		if (io->waits[i].scratch_files)
			continue;
		io->waits[i].scratch_bytes = SW_MISSING;
		io->waits[i].scratch_usec = SW_MISSING;
	}
}

static int compare_waits(const void *a, const void *b)
{
	const struct sw_view_wait *one = a, *two = b;

	if (one->waited_usec != two->waited_usec)
		return one->waited_usec < two->waited_usec ? 1 : -1;
	return strcmp(sw_text(one->name), sw_text(two->name));
}

static void fill(struct sw_view_io *io, const struct subject *subject)
{
	size_t i;

	for (i = 0; i < SUBJECTS; i++) {
		if (!subject[i].has_rows || !is(subject[i].kind, "all"))
			continue;
		io->waited_usec = subject[i].sum[SOME];
		io->waited_thread_usec = subject[i].sum[THREADS];
		io->waited_idle_usec = subject[i].sum[IDLE];
	}
	if (sw_is_missing(io->waited_usec))
		return;
	for (i = 0; i < SUBJECTS; i++) {
		if (subject[i].has_rows && is(subject[i].kind, "io"))
			add_wait(io, &subject[i]);
	}
	forget_no_scratch(io);
	qsort(io->waits, io->wait_count, sizeof(io->waits[0]),
	      compare_waits);
}

/* The least that a sample found. */
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

int sw_view_fill_waits(struct sw_view *view,
		       const struct sw_view_parts *parts)
{
	struct sw_series s = sw_series_open(parts->reader, "series.waits",
					    parts->step_key);
	const uint64_t *index, *numbers[COUNTERS];
	struct sw_view_io *io = &view->io;
	size_t i, rows = sw_series_rows(&s);
	struct subject *subject;

	if (rows == 0)
		return 0;
	subject = calloc(SUBJECTS, sizeof(*subject));
	if (!subject)
		return -1;
	io->waited_source = s.table->source;
	io->local_free_bytes = least(&s, "local_free_bytes");
	read_names(parts->reader, parts->step_key, subject);
	index = sw_series_numbers(&s, "subject");
	for (i = 0; i < COUNTERS; i++)
		numbers[i] = sw_series_numbers(&s, counters[i]);
	for (i = 0; index && i < rows; i++) {
		if (sw_series_is_ours(&s, i) && index[i] < SUBJECTS)
			read_row(numbers, i, &subject[index[i]]);
	}
	fill(io, subject);
	free(subject);
	return 0;
}
