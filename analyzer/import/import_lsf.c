/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Import LSF's lsb.acct.  The memory is polled over all processes of the job;
 * the unit of the request, and whether it is per task, depend on the site's
 * settings.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/import/import_internal.h"
#include "analyzer/records/lsf_lines.h"
#include "analyzer/records/lsf_request.h"
#include "common/jobid.h"
#include "common/missing.h"
#include "common/open_file.h"

/* Format "lsf:12" or "lsf:12_3", like ids of recordings; false: not a job. */
static bool put_id(char *id, size_t size, const struct sw_lsf_job *job)
{
	char text[SW_JOBID_TEXT_SIZE];
	bool is_job = sw_lsf_job_id(text, sizeof(text), job);

	snprintf(id, size, "lsf:%s", text);
	return is_job;
}

static int add(struct sw_import *import, struct sw_lsf_job *job,
	       const char *id, struct sw_error *error)
{
	struct sw_job_group group;
	struct sw_history_run row = {
		.run = job->run, .step = "", .source = SW_HISTORY_SACCT,
		.cluster = import->cluster ? import->cluster : "",
		.user = *job->user || !import->user ? job->user : import->user,
		.name = job->name, .partition = job->queue,
		.group = group.group, .label = group.label,
		.job = id,
	};
	struct sw_job_names names = {
		.user = row.user, .name = row.name,
		.partition = row.partition, .cluster = row.cluster,
		.step = "",
	};

	row.name = sw_job_names_main(&names);
	sw_job_group_find(&group, sw_settings_group_rules(import->settings),
			  &names);
	return sw_import_run(import, &row, error);
}

/* Assume LSF's default for a bare number if the settings have none. */
static void put_request(struct sw_import *import, struct sw_lsf_job *job)
{
	const struct sw_lsf_site *site = sw_settings_lsf(import->settings);
	struct sw_lsf_memory memory = sw_lsf_request_memory(job, site);

	job->run.requested_bytes = sw_lsf_request_on_host(job, site);
	import->impossible += memory.is_bad;
	import->unitless += !sw_is_missing(memory.bytes) &&
			    !memory.has_unit && !(site && site->unit_bytes);
}

static int take(struct sw_import *import, char *line, size_t number,
		struct sw_lsf_fields *fields, struct sw_error *error)
{
	char where[64], id[SW_JOBID_TEXT_SIZE + 8];
	struct sw_lsf_job job;
	enum sw_lsf_line kind = sw_lsf_line_read(&job, line, fields);

	snprintf(where, sizeof(where), "line %zu", number);
	if (kind == SW_LSF_NO_MEMORY)
		return sw_error_set(error, "not enough memory");
	if (kind == SW_LSF_JOB && !put_id(id, sizeof(id), &job))
		kind = SW_LSF_BAD;
	if (kind == SW_LSF_CUT || kind == SW_LSF_BAD)
		sw_import_skip(import, sw_lsf_line_reason(kind), where);
	if (kind != SW_LSF_JOB)
		return 0;
	if (job.run.start_seconds > 0 && job.run.elapsed_seconds < 0) {
		sw_import_skip(import, "a job ends before it starts", where);
		return 0;
	}
	if (!(job.run.start_seconds > 0) || !(job.run.elapsed_seconds > 0)) {
		sw_import_skip(import, "a job did not run", where);
		return 0;
	}
	sw_lsf_cut_name(&job);
	put_request(import, &job);
	return add(import, &job, id, error);
}

static int read_lines(struct sw_import *import, FILE *file, const char *path,
		      struct sw_error *error)
{
	struct sw_lsf_fields fields = { NULL, 0, 0 };
	struct sw_lsf_lines lines = { .file = file };
	int rc = 0, found = 1;

	while (rc == 0 && (found = sw_lsf_lines_next(&lines)) > 0) {
		if (*lines.line)
			rc = take(import, lines.line, lines.number, &fields,
				  error);
	}
	if (rc == 0 && found < 0)
		rc = sw_error_errno(error, "%s", path);
	if (rc == 0 && sw_lsf_lines_refused(&lines))
		sw_import_skip(import, sw_lsf_lines_refused(&lines), path);
	sw_lsf_fields_fini(&fields);
	sw_lsf_lines_fini(&lines);
	return rc;
}

int sw_import_lsf(struct sw_import *import, const char *path,
		  struct sw_error *error)
{
	FILE *file = sw_open_stream(path);
	int rc, number;

	if (!file)
		return sw_error_errno(error, "%s", path);
	rc = sw_import_begin(import, error);
	if (rc == 0)
		rc = read_lines(import, file, path, error);
	number = errno;
	if (rc == 0)
		rc = sw_import_end(import, error);
	else
		sw_history_rollback(import->history);
	errno = number;
	fclose(file);
	return rc;
}
