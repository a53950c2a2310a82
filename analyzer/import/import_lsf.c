/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF's lsb.acct into the history.  Its memory is what polls saw of all the
 * job's processes; what a job asked for is not taken, for the unit of
 * rusage[mem=] and whether it is for each task are settings of the site.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/import/import_internal.h"
#include "analyzer/import/lsf_line.h"
#include "common/jobid.h"
#include "common/open_file.h"

/* "arr[1-3]%2" is the name of each element of an array. */
static void cut_name(char *name, const char *index)
{
	char *range = strrchr(name, '[');

	if (strcmp(index, "0") != 0 && range && range != name)
		*range = '\0';
}

/* "lsf:12", "lsf:12_3", as those that were recorded have it; false: none. */
static bool put_id(char *id, size_t size, const struct sw_lsf_job *job)
{
	char text[SW_JOBID_TEXT_SIZE];
	struct sw_jobid parsed;

	if (!strcmp(job->index, "0"))
		snprintf(text, sizeof(text), "%.20s", job->id);
	else
		snprintf(text, sizeof(text), "%.20s_%.20s", job->id,
			 job->index);
	snprintf(id, size, "lsf:%s", text);
	return sw_jobid_parse(text, &parsed) == 0 && !parsed.step[0];
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
		.job = id, .lineage = id,
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

static const char *const reasons[] = {
	[SW_LSF_CUT] = "a line of lsb.acct ends too soon",
	[SW_LSF_BAD] = "a line of lsb.acct is not of the known form",
};

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
		sw_import_skip(import, reasons[kind], where);
	if (kind != SW_LSF_JOB)
		return 0;
	if (!(job.run.start_seconds > 0) || !(job.run.elapsed_seconds > 0)) {
		sw_import_skip(import, "a job did not run", where);
		return 0;
	}
	cut_name(job.name, job.index);
	return add(import, &job, id, error);
}

static int read_lines(struct sw_import *import, FILE *file, const char *path,
		      struct sw_error *error)
{
	struct sw_lsf_fields fields = { NULL, 0, 0 };
	size_t size = 0, number = 0;
	char *line = NULL;
	int rc = 0;

	while (rc == 0 && getline(&line, &size, file) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		number++;
		if (*line)
			rc = take(import, line, number, &fields, error);
	}
	if (rc == 0 && ferror(file))
		rc = sw_error_errno(error, "%s", path);
	sw_lsf_fields_fini(&fields);
	free(line);
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
