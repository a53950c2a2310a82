/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Import the daily summaries of nodes, which no user can change. */
#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/import/import_internal.h"
#include "analyzer/summaries/summary_print.h"

enum { NAME_SIZE = 64 };

int sw_import_summary(struct sw_import *import, struct sw_judge *judge,
		      const char *path, struct sw_error *error)
{
	struct sw_verdict verdict;
	struct sw_reader *reader;
	size_t unnamed = 0;
	int rc;

	if (!sw_judge_is_summary(judge, path)) {
		sw_import_skip(import, "summaries count only in the folders "
			       "named by summary_dirs or summaries_dir", path);
		return 0;
	}
	reader = sw_judge_open(judge, path, NULL, &verdict, error);
	if (!reader) {
		sw_import_skip(import, "the summaries cannot be read", path);
		return 0;
	}
	rc = sw_step_summaries_add(&import->summaries, reader, path, &unnamed);
	if (rc == 0)
		rc = sw_job_prints_add(&import->prints, reader, path, NULL,
				       NULL);
	if (rc < 0)
		sw_error_set(error, "not enough memory");
	for (; unnamed; unnamed--)
		sw_import_skip(import, "a summary names no step", path);
	sw_reader_close(reader);
	return rc;
}

static void user_of(uint64_t uid, char *user, size_t size)
{
	struct passwd *entry = sw_is_missing(uid) ? NULL :
			       getpwuid((uid_t)uid);

	user[0] = '\0';
	if (entry)
		snprintf(user, size, "%s", entry->pw_name);
	else if (!sw_is_missing(uid))
		snprintf(user, size, "%llu", (unsigned long long)uid);
}

/* What later runs are compared with it by; of a whole job. */
struct bytes {
	uint8_t at[SW_FINGERPRINT_BYTES];
	size_t size;
};

static void put_print(struct bytes *bytes, const struct sw_import *import,
		      const struct sw_step_summary *rows, size_t count,
		      const struct sw_run *run)
{
	const struct sw_job_print_key key = sw_job_print_key_of(rows, count);
	struct sw_fingerprint print;

	sw_fingerprint_of_summaries(&print, run, rows, count);
	sw_job_prints_put(&import->prints, &key, &print);
	bytes->size = sw_fingerprint_encode(&print, bytes->at);
}

static int add(struct sw_import *import, const struct sw_step_summary *rows,
	       const struct sw_run *run, const char *step,
	       const struct bytes *print, struct sw_error *error)
{
	char job[SW_JOBID_TEXT_SIZE], user[NAME_SIZE];
	struct sw_jobid id = sw_job_key_id(&rows->job);
	struct sw_job_group group;
	const struct sw_job_names names = {
		.user = user, .name = rows->name, .cluster = rows->cluster,
		.step = step,
	};
	const struct sw_history_run row = {
		.run = *run, .cluster = rows->cluster, .job = job,
		.step = step, .user = user, .name = rows->name,
		.group = group.group, .label = group.label,
		.source = SW_HISTORY_SUMMARY,
		.fingerprint = print->at, .fingerprint_size = print->size,
		.restart = (unsigned)sw_step_summary_restarts(rows),
	};

	if (isnan(run->need_bytes) && isnan(run->used_core_seconds)) {
		sw_import_skip(import, "neither memory nor CPU time was "
			       "recorded", rows->name);
		return 0;
	}
	user_of(rows->job.uid, user, sizeof(user));
	sw_jobid_format(job, sizeof(job), &id);
	sw_job_group_find(&group, sw_settings_group_rules(import->settings),
			  &names);
	return sw_import_run(import, &row, error);
}

static int add_job(struct sw_import *import,
		   const struct sw_step_summary *rows, size_t count,
		   struct sw_error *error)
{
	static const struct bytes none;
	struct bytes print;
	struct sw_run run;
	size_t i, of_step;
	int rc;

	sw_step_summaries_sum_job(&run, rows, count);
	put_print(&print, import, rows, count, &run);
	rc = add(import, rows, &run, "", &print, error);
	for (i = 0; rc == 0 && i < count; i += of_step) {
		of_step = sw_step_summaries_of_step(&rows[i], count - i);
		if (!strcmp(rows[i].step, "extern"))
			continue;
		sw_step_summaries_sum(&run, &rows[i], of_step);
		rc = add(import, &rows[i], &run, rows[i].step, &none, error);
	}
	return rc;
}

static int add_jobs(struct sw_import *import, struct sw_error *error)
{
	const struct sw_step_summaries *all = &import->summaries;
	size_t i, of_job;
	int rc = 0;

	for (i = 0; rc == 0 && i < all->count; i += of_job) {
		of_job = sw_step_summaries_of_job(&all->items[i],
						  all->count - i);
		rc = add_job(import, &all->items[i], of_job, error);
	}
	return rc;
}

int sw_import_summaries_end(struct sw_import *import, struct sw_error *error)
{
	int rc = 0, number;

	sw_step_summaries_settle(&import->summaries);
	if (import->summaries.count) {
		rc = sw_import_begin(import, error);
		if (rc == 0)
			rc = add_jobs(import, error);
		number = errno;
		if (rc == 0)
			rc = sw_import_end(import, error);
		else
			sw_history_rollback(import->history);
		errno = rc < 0 && number ? number : errno;
	}
	sw_step_summaries_fini(&import->summaries);
	sw_job_prints_fini(&import->prints);
	return rc;
}
