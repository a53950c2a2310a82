/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of which a node has several files: joined, each step once, one node;
 * and which of the files in a folder are of the job's newest run.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/jobfiles.h"
#include "analyzer/loaded.h"
#include "test/node_profile.h"
#include "test/text_profile.h"

#define GIB ((uint64_t)1 << 30)
#define MIB ((uint64_t)1 << 20)
#define SECOND ((uint64_t)1000000)

enum { FILES_MAX = 8 };

static char folder[32];
static char paths[FILES_MAX][96];
static const char *path_list[FILES_MAX];
static size_t path_count;
static struct sw_loaded loaded;
static struct sw_error error;

static void make_folder(void)
{
	snprintf(folder, sizeof(folder), "/tmp/check_joined.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	path_count = 0;
}

static void remove_folder(void)
{
	size_t i;

	for (i = 0; i < path_count; i++)
		unlink(paths[i]);
	ck_assert_int_eq(rmdir(folder), 0);
}

static const char *next_path(unsigned node)
{
	char *path = paths[path_count];

	snprintf(path, sizeof(paths[0]), "%s/c1.123.%zu.n%u.stepwell", folder,
		 1780000000 + path_count, node);
	path_list[path_count++] = path;
	return path;
}

/* A file of job 123 on the node (from 1) with some of its steps. */
static void put(unsigned node, uint64_t later_seconds, const char *only,
		uint64_t restart)
{
	struct node_profile profile = node_profile_of(123, node - 1);

	profile.later_seconds = later_seconds;
	profile.only = only;
	profile.restart_count = restart;
	ck_assert_msg(node_profile_write(&profile, next_path(node), true,
					 &error) == 0, "%s", error.text);
}

static void put_text(const char *text)
{
	char text_path[64];
	FILE *out;

	snprintf(text_path, sizeof(text_path), "%s/text", folder);
	out = fopen(text_path, "w");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
	ck_assert_msg(text_profile_write(text_path, next_path(1), true,
					 &error) == 0, "%s", error.text);
	unlink(text_path);
}

static void load(void)
{
	ck_assert_msg(sw_loaded_init(&loaded, path_list, path_count, NULL,
				     NULL, &error) == 0, "%s", error.text);
}

static void drop(void)
{
	sw_loaded_fini(&loaded);
}

/* srun twice, with a pause that the recorder did not wait for. */
START_TEST(files_of_a_node_are_one_node)
{
	const struct sw_node *node;

	put(1, 0, "0", SW_MISSING);
	put(1, 700, "1", SW_MISSING);
	load();
	ck_assert_uint_eq(loaded.job.node_count, 1);
	node = &loaded.job.nodes[0];
	ck_assert_uint_eq(node->file_count, 2);
	ck_assert_uint_eq(node->step_count, 2);
	ck_assert_uint_eq(loaded.job.step_count, 2);
	ck_assert_str_eq(loaded.job.steps[0].view.step_id, "0");
	ck_assert_str_eq(loaded.job.steps[1].view.step_id, "1");
	ck_assert_str_eq(node->total.node, "n1");
	/* From 10 s to 700 + 90 s. */
	ck_assert_uint_eq(node->total.elapsed_usec, 780 * SECOND);
	ck_assert_uint_eq(node->total.cpu.used_usec, 250 * SECOND);
	ck_assert_double_eq(node->total.cpu.allocated_cores, 8.0);
	ck_assert_double_eq_tol(node->total.cpu.peak_cores, 4.0, 1e-6);
	/* One after the other: the larger, not both. */
	ck_assert_uint_eq(node->total.memory.need_bytes, 2 * GIB);
	ck_assert_uint_eq(node->total.memory.peak_bytes, 2 * GIB + 2 * MIB);
	ck_assert_uint_eq(node->total.tool_count, 1);
	ck_assert_uint_eq(node->total.tools[0].started, 8);
	/* Each file has what it cost the recorder. */
	ck_assert_uint_eq(node->total.recording.recorder_cpu_usec, 50000);
	ck_assert_uint_eq(node->total.recording.samples, 12);
	ck_assert_uint_eq(loaded.job.total.recording.recorder_cpu_usec, 50000);
	ck_assert_uint_eq(loaded.job.total.cpu.used_usec, 250 * SECOND);
	drop();
}
END_TEST

START_TEST(other_nodes_stay_apart)
{
	put(2, 0, "0", SW_MISSING);
	put(1, 700, "1", SW_MISSING);
	put(1, 0, "0", SW_MISSING);
	load();
	ck_assert_uint_eq(loaded.job.node_count, 2);
	ck_assert_uint_eq(loaded.job.node_expected, 2);
	ck_assert_uint_eq(loaded.job.nodes[0].file_count, 2);
	ck_assert_uint_eq(loaded.job.nodes[1].file_count, 1);
	ck_assert_uint_eq(loaded.job.steps[0].node_count, 2);
	ck_assert_uint_eq(loaded.job.steps[1].node_count, 1);
	ck_assert_uint_eq(loaded.job.total.cpu.used_usec, 350 * SECOND);
	drop();
}
END_TEST

START_TEST(a_step_in_two_files_counts_once)
{
	struct sw_job_task *tasks;
	size_t count;

	put(1, 0, "0", SW_MISSING);
	put(1, 0, "0,1", SW_MISSING);
	load();
	ck_assert_uint_eq(loaded.job.node_count, 1);
	ck_assert_uint_eq(loaded.job.step_count, 2);
	ck_assert_uint_eq(loaded.job.steps[0].node_count, 1);
	ck_assert_uint_eq(loaded.job.total.cpu.used_usec, 250 * SECOND);
	tasks = sw_job_tasks(&loaded.job.steps[0], &count);
	ck_assert_uint_eq(count, 4);
	free(tasks);
	drop();
}
END_TEST

#define TEXT_HEAD \
	"table identity job recorder\ncolumn job_id - state\n" \
	"column node - text\ncolumn origin - text\n" \
	"column anchor_boottime_usec usec time\n" \
	"column anchor_realtime_usec usec state\n" \
	"row 123 n1 slurm 1000000 1780000001000000\n" \
	"table steps step recorder\ncolumn step - key\n" \
	"column step_id - text\ncolumn start_usec usec time\n"
#define TEXT_SUMMARY \
	"table summary step recorder\ncolumn step - key\n" \
	"column end_usec usec time\ncolumn exit_code - state\n" \
	"column samples count gauge\n"

/* Its samples are in one file, its end came to a recorder without them. */
START_TEST(an_end_in_another_file_is_the_steps)
{
	const struct sw_view *step;

	put_text(TEXT_HEAD "row 0 0 1000000\n" TEXT_SUMMARY "row 0 - - 7\n");
	put_text(TEXT_HEAD "row 0 0 9000000\n" TEXT_SUMMARY
		 "row 0 9000000 3 0\n");
	load();
	ck_assert_uint_eq(loaded.job.step_count, 1);
	step = &loaded.job.steps[0].view;
	ck_assert_uint_eq(step->recording.samples, 7);
	ck_assert_int_eq(step->state, SW_STATE_FAILED);
	ck_assert_uint_eq(step->exit_code, 3);
	ck_assert_uint_eq(step->elapsed_usec, 8 * SECOND);
	drop();
}
END_TEST

/* In one file it is another step: nothing was lost in between. */
START_TEST(a_number_twice_in_one_file_is_two_steps)
{
	put_text(TEXT_HEAD "row 0 0 1000000\nrow 1 0 3000000\n" TEXT_SUMMARY
		 "row 0 2000000 0 3\nrow 1 4000000 0 2\n");
	load();
	ck_assert_uint_eq(loaded.job.nodes[0].step_count, 2);
	drop();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("joined");
	TCase *tcase = tcase_create("files of a node");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, make_folder, remove_folder);
	tcase_add_test(tcase, files_of_a_node_are_one_node);
	tcase_add_test(tcase, other_nodes_stay_apart);
	tcase_add_test(tcase, a_step_in_two_files_counts_once);
	tcase_add_test(tcase, an_end_in_another_file_is_the_steps);
	tcase_add_test(tcase, a_number_twice_in_one_file_is_two_steps);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
