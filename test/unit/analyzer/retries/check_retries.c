/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Planted chains, and similar cases. */
#include "analyzer/retries/lineage.h"
#include "common/units.h"
#include "test/unit/analyzer/retries/retries_kit.h"

enum { NOW = 100000, LATER = 1000000 };

/* The latest first. */
START_TEST(out_of_memory)
{
	const struct sw_retry_chain *chain;

	kit_add(kit_fine(3, 3000, 4010, 16));
	kit_add(kit_oom(2, 1500, 2510, 8));
	kit_add(kit_oom(1, 0, 1010, 4));
	chain = kit_only_chain(NOW);
	ck_assert_uint_eq(chain->count, 3);
	ck_assert_uint_eq(chain->more_memory, 2);
	ck_assert_uint_eq(chain->kinds, SW_RETRY_MORE_MEMORY);
	ck_assert_int_eq(chain->outcome, SW_RETRY_COMPLETED);
	ck_assert_uint_eq(chain->lost.core_seconds, 8000);
	ck_assert_uint_eq(chain->lost.mib_seconds, 12 * 1024 * 1000);
	ck_assert_uint_eq(chain->enough_memory_bytes, 16 * SW_GIB);
	ck_assert(sw_is_missing(chain->enough_limit_seconds));
	ck_assert_str_eq(chain->names.name, "align");
	ck_assert_str_eq(chain->names.user, "alice");
}
END_TEST

START_TEST(not_yet_and_given_up)
{
	kit_add(kit_oom(1, 0, 1010, 4));
	kit_add(kit_oom(2, 1500, 2510, 8));
	ck_assert_int_eq(kit_only_chain(NOW)->outcome, SW_RETRY_FAILING);
	ck_assert(sw_is_missing(kit_chains.items[0].enough_memory_bytes));
	ck_assert_int_eq(kit_only_chain(LATER)->outcome, SW_RETRY_GIVEN_UP);
	kit_add(kit_with_gib(kit_job(3, 3000, 3500, SW_JOB_CANCELLED), 16));
	ck_assert_int_eq(kit_only_chain(NOW)->outcome, SW_RETRY_CANCELLED);
}
END_TEST

START_TEST(time_limit)
{
	struct sw_job_record more = kit_fine(2, 40000, 90000, 4);

	kit_add(kit_job(1, 0, 36010, SW_JOB_TIMEOUT));
	more.limit_seconds = 72000;
	kit_add(more);
	ck_assert_uint_eq(kit_only_chain(NOW)->kinds, SW_RETRY_MORE_TIME);
	ck_assert_uint_eq(kit_chains.items[0].enough_limit_seconds, 72000);
}
END_TEST

START_TEST(requeued)
{
	struct sw_job_record again = kit_job(1, 0, 3000, SW_JOB_COMPLETED);

	/* Slurm keeps the first submission. */
	again.start_seconds = 1500;
	kit_add(again);
	kit_add(kit_job(1, 0, 1010, SW_JOB_NODE_FAIL));
	ck_assert_uint_eq(kit_only_chain(NOW)->kinds, SW_RETRY_REQUEUED);
	ck_assert_uint_eq(kit_chains.items[0].requeued, 1);
	ck_assert_uint_eq(kit_chains.items[0].lost.core_seconds, 4000);
}
END_TEST

START_TEST(repeated)
{
	const struct sw_retry_chain *chain;

	kit_add(kit_failed(1, 0, 110, 3));
	kit_add(kit_failed(2, 115, 225, 3));
	kit_add(kit_failed(3, 230, 340, 3));
	chain = kit_only_chain(NOW);
	ck_assert_uint_eq(chain->kinds, SW_RETRY_REPEATED);
	ck_assert_uint_eq(chain->repeated, 2);
	ck_assert_uint_eq(chain->lost.core_seconds, 1200);
	ck_assert_uint_eq(chain->repeats.core_seconds, 800);
	/* The following run belongs to it. */
	kit_add(kit_fine(4, 9000, 9500, 4));
	chain = kit_only_chain(NOW);
	ck_assert_uint_eq(chain->count, 4);
	ck_assert_int_eq(chain->outcome, SW_RETRY_COMPLETED);
	ck_assert(sw_is_missing(chain->enough_memory_bytes));
}
END_TEST

START_TEST(repeated_without_memory)
{
	kit_add(kit_oom(1, 0, 110, 4));
	kit_add(kit_oom(2, 115, 225, 4));
	kit_add(kit_fine(3, 900, 1000, 8));
	ck_assert_uint_eq(kit_only_chain(NOW)->kinds,
			  SW_RETRY_REPEATED | SW_RETRY_MORE_MEMORY);
	ck_assert_uint_eq(kit_chains.items[0].repeated, 1);
}
END_TEST

/* Somebody may have changed the script: no conclusion. */
START_TEST(script_may_have_changed)
{
	kit_add(kit_failed(1, 0, 110, 3));
	kit_add(kit_failed(2, 900, 1010, 3));
	kit_add(kit_fine(3, 2000, 2500, 4));
	kit_look(NOW);
	ck_assert_uint_eq(kit_chains.count, 0);
}
END_TEST

static void plant_other(const struct sw_job_record *second)
{
	kit_add(kit_failed(1, 0, 110, 3));
	kit_add(*second);
	kit_look(NOW);
	ck_assert_uint_eq(kit_chains.count, 0);
}

START_TEST(another_end)
{
	const struct sw_job_record second = kit_failed(2, 115, 225, 4);

	plant_other(&second);
}
END_TEST

START_TEST(another_request)
{
	struct sw_job_record second = kit_failed(2, 115, 225, 3);

	second.requested.text = "cpu=4,mem=4G,node=1,gres/gpu=1";
	plant_other(&second);
}
END_TEST

START_TEST(another_folder)
{
	struct sw_job_record second = kit_failed(2, 115, 225, 3);

	second.work_dir = "/home/alice/other";
	plant_other(&second);
}
END_TEST

START_TEST(another_user)
{
	struct sw_job_record second = kit_failed(2, 115, 225, 3);

	second.user = "bob";
	plant_other(&second);
}
END_TEST

START_TEST(another_task)
{
	struct sw_job_record second = kit_failed(2, 115, 225, 3);

	second.comment = "rule_align_wildcards_s2";
	plant_other(&second);
}
END_TEST

START_TEST(cancelled)
{
	const struct sw_job_record second =
		kit_job(2, 115, 225, SW_JOB_CANCELLED);

	plant_other(&second);
}
END_TEST

/* A step of another name failed. */
START_TEST(another_step)
{
	struct sw_step_record step = {
		.name = "bwa", .end = { SW_JOB_FAILED, SW_MISSING, 3, 0 }
	};
	struct sw_job_record second = kit_failed(2, 115, 225, 3);

	second.steps = &step;
	second.step_count = 1;
	plant_other(&second);
}
END_TEST

/* Points of a scan: the same name, at the same time. */
START_TEST(parameter_scan)
{
	kit_add(kit_fine(1, 0, 1000, 4));
	kit_add(kit_oom(2, 0, 500, 4));
	kit_add(kit_fine(3, 1, 900, 4));
	kit_add(kit_fine(4, 600, 1500, 8));
	kit_look(NOW);
	ck_assert_uint_eq(kit_chains.count, 0);
}
END_TEST

/* A driver that keeps two points of a scan running, all of which fail. */
START_TEST(scan_of_two_at_a_time)
{
	uint64_t i;

	for (i = 0; i < 20; i++)
		kit_add(kit_failed(1 + i, 50 * i, 50 * i + 100, 1));
	kit_look(NOW);
	ck_assert_uint_eq(kit_chains.count, 0);
}
END_TEST

/* The next point after a failed one, with the same memory. */
START_TEST(scan_one_by_one)
{
	kit_add(kit_oom(1, 0, 110, 4));
	kit_add(kit_fine(2, 115, 225, 4));
	kit_add(kit_failed(3, 230, 340, 2));
	kit_add(kit_fine(4, 345, 500, 4));
	kit_look(NOW);
	ck_assert_uint_eq(kit_chains.count, 0);
}
END_TEST

START_TEST(again_after_success)
{
	kit_add(kit_fine(1, 0, 110, 4));
	kit_add(kit_fine(2, 115, 225, 8));
	kit_add(kit_oom(3, 230, 340, 4));
	kit_look(NOW);
	ck_assert_uint_eq(kit_chains.count, 0);
}
END_TEST

/* It writes a checkpoint, ends just before its limit, and continues. */
START_TEST(goes_on)
{
	struct sw_job_record job = kit_failed(1, 0, 35000, 85);

	kit_add(job);
	job = kit_failed(2, 35001, 70001, 85);
	kit_add(job);
	kit_add(kit_job(3, 70010, 106020, SW_JOB_TIMEOUT));
	kit_add(kit_job(4, 106030, 142040, SW_JOB_TIMEOUT));
	kit_look(2 * NOW);
	ck_assert_uint_eq(kit_chains.count, 0);
}
END_TEST

/* Two jobs that resemble a retry but are none; removed afterwards. */
static void ck_no_retry(struct sw_job_record first, struct sw_job_record second)
{
	kit_add(first);
	kit_add(second);
	kit_look(NOW);
	ck_assert_uint_eq(kit_chains.count, 0);
	kit_end();
	kit_begin();
}

/* The second had more of something that the first did not lack. */
START_TEST(more_than_was_lacking)
{
	struct sw_job_record more = kit_with_gib(kit_fine(2, 900, 1500, 4), 8);

	ck_no_retry(kit_failed(1, 0, 110, 3), more);
	more = kit_fine(2, 900, 1500, 4);
	more.limit_seconds = 72000;
	ck_no_retry(kit_failed(1, 0, 110, 3), more);
}
END_TEST

/* Days later it is unrelated. */
START_TEST(much_later)
{
	ck_no_retry(kit_oom(1, 0, 110, 4), kit_fine(2, LATER, LATER + 500, 8));
}
END_TEST

/* It was queued while the first one ran: a point of a scan. */
START_TEST(submitted_meanwhile)
{
	struct sw_job_record second = kit_fine(2, 500, 2000, 8);

	second.start_seconds = 1200;
	ck_no_retry(kit_oom(1, 0, 1010, 4), second);
}
END_TEST

/* A person ran it again, though there was nothing to retry. */
START_TEST(again_by_hand)
{
	ck_no_retry(kit_job(1, 0, 110, SW_JOB_CANCELLED),
		    kit_job(1, 115, 300, SW_JOB_COMPLETED));
	ck_no_retry(kit_job(1, 0, 110, SW_JOB_COMPLETED),
		    kit_job(1, 115, 300, SW_JOB_COMPLETED));
}
END_TEST

/* Each change alone makes the second another request. */
START_TEST(one_thing_changed)
{
	struct sw_job_record second = kit_failed(2, 115, 225, 3);

	second.allocated.cpus = second.requested.cpus = 8;
	ck_no_retry(kit_failed(1, 0, 110, 3), second);
	second = kit_failed(2, 115, 225, 3);
	second.limit_seconds = 7200;
	ck_no_retry(kit_failed(1, 0, 110, 3), second);
	ck_no_retry(kit_failed(1, 0, 110, 3),
		    kit_with_gib(kit_failed(2, 115, 225, 3), 8));
	second = kit_failed(2, 115, 225, 0);
	second.end.signal = 9;
	ck_no_retry(kit_failed(1, 0, 110, 0), second);
}
END_TEST

/* More memory at once is no repetition of the same. */
START_TEST(more_memory_at_once)
{
	kit_add(kit_oom(1, 0, 110, 4));
	kit_add(kit_oom(2, 115, 225, 8));
	ck_assert_uint_eq(kit_only_chain(NOW)->kinds, SW_RETRY_MORE_MEMORY);
}
END_TEST

/* A request that failed once is not called enough. */
START_TEST(not_surely_enough)
{
	struct sw_job_record job;

	kit_add(kit_oom(1, 0, 1010, 4));
	kit_add(kit_oom(2, 1500, 2510, 8));
	kit_add(kit_fine(3, 3000, 4010, 8));
	ck_assert_uint_eq(kit_only_chain(NOW)->count, 3);
	ck_assert(sw_is_missing(kit_chains.items[0].enough_memory_bytes));
	kit_end();
	kit_begin();
	kit_add(kit_job(1, 0, 36010, SW_JOB_TIMEOUT));
	job = kit_job(2, 36020, 50000, SW_JOB_TIMEOUT);
	job.limit_seconds = 72000;
	kit_add(job);
	job = kit_fine(3, 50010, 60000, 4);
	job.limit_seconds = 72000;
	kit_add(job);
	ck_assert_uint_eq(kit_only_chain(NOW)->count, 3);
	ck_assert(sw_is_missing(kit_chains.items[0].enough_limit_seconds));
}
END_TEST

START_TEST(no_limit_is_no_limit)
{
	struct sw_job_record job = kit_fine(2, 36020, 90000, 4);

	kit_add(kit_job(1, 0, 36010, SW_JOB_TIMEOUT));
	job.limit_kind = SW_TIME_LIMIT_UNLIMITED;
	job.limit_seconds = SW_MISSING;
	kit_add(job);
	ck_assert_uint_eq(kit_only_chain(NOW)->kinds, SW_RETRY_MORE_TIME);
	ck_assert(sw_is_missing(kit_chains.items[0].enough_limit_seconds));
}
END_TEST

/* Another run follows them, and does not belong to them. */
START_TEST(outcome_is_not_known)
{
	kit_add(kit_oom(1, 0, 110, 4));
	kit_add(kit_oom(2, 1500, 2510, 8));
	kit_add(kit_fine(3, LATER, LATER + 100, 8));
	ck_assert_int_eq(kit_only_chain(LATER + 200)->outcome, SW_RETRY_UNKNOWN);
}
END_TEST

/* Slurm lacks the user's name. */
START_TEST(without_user)
{
	struct sw_job_record first = kit_oom(1, 0, 110, 4);
	struct sw_job_record second = kit_fine(2, 900, 1500, 8);

	first.user = second.user = "";
	second.key.uid = 1001;
	ck_no_retry(first, second);
}
END_TEST

#define TASK "0123456789abcdef0123456789abcd"

START_TEST(folder_of_all_attempts)
{
	static const struct {
		const char *name, *folder;
		size_t size;
	} rows[] = {
		{ "nf-a", "/w/work/3f/" TASK, 7 },
		{ "a", "/w/work/3f/" TASK, 41 },
		{ "nf-a", "/w/work_3f/" TASK, 41 },
		{ "nf-a", "/w/work/3g/" TASK, 41 },
		{ "nf-a", "/w/work/3f_" TASK, 41 },
		{ "nf-a", "/w/work/3f/g" TASK, 42 },
		{ "nf-a", "/w/work/3f/x123456789abcdef0123456789abcd", 41 },
		{ "nf-a", TASK, 30 },
		{ "nf-a", "", 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_uint_eq(
			sw_lineage_folder_size(rows[i].name, rows[i].folder),
			rows[i].size);
}
END_TEST

START_TEST(elements_on_their_own)
{
	kit_add(kit_element(kit_failed(11, 0, 100, 1), 10, 1));
	kit_add(kit_element(kit_failed(12, 101, 200, 1), 10, 2));
	kit_add(kit_element(kit_failed(13, 201, 300, 1), 10, 3));
	kit_look(NOW);
	ck_assert_uint_eq(kit_chains.count, 0);
	/* An element is retried, as an element of another array. */
	kit_add(kit_element(kit_failed(22, 210, 310, 1), 20, 2));
	ck_assert_str_eq(kit_only_chain(NOW)->names.element, "2");
}
END_TEST

START_TEST(workflow_task)
{
	struct sw_job_record first = kit_oom(1, 0, 110, 4);
	struct sw_job_record second = kit_fine(2, 115, 225, 8);

	first.name = second.name = "nf-ALIGN_(s1)";
	first.work_dir = "/w/work/3f/0123456789abcdef0123456789abcd";
	second.work_dir = "/w/work/a0/ffff456789abcdef0123456789abcd";
	kit_add(first);
	kit_add(second);
	ck_assert_str_eq(kit_only_chain(NOW)->names.folder, "/w/work");
}
END_TEST

START_TEST(never_ran)
{
	struct sw_job_record job = kit_job(1, 0, 100, SW_JOB_CANCELLED);

	job.start_seconds = SW_MISSING;
	kit_add(job);
	ck_assert_uint_eq(kit_retries.never_ran, 1);
	ck_assert_uint_eq(kit_retries.lineages.count, 0);
}
END_TEST

START_TEST(added_twice)
{
	kit_add(kit_oom(1, 0, 110, 4));
	kit_add(kit_oom(1, 0, 110, 4));
	kit_add(kit_fine(2, 115, 225, 8));
	kit_add(kit_fine(2, 115, 225, 8));
	ck_assert_uint_eq(kit_only_chain(NOW)->count, 2);
}
END_TEST

/* A forgotten run still counts as concurrent. */
START_TEST(crowded_and_forgotten)
{
	kit_add(kit_fine(1, 0, 500, 4));
	kit_add(kit_oom(2, 0, 1000, 4));
	sw_retries_settle(&kit_retries, 1000 + 86400 + 1);
	kit_add(kit_fine(3, 1100, 1000 + 86400 + 2, 8));
	kit_look(2 * NOW);
	ck_assert_uint_eq(kit_chains.count, 0);
}
END_TEST

int main(void)
{
	TCase *tcase = kit_retries_case("retries");

	tcase_add_test(tcase, out_of_memory);
	tcase_add_test(tcase, not_yet_and_given_up);
	tcase_add_test(tcase, time_limit);
	tcase_add_test(tcase, requeued);
	tcase_add_test(tcase, repeated);
	tcase_add_test(tcase, repeated_without_memory);
	tcase_add_test(tcase, script_may_have_changed);
	tcase_add_test(tcase, another_end);
	tcase_add_test(tcase, another_request);
	tcase_add_test(tcase, another_folder);
	tcase_add_test(tcase, another_user);
	tcase_add_test(tcase, another_task);
	tcase_add_test(tcase, another_step);
	tcase_add_test(tcase, cancelled);
	tcase_add_test(tcase, parameter_scan);
	tcase_add_test(tcase, scan_of_two_at_a_time);
	tcase_add_test(tcase, scan_one_by_one);
	tcase_add_test(tcase, again_after_success);
	tcase_add_test(tcase, goes_on);
	tcase_add_test(tcase, more_than_was_lacking);
	tcase_add_test(tcase, much_later);
	tcase_add_test(tcase, submitted_meanwhile);
	tcase_add_test(tcase, again_by_hand);
	tcase_add_test(tcase, one_thing_changed);
	tcase_add_test(tcase, more_memory_at_once);
	tcase_add_test(tcase, not_surely_enough);
	tcase_add_test(tcase, no_limit_is_no_limit);
	tcase_add_test(tcase, outcome_is_not_known);
	tcase_add_test(tcase, without_user);
	tcase_add_test(tcase, folder_of_all_attempts);
	tcase_add_test(tcase, elements_on_their_own);
	tcase_add_test(tcase, workflow_task);
	tcase_add_test(tcase, never_ran);
	tcase_add_test(tcase, added_twice);
	tcase_add_test(tcase, crowded_and_forgotten);
	return kit_run(tcase);
}
