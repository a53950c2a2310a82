/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Missing data reported for a recording, and cases with none missing. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/job/job.h"
#include "analyzer/report/missing_data.h"
#include "profiles/layout.h"
#include "test/run_tests.h"
#include "test/text_profile.h"

static char profile[] = "/tmp/check_missing_data.XXXXXX";

#define STEPS \
	"table steps step recorder\ncolumns step start_usec\n" \
	"row 0 1000000000\n"

/* Ten seconds with 4 s of CPU time according to wait4(). */
#define SUMMARY(source) \
	"table summary step recorder\n" \
	"columns step end_usec exit_code rusage_user_usec rusage_system_usec " \
	"final_source\n" \
	"row 0 1010000000 0 3000000 1000000 " source "\n"

/* For a Slurm step the recorder does not get its tasks' usage. */
#define HOOK \
	"table summary step recorder\n" \
	"columns step end_usec exit_code final_source\n" \
	"row 0 1010000000 0 hook\n"

#define CPU(usec) \
	"table series.cpu step cgroup.v2\ncolumns time_usec step usage_usec\n" \
	"row 1000000000 0 0\nrow 1009000000 0 " usec "\n"

#define PROC \
	"table series.proc step proc\n" \
	"columns time_usec step utime_usec stime_usec unparsed_processes\n" \
	"row 1000000000 0 0 0 0\nrow 1009000000 0 2900000 990000 3\n" \
	"row 1009900000 0 2900000 990000 0\n"

#define EVENTS \
	"table events step recorder\n" \
	"columns time_usec step kind value detail\n"

static struct sw_reader *reader;
static struct sw_view view;
static struct sw_error error;
static char told[4096];
static unsigned int count, major_count;

static void note(void *context, const struct sw_missing_data *missing)
{
	ck_assert_ptr_eq(context, told);
	ck_assert_uint_lt(strlen(told) + strlen(missing->text),
			  sizeof(told) - 2);
	strcat(told, missing->text);
	strcat(told, "\n");
	count++;
	major_count += missing->is_major;
}

static void write_profile(const char *text)
{
	ck_assert_msg(text_profile_write_text(text, profile, true,
					      &error) == 0, "%s", error.text);
}

static void read_profile(void)
{
	reader = sw_reader_open(profile, &error);
	ck_assert_msg(reader != NULL, "%s", error.text);
	ck_assert_msg(sw_view_init(&view, reader, 0, &error) == 0, "%s",
		      error.text);
	told[0] = '\0';
	count = major_count = 0;
	sw_missing_data_visit(&(struct sw_result){ .view = &view }, note, told);
}

static void open_view(const char *text)
{
	write_profile(text);
	read_profile();
}

static void drop(void)
{
	sw_view_fini(&view);
	sw_reader_close(reader);
}

static void says(const char *words)
{
	ck_assert_msg(strstr(told, words) != NULL, "not told: %s\n%s", words,
		      told);
}

START_TEST(whole)
{
	open_view(STEPS SUMMARY("cgroup.v2") CPU("3990000"));
	ck_assert_msg(count == 0, "%s", told);
	ck_assert_str_eq(view.cpu.source, "cgroup.v2");
	ck_assert_uint_eq(view.cpu.used_usec, 3990000);
	drop();
}
END_TEST

/* Programs with unseen ends, and their numbers. */
START_TEST(unseen_ends)
{
	open_view(STEPS SUMMARY("cgroup.v2") CPU("3990000")
		  "table programs program programs\n"
		  "columns time_usec step program name started ended "
		  "is_complete exited_ok exited_nonzero killed\n"
		  "row 1009000000 0 0 sh 1 1 1 1 0 0\n"
		  "row 1009000000 0 1 bwa 2 2 1 - - -\n"
		  "row 1009000000 0 2 sort 1 1 1 0 0 1\n");
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(major_count, 0);
	says("How 2 of 4 programs ended was not seen. Not seen: 2 of bwa.");
	drop();
}
END_TEST

START_TEST(removed_cgroup)
{
	open_view(STEPS SUMMARY("proc") CPU("1000000") PROC EVENTS
		  "row 1005000000 0 source_lost - \"cpu: removed\"\n"
		  "row 1005000000 0 source_lost - \"memory: removed\"\n"
		  "row 1005000000 0 source_lost - \"io: read failed\"\n");
	ck_assert_uint_eq(major_count, 3);
	says(": cpu, memory (removed).\nNot recorded");
	says(": io (read failed).");
	drop();
}
END_TEST

START_TEST(part_of_the_tasks)
{
	open_view(STEPS SUMMARY("cgroup.v2") CPU("3990000") EVENTS
		  "row 1000000000 0 source_partial - \"perf: too few file "
		  "descriptors: 18 of 256 tasks\"\n");
	ck_assert_uint_eq(major_count, 1);
	says("Recorded in part: perf: too few file descriptors: 18 of 256 "
	     "tasks.");
	drop();
}
END_TEST

/* Reported once, and without the names of sources. */
START_TEST(another_backend)
{
	open_view(STEPS SUMMARY("cgroup.v2") CPU("3990000") EVENTS
		  "row 1000000000 0 source_partial - \"proc: sampled by "
		  "bpf.iter here, by proc in the rest of the profile\"\n"
		  "row 1000000000 0 source_partial - \"waits: sampled by "
		  "bpf.iter here, by proc in the rest of the profile\"\n");
	ck_assert_uint_eq(major_count, 1);
	says("Some values come from another kernel interface "
	     "than in the rest of the job.");
	ck_assert_ptr_null(strstr(told, "bpf.iter"));
	drop();
}
END_TEST

/* A source for a process ends with it. */
START_TEST(process_that_exited)
{
	open_view(STEPS SUMMARY("proc") CPU("1000000") PROC EVENTS
		  "row 1005000000 0 source_lost - \"binding: what was being "
		  "sampled no longer exists\"\n");
	ck_assert_ptr_null(strstr(told, "binding"));
	drop();
}
END_TEST

/* Effects of the CPU limit are reported, and first if large. */
START_TEST(sparse_samples)
{
	open_view(STEPS HOOK EVENTS
		  "row 1002000000 0 gap 900000 -\n");
	says("Not sampled for 900 ms in total.\n");
	ck_assert_uint_eq(major_count, 0);
	drop();
	open_view(STEPS HOOK EVENTS
		  "row 1002000000 0 gap 1000000 -\n"
		  "row 1006000000 0 gap 4000000 cpu_limit_percent\n"
		  "row 1009000000 0 gap 3000000 cpu_limit_percent\n");
	ck_assert_uint_eq(view.recording.gap_usec, 8000000);
	ck_assert_uint_eq(view.recording.limited_usec, 7000000);
	says("Not sampled for 8.0 s in total, 7.0 s of it because the "
	     "recorder stayed within its CPU limit (cpu_limit_percent).");
	ck_assert_uint_eq(major_count, 1);
	drop();
}
END_TEST

START_TEST(failures_beyond_the_share)
{
	open_view(STEPS HOOK EVENTS
		  "row 1002000000 0 failures_lost 7 -\n"
		  "row 1006000000 0 failures_lost 1200 -\n");
	ck_assert_uint_eq(count, 1);
	says("The failed system calls of 1200 processes were not kept, because "
	     "the job had too many processes at a time; if one of them failed, "
	     "the cause is not known.");
	drop();
}
END_TEST

/* A copy of the file of a running job, and the same without a lock. */
static void open_copy(const char *text, bool is_locked)
{
	struct stat status;
	int fd;

	write_profile(text);
	fd = open(profile, O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fstat(fd, &status), 0);
	ck_assert_int_eq(ftruncate(fd, status.st_size - SW_FRAME_HEAD_SIZE -
					       SW_END_FIXED_SIZE),
			 0);
	if (is_locked)
		ck_assert_int_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
	read_profile();
	close(fd);
}

START_TEST(file_without_an_end)
{
	open_copy(STEPS HOOK, true);
	ck_assert_msg(count == 0, "%s", told);
	drop();
	open_copy(STEPS HOOK, false);
	ck_assert_uint_eq(count, 1);
	says("was truncated or is damaged.");
	drop();
	open_copy(STEPS CPU("1000000"), true);
	ck_assert_uint_eq(count, 1);
	says(": it is still running.");
	drop();
}
END_TEST

/* The cgroup of a step is removed before its last sample. */
START_TEST(cgroup_of_a_step_that_ended)
{
	open_view(STEPS HOOK CPU("1000000") PROC EVENTS
		  "row 1010000000 0 source_lost - \"cpu: removed\"\n"
		  "row 1010200000 0 gap 900000 -\n");
	ck_assert_str_eq(view.cpu.source, "cgroup.v2");
	ck_assert_uint_eq(view.cpu.used_usec, 1000000);
	ck_assert_ptr_null(strstr(told, "cpu"));
	ck_assert_ptr_null(strstr(told, "did not run"));
	drop();
}
END_TEST

START_TEST(source_that_came_back)
{
	open_view(STEPS SUMMARY("cgroup.v2") CPU("3990000") EVENTS
		  "row 1002000000 0 source_invalid - \"cpu: odd\"\n"
		  "row 1004000000 0 source_restored - cpu\n");
	ck_assert_uint_eq(major_count, 1);
	says("Not recorded from");
	drop();
}
END_TEST

/* Less than the kernel accounts to the processes waited for. */
START_TEST(left_cgroup)
{
	open_view(STEPS SUMMARY("cgroup.v2") CPU("3700000") PROC);
	ck_assert_str_eq(view.cpu.source, "rusage");
	ck_assert_uint_eq(view.cpu.used_usec, 4000000);
	says("outside its cgroup");
	drop();
	open_view(STEPS SUMMARY("cgroup.v2") CPU("3800000"));
	ck_assert_msg(count == 0, "%s", told);
	drop();
}
END_TEST

START_TEST(garbled_processes)
{
	open_view(STEPS SUMMARY("cgroup.v2") CPU("3990000") PROC);
	ck_assert_uint_eq(count, 1);
	says("3 processes at a time");
	drop();
}
END_TEST

START_TEST(end_that_was_slept_through)
{
	open_view(STEPS SUMMARY("cgroup.v2") CPU("3990000") EVENTS
		  "row 1010000000 0 gap 2200000 -\n");
	ck_assert_uint_eq(major_count, 1);
	says("was not running for the last 2.2 s");
	says("Not sampled for 2.2 s");
	drop();
}
END_TEST

#define TASKS \
	"table tasks task slurm\ncolumns time_usec\ncolumn step - key\n" \
	"column task - state\ncolumns final_source\n" \
	"row 1000000000 0 4 -\nrow 1000000000 0 5 -\nrow 1000000000 0 6 -\n" \
	"row 1009000000 0 5 drop\n"

START_TEST(tasks_whose_end_was_not_seen)
{
	open_view(STEPS SUMMARY("cgroup.v2") CPU("3990000") TASKS);
	ck_assert_uint_eq(major_count, 1);
	says("The end of 2 of 3 tasks was not seen (rank 4, 6)");
	drop();
	/* They are still running. */
	open_view(STEPS CPU("3990000") TASKS);
	ck_assert_msg(!strstr(told, "tasks"), "%s", told);
	drop();
}
END_TEST

/* In a job the text names the node and the step. */
START_TEST(job)
{
	struct sw_view steps[2];
	struct sw_node_file files[2];
	struct sw_node nodes[2];
	const struct sw_job whole_job = { .nodes = nodes, .node_count = 2 };

	open_view(STEPS SUMMARY("cgroup.v2") CPU("3700000") EVENTS
		  "row 1002000000 0 gap 3000000 -\n");
	view.step_id = "batch";
	view.node = "n1";
	steps[0] = steps[1] = view;
	steps[1].step_id = "0";
	files[0] = files[1] = (struct sw_node_file){ .total = view };
	nodes[0] = (struct sw_node){ .total = view, .steps = steps,
				     .step_count = 2, .files = files,
				     .file_count = 1 };
	nodes[1] = (struct sw_node){ .total = view, .steps = steps,
				     .step_count = 1, .files = files,
				     .file_count = 2 };
	nodes[1].total.node = "n2";
	told[0] = '\0';
	count = 0;
	sw_missing_data_visit(&(struct sw_result){ .view = &view,
					     .job = &whole_job }, note, told);
	/* Both files of n2 have their own gap. */
	ck_assert_uint_eq(count, 6);
	says("Node n1: Not sampled for 3.0 s in total.");
	says("Node n1, step batch: Part of the command");
	says("Node n1, step 0: Part of the command");
	says("Node n2: Not sampled");
	says("Node n2: Part of the command");
	drop();
}
END_TEST

static TCase *missing_data_case(void)
{
	TCase *tcase = tcase_create("missing_data");

	tcase_add_test(tcase, whole);
	tcase_add_test(tcase, unseen_ends);
	tcase_add_test(tcase, removed_cgroup);
	tcase_add_test(tcase, part_of_the_tasks);
	tcase_add_test(tcase, another_backend);
	tcase_add_test(tcase, process_that_exited);
	tcase_add_test(tcase, sparse_samples);
	tcase_add_test(tcase, failures_beyond_the_share);
	tcase_add_test(tcase, file_without_an_end);
	tcase_add_test(tcase, cgroup_of_a_step_that_ended);
	tcase_add_test(tcase, source_that_came_back);
	tcase_add_test(tcase, left_cgroup);
	tcase_add_test(tcase, garbled_processes);
	tcase_add_test(tcase, end_that_was_slept_through);
	tcase_add_test(tcase, tasks_whose_end_was_not_seen);
	tcase_add_test(tcase, job);
	return tcase;
}

int main(void)
{
	int failed;

	if (close(mkstemp(profile)) < 0)
		return 99;
	failed = run_tests("missing_data", missing_data_case(), NULL);
	unlink(profile);
	return failed;
}
