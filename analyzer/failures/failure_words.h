/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failures and retries in words and in JSON, for reports over many jobs.
 * Names of users are not escaped; callers that print them have to.
 */
#ifndef SW_ANALYZER_FAILURE_WORDS_H
#define SW_ANALYZER_FAILURE_WORDS_H

#include "analyzer/failures/failures.h"
#include "analyzer/retries/retries.h"

struct json_object;

enum { SW_FAILURE_WORDS_SIZE = 1024 };

/* "bwa ended with exit code 3", "ran out of memory". */
char *sw_failure_cause_words(char *buf, size_t size,
			     const struct sw_failure_row *row);

/*
 * Format "7 of 60 jobs of align of alice: bwa ended with exit code 3, on node
 * n17 only (7 of 8 jobs there, 0 of 52 elsewhere)."
 */
char *sw_failure_words(char *buf, size_t size,
		       const struct sw_failure_row *row);

/*
 * Format "align of alice ran out of memory with 4.0 GiB and 8.0 GiB, and
 * completed with 16 GiB (jobs 1, 2, 3)."
 */
char *sw_retry_words(char *buf, size_t size,
		     const struct sw_retry_chain *chain);

/*
 * {cluster, group, user, users, program, message, cause, exit_code, signal,
 * jobs, of_jobs, core_seconds, gib_seconds, example_job_id, first_end, last_end, node {name,
 * failures, jobs, other_failures, other_jobs, chance}}
 */
void sw_failure_json(struct json_object *object,
		     const struct sw_failure_row *row);

/*
 * {cluster, user, name, folder, comment, element, outcome, requeued,
 * more_memory, more_time, repeated, lost {core_seconds, gib_seconds}, repeats
 * {...}, enough_memory_bytes, enough_limit_seconds, attempts[] {job_id, start,
 * end, state, exit_code, signal, memory_bytes, limit_seconds}}
 */
void sw_retry_json(struct json_object *object,
		   const struct sw_retry_chain *chain);

#endif
