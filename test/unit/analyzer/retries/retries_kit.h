/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attempts and chains for tests, created for each. */
#ifndef SW_TEST_RETRIES_KIT_H
#define SW_TEST_RETRIES_KIT_H

#include <check.h>

#include "analyzer/retries/retries.h"
#include "test/unit/analyzer/retries/job_kit.h"

extern struct sw_retries kit_retries;
extern struct sw_retry_chains kit_chains;

/* Start without any job, and free everything: around each test. */
void kit_begin(void);
void kit_end(void);

void kit_add(struct sw_job_record job);

/* Update kit_chains to this time. */
void kit_look(uint64_t now);
const struct sw_retry_chain *kit_only_chain(uint64_t now);

/* Jobs with this much memory: not enough, or enough. */
struct sw_job_record kit_oom(uint64_t id, uint64_t submit, uint64_t end_seconds,
			     uint64_t gib);
struct sw_job_record kit_fine(uint64_t id, uint64_t submit, uint64_t end_seconds,
			      uint64_t gib);
struct sw_job_record kit_failed(uint64_t id, uint64_t submit, uint64_t end_seconds,
				uint64_t code);

/* A case whose tests begin without any job. */
TCase *kit_retries_case(const char *name);

/* The exit status of a test program that runs this case. */
int kit_run(TCase *tcase);

#endif
