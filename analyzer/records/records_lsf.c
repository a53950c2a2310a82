/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read jobs from lsb.acct.  Lines are in the order of events, so an archive
 * last written before the range contains none of it.
 */
#include "analyzer/records/records_lsf.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/records/lsf_lines.h"
#include "analyzer/records/lsf_request.h"
#include "common/escape.h"
#include "common/missing.h"
#include "common/open_file.h"
#include "common/units.h"

/* LSF's maximum of archives (MAX_ACCT_ARCHIVE_FILE) */
enum { ARCHIVES_MAX = 1024, STATUS_MAX = 0xffff };

struct reading {
	const struct sw_records_source *source;
	const struct sw_records_taker *taker;
	struct sw_records_sums *sums;
	struct sw_error *error;
	uint64_t from_seconds, until_seconds;
	struct sw_lsf_fields fields;
	struct sw_lsf_lines lines;
	char *hosts; /* as large as a line may be */
	size_t hosts_size;
	const char *path;
};

static uint64_t whole(double value)
{
	return value >= 0 && value < 0x1p62 ? (uint64_t)(value + 0.5)
					    : SW_MISSING;
}

/* 0 means unknown. */
static uint64_t time_of(double seconds)
{
	return seconds > 0 ? whole(seconds) : SW_MISSING;
}

static const char *text_of(const char *text)
{
	return text ? text : "";
}

/* Format "n1,n2": each host once, in the order of the record. */
static void put_hosts(struct reading *reading, const struct sw_lsf_job *job)
{
	const char *last = "", *name;
	char *to = reading->hosts;
	size_t i;

	*to = '\0';
	for (i = 0; i < job->host_items; i++) {
		name = reading->fields.items[job->first_host + i].text;
		name = strchr(name, '*') ? strchr(name, '*') + 1 : name;
		if (!strcmp(name, last))
			continue;
		to += sprintf(to, "%s%s", to > reading->hosts ? "," : "", name);
		last = name;
	}
}

static bool put_id(struct sw_job_record *record, const struct sw_lsf_job *job)
{
	char text[SW_JOBID_TEXT_SIZE];

	record->key = (struct sw_job_key)SW_JOB_KEY_MISSING;
	if (!sw_lsf_job_id(text, sizeof(text), job) ||
	    sw_jobid_parse(text, &record->id) < 0)
		return false;
	record->key.job_id = record->id.job;
	record->key.array_task_id = record->id.array_task;
	if (!sw_is_missing(record->id.array_task))
		record->key.array_job_id = record->id.job;
	record->key.uid = whole(job->uid);
	return true;
}

static void put_end(struct sw_record_end *end, const struct sw_lsf_job *job)
{
	uint64_t status = whole(job->wait_status);

	*end = (struct sw_record_end){
		.state = job->state,
		.cancelled_by_uid = SW_MISSING,
		.exit_code = SW_MISSING,
		.signal = SW_MISSING,
	};
	if (status > STATUS_MAX)
		return;
	end->exit_code = status >> 8 & 0xff;
	end->signal = status & 0x7f;
}

static void put_times(struct sw_job_record *record,
		      const struct sw_lsf_job *job, uint64_t *impossible)
{
	record->submit_seconds = time_of(job->submit_seconds);
	/* Unknown: it may have waited for a job that is not in the record. */
	record->eligible_seconds = SW_MISSING;
	record->start_seconds = time_of(job->run.start_seconds);
	record->end_seconds = time_of(job->run.end_seconds);
	/* The clocks of two hosts may differ. */
	if (!sw_is_missing(record->start_seconds) &&
	    record->start_seconds > record->end_seconds) {
		record->start_seconds = SW_MISSING;
		(*impossible)++;
	}
	record->elapsed_seconds = sw_is_missing(record->start_seconds)
					  ? 0
					  : whole(job->run.elapsed_seconds);
	record->limit_kind = SW_TIME_LIMIT_UNKNOWN;
	record->limit_seconds = whole(job->run.requested_seconds);
	if (!sw_is_missing(record->limit_seconds))
		record->limit_kind = SW_TIME_LIMIT_SET;
}

static void put_request(struct sw_job_record *record,
			const struct sw_lsf_job *job,
			const struct sw_lsf_site *site, uint64_t *impossible)
{
	static const enum sw_acct_memory_of of[] = {
		[SW_LSF_PER_SITE] = SW_ACCT_OF_NODE,
		[SW_LSF_PER_HOST] = SW_ACCT_OF_NODE,
		[SW_LSF_PER_TASK] = SW_ACCT_OF_CPU,
		[SW_LSF_PER_JOB] = SW_ACCT_OF_JOB,
	};
	struct sw_lsf_memory memory = sw_lsf_request_memory(job, site);
	double on_host = sw_lsf_request_on_host(job, site);

	*impossible += memory.is_bad;
	record->requested_bytes = memory.bytes;
	record->requested_of = of[memory.per];
	record->node_count = whole(job->run.nodes);
	/* LSF reserves the request, so it is not available to other jobs. */
	record->allocated = (struct sw_record_tres){
		.cpus = whole(job->run.requested_cores),
		.memory_bytes = whole(on_host * fmax(1, job->run.nodes)),
		.nodes = record->node_count,
		.gpus = SW_MISSING,
		.text = "",
	};
	record->requested = record->allocated;
}

static const struct sw_record_usage usage_missing = {
	SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING,
	SW_MISSING, false,
};

/*
 * Store the script and its processes as one step.  Memory is the sum over all
 * hosts: with several it does not show the need of the fullest one.
 */
static void put_usage(struct sw_job_record *record, struct sw_step_record *step,
		      const struct sw_lsf_job *job)
{
	record->used = usage_missing;
	record->used.cpu_usec = whole(job->run.used_core_seconds * 1e6);
	*step = (struct sw_step_record){
		.id = record->id,
		.name = "batch",
		.node_list = record->node_list,
		.end = record->end,
		.submit_seconds = record->submit_seconds,
		.start_seconds = record->start_seconds,
		.end_seconds = record->end_seconds,
		.elapsed_seconds = record->elapsed_seconds,
		.node_count = record->node_count,
		.task_count = SW_MISSING,
		.allocated = record->allocated,
		.used = record->used,
	};
	strcpy(step->id.step, "batch");
	if (job->run.nodes == 1 && job->memory_kib > 0)
		step->used.task_rss_bytes = whole(job->memory_kib * SW_KIB);
	record->steps = step;
	record->step_count = 1;
}

static void put_texts(struct sw_job_record *record, const char *hosts,
		      const struct sw_lsf_job *job)
{
	record->cluster = record->qos = record->comment = "";
	record->work_dir = "";
	record->user = text_of(job->user);
	record->account = text_of(job->project);
	record->partition = text_of(job->queue);
	record->name = text_of(job->name);
	record->node_list = hosts;
}

static int hand_out(struct reading *reading, struct sw_lsf_job *job)
{
	struct sw_job_record record = { .derived_exit_code = SW_MISSING,
					.derived_signal = SW_MISSING };
	struct sw_step_record step;

	put_id(&record, job);
	sw_lsf_cut_name(job);
	put_hosts(reading, job);
	put_texts(&record, reading->hosts, job);
	put_end(&record.end, job);
	put_times(&record, job, &reading->sums->impossible);
	put_request(&record, job, reading->source->lsf,
		    &reading->sums->impossible);
	put_usage(&record, &step, job);
	reading->sums->jobs++;
	reading->sums->steps++;
	return reading->taker->take_job(reading->taker->context, &record);
}

static void complain(struct reading *reading, const char *why)
{
	char shown[256], text[512];

	reading->sums->bad_lines++;
	if (!reading->taker->complain)
		return;
	snprintf(text, sizeof(text), "%s, line %zu: %s; the job is left out",
		 sw_escape_ascii(shown, sizeof(shown), reading->path),
		 reading->lines.number, why);
	reading->taker->complain(reading->taker->context, text);
}

/* job_records is a file of LSF other than lsb.acct. */
static int refuse(const struct reading *reading, const char *why)
{
	errno = EINVAL;
	return sw_error_set(reading->error, "%s: %s, so jobs of LSF cannot be "
			    "read (stepwell.yaml: job_records)",
			    reading->path, why);
}

static bool is_in_time(const struct reading *reading, double seconds)
{
	return seconds >= (double)reading->from_seconds &&
	       seconds < (double)reading->until_seconds;
}

static int take_line(struct reading *reading)
{
	double seconds = sw_lsf_line_time(reading->lines.line);
	struct sw_job_key key = SW_JOB_KEY_MISSING;
	struct sw_job_record record = { .key = key };
	enum sw_lsf_line kind;
	struct sw_lsf_job job;

	/* Skip other days without complaints about their lines. */
	if (!isnan(seconds) && !is_in_time(reading, seconds))
		return 0;
	kind = sw_lsf_line_read(&job, reading->lines.line, &reading->fields);
	if (kind == SW_LSF_NO_MEMORY) {
		errno = ENOMEM;
		return sw_error_set(reading->error, "not enough memory");
	}
	if (kind == SW_LSF_JOB && !put_id(&record, &job))
		kind = SW_LSF_BAD;
	if (kind == SW_LSF_JOB)
		return hand_out(reading, &job);
	if (kind != SW_LSF_OTHER)
		complain(reading, sw_lsf_line_reason(kind));
	return 0;
}

static int make_room(struct reading *reading)
{
	char *grown;

	if (reading->hosts_size >= reading->lines.size)
		return 0;
	grown = realloc(reading->hosts, reading->lines.size);
	if (!grown)
		return sw_error_set(reading->error, "not enough memory");
	reading->hosts = grown;
	reading->hosts_size = reading->lines.size;
	return 0;
}

static int read_file(struct reading *reading, const char *path)
{
	struct sw_lsf_lines *lines = &reading->lines;
	int rc = 0, found = 1;

	*lines = (struct sw_lsf_lines){ .file = sw_open_stream(path) };
	if (!lines->file)
		return sw_error_errno(reading->error,
				      "%s, so jobs of LSF "
				      "cannot be read",
				      path);
	reading->path = path;
	while (rc == 0 && (found = sw_lsf_lines_next(lines)) > 0) {
		rc = make_room(reading);
		if (rc == 0 && *lines->line)
			rc = take_line(reading);
	}
	if (rc == 0 && found < 0)
		rc = sw_error_errno(reading->error, "%s", path);
	if (rc == 0 && sw_lsf_lines_refused(lines))
		rc = refuse(reading, sw_lsf_lines_refused(lines));
	fclose(lines->file);
	sw_lsf_lines_fini(lines);
	return rc;
}

static void name_archive(char *path, size_t size, const char *acct,
			 unsigned archive)
{
	if (archive)
		snprintf(path, size, "%s.%u", acct, archive);
	else
		snprintf(path, size, "%s", acct);
}

/* Count the archives that may contain part of the range. */
static unsigned count_archives(const struct reading *reading, const char *acct)
{
	char path[PATH_MAX];
	struct stat status;
	unsigned count = 0;

	while (count < ARCHIVES_MAX) {
		name_archive(path, sizeof(path), acct, count + 1);
		if (stat(path, &status) < 0 ||
		    (uint64_t)status.st_mtime < reading->from_seconds)
			break;
		count++;
	}
	return count;
}

/* Read the oldest file first. */
static int read_files(struct reading *reading, const char *acct)
{
	unsigned archive = count_archives(reading, acct) + 1;
	char path[PATH_MAX];
	int rc = 0;

	while (rc == 0 && archive-- > 0) {
		name_archive(path, sizeof(path), acct, archive);
		rc = read_file(reading, path);
	}
	return rc;
}

int sw_records_read_lsf(const struct sw_records_source *source,
			uint64_t from_seconds, uint64_t until_seconds,
			const struct sw_records_taker *taker,
			struct sw_records_sums *sums, struct sw_error *error)
{
	struct reading reading = {
		.source = source,
		.taker = taker,
		.sums = sums,
		.error = error,
		.from_seconds = from_seconds,
		.until_seconds = until_seconds,
	};
	int rc, number;

	*sums = (struct sw_records_sums){ .windows = 1 };
	rc = read_files(&reading, source->lsb_acct);
	number = errno;
	if (rc == 0 && taker->take_window)
		rc = taker->take_window(taker->context, until_seconds);
	sw_lsf_fields_fini(&reading.fields);
	free(reading.hosts);
	errno = number;
	return rc;
}
