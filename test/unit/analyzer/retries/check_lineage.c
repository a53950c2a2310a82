/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Retries, condition by condition: each of these cases has another result if
 * one of the conditions is left out.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/keyed/pack.h"
#include "analyzer/retries/lineage.h"
#include "common/units.h"
#include "test/unit/analyzer/retries/retries_kit.h"

enum { NOW = 1000000, DAY = 86400, OOM_SIGNAL = 125 };

static size_t count_chains(void)
{
	kit_look(NOW);
	return kit_chains.count;
}

static struct sw_job_record failed(uint64_t id, uint64_t submit, uint64_t ended)
{
	return kit_failed(id, submit, ended, 3);
}

/* The kinds of the only chain of two jobs; 0: there is none. */
static unsigned kinds_of(struct sw_job_record first,
			 struct sw_job_record second)
{
	unsigned kinds;

	kit_end();
	kit_begin();
	kit_add(first);
	kit_add(second);
	kinds = count_chains() ? kit_chains.items[0].kinds : 0;
	ck_assert_uint_le(kit_chains.count, 1);
	return kinds;
}

/* --- two runs */

START_TEST(more_of_what_is_known)
{
	struct sw_job_record second = kit_fine(2, 900, 1500, 8);

	ck_assert_uint_eq(kinds_of(kit_oom(1, 0, 110, 4), second),
			  SW_RETRY_MORE_MEMORY);
	second.allocated.memory_bytes = SW_MISSING;
	second.requested.memory_bytes = SW_MISSING;
	ck_assert_uint_eq(kinds_of(kit_oom(1, 0, 110, 4), second), 0);
}
END_TEST

/* The same end, except for one thing. */
START_TEST(the_same_end)
{
	struct sw_step_record killed = {
		.id.step = "extern",
		.name = "extern",
		.end = { SW_JOB_OUT_OF_MEMORY, SW_MISSING, 1, 0 },
	};
	struct sw_job_record first = failed(1, 0, 110);
	struct sw_job_record second = failed(2, 115, 225);

	ck_assert_uint_eq(kinds_of(first, second), SW_RETRY_REPEATED);
	/* Both lack an exit code, or a signal, to compare. */
	first.end.exit_code = second.end.exit_code = SW_MISSING;
	ck_assert_uint_eq(kinds_of(first, second), 0);
	first = failed(1, 0, 110);
	second = failed(2, 115, 225);
	first.end.signal = second.end.signal = SW_MISSING;
	ck_assert_uint_eq(kinds_of(first, second), 0);
	/* A failed node is not the fault of the jobs. */
	first = failed(1, 0, 110);
	second = failed(2, 115, 225);
	first.end.state = second.end.state = SW_JOB_NODE_FAIL;
	ck_assert_uint_eq(kinds_of(first, second), 0);
	/*
	 * Slurm reports one's lack of memory by the state, the other's by the
	 * signal.
	 */
	first = failed(1, 0, 110);
	second = failed(2, 115, 225);
	first.end.signal = second.end.signal = OOM_SIGNAL;
	ck_assert_uint_eq(kinds_of(first, second), SW_RETRY_REPEATED);
	first.end.state = SW_JOB_OUT_OF_MEMORY;
	ck_assert_uint_eq(kinds_of(first, second), 0);
	/* The second ran out of memory. */
	first = failed(1, 0, 110);
	second = failed(2, 115, 225);
	second.steps = &killed;
	second.step_count = 1;
	ck_assert_uint_eq(kinds_of(first, second), 0);
}
END_TEST

/* If either used most of its time, it may have saved a checkpoint. */
START_TEST(either_may_have_gone_on)
{
	ck_assert_uint_eq(
		kinds_of(failed(1, 0, 28809), failed(2, 28815, 29000)),
		SW_RETRY_REPEATED);
	ck_assert_uint_eq(
		kinds_of(failed(1, 0, 28810), failed(2, 28815, 29000)), 0);
	ck_assert_uint_eq(kinds_of(failed(1, 0, 110), failed(2, 115, 28925)),
			  0);
}
END_TEST

/* Without a limit neither used most of it. */
START_TEST(goes_on_for_ever)
{
	struct sw_job_record first = failed(1, 0, 200000);
	struct sw_job_record second = failed(2, 200005, 300000);

	first.limit_kind = second.limit_kind = SW_TIME_LIMIT_UNLIMITED;
	ck_assert_uint_eq(kinds_of(first, second), SW_RETRY_REPEATED);
	first.limit_kind = second.limit_kind = SW_TIME_LIMIT_UNKNOWN;
	ck_assert_uint_eq(kinds_of(first, second), SW_RETRY_REPEATED);
}
END_TEST

START_TEST(without_its_submission)
{
	struct sw_job_record again = failed(1, 0, 5 * DAY);
	struct sw_job_record second = failed(2, 115, 225);

	/* It may have been waiting for something else. */
	second.submit_seconds = SW_MISSING;
	ck_assert_uint_eq(kinds_of(failed(1, 0, 110), second), 0);
	/* A requeued job waited for the same thing, ... */
	second.key.job_id = 1;
	ck_assert_uint_eq(kinds_of(failed(1, 0, 110), second),
			  SW_RETRY_REQUEUED | SW_RETRY_REPEATED);
	/* ... however long. */
	again.submit_seconds = SW_MISSING;
	again.start_seconds = 5 * DAY - 100;
	ck_assert_uint_eq(kinds_of(failed(1, 0, 110), again),
			  SW_RETRY_REQUEUED | SW_RETRY_REPEATED);
}
END_TEST

/* --- concurrent runs */

/* A run that ended long before another's end was not concurrent. */
START_TEST(ended_long_before)
{
	kit_add(kit_fine(1, 0, 1000, 4));
	kit_add(kit_oom(2, 500, 1000 + DAY + 2, 4));
	kit_add(kit_fine(3, 1000 + DAY + 100, 1000 + DAY + 500, 8));
	ck_assert_uint_eq(kit_only_chain(NOW)->kinds, SW_RETRY_MORE_MEMORY);
	kit_end();
	kit_begin();
	kit_add(kit_fine(1, 0, 1000, 4));
	kit_add(kit_oom(2, 500, 1000 + DAY - 2, 4));
	kit_add(kit_fine(3, 1000 + DAY + 100, 1000 + DAY + 500, 8));
	ck_assert_uint_eq(count_chains(), 0);
}
END_TEST

/* The second ran concurrently with a third one. */
START_TEST(the_later_is_crowded)
{
	kit_add(kit_oom(1, 0, 100, 4));
	kit_add(kit_fine(2, 150, 300, 8));
	ck_assert_uint_eq(count_chains(), 1);
	kit_add(kit_fine(3, 200, 400, 8));
	ck_assert_uint_eq(count_chains(), 0);
}
END_TEST

/* A run after a retry belongs to it, if it is alone. */
START_TEST(the_next_is_crowded)
{
	kit_add(kit_oom(1, 0, 100, 4));
	kit_add(kit_oom(2, 150, 300, 8));
	kit_add(failed(3, 400, 600));
	ck_assert_uint_eq(kit_only_chain(NOW)->count, 3);
	kit_add(failed(4, 500, 700));
	ck_assert_uint_eq(kit_only_chain(NOW)->count, 2);
	ck_assert_int_eq(kit_chains.items[0].outcome, SW_RETRY_UNKNOWN);
}
END_TEST

/* --- what can be forgotten */

static size_t kept(void)
{
	size_t i, sum = 0;

	sw_retries_settle(&kit_retries, NOW);
	for (i = 0; i < kit_retries.lineages.room; i++) {
		const struct sw_lineage *lineage =
			(const struct sw_lineage *)kit_retries.lineages.slots[i];

		sum += lineage ? lineage->count : 0;
	}
	return sum;
}

START_TEST(behind_a_success)
{
	kit_add(kit_oom(1, 0, 100, 4));
	kit_add(kit_fine(2, 150, 300, 8));
	kit_add(kit_fine(3, 5000, 5100, 8));
	ck_assert_uint_eq(kept(), 2);
	ck_assert_uint_eq(kit_only_chain(NOW)->count, 2);
}
END_TEST

START_TEST(a_failure_that_nobody_retried)
{
	kit_add(failed(1, 0, 110));
	kit_add(kit_fine(2, 5000, 5100, 4));
	ck_assert_uint_eq(kept(), 0);
	/* It may still be retried, whatever was before it. */
	kit_add(kit_fine(1, 0, 110, 4));
	kit_add(failed(2, 5000, 5100));
	ck_assert_uint_eq(kept(), 1);
}
END_TEST

START_TEST(behind_a_crowd)
{
	kit_add(kit_oom(1, 0, 100, 4));
	kit_add(kit_oom(2, 150, 300, 8));
	kit_add(failed(3, 400, 600));
	kit_add(kit_fine(4, 500, 700, 8));
	ck_assert_uint_eq(kept(), 3);
	ck_assert_uint_eq(kit_only_chain(NOW)->count, 2);
}
END_TEST

START_TEST(runs_of_one_job)
{
	struct sw_job_record again = failed(5, 0, 600);

	kit_add(kit_fine(5, 0, 110, 4));
	kit_add(kit_fine(5, 200, 300, 4));
	ck_assert_uint_eq(kept(), 0);
	/* According to their records two runs of it overlapped. */
	kit_add(kit_fine(5, 0, 500, 4));
	again.start_seconds = 400;
	kit_add(again);
	ck_assert_uint_eq(kept(), 1);
}
END_TEST

/* --- keys */

START_TEST(elements_of_jobs)
{
	struct sw_job_record first = kit_oom(1, 0, 110, 4);
	struct sw_job_record second = kit_fine(2, 900, 1500, 8);

	ck_assert_uint_ne(kinds_of(first, second), 0);
	ck_assert_str_eq(kit_chains.items[0].names.element, "");
	first.key.het_component = 0;
	second.key.het_component = 1;
	ck_assert_uint_eq(kinds_of(first, second), 0);
	second.key.het_component = 0;
	ck_assert_uint_ne(kinds_of(first, second), 0);
	ck_assert_str_eq(kit_chains.items[0].names.element, "");
}
END_TEST

/* Result of reading bytes of one run from second 100 on. */
static int read_bytes(uint64_t version, uint64_t ended, size_t more)
{
	static const char key[] = "c\0alice\0/x\0align\0\0", texts[] = "r\0";
	const struct sw_attempt_numbers numbers = { .start_seconds = 100,
						    .end_seconds = ended };
	uint64_t packed[SW_ATTEMPT_NUMBERS];
	struct sw_pack pack = { 0 };
	size_t i;
	int rc;

	kit_end();
	kit_begin();
	memcpy(packed, &numbers, sizeof(packed));
	sw_pack_number(&pack, version);
	sw_pack_number(&pack, 0);
	sw_pack_number(&pack, 1);
	sw_pack_text(&pack, key, sizeof(key));
	sw_pack_number(&pack, 1);
	for (i = 0; i < SW_ATTEMPT_NUMBERS; i++)
		sw_pack_number(&pack, packed[i]);
	sw_pack_text(&pack, texts, sizeof(texts));
	for (i = 0; i < more; i++)
		sw_pack_number(&pack, 0);
	rc = sw_retries_read(&kit_retries, pack.bytes, pack.size);
	free(pack.bytes);
	return rc;
}

START_TEST(bytes_that_are_none)
{
	ck_assert_int_eq(read_bytes(SW_RETRIES_VERSION, 100, 0), 0);
	ck_assert_uint_eq(kit_retries.lineages.count, 1);
	/* It ends before it starts. */
	ck_assert_int_eq(read_bytes(SW_RETRIES_VERSION, 99, 0), -1);
	ck_assert_int_eq(read_bytes(SW_RETRIES_VERSION, 100, 1), -1);
	/* Another version is refused completely. */
	ck_assert_int_eq(read_bytes(SW_RETRIES_VERSION + 1, 100, 0), -1);
	ck_assert_uint_eq(kit_retries.lineages.count, 0);
}
END_TEST

/* Even without any contents. */
START_TEST(another_version)
{
	struct sw_pack pack = { 0 };

	sw_pack_number(&pack, SW_RETRIES_VERSION + 1);
	sw_pack_number(&pack, 0);
	sw_pack_number(&pack, 0);
	ck_assert_int_eq(sw_retries_read(&kit_retries, pack.bytes, pack.size), -1);
	free(pack.bytes);
}
END_TEST

/* --- chains */

START_TEST(only_repeats_are_repeats)
{
	kit_add(kit_oom(1, 0, 1010, 4));
	kit_add(kit_oom(2, 1500, 2510, 8));
	ck_assert_uint_eq(kit_only_chain(NOW)->lost.core_seconds, 8000);
	ck_assert(sw_is_missing(kit_chains.items[0].repeats.core_seconds));
}
END_TEST

/* Jobs may have been added that end after the given time. */
START_TEST(it_ends_in_the_future)
{
	kit_add(kit_oom(1, NOW, NOW + 110, 4));
	kit_add(kit_oom(2, NOW + 200, NOW + 300, 8));
	ck_assert_int_eq(kit_only_chain(NOW)->outcome, SW_RETRY_FAILING);
}
END_TEST

/* Its node failed, which implies nothing about its request. */
START_TEST(enough_all_the_same)
{
	struct sw_job_record job =
		kit_with_gib(kit_job(2, 1100, 1500, SW_JOB_NODE_FAIL), 8);

	kit_add(kit_oom(1, 0, 1010, 4));
	kit_add(job);
	kit_add(kit_fine(2, 1600, 2000, 8));
	ck_assert_uint_eq(kit_only_chain(NOW)->count, 3);
	ck_assert_uint_eq(kit_chains.items[0].enough_memory_bytes, 8 * SW_GIB);
	kit_end();
	kit_begin();
	kit_add(kit_job(1, 0, 36010, SW_JOB_TIMEOUT));
	job = kit_job(2, 36020, 37000, SW_JOB_NODE_FAIL);
	job.limit_seconds = 72000;
	kit_add(job);
	job = kit_fine(2, 37010, 90000, 4);
	job.limit_seconds = 72000;
	kit_add(job);
	ck_assert_uint_eq(kit_only_chain(NOW)->count, 3);
	ck_assert_uint_eq(kit_chains.items[0].enough_limit_seconds, 72000);
}
END_TEST

/* A chain of a user whose jobs have this many CPUs and GiB. */
static void add_chain(const char *user, uint64_t id, uint64_t cpus,
		      uint64_t gib)
{
	struct sw_job_record first = kit_oom(id, 0, 1010, gib);
	struct sw_job_record second = kit_fine(id + 1, 1100, 1200, 2 * gib);

	first.user = second.user = user;
	first.allocated.cpus = first.requested.cpus = cpus;
	kit_add(first);
	kit_add(second);
}

START_TEST(the_costly_first)
{
	static const char *const users[] = { "most", "more", "alice", "bob",
					     "least" };
	size_t i;

	add_chain("bob", 1, 4, 4);
	add_chain("alice", 3, 4, 4);
	add_chain("least", 5, 2, 64);
	add_chain("more", 7, 4, 8);
	add_chain("most", 9, 8, 1);
	ck_assert_uint_eq(count_chains(), 5);
	for (i = 0; i < 5; i++)
		ck_assert_str_eq(kit_chains.items[i].names.user, users[i]);
}
END_TEST

/* Two chains of the same thing with equal costs. */
START_TEST(the_earlier_first)
{
	add_chain("alice", 1, 4, 4);
	kit_add(kit_oom(5, 5 * DAY, 5 * DAY + 1010, 4));
	kit_add(kit_fine(6, 5 * DAY + 1100, 5 * DAY + 1200, 8));
	ck_assert_uint_eq(count_chains(), 2);
	ck_assert_uint_eq(kit_chains.items[0].attempts[0]->n.job_id, 1);
	ck_assert_uint_eq(kit_chains.items[1].attempts[0]->n.job_id, 5);
}
END_TEST

int main(void)
{
	TCase *tcase = kit_retries_case("lineage");

	tcase_add_test(tcase, more_of_what_is_known);
	tcase_add_test(tcase, the_same_end);
	tcase_add_test(tcase, either_may_have_gone_on);
	tcase_add_test(tcase, goes_on_for_ever);
	tcase_add_test(tcase, without_its_submission);
	tcase_add_test(tcase, ended_long_before);
	tcase_add_test(tcase, the_later_is_crowded);
	tcase_add_test(tcase, the_next_is_crowded);
	tcase_add_test(tcase, behind_a_success);
	tcase_add_test(tcase, a_failure_that_nobody_retried);
	tcase_add_test(tcase, behind_a_crowd);
	tcase_add_test(tcase, runs_of_one_job);
	tcase_add_test(tcase, elements_of_jobs);
	tcase_add_test(tcase, bytes_that_are_none);
	tcase_add_test(tcase, another_version);
	tcase_add_test(tcase, only_repeats_are_repeats);
	tcase_add_test(tcase, it_ends_in_the_future);
	tcase_add_test(tcase, enough_all_the_same);
	tcase_add_test(tcase, the_costly_first);
	tcase_add_test(tcase, the_earlier_first);
	return kit_run(tcase);
}
