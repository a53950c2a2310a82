/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attempts and chains for tests. */
#include "test/run_tests.h"
#include "test/unit/analyzer/retries/retries_kit.h"


struct sw_retries kit_retries;
struct sw_retry_chains kit_chains;

void kit_begin(void)
{
	sw_retries_init(&kit_retries, NULL);
}

void kit_end(void)
{
	sw_retry_chains_fini(&kit_chains);
	sw_retries_fini(&kit_retries);
}

void kit_add(struct sw_job_record job)
{
	ck_assert_int_eq(sw_retries_add(&kit_retries, &job), 0);
}

void kit_look(uint64_t now)
{
	sw_retry_chains_fini(&kit_chains);
	ck_assert_int_eq(sw_retries_chains(&kit_retries, now, &kit_chains), 0);
}

const struct sw_retry_chain *kit_only_chain(uint64_t now)
{
	kit_look(now);
	ck_assert_uint_eq(kit_chains.count, 1);
	return &kit_chains.items[0];
}

struct sw_job_record kit_oom(uint64_t id, uint64_t submit, uint64_t end_seconds,
			     uint64_t gib)
{
	return kit_with_gib(kit_job(id, submit, end_seconds,
				    SW_JOB_OUT_OF_MEMORY), gib);
}

struct sw_job_record kit_fine(uint64_t id, uint64_t submit,
			      uint64_t end_seconds, uint64_t gib)
{
	return kit_with_gib(kit_job(id, submit, end_seconds, SW_JOB_COMPLETED),
			    gib);
}

struct sw_job_record kit_failed(uint64_t id, uint64_t submit,
				uint64_t end_seconds, uint64_t code)
{
	return kit_exit(kit_job(id, submit, end_seconds, SW_JOB_FAILED), code);
}

TCase *kit_retries_case(const char *name)
{
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, kit_begin, kit_end);
	return tcase;
}

int kit_run(TCase *tcase)
{
	return run_tests("retries", tcase, NULL);
}
