/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of jobs for tests: alice's "align" with 4 CPUs and 4 GiB. */
#ifndef SW_TEST_JOB_KIT_H
#define SW_TEST_JOB_KIT_H

#include "analyzer/accounting/job_record.h"

/* Ran from 10 s after its submission; the rest is default. */
struct sw_job_record kit_job(uint64_t id, uint64_t submit, uint64_t end,
			     enum sw_job_state state);

/* Set the memory of a job. */
struct sw_job_record kit_with_gib(struct sw_job_record job, uint64_t gib);

struct sw_job_record kit_exit(struct sw_job_record job, uint64_t code);
struct sw_job_record kit_element(struct sw_job_record job, uint64_t array,
				 uint64_t element);
struct sw_job_record kit_on_node(struct sw_job_record job, const char *node);

#endif
