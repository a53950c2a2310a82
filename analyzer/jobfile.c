/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one profile says of itself. */
#include "analyzer/jobfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/job.h"
#include "analyzer/series.h"
#include "common/units.h"

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

/* The cluster may hold dots, so it is the first two numbers in a row. */
bool sw_jobfile_parse_name(const char *path, uint64_t *job, uint64_t *start)
{
	const char *name = strrchr(path, '/');
	const char *part, *dot, *next;

	for (part = name ? name + 1 : path; (dot = strchr(part, '.'));
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

	snprintf(buf, size, "%s", text ? text : "");
}

/*
 * What cannot be read belongs to the job that its name names, so that its
 * absence from the report is told.
 */
static void trust_name(struct sw_jobfile *file)
{
	const char *name = strrchr(file->path, '/') + 1;
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
	file->id.job = file->job_id = job;
	snprintf(file->cluster, sizeof(file->cluster), "%.*s",
		 (int)(found - name), name);
	snprintf(file->node, sizeof(file->node), "%s",
		 found + strlen(numbers));
}

bool sw_jobfile_read(struct sw_jobfile *file, uint64_t uid)
{
	struct sw_reader *reader = sw_reader_open(file->path, NULL);
	struct sw_view view = { 0 };
	struct sw_series row;
	const char *origin;
	bool is_owned;

	file->id = (struct sw_jobid){ .job = SW_MISSING,
		.array_task = SW_MISSING, .het_component = SW_MISSING };
	file->job_id = file->boottime_usec = SW_MISSING;
	file->realtime_usec = file->start * SW_USEC_PER_SEC;
	if (!reader) {
		trust_name(file);
		return true;	/* who shows it says what is wrong */
	}
	row = sw_series_open(reader, "identity", 0);
	origin = sw_series_text(&row, 0, "origin");
	view.job_id = file->job_id = sw_series_at(&row, 0, "job_id");
	view.slurm.array_job_id = sw_series_at(&row, 0, "array_job_id");
	view.slurm.array_task_id = sw_series_at(&row, 0, "array_task_id");
	view.slurm.het_job_id = sw_series_at(&row, 0, "het_job_id");
	view.slurm.het_component = sw_series_at(&row, 0, "het_component");
	if (origin && !strcmp(origin, "slurm"))
		file->id = sw_job_id(&view);
	file->restart = sw_series_at(&row, 0, "restart_count");
	if (sw_is_missing(file->restart))
		file->restart = 0;
	file->realtime_usec = sw_series_at(&row, 0, "anchor_realtime_usec");
	file->boottime_usec = sw_series_at(&row, 0, "anchor_boottime_usec");
	copy_text(file->cluster, sizeof(file->cluster), &row, "cluster");
	copy_text(file->node, sizeof(file->node), &row, "node");
	is_owned = sw_is_missing(uid) ||
		   sw_series_at(&row, 0, "uid") == uid;
	sw_reader_close(reader);
	return is_owned;
}

