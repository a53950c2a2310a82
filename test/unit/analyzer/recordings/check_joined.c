/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs with several files of a node: joined into one node, with each step once;
 * and selection of the files of the job's newest run.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/recordings/jobfiles.h"
#include "test/load.h"
#include "test/node_profile.h"
#include "test/run_tests.h"
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
	ck_assert_msg(text_profile_write_text(text, next_path(1), true,
					      &error) == 0, "%s", error.text);
}

static void load(void)
{
	ck_assert_msg(load_paths(&loaded, path_list, path_count, NULL,
				 &error) == 0, "%s", error.text);
}

static void drop(void)
{
	sw_loaded_fini(&loaded);
}

/* srun twice, with a pause longer than the recorder waits. */
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
	/* In sequence: the larger, not the sum. */
	ck_assert_uint_eq(node->total.memory.need_bytes, 2 * GIB);
	ck_assert_uint_eq(node->total.memory.peak_bytes, 2 * GIB + 2 * MIB);
	ck_assert_uint_eq(node->total.program_count, 1);
	ck_assert_uint_eq(node->total.programs[0].started, 8);
	/* Each file has its own cost of the recorder. */
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
	"table identity job recorder\n" \
	"columns job_id node origin anchor_boottime_usec " \
	"anchor_realtime_usec\n" \
	"row 123 n1 slurm 1000000 1780000001000000\n" \
	"table steps step recorder\ncolumns step step_id start_usec\n"
#define TEXT_SUMMARY \
	"table summary step recorder\n" \
	"columns step end_usec exit_code samples\n"

/* Its samples are in one file, its end in that of another recorder. */
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

static struct sw_jobfiles found;

static const struct sw_jobfiles_group *find(void)
{
	const struct sw_jobid id = { .job = 123, .array_task = SW_MISSING,
				     .het_component = SW_MISSING };
	struct sw_folders folders;

	ck_assert_int_eq(sw_folders_of(&folders, folder, NULL, &error), 0);
	ck_assert_msg(sw_jobfiles_init(&found, &folders, &id, &error) == 0,
		      "%s", error.text);
	sw_folders_fini(&folders);
	ck_assert_uint_eq(found.count, 1);
	return &found.groups[0];
}

/* Does the newest run consist of the files put from first on? */
static void has_only_from(size_t first, size_t earlier_runs)
{
	const struct sw_jobfiles_group *group = find();
	size_t i, j;

	ck_assert_uint_eq(group->count, path_count - first);
	ck_assert_uint_eq(group->earlier_count, first);
	ck_assert_uint_eq(group->earlier_runs, earlier_runs);
	for (i = first; i < path_count; i++) {
		for (j = 0; j < group->count &&
		     strcmp(group->paths[j], paths[i]); j++)
			;
		ck_assert_msg(j < group->count, "%s", paths[i]);
	}
	sw_jobfiles_fini(&found);
}

/* On two nodes, then on two others; the restart count is unknown. */
START_TEST(the_script_tells_runs_apart)
{
	put(2, 0, NULL, SW_MISSING);
	put(1, 0, NULL, SW_MISSING);
	put(1, 300, NULL, SW_MISSING);
	put(3, 300, NULL, SW_MISSING);
	has_only_from(2, 1);
}
END_TEST

START_TEST(three_runs)
{
	put(1, 0, NULL, SW_MISSING);
	put(1, 300, NULL, SW_MISSING);
	put(2, 300, "0,extern", SW_MISSING);
	put(1, 600, NULL, SW_MISSING);
	has_only_from(3, 2);
}
END_TEST

/* The second run had no steps on the node where the first had one. */
START_TEST(a_node_of_the_first_run_alone)
{
	put(2, 0, "0", SW_MISSING);
	put(1, 0, NULL, SW_MISSING);
	put(1, 300, "batch,extern", SW_MISSING);
	has_only_from(2, 1);
}
END_TEST

/* Its extern step began before the script on the first node and ended later. */
START_TEST(a_quick_prologue_is_no_earlier_run)
{
	put(1, 50, "batch,0", SW_MISSING);
	put(2, 0, "1,extern", SW_MISSING);
	has_only_from(0, 0);
}
END_TEST

START_TEST(a_pause_is_no_earlier_run)
{
	put(1, 0, "0", SW_MISSING);
	put(1, 700, "1", SW_MISSING);
	put(2, 0, "0", SW_MISSING);
	has_only_from(0, 0);
}
END_TEST

START_TEST(counts_of_restarts_decide)
{
	/* A wrong clock: the first run seems to be the later one. */
	put(1, 900, NULL, 1);
	put(2, 0, NULL, 2);
	put(1, 0, NULL, 2);
	has_only_from(1, 1);
}
END_TEST

/* The extern step lacks the count, and Slurm provides it only from 1 on. */
START_TEST(some_know_the_count)
{
	put(1, 0, NULL, SW_MISSING);
	put(2, 0, NULL, SW_MISSING);
	put(1, 300, NULL, SW_MISSING);
	put(2, 300, "0", 1);
	put(3, 300, NULL, SW_MISSING);
	has_only_from(2, 1);
}
END_TEST

static const char lost_run[] =
	"table identity job recorder\n"
	"columns job_id node origin cluster uid anchor_boottime_usec "
	"anchor_realtime_usec\n"
	"row 123 n1 slurm c1 1000 1000000000 1780000000000000\n"
	"table steps step recorder\ncolumns step step_id start_usec\n"
	"row 0 0 1001000000\n"
	"table summary step recorder\ncolumns step end_usec final_source\n"
	"row 0 1900000000 lost\n"
	"table series.proc step proc\ncolumns time_usec step\n"
	"row 1001000000 0\nrow 1050000000 0\nrow 1899000000 0\n"
	"row 1900000000 0\n";

/* A restarted recorder found that the step of the first run had ended. */
START_TEST(the_end_of_a_lost_step_is_not_when_it_was_found)
{
	put_text(lost_run);
	put(2, 300, NULL, SW_MISSING);
	put(1, 300, NULL, SW_MISSING);
	has_only_from(1, 1);
}
END_TEST

/* Only the end of the script is known: it implies nothing about its start. */
START_TEST(a_script_that_only_ended_begins_no_run)
{
	put(2, 0, "0", SW_MISSING);
	put_text("table identity job recorder\n"
		 "columns job_id node origin cluster uid anchor_boottime_usec "
		 "anchor_realtime_usec\n"
		 "row 123 n1 slurm c1 1000 1000000000 1780000000000000\n"
		 "table steps step recorder\ncolumns step step_id start_usec\n"
		 "row 0 batch 1700000000\n"
		 "table summary step recorder\ncolumns step end_usec samples\n"
		 "row 0 1700000000 0\n");
	has_only_from(0, 0);
}
END_TEST

START_TEST(a_copy_counts_once)
{
	const struct sw_jobfiles_group *group;

	put(1, 0, NULL, SW_MISSING);
	put(1, 0, NULL, SW_MISSING);
	group = find();
	ck_assert_uint_eq(group->count, 1);
	ck_assert_uint_eq(group->earlier_count, 0);
	sw_jobfiles_fini(&found);
}
END_TEST

static void add_run_tests(TCase *tcase)
{
	tcase_add_test(tcase, the_script_tells_runs_apart);
	tcase_add_test(tcase, three_runs);
	tcase_add_test(tcase, a_node_of_the_first_run_alone);
	tcase_add_test(tcase, a_quick_prologue_is_no_earlier_run);
	tcase_add_test(tcase, a_pause_is_no_earlier_run);
	tcase_add_test(tcase, counts_of_restarts_decide);
	tcase_add_test(tcase, some_know_the_count);
	tcase_add_test(tcase, the_end_of_a_lost_step_is_not_when_it_was_found);
	tcase_add_test(tcase, a_script_that_only_ended_begins_no_run);
	tcase_add_test(tcase, a_copy_counts_once);
}

int main(void)
{
	TCase *nodes = tcase_create("files of a node");
	TCase *runs = tcase_create("runs");

	tcase_add_checked_fixture(nodes, make_folder, remove_folder);
	tcase_add_test(nodes, files_of_a_node_are_one_node);
	tcase_add_test(nodes, other_nodes_stay_apart);
	tcase_add_test(nodes, a_step_in_two_files_counts_once);
	tcase_add_test(nodes, an_end_in_another_file_is_the_steps);
	tcase_add_test(nodes, a_number_twice_in_one_file_is_two_steps);
	tcase_add_checked_fixture(runs, make_folder, remove_folder);
	add_run_tests(runs);
	return run_tests("joined", nodes, runs, NULL);
}
