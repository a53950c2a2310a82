/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make an attempt from a job's record. */
#include "analyzer/retries/attempt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/record_end.h"
#include "common/units.h"

bool sw_attempt_is_one(const struct sw_job_record *job)
{
	/* A missing start is later than any end. */
	return !job->is_rest_of_array && !sw_is_missing(job->end_seconds) &&
	       job->end_seconds >= job->start_seconds;
}

bool sw_job_record_is_out_of_memory(const struct sw_job_record *job)
{
	size_t i;

	if (job->end.state == SW_JOB_COMPLETED)
		return false;
	if (sw_record_end_is_oom(&job->end))
		return true;
	for (i = 0; i < job->step_count; i++) {
		if (sw_record_end_is_oom(&job->steps[i].end))
			return true;
	}
	return false;
}

static uint64_t known(uint64_t value, uint64_t other)
{
	return sw_is_missing(value) ? other : value;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	if (sw_is_missing(a) || sw_is_missing(b) ||
	    __builtin_mul_overflow(a, b, &product))
		return SW_MISSING;
	return product;
}

static uint64_t seconds_of(const struct sw_job_record *job)
{
	if (sw_is_missing(job->start_seconds) ||
	    sw_is_missing(job->end_seconds))
		return job->elapsed_seconds;
	return known(job->elapsed_seconds,
		     job->end_seconds - job->start_seconds);
}

static uint64_t memory_of(const struct sw_job_record *job)
{
	return known(job->allocated.memory_bytes, job->requested.memory_bytes);
}

uint64_t sw_job_record_core_seconds(const struct sw_job_record *job)
{
	return times(known(job->allocated.cpus, job->requested.cpus),
		     seconds_of(job));
}

uint64_t sw_job_record_mib_seconds(const struct sw_job_record *job)
{
	uint64_t bytes = memory_of(job);

	return sw_is_missing(bytes) ? SW_MISSING
				    : times(bytes / SW_MIB, seconds_of(job));
}

static uint64_t of_each_node(const struct sw_job_record *job, uint64_t all)
{
	uint64_t nodes = known(job->node_count, 1);

	return sw_is_missing(all) ? SW_MISSING : all / (nodes ? nodes : 1);
}

static uint64_t limit_of(const struct sw_job_record *job)
{
	return job->limit_kind == SW_TIME_LIMIT_SET ? job->limit_seconds :
	       job->limit_kind == SW_TIME_LIMIT_UNLIMITED ?
		       SW_ATTEMPT_UNLIMITED : SW_MISSING;
}

static struct sw_attempt_numbers numbers_of(const struct sw_job_record *job)
{
	return (struct sw_attempt_numbers){
		.job_id = job->key.job_id,
		.array_job_id = job->key.array_job_id,
		.array_task_id = job->key.array_task_id,
		.submit_seconds = job->submit_seconds,
		.start_seconds = job->start_seconds,
		.end_seconds = job->end_seconds,
		.state = job->end.state,
		.exit_code = job->end.exit_code,
		.signal = job->end.signal,
		.is_out_of_memory = sw_job_record_is_out_of_memory(job),
		.cpus = known(job->allocated.cpus, job->requested.cpus),
		.memory_bytes = of_each_node(job, memory_of(job)),
		.limit_seconds = limit_of(job),
		.core_seconds = sw_job_record_core_seconds(job),
		.mib_seconds = sw_job_record_mib_seconds(job),
	};
}

static struct sw_attempt *make(const struct sw_attempt_numbers *numbers,
			       size_t texts_size)
{
	struct sw_attempt *attempt = malloc(sizeof(*attempt) + texts_size);

	if (!attempt)
		return NULL;
	*attempt = (struct sw_attempt){
		.n = *numbers,
		.texts_size = texts_size,
	};
	return attempt;
}

static void point(struct sw_attempt *attempt)
{
	attempt->request = attempt->texts;
	attempt->step = attempt->texts + strlen(attempt->texts) + 1;
}

/* The partition is part of the request: it selects the nodes. */
struct sw_attempt *sw_attempt_new(const struct sw_job_record *job)
{
	const struct sw_step_record *failed = sw_record_failed_step(job);
	const struct sw_attempt_numbers numbers = numbers_of(job);
	const char *step = failed ? failed->name : "";
	size_t partition = strlen(job->partition);
	size_t tres = strlen(job->requested.text);
	struct sw_attempt *attempt;

	attempt = make(&numbers, partition + tres + strlen(step) + 3);
	if (!attempt)
		return NULL;
	memcpy(attempt->texts, job->partition, partition);
	attempt->texts[partition] = ' ';
	strcpy(attempt->texts + partition + 1, job->requested.text);
	strcpy(attempt->texts + partition + tres + 2, step);
	point(attempt);
	return attempt;
}

struct sw_attempt *sw_attempt_make(const struct sw_attempt_numbers *numbers,
				   const char *texts, size_t texts_size)
{
	struct sw_attempt *attempt;
	const char *first_end = memchr(texts, '\0', texts_size);

	if (!first_end ||
	    memchr(first_end + 1, '\0',
		   texts_size - (size_t)(first_end - texts) - 1) !=
		    texts + texts_size - 1) {
		errno = EINVAL;
		return NULL;
	}
	attempt = make(numbers, texts_size);
	if (!attempt)
		return NULL;
	memcpy(attempt->texts, texts, texts_size);
	point(attempt);
	return attempt;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int sw_attempt_compare(const struct sw_attempt *a, const struct sw_attempt *b)
{
	struct sw_attempt_numbers an = a->n, bn = b->n;
	int order = compare_numbers(an.end_seconds, bn.end_seconds);

	if (order == 0)
		order = compare_numbers(an.start_seconds, bn.start_seconds);
	if (order == 0)
		order = compare_numbers(an.job_id, bn.job_id);
	if (order == 0)
		order = compare_numbers(a->texts_size, b->texts_size);
	if (order)
		return order;
	an.is_crowded = bn.is_crowded = 0;
	order = memcmp(&an, &bn, sizeof(an));
	return order ? order : memcmp(a->texts, b->texts, a->texts_size);
}
