/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of a job: from what the recorders know of its steps, by the files
 * that they write of their days, to one fingerprint.
 */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/summaries/job_prints.h"
#include "analyzer/summaries/step_programs.h"
#include "common/missing.h"
#include "profiles/writer.h"
#include "recorder/delivery/summaries.h"
#include "recorder/jobs/step_programs.h"
#include "recorder/programs/programs_internal.h"
#include "recorder/tables/privacy.h"
#include "test/run_tests.h"

#define N1 "2026-11-22.n1.stepwell"
#define N2 "2026-11-22.n2.stepwell"

enum { JOB = 4711, ALL_KINDS = 6 };

static char folder[] = "/tmp/check_job_prints.XXXXXX";
static int folder_fd;
static struct sw_error error;
static struct sw_programs programs;
static struct sw_topology_load topology;
static struct sw_node_step step;
static struct sw_writer *writer;
static struct sw_job_prints prints;
static struct sw_fingerprint print;

static void set_up(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(folder_fd, 0);
	programs.is_complete = true;
	topology.is_known = true;
	strcpy(topology.topology.cpu_model, "Model 9");
	step.programs = &programs;
	sw_fingerprint_init(&print);
}

static void tear_down(void)
{
	sw_job_prints_fini(&prints);
	unlinkat(folder_fd, N1, 0);
	unlinkat(folder_fd, N2, 0);
	close(folder_fd);
	rmdir(folder);
}

/* A program of the step with processes that ended well. */
static struct sw_program *run(const char *name, uint64_t count,
			      uint64_t cpu_usec)
{
	struct sw_program *program =
		&programs.program[sw_programs_find(&programs, name)];
	const struct sw_program_end end = { .executed = SW_EXECUTED };
	uint64_t i;

	for (i = 0; i < count; i++) {
		program->started++;
		program->ended++;
		sw_program_count_end(program, &end);
	}
	program->cpu_usec = cpu_usec;
	program->rchar = 10 * cpu_usec;
	program->wchar = 20 * cpu_usec;
	sw_program_count_elapsed(program, cpu_usec + 1);
	return program;
}

static void end_badly(struct sw_program *program, int wait_status)
{
	const struct sw_program_end end = { .wait_status = wait_status,
					    .executed = SW_EXECUTED };

	program->started++;
	program->ended++;
	sw_program_count_end(program, &end);
}

static void open_day(const char *name)
{
	writer = sw_writer_create(folder_fd, name, false, &error);
	ck_assert_msg(writer, "%s", error.text);
}

static void close_day(void)
{
	ck_assert_int_eq(sw_writer_finish(writer, 2, &error), 0);
	sw_writer_destroy(writer);
}

/* Write the step's programs, and forget them. */
static void end_step(const char *id, uint64_t start_usec)
{
	const struct sw_node_place place = { .topology = &topology };
	struct sw_summary_programs kept;
	struct sw_summary_step row;
	unsigned i;

	sw_summary_step_init(&row);
	strcpy(row.job.cluster, "c1");
	row.job.key.job_id = JOB;
	row.start_realtime_usec = start_usec;
	snprintf(row.step_id, sizeof(row.step_id), "%s", id);
	sw_step_programs_find(&kept, &step, &place);
	sw_summary_programs_write(writer, &row, &kept);
	for (i = 0; i < programs.count; i++)
		sw_program_fini(&programs.program[i]);
	programs.count = 0;
}

static void read_day(const char *name, sw_job_prints_wants wants)
{
	const struct sw_reader_want want = { .only = &sw_step_programs_only,
					     .only_count = 1,
					     .no_others = true };
	struct sw_reader *reader =
		sw_reader_open_in(folder_fd, name, false, &want, &error);

	ck_assert_msg(reader, "%s", error.text);
	ck_assert_int_eq(sw_job_prints_add(&prints, reader, name, wants, NULL),
			 0);
	sw_reader_close(reader);
}

static void find(size_t steps)
{
	const struct sw_job_print_key key = { "c1", JOB, 0, steps };

	sw_fingerprint_init(&print);
	sw_job_prints_put(&prints, &key, &print);
}

static void check_program(const char *name, uint64_t count, uint64_t usec,
			  uint64_t longest_usec)
{
	const struct sw_fingerprint_program *program =
		sw_fingerprint_find(&print, name);

	ck_assert_msg(program, "%s", name);
	ck_assert_uint_eq(program->amount[SW_PROGRAM_COUNT], count);
	ck_assert_uint_eq(program->amount[SW_PROGRAM_CPU_USEC], usec);
	ck_assert_uint_eq(program->amount[SW_PROGRAM_READ_BYTES], 10 * usec);
	ck_assert_uint_eq(program->amount[SW_PROGRAM_WRITTEN_BYTES],
			  20 * usec);
	ck_assert_uint_eq(program->amount[SW_PROGRAM_LONGEST_USEC],
			  longest_usec);
}

static uint64_t exits_of(const char *name, bool is_signal, unsigned number)
{
	return sw_fingerprint_exits(sw_fingerprint_find(&print, name),
				    is_signal, number);
}

/* Two steps on each of two nodes. */
static void write_job(void)
{
	open_day(N1);
	run("bash", 1, 5);
	end_step("batch", 100);
	run("aligner", 3, 1000);
	end_badly(run("python3", 2, 50), 1 << 8);
	end_step("0", 200);
	close_day();
	open_day(N2);
	run("sleep", 1, 1);
	end_step("extern", 101);
	end_badly(run("aligner", 4, 2000), SIGKILL);
	end_badly(run("python3", 0, 10), 1 << 8);
	end_step("0", 201);
	close_day();
}

START_TEST(steps_and_nodes_add_up)
{
	write_job();
	read_day(N2, NULL);
	read_day(N1, NULL);
	find(4);
	ck_assert(print.is_complete);
	ck_assert_uint_eq(print.program_count, 4);
	ck_assert_uint_eq(print.more_programs, 0);
	check_program("aligner", 8, 3000, 2001);
	check_program("python3", 4, 60, 51);
	check_program("bash", 1, 5, 6);
	check_program("sleep", 1, 1, 2);
	ck_assert_uint_eq(sw_fingerprint_find(&print, "aligner")->exited_ok, 7);
	ck_assert_uint_eq(exits_of("aligner", true, SIGKILL), 1);
	ck_assert_uint_eq(exits_of("python3", false, 1), 2);
	ck_assert_str_eq(print.programs[0].name, "aligner");
	ck_assert_str_eq(print.programs[1].name, "python3");
	ck_assert_str_eq(print.environment.kind, "Model 9");
	ck_assert_int_ne(print.environment.kernel[0], '\0');
}
END_TEST

START_TEST(a_file_counts_once)
{
	write_job();
	read_day(N1, NULL);
	read_day(N2, NULL);
	read_day(N1, NULL);
	find(4);
	check_program("aligner", 8, 3000, 2001);
}
END_TEST

/* Sums without it would say that less was done than usual. */
START_TEST(a_missing_step_is_not_nothing)
{
	write_job();
	read_day(N1, NULL);
	find(4);
	ck_assert_uint_eq(print.program_count, 0);
	ck_assert(!print.is_complete);
	ck_assert_str_eq(print.environment.kind, "");
}
END_TEST

static bool is_other(void *context, const char *cluster, uint64_t job_id)
{
	(void)context;
	ck_assert_str_eq(cluster, "c1");
	return job_id != JOB;
}

START_TEST(other_jobs_are_passed_over)
{
	write_job();
	read_day(N1, is_other);
	ck_assert_uint_eq(prints.jobs.count, 0);
	ck_assert_uint_eq(prints.seen.count, 0);
}
END_TEST

/* More ways to end than are told apart. */
START_TEST(each_way_to_end)
{
	struct sw_program *program;
	int i;

	open_day(N1);
	program = run("tool", 1, 7);
	for (i = 1; i <= 12; i++)
		end_badly(program, i << 8);
	end_badly(program, SIGSEGV);
	end_badly(program, SIGSEGV);
	end_step("0", 100);
	close_day();
	read_day(N1, NULL);
	find(1);
	check_program("tool", 15, 7, 8);
	ck_assert_uint_eq(exits_of("tool", false, 1), 1);
	ck_assert_uint_eq(exits_of("tool", false, ALL_KINDS), 1);
	ck_assert_uint_eq(exits_of("tool", false, SW_EXIT_NUMBER_UNKNOWN), 6);
	ck_assert_uint_eq(exits_of("tool", true, SIGSEGV) +
				  exits_of("tool", true,
					   SW_EXIT_NUMBER_UNKNOWN),
			  2);
}
END_TEST

/* One that failed is kept before any with more CPU time. */
START_TEST(the_most_worth_are_kept)
{
	char name[16];
	uint64_t i;

	open_day(N1);
	for (i = 0; i < 30; i++) {
		snprintf(name, sizeof(name), "tool%02d", (int)i);
		run(name, 1, 1000 + i);
	}
	end_badly(run("least", 0, 1), 3 << 8);
	end_step("0", 100);
	run("tool00", 1, 500);
	run("tool29", 1, 500);
	run("tool99", 1, 500);
	end_step("1", 200);
	close_day();
	read_day(N1, NULL);
	find(2);
	ck_assert_uint_eq(print.program_count, SW_PROGRAMS_KEPT);
	ck_assert_str_eq(print.programs[0].name, "least");
	check_program("tool29", 2, 1529, 1030);
	ck_assert(!sw_fingerprint_lacks(&print, "tool01"));
	/* Left out of the first step, where it ran as well. */
	ck_assert(!sw_fingerprint_find(&print, "tool00") ||
		  sw_is_missing(sw_fingerprint_find(&print, "tool00")
					->amount[SW_PROGRAM_COUNT]));
	ck_assert_uint_ge(print.more_programs, 7);
	ck_assert(print.is_complete);
}
END_TEST

static void check_nothing_known(void)
{
	ck_assert_uint_eq(print.program_count, 0);
	ck_assert_uint_ge(print.more_programs, 1);
	ck_assert(!print.is_complete);
	ck_assert(!sw_fingerprint_lacks(&print, "aligner"));
}

/* By an earlier recorder, without names, or by no backend. */
START_TEST(unknown_programs_are_not_absent)
{
	open_day(N1);
	run("aligner", 3, 1000);
	if (_i == 0)
		step.first_program = 3;
	else if (_i == 1)
		sw_privacy_set(SW_PRIVACY_COUNTERS);
	else
		step.programs = NULL;
	end_step("0", 100);
	close_day();
	read_day(N1, NULL);
	find(1);
	check_nothing_known();
}
END_TEST

/* In a job with a step whose programs are unknown no sum is known. */
START_TEST(one_unknown_step)
{
	open_day(N1);
	run("aligner", 3, 1000);
	end_step("0", 100);
	step.programs = NULL;
	end_step("1", 200);
	close_day();
	read_day(N1, NULL);
	find(2);
	ck_assert(!print.is_complete);
	ck_assert(sw_is_missing(sw_fingerprint_find(&print, "aligner")
					->amount[SW_PROGRAM_COUNT]));
}
END_TEST

START_TEST(unseen_ends)
{
	open_day(N1);
	run("aligner", 3, 1000)->ended++;
	end_step("0", 100);
	close_day();
	read_day(N1, NULL);
	find(1);
	ck_assert(!print.is_complete);
	ck_assert_uint_eq(print.program_count, 1);
}
END_TEST

/* The longest name in a table is cut off in a fingerprint. */
START_TEST(long_names)
{
	char name[64];

	memset(name, 'x', sizeof(name) - 1);
	name[63] = '\0';
	open_day(N1);
	run(name, 1, 9);
	name[50] = 'y';
	run(name, 2, 8);
	end_step("0", 100);
	close_day();
	read_day(N1, NULL);
	find(1);
	ck_assert_uint_eq(print.program_count, 1);
	ck_assert_uint_eq(print.more_programs, 1);
	ck_assert_uint_eq(print.programs[0].amount[SW_PROGRAM_COUNT], 1);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("job_prints");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, steps_and_nodes_add_up);
	tcase_add_test(tests, a_file_counts_once);
	tcase_add_test(tests, a_missing_step_is_not_nothing);
	tcase_add_test(tests, other_jobs_are_passed_over);
	tcase_add_test(tests, each_way_to_end);
	tcase_add_test(tests, the_most_worth_are_kept);
	tcase_add_loop_test(tests, unknown_programs_are_not_absent, 0, 3);
	tcase_add_test(tests, one_unknown_step);
	tcase_add_test(tests, unseen_ends);
	tcase_add_test(tests, long_names);
	return run_tests("job_prints", tests, NULL);
}
