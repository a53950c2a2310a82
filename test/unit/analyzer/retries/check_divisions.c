/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any division of the jobs, and of what is forgotten, gives the same bytes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/retries/lineage.h"
#include "test/unit/analyzer/retries/retries_kit.h"

enum { NOW = 100000, LATER = 1000000, JOBS = 4000, USERS = 211 };

/* Months of finished work need no memory. */
START_TEST(only_what_is_open)
{
	uint64_t i, day = 86400;

	for (i = 0; i < 1000; i++) {
		kit_add(kit_fine(i, i * day, i * day + 100, 4));
		sw_retries_settle(&kit_retries, i * day + 200);
		ck_assert_uint_le(kit_retries.lineages.count, 1);
	}
	sw_retries_settle(&kit_retries, (i + 2) * day);
	ck_assert_uint_eq(kit_retries.lineages.count, 0);
}
END_TEST

static char names[JOBS][32];
static uint64_t draws;
/* Number of users, and seconds in which their jobs are submitted. */
static uint64_t users = USERS, span_seconds = 900000;

static uint64_t draw(uint64_t below)
{
	draws = draws * 6364136223846793005u + 1442695040888963407u;
	return (draws >> 33) % below;
}

/* Job i of many users: few names, and all kinds of ends. */
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

/* Assign users to shards, and merge these, as bytes if is_written. */
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
	static const unsigned shards[] = { 1, 7, 64 };
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

	kit_look(LATER);
	for (i = 0; i < kit_chains.count; i++) {
		const struct sw_retry_chain *chain = &kit_chains.items[i];

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

	for (i = 0; i < kit_retries.lineages.room; i++) {
		const struct sw_lineage *lineage =
			(const struct sw_lineage *)kit_retries.lineages.slots[i];

		sum += lineage ? lineage->count : 0;
	}
	return sum;
}

/* Forgetting finished work each hour gives the same result. */
static void compare_forgetful(size_t chains_min)
{
	struct sw_job_record *jobs = all_drawn();
	uint64_t hour = 3600;
	char *all, *forgetful;
	size_t i;

	for (i = 0; i < JOBS; i++)
		kit_add(jobs[i]);
	all = printed();
	ck_assert_uint_gt(kit_chains.count, chains_min);
	sw_retry_chains_fini(&kit_chains);
	sw_retries_fini(&kit_retries);
	kit_begin();
	qsort(jobs, JOBS, sizeof(*jobs), by_end);
	for (i = 0; i < JOBS; i++) {
		for (; jobs[i].end_seconds >= hour; hour += 3600)
			sw_retries_settle(&kit_retries, hour);
		kit_add(jobs[i]);
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

/* The same for a day with ten times the jobs of each user. */
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
 * A further run of a requeued job has its first submission, but begins where
 * the run before it does: that one ran in parallel to another, and is kept.
 */
START_TEST(first_run_is_kept)
{
	struct sw_job_record first, second;

	kit_add(kit_oom(1, 0, 50, 4));
	kit_add(kit_oom(2, 55, 100, 8));
	kit_add(kit_fine(3, 110, 400, 4));
	first = kit_job(5, 120, 500, SW_JOB_NODE_FAIL);
	second = kit_oom(5, 120, 700, 4);
	second.start_seconds = 600;
	kit_add(first);
	kit_add(second);
	sw_retries_settle(&kit_retries, 1000);
	sw_retries_settle(&kit_retries, 2000);
	kit_add(kit_fine(6, 2100, 2300, 8));
	kit_look(NOW);
	ck_assert_uint_eq(kit_chains.count, 2);
	ck_assert_uint_eq(kit_chains.items[0].attempts[0]->n.job_id, 5);
}
END_TEST

/* Many concurrent runs are no retries, and are dropped when this is known. */
START_TEST(crowds_need_no_memory)
{
	uint64_t i;

	for (i = 0; i < 1000; i++)
		kit_add(i % 3 ? kit_fine(i, i, i + 500, 4) : kit_oom(i, i, i + 500, 4));
	sw_retries_settle(&kit_retries, 2000);
	ck_assert_uint_le(kept(), 2);
	kit_add(kit_oom(1000, 1400, 2100, 4));
	kit_add(kit_fine(1001, 2200, 2300, 8));
	kit_look(NOW);
	ck_assert_uint_eq(kit_chains.count, 0);
}
END_TEST

/* Any bytes give a result without harm. */
START_TEST(damaged)
{
	uint8_t *bytes, *copy;
	size_t size, i;

	kit_add(kit_oom(1, 0, 110, 4));
	kit_add(kit_fine(2, 115, 225, 8));
	bytes = sw_retries_write(&kit_retries, &size);
	copy = malloc(size);
	for (i = 0; i < size; i++) {
		struct sw_retries read;

		sw_retries_init(&read, NULL);
		ck_assert_int_eq(sw_retries_read(&read, bytes, i), -1);
		ck_assert_int_eq(errno, EINVAL);
		memcpy(copy, bytes, size);
		copy[i] ^= 0xff;
		sw_retries_read(&read, copy, size);
		ck_assert_int_eq(sw_retries_chains(&read, NOW, &kit_chains), 0);
		sw_retry_chains_fini(&kit_chains);
		sw_retries_fini(&read);
	}
	free(copy);
	free(bytes);
}
END_TEST

int main(void)
{
	TCase *tcase = kit_retries_case("divisions");

	tcase_add_test(tcase, only_what_is_open);
	tcase_add_test(tcase, any_division);
	tcase_add_test(tcase, forgetting_changes_nothing);
	tcase_add_loop_test(tcase, forgetting_in_a_crowd, 0, 8);
	tcase_add_test(tcase, first_run_is_kept);
	tcase_add_test(tcase, crowds_need_no_memory);
	tcase_add_test(tcase, damaged);
	return kit_run(tcase);
}
