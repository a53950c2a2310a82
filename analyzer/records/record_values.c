/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of a record's fields; see sacct(1) for their forms. */
#include "analyzer/records/record_values.h"

#include <stdio.h>
#include <string.h>

#include "common/units.h"

#define COUNT_MAX 4294967294.0		/* Slurm's counts have 32 bits */
#define SECONDS_MAX 253402300799.0	/* the end of the year 9999 */
#define BYTES_MAX 1152921504606846976.0	/* 1 EiB */

static bool is_said(const char *text)
{
	return *text && strcmp(text, "Unknown") != 0 &&
	       strcmp(text, "None") != 0;
}

/* value is of text, NAN where that is not of its form. */
static uint64_t checked(const char *text, double value, double max,
			uint64_t *impossible)
{
	if (!is_said(text))
		return SW_MISSING;
	if (value >= 0 && value <= max)
		return (uint64_t)(value + 0.5);
	(*impossible)++;
	return SW_MISSING;
}

static uint64_t number(const char *text, double max, uint64_t *impossible)
{
	return checked(text, sw_acct_text_number(text), max, impossible);
}

static uint64_t bytes(const char *text, uint64_t *impossible)
{
	return checked(text, sw_acct_text_bytes(text), BYTES_MAX, impossible);
}

/* Of one resource; missing where the list does not have it. */
static uint64_t of_tres(const char *list, const char *name, double max,
			uint64_t *impossible)
{
	double value = sw_acct_text_tres(list, name);

	return isnan(value) ? SW_MISSING : checked(list, value, max, impossible);
}

static uint64_t bytes_of_tres(const char *list, const char *name,
			      uint64_t *impossible)
{
	size_t length = strlen(name), size;
	char text[40];

	for (; *list; list += size + (list[size] == ',')) {
		size = strcspn(list, ",");
		if (strncmp(list, name, length) || list[length] != '=')
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)(size - length - 1),
			 list + length + 1);
		return bytes(text, impossible);
	}
	return SW_MISSING;
}

static struct sw_record_tres tres(const char *list, uint64_t *impossible)
{
	return (struct sw_record_tres){
		.cpus = of_tres(list, "cpu", COUNT_MAX, impossible),
		.memory_bytes = bytes_of_tres(list, "mem", impossible),
		.nodes = of_tres(list, "node", COUNT_MAX, impossible),
		.gpus = of_tres(list, "gres/gpu", COUNT_MAX, impossible),
		.text = list,
	};
}

/* "CANCELLED by 1000" */
static void read_state(struct sw_record_end *end, const char *text,
		       uint64_t *impossible)
{
	const char *by = sw_job_state_by(text);

	end->state = sw_job_state_read(text);
	end->cancelled_by_uid =
		by ? number(by, COUNT_MAX, impossible) : SW_MISSING;
}

/* "1:0": an exit code and a signal. */
static void read_exit(const char *text, uint64_t *code, uint64_t *signal,
		      uint64_t *impossible)
{
	const char *colon = strchr(text, ':');
	char first[8];

	*code = *signal = SW_MISSING;
	if (!is_said(text))
		return;
	snprintf(first, sizeof(first), "%.*s",
		 colon ? (int)(colon - text) : 0, text);
	if (!first[0] || !colon[1]) {
		(*impossible)++;
		return;
	}
	*code = number(first, 255, impossible);
	*signal = number(colon + 1, 255, impossible);
}

static void read_end(struct sw_record_end *end,
		     const char *const field[SW_RECORD_FIELDS],
		     uint64_t *impossible)
{
	read_state(end, field[SW_RECORD_STATE], impossible);
	read_exit(field[SW_RECORD_EXIT], &end->exit_code, &end->signal,
		  impossible);
}

static void read_limit(struct sw_job_record *job, const char *text,
		       uint64_t *impossible)
{
	job->limit_seconds = SW_MISSING;
	job->limit_kind = SW_TIME_LIMIT_UNKNOWN;
	if (!strcmp(text, "UNLIMITED")) {
		job->limit_kind = SW_TIME_LIMIT_UNLIMITED;
	} else if (!strcmp(text, "Partition_Limit")) {
		job->limit_kind = SW_TIME_LIMIT_OF_PARTITION;
	} else if (is_said(text)) {
		uint64_t minutes = number(text, COUNT_MAX, impossible);

		if (sw_is_missing(minutes))
			return;
		job->limit_kind = SW_TIME_LIMIT_SET;
		job->limit_seconds = minutes * 60;
	}
}

/* "0" asks for all of a node's memory: how much that is, is not said. */
static void read_memory(struct sw_job_record *job, const char *text,
			uint64_t *impossible)
{
	double value = sw_acct_text_request(text, &job->requested_of);

	job->requested_bytes = SW_MISSING;
	if (text[0] != '0' || !isnan(value))
		job->requested_bytes = checked(text, value, BYTES_MAX,
					       impossible);
}

static uint64_t microseconds(const char *text, uint64_t *impossible)
{
	return checked(text, sw_acct_text_duration(text) * 1e6,
		       SECONDS_MAX * 1e6, impossible);
}

static struct sw_record_usage usage(const char *const field[SW_RECORD_FIELDS],
				    uint64_t *impossible)
{
	return (struct sw_record_usage){
		.cpu_usec = microseconds(field[SW_RECORD_TOTAL_CPU],
					 impossible),
		.task_rss_bytes = bytes(field[SW_RECORD_MAX_RSS], impossible),
		.read_bytes = bytes_of_tres(field[SW_RECORD_USED_IN],
					    "fs/disk", impossible),
		.written_bytes = bytes_of_tres(field[SW_RECORD_USED_OUT],
					       "fs/disk", impossible),
		.energy_joules = number(field[SW_RECORD_ENERGY], BYTES_MAX,
					impossible),
	};
}

/* Nothing ends before it starts. */
static void check_order(uint64_t *start_seconds, uint64_t end_seconds,
			uint64_t *impossible)
{
	if (sw_is_missing(*start_seconds) || *start_seconds <= end_seconds)
		return;
	*start_seconds = SW_MISSING;
	(*impossible)++;
}

static void read_texts(struct sw_job_record *job,
		       const char *const field[SW_RECORD_FIELDS])
{
	job->cluster = field[SW_RECORD_CLUSTER];
	job->user = field[SW_RECORD_USER];
	job->account = field[SW_RECORD_ACCOUNT];
	job->partition = field[SW_RECORD_PARTITION];
	job->qos = field[SW_RECORD_QOS];
	job->node_list = field[SW_RECORD_NODE_LIST];
	job->comment = field[SW_RECORD_COMMENT];
	job->work_dir = field[SW_RECORD_WORK_DIR];
	job->name = field[SW_RECORD_NAME];
}

static void read_times(struct sw_job_record *job,
		       const char *const field[SW_RECORD_FIELDS],
		       uint64_t *impossible)
{
	job->submit_seconds = number(field[SW_RECORD_SUBMIT], SECONDS_MAX,
				     impossible);
	job->eligible_seconds = number(field[SW_RECORD_ELIGIBLE], SECONDS_MAX,
				       impossible);
	job->start_seconds = number(field[SW_RECORD_START], SECONDS_MAX,
				    impossible);
	job->end_seconds = number(field[SW_RECORD_END], SECONDS_MAX,
				  impossible);
	check_order(&job->start_seconds, job->end_seconds, impossible);
	job->elapsed_seconds = number(field[SW_RECORD_ELAPSED], SECONDS_MAX,
				      impossible);
	read_limit(job, field[SW_RECORD_LIMIT], impossible);
}

/* The lists do not have CPUs in all releases. */
static void read_tres(struct sw_job_record *job,
		      const char *const field[SW_RECORD_FIELDS],
		      uint64_t *impossible)
{
	job->requested = tres(field[SW_RECORD_REQ_TRES], impossible);
	job->allocated = tres(field[SW_RECORD_ALLOC_TRES], impossible);
	if (sw_is_missing(job->requested.cpus))
		job->requested.cpus = number(field[SW_RECORD_REQ_CPUS],
					     COUNT_MAX, impossible);
	if (sw_is_missing(job->allocated.cpus))
		job->allocated.cpus = number(field[SW_RECORD_ALLOC_CPUS],
					     COUNT_MAX, impossible);
}

void sw_record_fill_job(struct sw_job_record *job,
			const char *const field[SW_RECORD_FIELDS],
			uint64_t *impossible)
{
	read_texts(job, field);
	read_end(&job->end, field, impossible);
	read_exit(field[SW_RECORD_DERIVED_EXIT], &job->derived_exit_code,
		  &job->derived_signal, impossible);
	read_times(job, field, impossible);
	read_memory(job, field[SW_RECORD_REQ_MEM], impossible);
	read_tres(job, field, impossible);
	job->node_count = number(field[SW_RECORD_NODES], COUNT_MAX, impossible);
	job->used = usage(field, impossible);
	job->key.uid = number(field[SW_RECORD_UID], COUNT_MAX, impossible);
	job->key.restart_count = number(field[SW_RECORD_RESTARTS], COUNT_MAX,
					impossible);
}

void sw_record_fill_step(struct sw_step_record *step,
			 const char *const field[SW_RECORD_FIELDS],
			 uint64_t *impossible)
{
	step->name = field[SW_RECORD_NAME];
	step->node_list = field[SW_RECORD_NODE_LIST];
	read_end(&step->end, field, impossible);
	step->submit_seconds = number(field[SW_RECORD_SUBMIT], SECONDS_MAX,
				      impossible);
	step->start_seconds = number(field[SW_RECORD_START], SECONDS_MAX,
				     impossible);
	step->end_seconds = number(field[SW_RECORD_END], SECONDS_MAX,
				   impossible);
	check_order(&step->start_seconds, step->end_seconds, impossible);
	step->elapsed_seconds = number(field[SW_RECORD_ELAPSED], SECONDS_MAX,
				       impossible);
	step->node_count = number(field[SW_RECORD_NODES], COUNT_MAX,
				  impossible);
	step->task_count = number(field[SW_RECORD_TASKS], COUNT_MAX,
				  impossible);
	step->allocated = tres(field[SW_RECORD_ALLOC_TRES], impossible);
	if (sw_is_missing(step->allocated.cpus))
		step->allocated.cpus = number(field[SW_RECORD_ALLOC_CPUS],
					      COUNT_MAX, impossible);
	step->used = usage(field, impossible);
}
