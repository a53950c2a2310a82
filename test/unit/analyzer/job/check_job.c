/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of several steps on several nodes: sums by time, one step, how even
 * the ranks were, and their reports against test/reports/job*, which
 * "make golden" rewrites.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/job/spread.h"
#include "analyzer/print/paragraph.h"
#include "test/golden.h"
#include "test/markup.h"
#include "test/load.h"
#include "test/node_profile.h"
#include "test/run_tests.h"
#include "test/text_profile.h"

#define GIB ((uint64_t)1 << 30)
#define SECOND ((uint64_t)1000000)

static char folder[] = "/tmp/check_job.XXXXXX";
static char first[64], second[64], element[64], component[64];
static const char *both[2] = { first, second };
static struct sw_loaded loaded;
static struct sw_error error;

static void write_node(const struct node_profile *node, const char *path)
{
	ck_assert_msg(node_profile_write(node, path, true, &error) == 0, "%s",
		      error.text);
}

static void setup(void)
{
	struct node_profile node = node_profile_of(123, 0);

	write_node(&node, first);
	node = node_profile_of(123, 1);
	write_node(&node, second);
	node = node_profile_of(130, 0);
	node.array_job_id = 123;
	node.array_task_id = 4;
	node.restart_count = 1;
	write_node(&node, element);
	node = node_profile_of(201, 0);
	node.het_job_id = 200;
	node.het_component = 1;
	node.node_count = 1;
	write_node(&node, component);
}

static void load(const char *const *paths, size_t count, const char *step)
{
	ck_assert_msg(load_paths(&loaded, paths, count, step,
				     &error) == 0, "%s", error.text);
}

static void drop(void)
{
	sw_loaded_fini(&loaded);
}

START_TEST(steps_of_a_node_add_up_by_time)
{
	const struct sw_view *node;

	load(both, 2, NULL);
	node = &loaded.job.nodes[0].total;
	ck_assert_str_eq(node->node, "n1");
	ck_assert_uint_eq(loaded.job.nodes[0].step_count, 4);
	ck_assert_uint_eq(loaded.job.nodes[1].step_count, 3);
	/* 50 s of 4, 50 s of 1 and the samples of batch, up to 90 s. */
	ck_assert_uint_eq(node->cpu.used_usec, 250 * SECOND + 980000);
	ck_assert_double_eq(node->cpu.allocated_cores, 8.0);
	ck_assert_double_eq_tol(node->cpu.peak_cores, 5.01, 1e-6);
	ck_assert_uint_eq(node->elapsed_usec, 100 * SECOND);
	/* Both steps and batch concurrently. */
	ck_assert_uint_eq(node->memory.need_bytes, 3 * GIB + GIB / 64);
	ck_assert_uint_eq(node->memory.peak_bytes,
			  3 * GIB + GIB / 64 + 4 * 2097152);
	ck_assert_uint_eq(node->memory.requested_bytes, 16 * GIB);
	ck_assert_int_eq(node->state, SW_STATE_COMPLETED);
	ck_assert_int_eq(loaded.job.nodes[1].total.state, SW_STATE_FAILED);
	drop();
}
END_TEST

START_TEST(nodes_add_up_in_real_time)
{
	const struct sw_view *total;

	load(both, 2, NULL);
	total = &loaded.job.total;
	ck_assert_uint_eq(loaded.job.node_count, 2);
	ck_assert_uint_eq(loaded.job.node_expected, 2);
	ck_assert_str_eq(total->name, "ali<\x1b>gn");
	ck_assert_uint_eq(total->elapsed_usec, 100 * SECOND);
	ck_assert_uint_eq(total->cpu.used_usec, 400 * SECOND + 980000);
	ck_assert_double_eq(total->cpu.allocated_cores, 16.0);
	ck_assert_double_eq_tol(total->cpu.peak_cores, 8.01, 1e-6);
	ck_assert_uint_eq(total->memory.need_bytes, 3 * GIB + GIB / 64);
	ck_assert_str_eq(total->memory.node, "n1");
	/* The script succeeded, whatever a step did. */
	ck_assert_int_eq(total->state, SW_STATE_COMPLETED);
	ck_assert_uint_eq(total->program_count, 1);
	ck_assert_uint_eq(total->programs[0].started, 16);
	ck_assert_uint_eq(total->programs[0].exited_nonzero, 1);
	ck_assert_uint_eq(total->programs[0].peak_bytes, GIB / 2);
	drop();
}
END_TEST

START_TEST(steps_are_joined_over_nodes)
{
	static const char *const ids[] = { "batch", "0", "1", "extern" };
	static const size_t nodes[] = { 1, 2, 2, 2 };
	const struct sw_job_step *step;
	size_t i;

	load(both, 2, NULL);
	ck_assert_uint_eq(loaded.job.step_count, 4);
	for (i = 0; i < 4; i++) {
		step = &loaded.job.steps[i];
		ck_assert_str_eq(step->view.step_id, ids[i]);
		ck_assert_uint_eq(step->node_count, nodes[i]);
	}
	step = &loaded.job.steps[1];
	ck_assert_uint_eq(step->view.cpu.used_usec, 300 * SECOND);
	ck_assert_uint_eq(step->view.slurm.task_count, 8);
	ck_assert_uint_eq(step->view.elapsed_usec, 50 * SECOND);
	step = &loaded.job.steps[2];
	ck_assert_int_eq(step->view.state, SW_STATE_FAILED);
	ck_assert_uint_eq(step->view.exit_code, 1);
	drop();
}
END_TEST

START_TEST(one_step_alone)
{
	load(both, 2, "1");
	ck_assert_uint_eq(loaded.job.step_count, 1);
	ck_assert_uint_eq(loaded.job.total.cpu.used_usec, 100 * SECOND);
	ck_assert_uint_eq(loaded.job.total.memory.need_bytes, GIB);
	ck_assert_uint_eq(loaded.job.total.elapsed_usec, 50 * SECOND);
	ck_assert_int_eq(loaded.job.total.state, SW_STATE_FAILED);
	ck_assert_uint_eq(loaded.job.node_expected, 2);
	drop();
	load(both, 2, "batch");
	ck_assert_uint_eq(loaded.job.node_count, 1);
	ck_assert_uint_eq(loaded.job.node_expected, 1);
	drop();
	errno = 0;
	ck_assert_int_eq(load_paths(&loaded, both, 2, "7", &error),
			 -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_nonnull(strstr(error.text, "\"7\""));
	drop();
}
END_TEST

START_TEST(ranks_are_compared)
{
	struct sw_job_task *tasks;
	struct sw_spread spread;
	size_t count;

	load(both, 2, NULL);
	tasks = sw_job_tasks(&loaded.job.steps[1], &count);
	ck_assert_uint_eq(count, 8);
	ck_assert_uint_eq(tasks[7].task->rank, 7);
	ck_assert_str_eq(tasks[3].step->node, "n1");
	ck_assert_str_eq(tasks[4].step->node, "n2");
	ck_assert_int_eq(sw_spread_of_tasks(&spread, tasks, count,
					    SW_CPU_USED), 0);
	ck_assert_uint_eq(spread.count, 8);
	ck_assert_uint_eq(spread.min, 10 * SECOND);
	ck_assert_uint_eq(tasks[spread.min_at].task->rank, 4);
	ck_assert_uint_eq(spread.max, 80 * SECOND);
	ck_assert_uint_eq(tasks[spread.max_at].task->rank, 3);
	/* 10 20 20 30 | 40 40 60 80 */
	ck_assert_uint_eq(spread.median, 35 * SECOND);
	free(tasks);
	ck_assert_ptr_null(sw_job_tasks(&loaded.job.steps[3], &count));
	ck_assert_uint_eq(count, 0);
	drop();
}
END_TEST

/* Whatever their addresses are. */
START_TEST(equal_ranks_are_in_the_order_of_nodes)
{
	struct sw_view_task ranks[2] = { { .rank = 3 }, { .rank = 3 } };
	const struct sw_view views[2] = {
		{ .node = "n2", .tasks = &ranks[0], .task_count = 1 },
		{ .node = "n1", .tasks = &ranks[1], .task_count = 1 },
	};
	const struct sw_view *on_nodes[] = { &views[0], &views[1] };
	const struct sw_job_step step = {
		.on_nodes = on_nodes, .node_count = 2,
	};
	struct sw_job_task *tasks;
	size_t count;

	tasks = sw_job_tasks(&step, &count);
	ck_assert_ptr_nonnull(tasks);
	ck_assert_uint_eq(count, 2);
	ck_assert_str_eq(tasks[0].step->node, "n1");
	ck_assert_str_eq(tasks[1].step->node, "n2");
	free(tasks);
}
END_TEST

START_TEST(spread_leaves_out_the_missing)
{
	const uint64_t values[] = { 7, SW_MISSING, 3, UINT64_MAX - 1 };
	struct sw_spread spread;

	ck_assert_int_eq(sw_spread_of(&spread, values, 4), 0);
	ck_assert_uint_eq(spread.count, 3);
	ck_assert_uint_eq(spread.min_at, 2);
	ck_assert_uint_eq(spread.median, 7);
	ck_assert_uint_eq(spread.max_at, 3);
	ck_assert_int_eq(sw_spread_of(&spread, values + 1, 1), 0);
	ck_assert_uint_eq(spread.count, 0);
	ck_assert_uint_eq(spread.max, SW_MISSING);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_counted)
{
	const char *paths[] = { "/nonexistent.stepwell", second };

	load(paths, 2, NULL);
	ck_assert_uint_eq(loaded.job.node_count, 1);
	ck_assert_uint_eq(loaded.job.unread_count, 1);
	ck_assert(sw_job_is_partial(&loaded.job));
	ck_assert_ptr_nonnull(strstr(loaded.job.unread.text, "nonexistent"));
	drop();
	ck_assert_int_eq(load_paths(&loaded, paths, 1, NULL, &error),
			 -1);
	drop();
}
END_TEST

START_TEST(ids_are_as_slurm_writes_them)
{
	const struct {
		const char *path, *id;
	} rows[] = { { first, "123" }, { element, "123_4" },
		     { component, "200+1" } };
	char text[SW_JOBID_TEXT_SIZE];
	struct sw_jobid id;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		load(&rows[i].path, 1, NULL);
		id = sw_job_key_id(&loaded.job.total.job);
		ck_assert_str_eq(sw_jobid_format(text, sizeof(text), &id),
				 rows[i].id);
		drop();
	}
}
END_TEST

static const char job_cgroup[] =
	"table steps step recorder\ncolumns step step_id start_usec\n"
	"row 0 batch 1000000\nrow 1 0 1000000\n"
	"table summary step recorder\ncolumns step end_usec\n"
	"row 0 9000000\nrow 1 9000000\n"
	"table series.memory step cgroup.v2\n"
	"columns time_usec step memory.current anon shmem\n"
	"row 1000000 0 1000 1000 0\nrow 2000000 0 1000 1000 0\n"
	"row 1000000 1 2000 2000 0\nrow 2000000 1 2000 2000 0\n"
	"table series.job_memory job cgroup.v2\n"
	"columns time_usec memory.current memory.peak anon shmem\n"
	"row 1500000 4000 7000 3500 0\n";

/* The job's own cgroup saw a spike that no sample of its steps did. */
START_TEST(the_jobs_cgroup_counts)
{
	char path[80];
	const char *paths[] = { path };

	snprintf(path, sizeof(path), "%s/job.stepwell", folder);
	ck_assert_msg(text_profile_write_text(job_cgroup, path, true,
					      &error) == 0, "%s", error.text);
	load(paths, 1, NULL);
	ck_assert_uint_eq(loaded.job.total.memory.need_bytes, 3500);
	ck_assert_str_eq(loaded.job.total.memory.need_source,
			 "memory.stat of the job");
	ck_assert_uint_eq(loaded.job.total.memory.peak_bytes, 7000);
	ck_assert_uint_eq(loaded.job.total.memory.need_upper_bytes, 7000);
	drop();
	load(paths, 1, "0");
	ck_assert_uint_eq(loaded.job.total.memory.need_bytes, 2000);
	ck_assert_uint_eq(loaded.job.total.memory.peak_bytes, 2000);
	drop();
	unlink(path);
}
END_TEST

struct golden {
	const char *name;	/* NULL: no file */
	const char *format;
	const char *const *paths;
	size_t count;
	const char *step;
	struct sw_report_style style;
};

static const char *elements[] = { element }, *components[] = { component };

static const struct golden goldens[] = {
	{ "job.text.80", "text", both, 2, NULL, { 80, false, true, true } },
	{ "job.brief", "brief", both, 2, NULL, { 80, false, true, true } },
	{ "job.json", "json", both, 2, NULL, { 80, false, true, true } },
	{ "job.html", "html", both, 2, NULL, { 80, false, true, true } },
	{ "job-step.text.80", "text", both, 2, "1", { 80, false, true, true } },
	{ NULL, "json", both, 2, "1", { 80, false, true, true } },
	{ "job-array.text.80", "text", elements, 1, NULL,
	  { 80, false, true, true } },
	{ "job-array.brief", "brief", elements, 1, NULL, { 80, false, true, true } },
	{ "job-het.brief", "brief", components, 1, NULL, { 80, false, true, true } },
};

static char *print(const struct golden *golden, bool is_golden)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	load(golden->paths, golden->count, golden->step);
	if (is_golden)
		golden_keep_some_notes(&loaded.result);
	ck_assert_int_eq(golden_format(golden->format)->write(
				 out, &loaded.result, &golden->style), 0);
	fclose(out);
	drop();
	return text;
}

START_TEST(is_as_golden)
{
	char *text = print(&goldens[_i], true);

	const char *shown = strcmp(goldens[_i].format, "html") ? text :
			    markup_body(text);

	if (goldens[_i].name)
		golden_compare(goldens[_i].name, shown,
			       !strcmp(goldens[_i].format, "json"));
	ck_assert_msg(!strstr(text, "nan") && !strstr(text, "18446744073709"),
		      "%s", text);
	free(text);
}
END_TEST

START_TEST(fits_its_width)
{
	struct golden golden = goldens[_i / 2];
	char *text, *line, *rest = NULL;

	golden.style.width = _i % 2 ? 40 : 80;
	text = print(&golden, false);
	for (line = strtok_r(text, "\n", &rest);
	     line && !strcmp(golden.format, "text");
	     line = strtok_r(NULL, "\n", &rest))
		ck_assert_msg(sw_text_columns(line) <= golden.style.width ||
			      !strchr(line + strspn(line, " "), ' '),
			      "%s: \"%s\"", golden.name, line);
	free(text);
}
END_TEST

static void add_tests(TCase *tcase)
{
	enum { GOLDENS = sizeof(goldens) / sizeof(goldens[0]) };

	tcase_add_test(tcase, steps_of_a_node_add_up_by_time);
	tcase_add_test(tcase, nodes_add_up_in_real_time);
	tcase_add_test(tcase, steps_are_joined_over_nodes);
	tcase_add_test(tcase, one_step_alone);
	tcase_add_test(tcase, ranks_are_compared);
	tcase_add_test(tcase, equal_ranks_are_in_the_order_of_nodes);
	tcase_add_test(tcase, spread_leaves_out_the_missing);
	tcase_add_test(tcase, a_file_that_cannot_be_read_is_counted);
	tcase_add_test(tcase, ids_are_as_slurm_writes_them);
	tcase_add_test(tcase, the_jobs_cgroup_counts);
	tcase_add_loop_test(tcase, is_as_golden, 0, GOLDENS);
	tcase_add_loop_test(tcase, fits_its_width, 0, 2 * GOLDENS);
}

static int run_suite(void)
{
	TCase *tcase = tcase_create("job");

	tcase_add_unchecked_fixture(tcase, setup, NULL);
	add_tests(tcase);
	return run_tests("job", tcase, NULL);
}

int main(void)
{
	int failed;

	if (!mkdtemp(folder))
		return EXIT_FAILURE;
	snprintf(first, sizeof(first), "%s/1.stepwell", folder);
	snprintf(second, sizeof(second), "%s/2.stepwell", folder);
	snprintf(element, sizeof(element), "%s/3.stepwell", folder);
	snprintf(component, sizeof(component), "%s/4.stepwell", folder);
	setenv("TZ", "UTC", 1);
	setenv("SOURCE_DATE_EPOCH", "1780000000", 1);
	failed = run_suite();
	unlink(first);
	unlink(second);
	unlink(element);
	unlink(component);
	rmdir(folder);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
