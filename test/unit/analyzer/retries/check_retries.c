/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Planted chains, what looks like one, and the same bytes for any division. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/retries/lineage.h"
#include "analyzer/retries/retries.h"
#include "common/units.h"
#include "test/unit/analyzer/retries/job_kit.h"

enum { NOW = 100000, LATER = 1000000, JOBS = 4000, USERS = 211 };

static struct sw_retries retries;
static struct sw_retry_chains chains;

static void add(struct sw_job_record job)
{
	ck_assert_int_eq(sw_retries_add(&retries, &job), 0);
}

static void begin(void)
{
	sw_retries_init(&retries, NULL);
}

static void end(void)
{
	sw_retry_chains_fini(&chains);
	sw_retries_fini(&retries);
}

static void look(uint64_t now)
{
	sw_retry_chains_fini(&chains);
	ck_assert_int_eq(sw_retries_chains(&retries, now, &chains), 0);
}

static const struct sw_retry_chain *only_chain(uint64_t now)
{
	look(now);
	ck_assert_uint_eq(chains.count, 1);
	return &chains.items[0];
}

static struct sw_job_record oom(uint64_t id, uint64_t submit, uint64_t end,
				uint64_t gib)
{
	return kit_with_gib(kit_job(id, submit, end, SW_JOB_OUT_OF_MEMORY),
			    gib);
}

static struct sw_job_record fine(uint64_t id, uint64_t submit, uint64_t end,
				 uint64_t gib)
{
	return kit_with_gib(kit_job(id, submit, end, SW_JOB_COMPLETED), gib);
}

static struct sw_job_record failed(uint64_t id, uint64_t submit, uint64_t end,
				   uint64_t code)
{
	return kit_exit(kit_job(id, submit, end, SW_JOB_FAILED), code);
}

/* The latest first. */
START_TEST(out_of_memory)
{
	const struct sw_retry_chain *chain;

	add(fine(3, 3000, 4010, 16));
	add(oom(2, 1500, 2510, 8));
	add(oom(1, 0, 1010, 4));
	chain = only_chain(NOW);
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
	add(oom(1, 0, 1010, 4));
	add(oom(2, 1500, 2510, 8));
	ck_assert_int_eq(only_chain(NOW)->outcome, SW_RETRY_FAILING);
	ck_assert(sw_is_missing(chains.items[0].enough_memory_bytes));
	ck_assert_int_eq(only_chain(LATER)->outcome, SW_RETRY_GIVEN_UP);
	add(kit_with_gib(kit_job(3, 3000, 3500, SW_JOB_CANCELLED), 16));
	ck_assert_int_eq(only_chain(NOW)->outcome, SW_RETRY_CANCELLED);
}
END_TEST

START_TEST(time_limit)
{
	struct sw_job_record more = fine(2, 40000, 90000, 4);

	add(kit_job(1, 0, 36010, SW_JOB_TIMEOUT));
	more.limit_seconds = 72000;
	add(more);
	ck_assert_uint_eq(only_chain(NOW)->kinds, SW_RETRY_MORE_TIME);
	ck_assert_uint_eq(chains.items[0].enough_limit_seconds, 72000);
}
END_TEST

START_TEST(requeued)
{
	struct sw_job_record again = kit_job(1, 0, 3000, SW_JOB_COMPLETED);

	/* Slurm's first submission stays. */
	again.start_seconds = 1500;
	add(again);
	add(kit_job(1, 0, 1010, SW_JOB_NODE_FAIL));
	ck_assert_uint_eq(only_chain(NOW)->kinds, SW_RETRY_REQUEUED);
	ck_assert_uint_eq(chains.items[0].requeued, 1);
	ck_assert_uint_eq(chains.items[0].lost.core_seconds, 4000);
}
END_TEST

START_TEST(repeated)
{
	const struct sw_retry_chain *chain;

	add(failed(1, 0, 110, 3));
	add(failed(2, 115, 225, 3));
	add(failed(3, 230, 340, 3));
	chain = only_chain(NOW);
	ck_assert_uint_eq(chain->kinds, SW_RETRY_REPEATED);
	ck_assert_uint_eq(chain->repeated, 2);
	ck_assert_uint_eq(chain->lost.core_seconds, 1200);
	ck_assert_uint_eq(chain->repeats.core_seconds, 800);
	/* How it went on belongs to it. */
	add(fine(4, 9000, 9500, 4));
	chain = only_chain(NOW);
	ck_assert_uint_eq(chain->count, 4);
	ck_assert_int_eq(chain->outcome, SW_RETRY_COMPLETED);
	ck_assert(sw_is_missing(chain->enough_memory_bytes));
}
END_TEST

START_TEST(repeated_without_memory)
{
	add(oom(1, 0, 110, 4));
	add(oom(2, 115, 225, 4));
	add(fine(3, 900, 1000, 8));
	ck_assert_uint_eq(only_chain(NOW)->kinds,
			  SW_RETRY_REPEATED | SW_RETRY_MORE_MEMORY);
	ck_assert_uint_eq(chains.items[0].repeated, 1);
}
END_TEST

/* Somebody may have changed the script: nothing can be said. */
START_TEST(script_may_have_changed)
{
	add(failed(1, 0, 110, 3));
	add(failed(2, 900, 1010, 3));
	add(fine(3, 2000, 2500, 4));
	look(NOW);
	ck_assert_uint_eq(chains.count, 0);
}
END_TEST

static void plant_other(const struct sw_job_record *second)
{
	add(failed(1, 0, 110, 3));
	add(*second);
	look(NOW);
	ck_assert_uint_eq(chains.count, 0);
}

START_TEST(another_end)
{
	const struct sw_job_record second = failed(2, 115, 225, 4);

	plant_other(&second);
}
END_TEST

START_TEST(another_request)
{
	struct sw_job_record second = failed(2, 115, 225, 3);

	second.requested.text = "cpu=4,mem=4G,node=1,gres/gpu=1";
	plant_other(&second);
}
END_TEST

START_TEST(another_folder)
{
	struct sw_job_record second = failed(2, 115, 225, 3);

	second.work_dir = "/home/alice/other";
	plant_other(&second);
}
END_TEST

START_TEST(another_user)
{
	struct sw_job_record second = failed(2, 115, 225, 3);

	second.user = "bob";
	plant_other(&second);
}
END_TEST

START_TEST(another_task)
{
	struct sw_job_record second = failed(2, 115, 225, 3);

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
	struct sw_step_record step = {.name = "bwa",
				      .end = {SW_JOB_FAILED, SW_MISSING, 3, 0}};
	struct sw_job_record second = failed(2, 115, 225, 3);

	second.steps = &step;
	second.step_count = 1;
	plant_other(&second);
}
END_TEST

/* Points of a scan: the same name, at the same time. */
START_TEST(parameter_scan)
{
	add(fine(1, 0, 1000, 4));
	add(oom(2, 0, 500, 4));
	add(fine(3, 1, 900, 4));
	add(fine(4, 600, 1500, 8));
	look(NOW);
	ck_assert_uint_eq(chains.count, 0);
}
END_TEST

/* A driver that keeps two points of a scan in flight, all of which fail. */
START_TEST(scan_of_two_at_a_time)
{
	uint64_t i;

	for (i = 0; i < 20; i++)
		add(failed(1 + i, 50 * i, 50 * i + 100, 1));
	look(NOW);
	ck_assert_uint_eq(chains.count, 0);
}
END_TEST

/* The next point after one that failed, with the same memory. */
START_TEST(scan_one_by_one)
{
	add(oom(1, 0, 110, 4));
	add(fine(2, 115, 225, 4));
	add(failed(3, 230, 340, 2));
	add(fine(4, 345, 500, 4));
	look(NOW);
	ck_assert_uint_eq(chains.count, 0);
}
END_TEST

START_TEST(again_after_success)
{
	add(fine(1, 0, 110, 4));
	add(fine(2, 115, 225, 8));
	add(oom(3, 230, 340, 4));
	look(NOW);
	ck_assert_uint_eq(chains.count, 0);
}
END_TEST

/* It saves where it stands, ends just before its limit, and goes on. */
START_TEST(goes_on)
{
	struct sw_job_record job = failed(1, 0, 35000, 85);

	add(job);
	job = failed(2, 35001, 70001, 85);
	add(job);
	add(kit_job(3, 70010, 106020, SW_JOB_TIMEOUT));
	add(kit_job(4, 106030, 142040, SW_JOB_TIMEOUT));
	look(2 * NOW);
	ck_assert_uint_eq(chains.count, 0);
}
END_TEST

/* Two jobs that look like a retry, and are none; they are taken away again. */
static void ck_no_retry(struct sw_job_record first, struct sw_job_record second)
{
	add(first);
	add(second);
	look(NOW);
	ck_assert_uint_eq(chains.count, 0);
	end();
	begin();
}

/* The second had more, and the first did not lack it. */
START_TEST(more_than_was_lacking)
{
	struct sw_job_record more = kit_with_gib(fine(2, 900, 1500, 4), 8);

	ck_no_retry(failed(1, 0, 110, 3), more);
	more = fine(2, 900, 1500, 4);
	more.limit_seconds = 72000;
	ck_no_retry(failed(1, 0, 110, 3), more);
}
END_TEST

/* Days later it is another matter. */
START_TEST(much_later)
{
	ck_no_retry(oom(1, 0, 110, 4), fine(2, LATER, LATER + 500, 8));
}
END_TEST

/* It was in the queue while the first one ran: a point of a scan. */
START_TEST(submitted_meanwhile)
{
	struct sw_job_record second = fine(2, 500, 2000, 8);

	second.start_seconds = 1200;
	ck_no_retry(oom(1, 0, 1010, 4), second);
}
END_TEST

/* A person ran it again, though nothing was left to be tried again. */
START_TEST(again_by_hand)
{
	ck_no_retry(kit_job(1, 0, 110, SW_JOB_CANCELLED),
		    kit_job(1, 115, 300, SW_JOB_COMPLETED));
	ck_no_retry(kit_job(1, 0, 110, SW_JOB_COMPLETED),
		    kit_job(1, 115, 300, SW_JOB_COMPLETED));
}
END_TEST

/* Each of them alone makes the second another request. */
START_TEST(one_thing_changed)
{
	struct sw_job_record second = failed(2, 115, 225, 3);

	second.allocated.cpus = second.requested.cpus = 8;
	ck_no_retry(failed(1, 0, 110, 3), second);
	second = failed(2, 115, 225, 3);
	second.limit_seconds = 7200;
	ck_no_retry(failed(1, 0, 110, 3), second);
	ck_no_retry(failed(1, 0, 110, 3),
		    kit_with_gib(failed(2, 115, 225, 3), 8));
	second = failed(2, 115, 225, 0);
	second.end.signal = 9;
	ck_no_retry(failed(1, 0, 110, 0), second);
}
END_TEST

/* More memory at once is no repeat of the same. */
START_TEST(more_memory_at_once)
{
	add(oom(1, 0, 110, 4));
	add(oom(2, 115, 225, 8));
	ck_assert_uint_eq(only_chain(NOW)->kinds, SW_RETRY_MORE_MEMORY);
}
END_TEST

/* What did not suffice once is not called enough. */
START_TEST(not_surely_enough)
{
	struct sw_job_record job;

	add(oom(1, 0, 1010, 4));
	add(oom(2, 1500, 2510, 8));
	add(fine(3, 3000, 4010, 8));
	ck_assert_uint_eq(only_chain(NOW)->count, 3);
	ck_assert(sw_is_missing(chains.items[0].enough_memory_bytes));
	end();
	begin();
	add(kit_job(1, 0, 36010, SW_JOB_TIMEOUT));
	job = kit_job(2, 36020, 50000, SW_JOB_TIMEOUT);
	job.limit_seconds = 72000;
	add(job);
	job = fine(3, 50010, 60000, 4);
	job.limit_seconds = 72000;
	add(job);
	ck_assert_uint_eq(only_chain(NOW)->count, 3);
	ck_assert(sw_is_missing(chains.items[0].enough_limit_seconds));
}
END_TEST

START_TEST(no_limit_is_no_limit)
{
	struct sw_job_record job = fine(2, 36020, 90000, 4);

	add(kit_job(1, 0, 36010, SW_JOB_TIMEOUT));
	job.limit_kind = SW_LIMIT_UNLIMITED;
	job.limit_seconds = SW_MISSING;
	add(job);
	ck_assert_uint_eq(only_chain(NOW)->kinds, SW_RETRY_MORE_TIME);
	ck_assert(sw_is_missing(chains.items[0].enough_limit_seconds));
}
END_TEST

/* Another run came after them, and is none of theirs. */
START_TEST(outcome_is_not_known)
{
	add(oom(1, 0, 110, 4));
	add(oom(2, 1500, 2510, 8));
	add(fine(3, LATER, LATER + 100, 8));
	ck_assert_int_eq(only_chain(LATER + 200)->outcome, SW_RETRY_UNKNOWN);
}
END_TEST

/* Whose name Slurm does not have. */
START_TEST(without_user)
{
	struct sw_job_record first = oom(1, 0, 110, 4);
	struct sw_job_record second = fine(2, 900, 1500, 8);

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
		{"nf-a", "/w/work/3f/" TASK, 7},
		{"a", "/w/work/3f/" TASK, 41},
		{"nf-a", "/w/work_3f/" TASK, 41},
		{"nf-a", "/w/work/3g/" TASK, 41},
		{"nf-a", "/w/work/3f_" TASK, 41},
		{"nf-a", "/w/work/3f/g" TASK, 42},
		{"nf-a", "/w/work/3f/x123456789abcdef0123456789abcd", 41},
		{"nf-a", TASK, 30},
		{"nf-a", "", 0},
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
	add(kit_element(failed(11, 0, 100, 1), 10, 1));
	add(kit_element(failed(12, 101, 200, 1), 10, 2));
	add(kit_element(failed(13, 201, 300, 1), 10, 3));
	look(NOW);
	ck_assert_uint_eq(chains.count, 0);
	/* One of them is tried again, as an element of another array. */
	add(kit_element(failed(22, 210, 310, 1), 20, 2));
	ck_assert_str_eq(only_chain(NOW)->names.element, "2");
}
END_TEST

START_TEST(workflow_task)
{
	struct sw_job_record first = oom(1, 0, 110, 4);
	struct sw_job_record second = fine(2, 115, 225, 8);

	first.name = second.name = "nf-ALIGN_(s1)";
	first.work_dir = "/w/work/3f/0123456789abcdef0123456789abcd";
	second.work_dir = "/w/work/a0/ffff456789abcdef0123456789abcd";
	add(first);
	add(second);
	ck_assert_str_eq(only_chain(NOW)->names.folder, "/w/work");
}
END_TEST

START_TEST(never_ran)
{
	struct sw_job_record job = kit_job(1, 0, 100, SW_JOB_CANCELLED);

	job.start_seconds = SW_MISSING;
	add(job);
	ck_assert_uint_eq(retries.never_ran, 1);
	ck_assert_uint_eq(retries.lineages.count, 0);
}
END_TEST

START_TEST(added_twice)
{
	add(oom(1, 0, 110, 4));
	add(oom(1, 0, 110, 4));
	add(fine(2, 115, 225, 8));
	add(fine(2, 115, 225, 8));
	ck_assert_uint_eq(only_chain(NOW)->count, 2);
}
END_TEST

/* What is forgotten was seen beside it all the same. */
START_TEST(crowded_and_forgotten)
{
	add(fine(1, 0, 500, 4));
	add(oom(2, 0, 1000, 4));
	sw_retries_settle(&retries, 1000 + 86400 + 1);
	add(fine(3, 1100, 1000 + 86400 + 2, 8));
	look(2 * NOW);
	ck_assert_uint_eq(chains.count, 0);
}
END_TEST

/* Months of work that is done need no memory. */
START_TEST(only_what_is_open)
{
	uint64_t i, day = 86400;

	for (i = 0; i < 1000; i++) {
		add(fine(i, i * day, i * day + 100, 4));
		sw_retries_settle(&retries, i * day + 200);
		ck_assert_uint_le(retries.lineages.count, 1);
	}
	sw_retries_settle(&retries, (i + 2) * day);
	ck_assert_uint_eq(retries.lineages.count, 0);
}
END_TEST

static char names[JOBS][32];
static uint64_t draws;
/* Jobs of so many users, submitted within so many seconds. */
static uint64_t users = USERS, span_seconds = 900000;

static uint64_t draw(uint64_t below)
{
	draws = draws * 6364136223846793005u + 1442695040888963407u;
	return (draws >> 33) % below;
}

/* Job i of many users: few names, and all ends. */
static struct sw_job_record drawn(uint64_t i)
{
	static const enum sw_job_state states[] = {
		SW_JOB_COMPLETED, SW_JOB_FAILED,    SW_JOB_OUT_OF_MEMORY,
		SW_JOB_TIMEOUT,	  SW_JOB_CANCELLED, SW_JOB_NODE_FAIL,
	};
	uint64_t submit, elapsed;
	struct sw_job_record job;

	draws = i * 2654435761u;
	submit = draw(span_seconds);
	elapsed = 10 + draw(draw(9) ? 300 : 100000);
	job = kit_job(i - (draw(3) == 0), submit, submit + 10 + elapsed,
		      states[draw(6)]);
	job = kit_with_gib(job, 4 << draw(3));
	snprintf(names[i], sizeof(names[i]), "user%u", (unsigned)draw(users));
	job.user = names[i];
	job.name = draw(2) ? "a" : "b";
	job.work_dir = draw(2) ? "/x" : draw(2) ? "/y" : "/z";
	return job;
}

static int by_end(const void *a, const void *b)
{
	const struct sw_job_record *x = a, *y = b;

	return (x->end_seconds > y->end_seconds) -
	       (x->end_seconds < y->end_seconds);
}

static void shuffle(struct sw_job_record *jobs, uint64_t seed)
{
	size_t i, other;

	draws = seed;
	for (i = JOBS; i-- > 1;) {
		struct sw_job_record job = jobs[i];

		other = draw(i + 1);
		jobs[i] = jobs[other];
		jobs[other] = job;
	}
}

static struct sw_job_record *all_drawn(void)
{
	struct sw_job_record *jobs = calloc(JOBS, sizeof(*jobs));
	uint64_t i;

	ck_assert_ptr_nonnull(jobs);
	for (i = 0; i < JOBS; i++)
		jobs[i] = drawn(i);
	return jobs;
}

/* Users to shards, which are merged by way of bytes if is_written. */
static uint8_t *sharded(const struct sw_job_record *jobs, unsigned count,
			bool is_written, size_t *size)
{
	struct sw_retries shard[64], all;
	uint8_t *bytes;
	unsigned i;
	size_t j;

	sw_retries_init(&all, NULL);
	for (i = 0; i < count; i++)
		sw_retries_init(&shard[i], NULL);
	for (j = 0; j < JOBS; j++)
		ck_assert_int_eq(
			sw_retries_add(&shard[(unsigned)atoi(jobs[j].user + 4) %
					      count],
				       &jobs[j]),
			0);
	for (i = 0; i < count; i++) {
		if (is_written) {
			bytes = sw_retries_write(&shard[i], size);
			ck_assert_int_eq(sw_retries_read(&all, bytes, *size),
					 0);
			free(bytes);
		} else {
			ck_assert_int_eq(sw_retries_merge(&all, &shard[i]), 0);
		}
		sw_retries_fini(&shard[i]);
	}
	bytes = sw_retries_write(&all, size);
	sw_retries_fini(&all);
	return bytes;
}

START_TEST(any_division)
{
	static const unsigned shards[] = {1, 7, 64};
	struct sw_job_record *jobs = all_drawn();
	size_t size, other_size, i;
	uint8_t *bytes = sharded(jobs, 1, false, &size), *other;

	for (i = 0; i < 6; i++) {
		shuffle(jobs, i);
		other = sharded(jobs, shards[i % 3], i % 2, &other_size);
		ck_assert_uint_eq(other_size, size);
		ck_assert_int_eq(memcmp(bytes, other, size), 0);
		free(other);
	}
	free(bytes);
	free(jobs);
}
END_TEST

static void print_chains(FILE *out)
{
	size_t i, j;

	look(LATER);
	for (i = 0; i < chains.count; i++) {
		const struct sw_retry_chain *chain = &chains.items[i];

		fprintf(out, "%s %s %s %u %d %llu:", chain->names.user,
			chain->names.name, chain->names.folder, chain->kinds,
			chain->outcome,
			(unsigned long long)chain->lost.core_seconds);
		for (j = 0; j < chain->count; j++)
			fprintf(out, " %llu",
				(unsigned long long)chain->attempts[j]
					->n.job_id);
		fprintf(out, "\n");
	}
}

static char *printed(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	print_chains(out);
	fclose(out);
	return text;
}

static size_t kept(void)
{
	size_t i, sum = 0;

	for (i = 0; i < retries.lineages.room; i++) {
		const struct sw_lineage *lineage =
			(const struct sw_lineage *)retries.lineages.slots[i];

		sum += lineage ? lineage->count : 0;
	}
	return sum;
}

/* Forgetting each hour what is done says the same as remembering all. */
static void compare_forgetful(size_t chains_min)
{
	struct sw_job_record *jobs = all_drawn();
	uint64_t hour = 3600;
	char *all, *forgetful;
	size_t i;

	for (i = 0; i < JOBS; i++)
		add(jobs[i]);
	all = printed();
	ck_assert_uint_gt(chains.count, chains_min);
	sw_retry_chains_fini(&chains);
	sw_retries_fini(&retries);
	begin();
	qsort(jobs, JOBS, sizeof(*jobs), by_end);
	for (i = 0; i < JOBS; i++) {
		for (; jobs[i].end_seconds >= hour; hour += 3600)
			sw_retries_settle(&retries, hour);
		add(jobs[i]);
	}
	forgetful = printed();
	ck_assert_int_eq(strcmp(forgetful, all), 0);
	free(all);
	free(forgetful);
	free(jobs);
}

START_TEST(forgetting_changes_nothing)
{
	compare_forgetful(50);
}
END_TEST

/* The same of a day with ten times the jobs of each user. */
START_TEST(forgetting_in_a_crowd)
{
	users = USERS / 10;
	span_seconds = 90000 * (uint64_t)(1 + _i);
	compare_forgetful(0);
	users = USERS;
	span_seconds = 900000;
}
END_TEST

/*
 * A further run of a job that was requeued has its first submission, but begins
 * where the run before it is: that one was beside another, and is kept.
 */
START_TEST(first_run_is_kept)
{
	struct sw_job_record first, second;

	add(oom(1, 0, 50, 4));
	add(oom(2, 55, 100, 8));
	add(fine(3, 110, 400, 4));
	first = kit_job(5, 120, 500, SW_JOB_NODE_FAIL);
	second = oom(5, 120, 700, 4);
	second.start_seconds = 600;
	add(first);
	add(second);
	sw_retries_settle(&retries, 1000);
	sw_retries_settle(&retries, 2000);
	add(fine(6, 2100, 2300, 8));
	look(NOW);
	ck_assert_uint_eq(chains.count, 2);
	ck_assert_uint_eq(chains.items[0].attempts[0]->n.job_id, 5);
}
END_TEST

/* Many runs beside each other are none, as soon as that is seen. */
START_TEST(crowds_need_no_memory)
{
	uint64_t i;

	for (i = 0; i < 1000; i++)
		add(i % 3 ? fine(i, i, i + 500, 4) : oom(i, i, i + 500, 4));
	sw_retries_settle(&retries, 2000);
	ck_assert_uint_le(kept(), 2);
	add(oom(1000, 1400, 2100, 4));
	add(fine(1001, 2200, 2300, 8));
	look(NOW);
	ck_assert_uint_eq(chains.count, 0);
}
END_TEST

/* Any bytes end in an answer, and none of them harms. */
START_TEST(damaged)
{
	uint8_t *bytes, *copy;
	size_t size, i;

	add(oom(1, 0, 110, 4));
	add(fine(2, 115, 225, 8));
	bytes = sw_retries_write(&retries, &size);
	copy = malloc(size);
	for (i = 0; i < size; i++) {
		struct sw_retries read;

		sw_retries_init(&read, NULL);
		ck_assert_int_eq(sw_retries_read(&read, bytes, i), -1);
		ck_assert_int_eq(errno, EINVAL);
		memcpy(copy, bytes, size);
		copy[i] ^= 0xff;
		sw_retries_read(&read, copy, size);
		ck_assert_int_eq(sw_retries_chains(&read, NOW, &chains), 0);
		sw_retry_chains_fini(&chains);
		sw_retries_fini(&read);
	}
	free(copy);
	free(bytes);
}
END_TEST

struct number {
	struct sw_keyed_entry entry;
	unsigned value;
};

static bool is_odd(struct sw_keyed_entry *entry, void *context)
{
	(void)context;
	return ((struct number *)entry)->value % 2;
}

START_TEST(keyed)
{
	struct number *numbers = calloc(5000, sizeof(*numbers));
	struct sw_keyed table = {0};
	struct sw_keyed_entry **sorted;
	unsigned i;

	for (i = 0; i < 5000; i++) {
		numbers[i].value = i;
		numbers[i].entry.key = (const char *)&numbers[i].value;
		numbers[i].entry.key_size = sizeof(numbers[i].value);
		ck_assert_int_eq(sw_keyed_put(&table, &numbers[i].entry), 0);
	}
	sw_keyed_filter(&table, is_odd, NULL);
	ck_assert_uint_eq(table.count, 2500);
	for (i = 0; i < 5000; i++)
		ck_assert_ptr_eq(
			sw_keyed_find(&table, (const char *)&i, sizeof(i)),
			i % 2 ? &numbers[i].entry : NULL);
	sorted = sw_keyed_sorted(&table);
	for (i = 1; i < 2500; i++)
		ck_assert_int_lt(sw_keyed_compare(sorted[i - 1], sorted[i]), 0);
	free(sorted);
	sw_keyed_fini(&table);
	free(numbers);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("retries");
	TCase *tcase = tcase_create("retries");
	SRunner *runner;
	int failures;

	tcase_add_checked_fixture(tcase, begin, end);
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
	tcase_add_test(tcase, only_what_is_open);
	tcase_add_test(tcase, any_division);
	tcase_add_test(tcase, forgetting_changes_nothing);
	tcase_add_loop_test(tcase, forgetting_in_a_crowd, 0, 8);
	tcase_add_test(tcase, first_run_is_kept);
	tcase_add_test(tcase, crowds_need_no_memory);
	tcase_add_test(tcase, damaged);
	tcase_add_test(tcase, keyed);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failures = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failures != 0;
}
