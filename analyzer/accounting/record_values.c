/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the values of a record's fields; see sacct(1) for their forms. */
#include "analyzer/accounting/record_values.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/accounting/sacct_text.h"
#include "common/exit_status.h"
#include "common/local_time.h"
#include "common/units.h"

#define COUNT_MAX 4294967294.0		/* Slurm's counts have 32 bits */
#define SECONDS_MAX 253402300799.0	/* the end of the year 9999 */
#define BYTES_MAX 1152921504606846976.0	/* 1 EiB */

static bool is_said(const char *text)
{
	return *text && strcmp(text, "Unknown") != 0 &&
	       strcmp(text, "None") != 0;
}

/* value: parsed from text, NAN if malformed. */
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

static uint64_t at_time(const char *text, uint64_t *impossible)
{
	return checked(text, sw_acct_text_time(text), SECONDS_MAX, impossible);
}

static uint64_t bytes(const char *text, uint64_t *impossible)
{
	return checked(text, sw_acct_text_bytes(text), BYTES_MAX, impossible);
}

static uint64_t microseconds(const char *text, uint64_t *impossible)
{
	return checked(text, sw_acct_text_duration(text) * 1e6,
		       SECONDS_MAX * 1e6, impossible);
}

/* Copy one resource of a list to buf; "": not in the list. */
static const char *item_of(char buf[40], const char *list, const char *name)
{
	size_t length = strlen(name), size;

	buf[0] = '\0';
	for (; *list; list += size + (list[size] == ',')) {
		size = strcspn(list, ",");
		if (strncmp(list, name, length) || list[length] != '=')
			continue;
		snprintf(buf, 40, "%.*s", (int)(size - length - 1),
			 list + length + 1);
		break;
	}
	return buf;
}

static uint64_t bytes_of(const char *list, const char *name,
			 uint64_t *impossible)
{
	char text[40];

	return bytes(item_of(text, list, name), impossible);
}

static uint64_t count_of(const char *list, const char *name,
			 uint64_t *impossible)
{
	char text[40];

	return number(item_of(text, list, name), COUNT_MAX, impossible);
}

/* Sum "gres/gpu:a100=2" if the list has no total. */
static uint64_t gpus_of(const char *list, uint64_t *impossible)
{
	static const char typed[] = "gres/gpu:";
	uint64_t sum = count_of(list, "gres/gpu", impossible);
	const char *value;
	char text[40];

	if (!sw_is_missing(sum))
		return sum;
	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		value = list + strcspn(list, "=,");
		if (strncmp(list, typed, strlen(typed)) || *value != '=')
			continue;
		snprintf(text, sizeof(text), "%.*s",
			 (int)strcspn(value + 1, ","), value + 1);
		sum = sw_zero_if_missing(sum) +
		      sw_zero_if_missing(number(text, COUNT_MAX, impossible));
	}
	return sum;
}

static struct sw_record_tres tres(const char *list, uint64_t *impossible)
{
	return (struct sw_record_tres){
		.cpus = count_of(list, "cpu", impossible),
		.memory_bytes = bytes_of(list, "mem", impossible),
		.nodes = count_of(list, "node", impossible),
		.gpus = gpus_of(list, impossible),
		.text = list,
	};
}

/* "CANCELLED by 1000" */
static void read_state(struct sw_record_end *end, const char *text,
		       uint64_t *impossible)
{
	const char *by = sw_job_state_by(text);

	end->text = text;
	end->state = sw_job_state_read(text);
	end->cancelled_by_uid =
		by ? number(by, COUNT_MAX, impossible) : SW_MISSING;
}

/* Parse "1:0": exit code and signal. */
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

/* Parse minutes, or the form that people write. */
static void read_limit(struct sw_job_record *job,
		       const char *const field[SW_RECORD_FIELDS],
		       uint64_t *impossible)
{
	const char *raw = field[SW_RECORD_LIMIT];
	const char *text = *raw ? raw : field[SW_RECORD_LIMIT_WORDS];

	job->limit_seconds = SW_MISSING;
	job->limit_kind = SW_TIME_LIMIT_UNKNOWN;
	if (!strcmp(text, "UNLIMITED"))
		job->limit_kind = SW_TIME_LIMIT_UNLIMITED;
	else if (!strcmp(text, "Partition_Limit"))
		job->limit_kind = SW_TIME_LIMIT_OF_PARTITION;
	else
		job->limit_seconds = checked(text, text == raw ?
					     sw_acct_text_number(text) * 60 :
					     sw_acct_text_duration(text),
					     COUNT_MAX * 60, impossible);
	if (!sw_is_missing(job->limit_seconds))
		job->limit_kind = SW_TIME_LIMIT_SET;
}

/* "0" requests all memory of a node, of unknown size. */
static void read_memory(struct sw_job_record *job, const char *text,
			uint64_t *impossible)
{
	double value = sw_acct_text_request(text, &job->requested_of);

	job->requested_bytes = SW_MISSING;
	if (value != 0)
		job->requested_bytes = checked(text, value, BYTES_MAX,
					       impossible);
}

/*
 * In Slurm 25.05 and later the sum of user and system time is 0 on some sites,
 * though TRESUsage has the time.
 */
static uint64_t cpu_usec_of(const char *const field[SW_RECORD_FIELDS],
			    uint64_t *impossible)
{
	uint64_t total = microseconds(field[SW_RECORD_TOTAL_CPU], impossible);
	char text[40];

	if (sw_zero_if_missing(total))
		return total;
	return sw_max_u64(total, microseconds(item_of(text,
						      field[SW_RECORD_USED_IN],
						      "cpu"), impossible));
}

static struct sw_record_usage usage(const char *const field[SW_RECORD_FIELDS],
				    uint64_t *impossible)
{
	return (struct sw_record_usage){
		.cpu_usec = cpu_usec_of(field, impossible),
		.task_rss_bytes = bytes(field[SW_RECORD_MAX_RSS], impossible),
		.average_rss_bytes = bytes(field[SW_RECORD_AVE_RSS],
					   impossible),
		.read_bytes = bytes_of(field[SW_RECORD_USED_IN], "fs/disk",
				       impossible),
		.written_bytes = bytes_of(field[SW_RECORD_USED_OUT],
					  "fs/disk", impossible),
		.energy_joules = number(field[SW_RECORD_ENERGY], BYTES_MAX,
					impossible),
	};
}

static uint64_t elapsed_of(const char *const field[SW_RECORD_FIELDS],
			   uint64_t *impossible)
{
	const char *raw = field[SW_RECORD_ELAPSED];
	const char *words = field[SW_RECORD_ELAPSED_WORDS];

	return *raw ? number(raw, SECONDS_MAX, impossible) :
		      checked(words, sw_acct_text_duration(words), SECONDS_MAX,
			      impossible);
}

static bool is_local(const char *text)
{
	return strchr(text, 'T') != NULL;
}

/* A file may lack the end; local time shows one hour twice a year. */
static void put_span(uint64_t *start_seconds, uint64_t *end_seconds,
		     uint64_t *elapsed_seconds, uint64_t submit_seconds,
		     const char *const field[SW_RECORD_FIELDS],
		     uint64_t *impossible)
{
	double start = sw_real_u64(at_time(field[SW_RECORD_START], impossible));
	double end = sw_real_u64(at_time(field[SW_RECORD_END], impossible));

	*elapsed_seconds = elapsed_of(field, impossible);
	if (is_local(field[SW_RECORD_START]))
		sw_local_times_settle(sw_real_u64(submit_seconds), &start, &end,
				      sw_real_u64(*elapsed_seconds));
	*start_seconds = sw_whole_real(start);
	*end_seconds = sw_whole_real(end);
	if (!*field[SW_RECORD_END] && sw_job_state_is_final(
			sw_job_state_read(field[SW_RECORD_STATE])))
		*end_seconds = sw_add_u64(*start_seconds, *elapsed_seconds);
	if (start > end) {
		*start_seconds = SW_MISSING;
		(*impossible)++;
	}
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
	job->submit_seconds = at_time(field[SW_RECORD_SUBMIT], impossible);
	job->eligible_seconds = at_time(field[SW_RECORD_ELIGIBLE], impossible);
	put_span(&job->start_seconds, &job->end_seconds, &job->elapsed_seconds,
		 job->submit_seconds, field, impossible);
	read_limit(job, field, impossible);
}

/* Not all releases have CPUs in the lists. */
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
	job->task_count = number(field[SW_RECORD_TASKS], COUNT_MAX, impossible);
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
	step->submit_seconds = at_time(field[SW_RECORD_SUBMIT], impossible);
	put_span(&step->start_seconds, &step->end_seconds,
		 &step->elapsed_seconds, SW_MISSING, field, impossible);
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

/*
 * Slurm's clocks and samples are not exact; CPU time beyond this factor and
 * these seconds per CPU is impossible: chosen by hand.
 */
#define CPU_TIME_SLACK 1.05
enum { CPU_SECONDS_SLACK = 2 };

static bool is_too_much(uint64_t used_usec, uint64_t cpus,
			uint64_t elapsed_seconds)
{
	double most;

	if (sw_is_missing(used_usec) || sw_is_missing(cpus) || !cpus ||
	    sw_is_missing(elapsed_seconds))
		return false;
	most = (double)cpus * ((double)elapsed_seconds * CPU_TIME_SLACK +
			       CPU_SECONDS_SLACK);
	return (double)used_usec > most * (double)SW_USEC_PER_SEC;
}

/* Without accounting gathering, Slurm records 0 for everything. */
static bool is_gathered(const struct sw_job_record *job)
{
	size_t i;

	for (i = 0; i < job->step_count; i++) {
		if (sw_zero_if_missing(job->steps[i].used.task_rss_bytes))
			return true;
	}
	return false;
}

/* The job's own usage is the sum of its steps, or 0 in the releases above. */
static void sum_use(struct sw_job_record *job)
{
	uint64_t sum = SW_MISSING;
	size_t i;

	if (sw_zero_if_missing(job->used.cpu_usec))
		return;
	for (i = 0; i < job->step_count; i++) {
		uint64_t own = job->steps[i].used.cpu_usec;

		if (!sw_is_missing(own))
			sum = sw_zero_if_missing(sum) + own;
		job->used.is_cpu_impossible |=
			job->steps[i].used.is_cpu_impossible;
	}
	job->used.cpu_usec = sw_max_u64(job->used.cpu_usec, sum);
	if (job->used.cpu_usec == 0 && !is_gathered(job))
		job->used.cpu_usec = SW_MISSING;
}

/*
 * Before 25.11 sacct subtracts 128 from the exit code of a shell that reports a
 * signal, but not from that of the worst step; the signal may be that of a
 * step.
 */
static void restore_exit(const struct sw_job_record *job,
			 struct sw_record_end *end)
{
	size_t i;
	bool is_signal = job->derived_exit_code == end->exit_code +
						   SW_STATUS_SIGNAL;

	if (sw_is_missing(end->exit_code) || !end->exit_code ||
	    end->exit_code >= SW_STATUS_SIGNAL)
		return;
	for (i = 0; i < job->step_count; i++)
		is_signal |= job->steps[i].end.signal == end->exit_code;
	if (is_signal)
		end->exit_code += SW_STATUS_SIGNAL;
}

void sw_record_settle(struct sw_job_record *job)
{
	size_t i;

	for (i = 0; i < job->step_count; i++) {
		struct sw_step_record *step = &job->steps[i];

		step->used.is_cpu_impossible =
			is_too_much(step->used.cpu_usec, step->allocated.cpus,
				    step->elapsed_seconds);
		restore_exit(job, &step->end);
	}
	sum_use(job);
	job->used.is_cpu_impossible |=
		is_too_much(job->used.cpu_usec, job->allocated.cpus,
			    job->elapsed_seconds);
	restore_exit(job, &job->end);
}
