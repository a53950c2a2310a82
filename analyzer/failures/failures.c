/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Count jobs in cells; merge, write and read them. */
#include "analyzer/failures/failures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/record_end.h"
#include "analyzer/failures/evidence.h"
#include "analyzer/failures/failure_cell.h"
#include "analyzer/keyed/pack.h"
#include "analyzer/retries/lineage.h"

enum { HASH_SIZE = 20, NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

const struct sw_failure_settings sw_failure_defaults = {
	.about_same_time_seconds = 600,
	.node_failures_min = 3,
	.node_times_min = 3,
	.node_chance_max_ratio = 0.001,
};

void sw_failures_init(struct sw_failures *failures,
		      const struct sw_failure_settings *settings)
{
	*failures = (struct sw_failures){
		.settings = settings ? *settings : sw_failure_defaults,
	};
}

static enum sw_failure_class class_of_end(const struct sw_record_end *end)
{
	if (!sw_is_missing(end->signal) && end->signal)
		return SW_FAILURE_SIGNAL;
	if (end->exit_code == NOT_FOUND)
		return SW_FAILURE_NOT_FOUND;
	if (end->exit_code == NOT_EXECUTABLE)
		return SW_FAILURE_NOT_EXECUTABLE;
	return SW_FAILURE_EXIT;
}

const char *sw_failure_message(const char *cause)
{
	static const struct {
		const char *cause, *words;
	} messages[] = {
		{ "missing_file", "a file was missing" },
		{ "permission", "permission denied" },
		{ "no_space", "no space left on the file system" },
		{ "quota", "the disk quota was exceeded" },
		{ "library", "a library was missing" },
		{ "interpreter", "the interpreter of a script was missing" },
		{ "program", "a program was missing" },
		{ "memory", "not enough memory" },
		{ "refused", "a connection was refused" },
		{ "io_error", "input/output error" },
		{ "crash", "" }, /* shown by the signal */
	};
	size_t i;

	for (i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		if (!strcmp(messages[i].cause, cause))
			return messages[i].words;
	}
	return NULL;
}

/* False if ended by a user, or by the scheduler for another job. */
static bool class_of(const struct sw_job_record *job,
		     const struct sw_record_end *end,
		     enum sw_failure_class *class)
{
	switch (sw_job_state_end(job->end.state)) {
	case SW_JOB_END_COMPLETED:
		*class = end == &job->end ? SW_FAILURE_NONE : class_of_end(end);
		if (sw_record_is_silent_oom(job))
			*class = SW_FAILURE_OUT_OF_MEMORY;
		return true;
	case SW_JOB_END_OUT_OF_MEMORY:
		*class = SW_FAILURE_OUT_OF_MEMORY;
		return true;
	case SW_JOB_END_FAILED:
		*class = sw_job_record_is_out_of_memory(job)
				 ? SW_FAILURE_OUT_OF_MEMORY
				 : class_of_end(end);
		return true;
	case SW_JOB_END_TIME:
		*class = SW_FAILURE_TIME_LIMIT;
		return true;
	case SW_JOB_END_DEADLINE:
		*class = SW_FAILURE_DEADLINE;
		return true;
	case SW_JOB_END_NODE:
		*class = SW_FAILURE_NODE;
		return true;
	default:
		return false;
	}
}

/* "": several nodes, any of which may be at fault, or none known. */
static const char *node_of(const struct sw_job_record *job)
{
	return job->node_count == 1 && !sw_is_missing(job->start_seconds)
		       ? job->node_list
		       : "";
}

/* "" for the batch script, which has many names. */
static const char *program_of(const struct sw_failure_case *failure,
			      const struct sw_step_record *step)
{
	if (failure->program)
		return failure->program;
	return step && strcmp(step->id.step, "batch") != 0 ? step->name : "";
}

/* Hash of what the attempts have in common. */
static int hash_lineage(char buf[HASH_SIZE], const struct sw_job_record *job)
{
	size_t size;
	char *key = sw_lineage_key(job, &size);

	if (!key)
		return -1;
	snprintf(buf, HASH_SIZE, "%016llx",
		 (unsigned long long)sw_keyed_hash(key, size));
	free(key);
	return 0;
}

static struct sw_cell_sums sums_of(const struct sw_job_record *job)
{
	/* What completed all the same is not lost. */
	if (job->end.state == SW_JOB_COMPLETED)
		return (struct sw_cell_sums){
			.count = 1,
			.example_job_id = job->key.job_id,
			.first_end_seconds = job->end_seconds,
			.last_end_seconds = sw_zero_if_missing(job->end_seconds),
		};
	return (struct sw_cell_sums){
		.count = 1,
		.core_seconds =
			sw_zero_if_missing(sw_job_record_core_seconds(job)),
		.mib_seconds =
			sw_zero_if_missing(sw_job_record_mib_seconds(job)),
		.example_job_id = job->key.job_id,
		.first_end_seconds = job->end_seconds,
		.last_end_seconds = sw_zero_if_missing(job->end_seconds),
	};
}

/* Count the job for the rows. */
static int add_cell(struct sw_keyed *cells,
		    const char *const text[SW_CELL_TEXTS],
		    const struct sw_cell_numbers *numbers,
		    const struct sw_cell_sums *sums)
{
	size_t size;
	char *key = sw_cell_key(text, numbers, &size);
	int rc;

	if (!key)
		return -1;
	rc = sw_cell_add(cells, key, size, sums);
	free(key);
	return rc;
}

/* Add its node and stratum; lineage is "" unless the job failed. */
static int add_evidence(struct sw_failures *failures,
			const struct sw_job_record *job,
			const char *text[SW_CELL_TEXTS],
			struct sw_cell_numbers *numbers)
{
	size_t size = strlen(job->partition) + strlen(job->requested.text) + 2;
	char *request = malloc(size);
	int rc;

	if (!request)
		return -1;
	snprintf(request, size, "%s %s", job->partition, job->requested.text);
	text[SW_CELL_REQUEST] = request;
	if (!sw_is_missing(job->start_seconds))
		numbers->time = job->start_seconds /
				failures->settings.about_same_time_seconds;
	rc = sw_evidence_add_job(&failures->evidence, text, numbers);
	free(request);
	return rc;
}

static int add_job(struct sw_failures *failures,
		   const struct sw_job_record *job,
		   const char *text[SW_CELL_TEXTS],
		   struct sw_cell_numbers *numbers)
{
	const struct sw_cell_sums sums = sums_of(job);
	char lineage[HASH_SIZE];

	if (add_cell(&failures->cells, text, numbers, &sums) < 0)
		return -1;
	if (!*text[SW_CELL_NODE])
		return 0;
	if (numbers->class != SW_FAILURE_NONE) {
		if (hash_lineage(lineage, job) < 0)
			return -1;
		text[SW_CELL_LINEAGE] = lineage;
	}
	return add_evidence(failures, job, text, numbers);
}

int sw_failures_add(struct sw_failures *failures,
		    const struct sw_failure_case *failure)
{
	const struct sw_job_record *job = failure->job;
	const struct sw_step_record *step = sw_record_failed_step(job);
	const struct sw_record_end *end = step ? &step->end : &job->end;
	const char *text[SW_CELL_TEXTS] = {
		job->cluster, failure->group, "", "", node_of(job), "", "",
		job->user,
	};
	struct sw_cell_numbers numbers = { 0 };
	enum sw_failure_class class;

	if (job->is_rest_of_array || !class_of(job, end, &class)) {
		failures->left_out++;
		return 0;
	}
	numbers.class = class;
	if (class != SW_FAILURE_NONE) {
		text[SW_CELL_PROGRAM] = program_of(failure, step);
		text[SW_CELL_MESSAGE] = sw_text(failure->message);
	}
	if (class == SW_FAILURE_EXIT)
		numbers.exit_code = end->exit_code;
	if (class == SW_FAILURE_SIGNAL)
		numbers.signal = end->signal;
	return add_job(failures, job, text, &numbers);
}

int sw_failures_merge(struct sw_failures *failures,
		      const struct sw_failures *other)
{
	const struct sw_failure_cell *cell;
	size_t i;

	failures->left_out += other->left_out;
	for (i = 0; i < other->cells.room; i++) {
		cell = sw_cell_of(other->cells.slots[i]);
		if (cell && sw_cell_add(&failures->cells, cell->key,
					cell->entry.key_size, &cell->sums) < 0)
			return -1;
	}
	return sw_evidence_merge(&failures->evidence, &other->evidence);
}

uint8_t *sw_failures_write(const struct sw_failures *failures,
			   size_t *size_bytes)
{
	struct sw_keyed_entry **sorted = sw_keyed_sorted(&failures->cells);
	struct sw_pack pack = { 0 };
	int rc;

	if (!sorted)
		return NULL;
	sw_pack_number(&pack, SW_FAILURES_VERSION);
	sw_pack_number(&pack, failures->left_out);
	sw_cells_write(&failures->cells, sorted, &pack);
	free(sorted);
	rc = sw_evidence_write(&failures->evidence, &pack);
	if (rc < 0 || pack.is_short) {
		free(pack.bytes);
		return NULL;
	}
	*size_bytes = pack.size;
	return pack.bytes;
}

static int read_cells(struct sw_failures *failures, struct sw_unpack *unpack)
{
	uint64_t count = sw_unpack_number(unpack);
	struct sw_cell_sums sums;
	const char *key;
	size_t size;

	for (; count > 0; count--) {
		if (sw_cell_read(unpack, &key, &size, &sums) < 0 ||
		    sw_cell_add(&failures->cells, key, size, &sums) < 0)
			return -1;
	}
	return 0;
}

int sw_failures_read(struct sw_failures *failures, const uint8_t *bytes,
		     size_t size_bytes)
{
	struct sw_unpack unpack = { .at = bytes, .end = bytes + size_bytes };
	uint64_t version = sw_unpack_number(&unpack);

	errno = EINVAL;
	if (version != SW_FAILURES_VERSION)
		return -1;
	failures->left_out += sw_unpack_number(&unpack);
	if (read_cells(failures, &unpack) < 0 ||
	    sw_evidence_read(&failures->evidence, &unpack) < 0)
		return -1;
	errno = EINVAL;
	return unpack.is_bad || unpack.at != unpack.end ? -1 : 0;
}

void sw_failures_fini(struct sw_failures *failures)
{
	sw_keyed_fini(&failures->cells, NULL);
	sw_evidence_fini(&failures->evidence);
}
