/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of failures, and nodes that must, or must not, be named. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/failures/evidence.h"
#include "analyzer/failures/failures.h"
#include "analyzer/failures/strata.h"
#include "analyzer/retries/attempt.h"
#include "test/run_tests.h"
#include "test/unit/analyzer/retries/job_kit.h"

enum { JOBS = 3000, JOBS_OF_MANY = 20000 };

static struct sw_failures failures;
static struct sw_failure_rows rows;
static uint64_t next_id;

static void begin(void)
{
	sw_failures_init(&failures, NULL);
	next_id = 1;
}

static void end(void)
{
	sw_failure_rows_fini(&rows);
	sw_failures_fini(&failures);
}

static void add(struct sw_job_record job)
{
	const struct sw_failure_case failure = {
		.job = &job,
		.group = "alice/align",
	};

	ck_assert_int_eq(sw_failures_add(&failures, &failure), 0);
}

static void look(void)
{
	sw_failure_rows_fini(&rows);
	ck_assert_int_eq(sw_failures_rows(&failures, NULL, &rows), 0);
}

/* Each is an element of another array, so that none is a retry. */
static void add_on(const char *node, uint64_t submit, uint64_t code)
{
	struct sw_job_record job =
		kit_job(next_id, submit, submit + 110, SW_JOB_COMPLETED);

	job = kit_element(kit_on_node(job, node), 1, next_id++);
	add(code ? kit_exit(job, code) : job);
}

static void add_many(const char *node, uint64_t submit, uint64_t code,
		     unsigned count)
{
	while (count-- > 0)
		add_on(node, submit, code);
}

/* Six times an hour each node runs jobs, and those of n17 fail. */
static void plant_node(unsigned bad, unsigned good, const char *other)
{
	unsigned i;

	for (i = 0; i < 6; i++) {
		add_many("n17", 600 * i, 3, bad);
		add_many(other, 600 * i, 0, good);
		add_many("n2", 600 * i, 0, good);
	}
}

START_TEST(one_row_for_each_cause)
{
	struct sw_step_record step = { .name = "bwa",
				       .end_seconds = 5,
				       .end = { SW_JOB_FAILED, SW_MISSING, 3,
						0 } };
	struct sw_job_record job = kit_job(100, 0, 110, SW_JOB_FAILED);

	job.steps = &step;
	job.step_count = 1;
	add(job);
	add(job);
	add_on("n1", 0, 1);
	add_on("n1", 0, 0);
	add(kit_job(101, 0, 110, SW_JOB_OUT_OF_MEMORY));
	add(kit_job(102, 0, 110, SW_JOB_TIMEOUT));
	add(kit_job(103, 0, 110, SW_JOB_NODE_FAIL));
	add(kit_job(104, 0, 110, SW_JOB_DEADLINE));
	look();
	ck_assert_uint_eq(rows.count, 6);
	ck_assert_str_eq(rows.items[0].program, "bwa");
	ck_assert_uint_eq(rows.items[0].exit_code, 3);
	ck_assert_uint_eq(rows.items[0].count, 2);
	ck_assert_uint_eq(rows.items[0].group_jobs, 8);
	ck_assert_uint_eq(rows.items[0].core_seconds, 800);
	ck_assert_uint_eq(rows.items[0].example_job_id, 100);
}
END_TEST

START_TEST(users_cancel)
{
	add(kit_job(1, 0, 110, SW_JOB_CANCELLED));
	add(kit_job(2, 0, 110, SW_JOB_PREEMPTED));
	add(kit_job(3, 0, 110, SW_JOB_REQUEUED));
	look();
	ck_assert_uint_eq(rows.count, 0);
	ck_assert_uint_eq(failures.left_out, 3);
}
END_TEST

START_TEST(not_found_and_killed)
{
	struct sw_job_record job = kit_job(1, 0, 110, SW_JOB_FAILED);

	add(kit_exit(job, 127));
	add(kit_exit(job, 126));
	job.end.exit_code = 0;
	job.end.signal = 11;
	add(job);
	look();
	ck_assert_uint_eq(rows.count, 3);
	ck_assert_int_eq(rows.items[0].class, SW_FAILURE_NOT_FOUND);
	ck_assert_int_eq(rows.items[1].class, SW_FAILURE_NOT_EXECUTABLE);
	ck_assert_int_eq(rows.items[2].class, SW_FAILURE_SIGNAL);
	ck_assert_uint_eq(rows.items[2].signal, 11);
}
END_TEST

/* Kernel messages distinguish two causes of one exit code. */
START_TEST(messages)
{
	struct sw_job_record job = kit_job(1, 0, 110, SW_JOB_FAILED);
	struct sw_failure_case failure = {
		.job = &job,
		.group = "g",
		.program = "STAR",
		.message = "no space left on device",
	};

	ck_assert_int_eq(sw_failures_add(&failures, &failure), 0);
	failure.message = "no such file";
	ck_assert_int_eq(sw_failures_add(&failures, &failure), 0);
	look();
	ck_assert_uint_eq(rows.count, 2);
	ck_assert_str_eq(rows.items[0].program, "STAR");
}
END_TEST

START_TEST(one_node_only)
{
	const struct sw_failure_node *node;

	plant_node(2, 4, "n1");
	look();
	ck_assert_uint_eq(rows.count, 1);
	node = &rows.items[0].node;
	ck_assert_str_eq(node->name, "n17");
	ck_assert_uint_eq(node->failures, 12);
	ck_assert_uint_eq(node->jobs, 12);
	ck_assert_uint_eq(node->other_failures, 0);
	ck_assert_uint_eq(node->other_jobs, 48);
	/* Six times 2 of 10, drawn at random. */
	ck_assert_double_lt(fabs(node->chance / pow(1. / 45, 6) - 1), 1e-9);
}
END_TEST

/* A failure elsewhere does not clear the node. */
START_TEST(one_node_mostly)
{
	plant_node(2, 4, "n1");
	add_on("n1", 0, 3);
	look();
	ck_assert_str_eq(rows.items[0].node.name, "n17");
	ck_assert_uint_eq(rows.items[0].node.other_failures, 1);
}
END_TEST

static void ck_assert_no_node(void)
{
	size_t i;

	look();
	ck_assert_uint_gt(rows.count, 0);
	for (i = 0; i < rows.count; i++)
		ck_assert_ptr_null(rows.items[i].node.name);
}

/* Every tenth job fails, and n17 has nine of ten jobs. */
START_TEST(most_jobs_are_there)
{
	unsigned i;

	for (i = 0; i < 300; i++)
		add_on(i % 10 == 9 ? "n1" : "n17", 30 * i, i % 10 ? 0 : 3);
	ck_assert_no_node();
}
END_TEST

/* Failing jobs submitted together, which therefore ran on one node. */
START_TEST(one_bad_batch)
{
	add_many("n17", 0, 3, 30);
	add_many("n1", 0, 0, 30);
	add_many("n1", 6000, 0, 30);
	ck_assert_no_node();
}
END_TEST

/* They ran there while nothing ran elsewhere. */
START_TEST(at_other_times)
{
	unsigned i;

	for (i = 0; i < 6; i++) {
		add_many("n17", 6000 * i, 3, 5);
		add_many("n1", 6000 * i + 3000, 0, 5);
	}
	ck_assert_no_node();
}
END_TEST

/* The same failing job, repeated on the node with room. */
START_TEST(one_thing_again)
{
	unsigned i;

	for (i = 0; i < 20; i++) {
		add(kit_element(kit_on_node(kit_exit(kit_job(1000 + i, 600 * i,
							     600 * i + 110,
							     SW_JOB_FAILED),
						     3),
					    "n17"),
				1, 0));
		add_many("n1", 600 * i, 0, 10);
	}
	ck_assert_no_node();
}
END_TEST

/* Jobs with a GPU run only there, and only they fail. */
START_TEST(another_request)
{
	struct sw_job_record job;
	unsigned i;

	for (i = 0; i < 20; i++) {
		job = kit_job(next_id, 600 * i, 600 * i + 110, SW_JOB_FAILED);
		job = kit_element(kit_on_node(job, "n17"), 1, next_id++);
		job.requested.text = "cpu=4,mem=4G,node=1,gres/gpu=1";
		add(job);
		add_many("n1", 600 * i, 0, 5);
	}
	ck_assert_no_node();
}
END_TEST

START_TEST(too_few)
{
	add_many("n17", 0, 3, 1);
	add_many("n17", 600, 3, 1);
	add_many("n1", 0, 0, 1000);
	add_many("n1", 600, 0, 1000);
	ck_assert_no_node();
}
END_TEST

/* It is not known which of its nodes was at fault. */
START_TEST(several_nodes)
{
	struct sw_job_record job;
	unsigned i;

	for (i = 0; i < 20; i++) {
		job = kit_job(next_id, 600 * i, 600 * i + 110, SW_JOB_FAILED);
		job = kit_element(kit_on_node(job, "n[17-18]"), 1, next_id++);
		job.node_count = 2;
		add(job);
		add_many("n1", 600 * i, 0, 5);
	}
	ck_assert_no_node();
}
END_TEST

static uint64_t draws;

static uint64_t draw(uint64_t below)
{
	draws = draws * 6364136223846793005u + 1442695040888963407u;
	return (draws >> 33) % below;
}

/* In 400 clusters with random failures no node is named. */
START_TEST(by_chance)
{
	char node[16];
	unsigned i, cluster, named = 0;

	for (cluster = 0; cluster < 400; cluster++) {
		draws = cluster;
		for (i = 0; i < 200; i++) {
			snprintf(node, sizeof(node), "n%u",
				 (unsigned)(draw(2) ? 0 : draw(12)));
			add_on(node, draw(20000), draw(8) ? 0 : 1 + draw(3));
		}
		look();
		for (i = 0; i < rows.count; i++)
			named += rows.items[i].node.name != NULL;
		end();
		begin();
	}
	ck_assert_uint_le(named, 1);
}
END_TEST

/* Compare with fractions computed by hand. */
START_TEST(statistic)
{
	const struct sw_stratum all = {
		.jobs = 50, .failures = 10, .node_jobs = 5, .node_failures = 5
	};
	const struct sw_stratum one = {
		.jobs = 2, .failures = 1, .node_jobs = 1, .node_failures = 1 };
	const struct sw_stratum some = {
		.jobs = 10, .failures = 4, .node_jobs = 4, .node_failures = 3 };
	const struct sw_stratum twice[] = { one, one };

	/* C(10,5) C(40,0) / C(50,5) */
	ck_assert_double_eq_tol(sw_strata_chance(&all, 1), 252. / 2118760,
				1e-12);
	ck_assert_double_eq_tol(sw_strata_chance(&one, 1), 0.5, 1e-12);
	ck_assert_double_eq_tol(sw_strata_chance(twice, 2), 0.25, 1e-12);
	/* (C(4,3) C(6,1) + C(4,4)) / C(10,4) */
	ck_assert_double_eq_tol(sw_strata_chance(&some, 1), 25. / 210, 1e-12);
	ck_assert_uint_eq(sw_strata_telling(twice, 2), 2);
}
END_TEST

static struct sw_job_record drawn(uint64_t i)
{
	static const char *const nodes[] = { "n1", "n2", "n3", "n4" };
	static const char *const users[] = { "u0", "u1", "u2", "u3", "u4" };
	struct sw_job_record job;
	uint64_t submit;

	draws = i * 2654435761u;
	submit = draw(20000);
	job = kit_job(i, submit, submit + 10 + draw(500),
		      draw(4) ? SW_JOB_COMPLETED : SW_JOB_FAILED);
	job.node_list = nodes[draw(4)];
	job.user = users[draw(5)];
	return kit_element(job, 1, i);
}

/* A group in which half of n17's jobs fail, and a few at random. */
static struct sw_job_record drawn_of_many(uint64_t i)
{
	static char node[16];
	struct sw_job_record job;
	uint64_t submit;

	draws = i * 2654435761u;
	submit = draw(86400);
	snprintf(node, sizeof(node), "n%u", (unsigned)draw(20));
	job = kit_job(i, submit, submit + 100,
		      draw(strcmp(node, "n17") ? 50 : 2) ? SW_JOB_COMPLETED :
							    SW_JOB_FAILED);
	return kit_element(kit_on_node(job, node), 1, i);
}

struct drawing {
	struct sw_job_record (*draw)(uint64_t i);
	uint64_t jobs;
	const char *group; /* NULL: the user */
};

static uint8_t *sharded(const struct drawing *drawing, unsigned count,
			bool is_backwards, size_t *size)
{
	struct sw_failures shard[64], all;
	uint8_t *bytes;
	uint64_t i;

	sw_failures_init(&all, NULL);
	for (i = 0; i < count; i++)
		sw_failures_init(&shard[i], NULL);
	for (i = 0; i < drawing->jobs; i++) {
		struct sw_job_record job = drawing->draw(
			is_backwards ? drawing->jobs - 1 - i : i);
		const struct sw_failure_case failure = {
			.job = &job,
			.group = drawing->group ? drawing->group : job.user,
		};

		ck_assert_int_eq(sw_failures_add(&shard[job.key.job_id % count],
						 &failure),
				 0);
	}
	for (i = 0; i < count; i++) {
		bytes = sw_failures_write(&shard[i], size);
		ck_assert_int_eq(i % 2 ? sw_failures_merge(&all, &shard[i])
				       : sw_failures_read(&all, bytes, *size),
				 0);
		free(bytes);
		sw_failures_fini(&shard[i]);
	}
	bytes = sw_failures_write(&all, size);
	sw_failures_fini(&all);
	return bytes;
}

static void ck_assert_any_division(const struct drawing *drawing)
{
	static const unsigned shards[] = { 1, 7, 64 };
	size_t size, other_size, i;
	uint8_t *bytes = sharded(drawing, 1, false, &size), *other;

	for (i = 0; i < 3; i++) {
		other = sharded(drawing, shards[i], true, &other_size);
		ck_assert_uint_eq(other_size, size);
		ck_assert_int_eq(memcmp(bytes, other, size), 0);
		free(other);
	}
	free(bytes);
}

START_TEST(any_division)
{
	const struct drawing by_user = { drawn, JOBS, NULL };
	const struct drawing many = { drawn_of_many, JOBS_OF_MANY, "many" };

	ck_assert_any_division(&by_user);
	ck_assert_any_division(&many);
}
END_TEST

/* In a large group a sample identifies the node, and the counts include all. */
START_TEST(large_group)
{
	uint64_t i, failed = 0, here = 0;

	for (i = 0; i < JOBS_OF_MANY; i++) {
		struct sw_job_record job = drawn_of_many(i);

		failed += job.end.state == SW_JOB_FAILED;
		here += !strcmp(job.node_list, "n17");
		add(job);
	}
	look();
	ck_assert_uint_eq(rows.count, 1);
	ck_assert_uint_eq(rows.items[0].count, failed);
	ck_assert_uint_eq(rows.items[0].group_jobs, JOBS_OF_MANY);
	ck_assert_str_eq(rows.items[0].node.name, "n17");
	ck_assert_uint_eq(rows.items[0].node.jobs, here);
	ck_assert_uint_eq(rows.items[0].node.failures +
				  rows.items[0].node.other_failures,
			  failed);
	for (i = 0; i < failures.evidence.room; i++) {
		const struct sw_evidence *evidence =
			(const struct sw_evidence *)failures.evidence.slots[i];

		if (!evidence)
			continue;
		ck_assert_uint_gt(evidence->level, 0);
		ck_assert_uint_gt(evidence->cells.count,
				  SW_EVIDENCE_CELLS_MAX / 4);
		ck_assert_uint_le(evidence->cells.count, SW_EVIDENCE_CELLS_MAX);
	}
}
END_TEST

/* Failures of others do not change a user's page. */
START_TEST(of_a_user)
{
	struct sw_job_record job = kit_job(1, 0, 110, SW_JOB_COMPLETED);
	unsigned i;

	for (i = 0; i < 6; i++) {
		job = kit_element(kit_exit(job, 3), 1, i);
		job.user = i % 3 ? "alice" : "bob";
		job.name = "other";
		add(job);
	}
	look();
	ck_assert_uint_eq(rows.count, 1);
	ck_assert_ptr_null(rows.items[0].user);
	ck_assert_uint_eq(rows.items[0].users, 2);
	ck_assert_uint_eq(rows.items[0].count, 6);
	sw_failure_rows_fini(&rows);
	ck_assert_int_eq(sw_failures_rows(&failures, "bob", &rows), 0);
	ck_assert_uint_eq(rows.count, 1);
	ck_assert_str_eq(rows.items[0].user, "bob");
	ck_assert_uint_eq(rows.items[0].count, 2);
	ck_assert_uint_eq(rows.items[0].group_jobs, 2);
	sw_failure_rows_fini(&rows);
	ck_assert_int_eq(sw_failures_rows(&failures, "mallory", &rows), 0);
	ck_assert_uint_eq(rows.count, 0);
}
END_TEST

START_TEST(damaged)
{
	uint8_t *bytes, *copy;
	size_t size, i;

	plant_node(1, 1, "n1");
	bytes = sw_failures_write(&failures, &size);
	copy = malloc(size);
	for (i = 0; i < size; i++) {
		struct sw_failures read;

		sw_failures_init(&read, NULL);
		ck_assert_int_eq(sw_failures_read(&read, bytes, i), -1);
		ck_assert_int_eq(errno, EINVAL);
		memcpy(copy, bytes, size);
		copy[i] ^= 0xff;
		sw_failures_read(&read, copy, size);
		ck_assert_int_eq(sw_failures_rows(&read, NULL, &rows), 0);
		sw_failure_rows_fini(&rows);
		sw_failures_fini(&read);
	}
	free(copy);
	free(bytes);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("failures");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, one_row_for_each_cause);
	tcase_add_test(tcase, users_cancel);
	tcase_add_test(tcase, not_found_and_killed);
	tcase_add_test(tcase, messages);
	tcase_add_test(tcase, one_node_only);
	tcase_add_test(tcase, one_node_mostly);
	tcase_add_test(tcase, most_jobs_are_there);
	tcase_add_test(tcase, one_bad_batch);
	tcase_add_test(tcase, at_other_times);
	tcase_add_test(tcase, one_thing_again);
	tcase_add_test(tcase, another_request);
	tcase_add_test(tcase, too_few);
	tcase_add_test(tcase, several_nodes);
	tcase_add_test(tcase, by_chance);
	tcase_add_test(tcase, statistic);
	tcase_add_test(tcase, any_division);
	tcase_add_test(tcase, large_group);
	tcase_add_test(tcase, of_a_user);
	tcase_add_test(tcase, damaged);
	return run_tests("failures", tcase, NULL);
}
