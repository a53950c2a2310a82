/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the metadata of one profile. */
#include "analyzer/recordings/jobfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/job/job.h"
#include "analyzer/series/series.h"
#include "analyzer/view/fields.h"
#include "common/path.h"
#include "common/units.h"

/* Limits per file when scanning many; all of it for delivered files. */
#define FILE_BYTES_MAX ((size_t)1 << 30)
#define FOREIGN_BYTES_MAX ((size_t)256 << 20)
#define VALUES_BYTES_MAX ((size_t)64 << 20)

/* A lost step is sampled up to this long before its loss is reported. */
#define LOST_USEC (5 * SW_USEC_PER_SEC)

static bool is_number(const char *text, size_t length, uint64_t *number)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9' || i >= 19)
			return false;
		value = value * 10 + (uint64_t)(text[i] - '0');
	}
	*number = value;
	return length > 0;
}

/* The cluster may contain dots: use the first two consecutive numbers. */
bool sw_jobfile_parse_name(const char *path, uint64_t *job, uint64_t *start)
{
	const char *part, *dot, *next;

	for (part = sw_path_name(path); (dot = strchr(part, '.'));
	     part = dot + 1) {
		next = strchr(dot + 1, '.');
		if (next && is_number(part, (size_t)(dot - part), job) &&
		    is_number(dot + 1, (size_t)(next - dot - 1), start))
			return true;
	}
	return false;
}

static void copy_text(char *buf, size_t size, const struct sw_series *row,
		      const char *column)
{
	const char *text = sw_series_text(row, 0, column);

	snprintf(buf, size, "%s", sw_text(text));
}

/*
 * Assign an unreadable file to the job in its name, so that the report mentions
 * it as missing.
 */
static void trust_name(struct sw_jobfile *file)
{
	const char *name = sw_path_name(file->path);
	uint64_t job, start;
	char numbers[64];
	const char *found;

	if (!sw_jobfile_parse_name(file->path, &job, &start))
		return;
	snprintf(numbers, sizeof(numbers), ".%llu.%llu.",
		 (unsigned long long)job, (unsigned long long)start);
	found = strstr(name, numbers);
	if (!found)
		return;
	file->job.job_id = job;
	snprintf(file->cluster, sizeof(file->cluster), "%.*s",
		 (int)(found - name), name);
	snprintf(file->node, sizeof(file->node), "%s",
		 found + strlen(numbers));
}

/* Key of the batch script; missing if its start was not seen. */
static uint64_t find_batch(const struct sw_reader *reader)
{
	struct sw_series steps = sw_series_open(reader, "steps", SW_ALL_STEPS);
	uint64_t key = SW_MISSING;
	struct sw_series summary;
	size_t row;

	for (row = 0; row < sw_series_rows(&steps); row++) {
		const char *id = sw_series_text(&steps, row, "step_id");

		if (id && !strcmp(id, "batch"))
			key = sw_series_at(&steps, row, "step");
	}
	/* A step reported only at its end has no samples. */
	summary = sw_series_open(reader, "summary", key);
	return sw_series_last(&summary, "samples") == 0 ? SW_MISSING : key;
}

/*
 * Last known time of the steps.  The end of a lost step is the time at which
 * the loss was noticed, which may be much later.
 */
static uint64_t find_end(const struct sw_reader *reader)
{
	struct sw_series rows = sw_series_open(reader, "summary",
					       SW_ALL_STEPS);
	uint64_t end = SW_MISSING, lost = SW_MISSING;
	size_t i, row;

	for (row = 0; row < sw_series_rows(&rows); row++) {
		const char *source = sw_series_text(&rows, row,
						    "final_source");
		uint64_t usec = sw_series_at(&rows, row, "end_usec");

		if (source && !strcmp(source, "lost"))
			lost = sw_min_u64(lost, usec);
		else
			end = sw_max_u64(end, usec);
	}
	for (i = 0; i < sw_reader_table_count(reader); i++) {
		const struct sw_reader_table *table =
			sw_reader_table(reader, i);

		if (strncmp(table->name, "series.", 7) != 0)
			continue;
		rows = sw_series_open(reader, table->name, SW_ALL_STEPS);
		for (row = 0; row < sw_series_rows(&rows); row++) {
			uint64_t usec = sw_series_at(&rows, row, "time_usec");

			if (sw_is_missing(lost) || usec + LOST_USEC < lost)
				end = sw_max_u64(end, usec);
		}
	}
	return end;
}

static void read_times(struct sw_jobfile *file, const struct sw_reader *reader)
{
	struct sw_series steps = sw_series_open(reader, "steps", SW_ALL_STEPS);
	const struct sw_view view = { .reader = reader };
	uint64_t begin = SW_MISSING, batch = find_batch(reader);
	size_t row;

	for (row = 0; row < sw_series_rows(&steps); row++)
		begin = sw_min_u64(begin, sw_series_at(&steps, row,
						       "start_usec"));
	steps = sw_series_open(reader, "steps", batch);
	if (!sw_is_missing(batch))
		file->batch_usec = sw_view_realtime_usec(&view,
			sw_series_last(&steps, "start_usec"));
	file->begin_usec = sw_view_realtime_usec(&view, begin);
	file->end_usec = sw_max_u64(
		sw_max_u64(file->begin_usec, file->batch_usec),
		sw_view_realtime_usec(&view, find_end(reader)));
}

static struct sw_reader *open_file(struct sw_jobfile *file,
				   struct sw_judge *judge, bool no_series)
{
	const struct sw_reader_want want = {
		.no_series = no_series, .file_max_bytes = FILE_BYTES_MAX,
		.foreign_max_bytes = FOREIGN_BYTES_MAX,
		.values_max_bytes = VALUES_BYTES_MAX,
	};
	struct sw_error error;

	return sw_judge_open(judge, file->path, &want, &file->verdict, &error);
}

/* The end of a lost step is only known from samples. */
static bool needs_series(const struct sw_reader *reader)
{
	struct sw_series rows = sw_series_open(reader, "summary",
					       SW_ALL_STEPS);
	bool has_end = sw_reader_health(reader)->is_finished;
	size_t row;

	for (row = 0; row < sw_series_rows(&rows); row++) {
		const char *source = sw_series_text(&rows, row,
						    "final_source");

		has_end = has_end && !(source && !strcmp(source, "lost"));
	}
	return !has_end;
}

/* If a second pass is too expensive, use the results of the first. */
static struct sw_reader *open_what_is_needed(struct sw_jobfile *file,
					     struct sw_judge *judge)
{
	struct sw_reader *reader = open_file(file, judge, true), *more;
	struct sw_verdict verdict = file->verdict;

	if (!reader || !needs_series(reader))
		return reader;
	more = open_file(file, judge, false);
	if (!more) {
		file->verdict = verdict;
		return reader;
	}
	sw_reader_close(reader);
	return more;
}

/* An unreadable file is its owner's, except in another user's folder. */
static void judge_unread(struct sw_jobfile *file, const struct sw_judge *judge)
{
	uint64_t folder_uid = sw_judge_folder_uid(judge, file->path);
	struct stat status;

	file->is_unread = true;
	trust_name(file);
	if (lstat(file->path, &status) == 0)
		file->verdict.uid = file->verdict.owner = status.st_uid;
	if (file->verdict.owner != geteuid() && file->verdict.owner != 0)
		file->verdict.trust = SW_TRUST_CLAIM;
	if (sw_is_missing(folder_uid) ||
	    file->verdict.owner == folder_uid)
		return;
	file->verdict.trust = SW_TRUST_NONE;
	snprintf(file->verdict.because, sizeof(file->verdict.because),
		 "it does not belong to the user whose folder contains it");
}

static void read_identity(struct sw_jobfile *file,
			  const struct sw_reader *reader)
{
	struct sw_series row = sw_series_open(reader, "identity", 0), told;
	const char *origin = sw_series_text(&row, 0, "origin");
	uint64_t *restarts = &file->job.restart_count;

	if (origin && (!strcmp(origin, "slurm") || !strcmp(origin, "lsf")))
		sw_fields_read(&file->job, sw_job_fields, &row, 0);
	told = sw_series_open(reader, "summary", SW_ALL_STEPS);
	*restarts = sw_max_u64(*restarts,
			       sw_series_max(&told, "restart_count"));
	read_times(file, reader);
	file->realtime_usec = sw_series_at(&row, 0, "anchor_realtime_usec");
	file->boottime_usec = sw_series_at(&row, 0, "anchor_boottime_usec");
	copy_text(file->cluster, sizeof(file->cluster), &row, "cluster");
	copy_text(file->node, sizeof(file->node), &row, "node");
	copy_text(file->name, sizeof(file->name), &row, "name");
	file->is_summary = sw_reader_find(reader, "step_summaries") ||
			   sw_reader_find(reader, "profiles");
}

void sw_jobfile_read(struct sw_jobfile *file, struct sw_judge *judge)
{
	struct sw_reader *reader = open_what_is_needed(file, judge);

	file->job = (struct sw_job_key)SW_JOB_KEY_MISSING;
	file->boottime_usec = SW_MISSING;
	file->realtime_usec = file->start * SW_USEC_PER_SEC;
	file->batch_usec = SW_MISSING;
	file->begin_usec = file->realtime_usec;
	file->end_usec = (uint64_t)file->changed * SW_USEC_PER_SEC;
	/* Callers report unreadable files. */
	if (reader)
		read_identity(file, reader);
	else
		judge_unread(file, judge);
	sw_reader_close(reader);
}

/* Numbers that are kept in the index. */
static const size_t indexed[] = {
	offsetof(struct sw_jobfile, verdict.owner),
	offsetof(struct sw_jobfile, verdict.uid),
	offsetof(struct sw_jobfile, job.job_id),
	offsetof(struct sw_jobfile, job.array_job_id),
	offsetof(struct sw_jobfile, job.array_task_id),
	offsetof(struct sw_jobfile, job.het_job_id),
	offsetof(struct sw_jobfile, job.het_component),
	offsetof(struct sw_jobfile, job.restart_count),
	offsetof(struct sw_jobfile, job.uid),
	offsetof(struct sw_jobfile, realtime_usec),
	offsetof(struct sw_jobfile, boottime_usec),
	offsetof(struct sw_jobfile, begin_usec),
	offsetof(struct sw_jobfile, end_usec),
	offsetof(struct sw_jobfile, batch_usec),
};

enum { INDEXED_COUNT = sizeof(indexed) / sizeof(indexed[0]) };

static void put_into_index(struct sw_index *index,
			   const struct sw_jobfile *file)
{
	struct sw_pack pack = { 0 };
	size_t i;

	for (i = 0; i < INDEXED_COUNT; i++)
		sw_pack_number(&pack, *(const uint64_t *)(const void *)
				      ((const char *)file + indexed[i]));
	sw_pack_number(&pack, file->is_summary);
	sw_pack_text(&pack, file->cluster, strlen(file->cluster));
	sw_pack_text(&pack, file->node, strlen(file->node));
	sw_pack_text(&pack, file->name, strlen(file->name));
	sw_index_add(index, file->stamp, &pack);
}

static void take_text(char *buf, size_t size, struct sw_unpack *unpack)
{
	size_t length;
	const char *text = sw_unpack_text(unpack, &length);

	snprintf(buf, size, "%.*s", (int)length, text);
}

static bool take_from_index(struct sw_index *index, struct sw_jobfile *file)
{
	struct sw_unpack unpack;
	size_t i;

	if (!sw_index_find(index, file->stamp, &unpack))
		return false;
	for (i = 0; i < INDEXED_COUNT; i++)
		*(uint64_t *)(void *)((char *)file + indexed[i]) =
			sw_unpack_number(&unpack);
	file->is_summary = sw_unpack_number(&unpack) != 0;
	take_text(file->cluster, sizeof(file->cluster), &unpack);
	take_text(file->node, sizeof(file->node), &unpack);
	take_text(file->name, sizeof(file->name), &unpack);
	file->verdict.trust = SW_TRUST_OWN;
	return !unpack.is_bad;
}

void sw_jobfile_read_indexed(struct sw_jobfile *file, struct sw_judge *judge,
			     struct sw_index *index)
{
	if (take_from_index(index, file))
		return;
	sw_jobfile_read(file, judge);
	if (file->is_unread || file->verdict.trust != SW_TRUST_OWN)
		file->stamp = 0;
	if (index && file->stamp)
		put_into_index(index, file);
}
