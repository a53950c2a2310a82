/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fingerprints of views, and as bytes: bounded, and safe to decode. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/compare/compare.h"
#include "analyzer/compare/fingerprint_view.h"
#include "common/missing.h"
#include "test/run_tests.h"
#include "test/unit/analyzer/compare/group_kit.h"
#include "test/unit/analyzer/view/view_kit.h"

static struct sw_fingerprint drawn(uint64_t seed)
{
	static struct kit_group group;
	struct sw_fingerprint run;

	kit_group_draw(&group, seed, KIT_KNOWN);
	kit_run_draw(&group, &run);
	kit_plants[seed % KIT_PLANTS].plant(&group, &run);
	return run;
}

static void check_same(const struct sw_fingerprint *a,
		       const struct sw_fingerprint *b)
{
	uint8_t bytes[SW_FINGERPRINT_BYTES], again[SW_FINGERPRINT_BYTES];
	size_t size = sw_fingerprint_encode(a, bytes);

	ck_assert_uint_eq(sw_fingerprint_encode(b, again), size);
	ck_assert_int_eq(memcmp(bytes, again, size), 0);
}

START_TEST(bytes_keep_everything)
{
	struct sw_fingerprint run, read;
	uint8_t bytes[SW_FINGERPRINT_BYTES];
	size_t size, i;

	for (i = 1; i <= 100; i++) {
		run = drawn(i);
		size = sw_fingerprint_encode(&run, bytes);
		ck_assert_int_eq(sw_fingerprint_decode(&read, bytes, size), 0);
		check_same(&run, &read);
		ck_assert_uint_eq(read.program_count, run.program_count);
		ck_assert_int_eq(
			memcmp(read.amount, run.amount, sizeof(read.amount)),
			0);
		ck_assert_str_eq(read.environment.node, run.environment.node);
		ck_assert_double_eq_tol(read.limited[SW_LIMITED_BY_IO],
					run.limited[SW_LIMITED_BY_IO], 6e-4);
	}
	sw_fingerprint_init(&run);
	size = sw_fingerprint_encode(&run, bytes);
	ck_assert_int_eq(sw_fingerprint_decode(&read, bytes, size), 0);
	check_same(&run, &read);
	ck_assert_uint_eq(read.input_bytes, SW_MISSING);
	ck_assert_double_nan(read.limited[0]);
	ck_assert_int_eq(read.state, SW_RUN_UNKNOWN);
}
END_TEST

START_TEST(twelve_programs_fit_in_a_kibibyte)
{
	struct sw_fingerprint run = drawn(1);
	uint8_t bytes[SW_FINGERPRINT_BYTES];
	size_t size;

	while (run.program_count < 12) {
		run.programs[run.program_count] = run.programs[0];
		snprintf(run.programs[run.program_count].name,
			 SW_FINGERPRINT_NAME, "program-%zu", run.program_count);
		run.program_count++;
	}
	run.program_count = 12;
	size = sw_fingerprint_encode(&run, bytes);
	printf("%zu bytes with 12 programs\n", size);
	ck_assert_uint_le(size, SW_FINGERPRINT_BYTES);
	ck_assert_int_eq(sw_fingerprint_decode(&run, bytes, size), 0);
	ck_assert_uint_eq(run.program_count, 12);
	ck_assert_uint_eq(run.more_programs, 0);
}
END_TEST

/* The largest number and the longest texts everywhere. */
static void fill(struct sw_fingerprint *run)
{
	size_t i, j;

	sw_fingerprint_init(run);
	run->exit_code = run->input_bytes = SW_MISSING - 1;
	memset(run->environment.node, 'n', SW_FINGERPRINT_TEXT - 1);
	memset(run->environment.kind, 'n', SW_FINGERPRINT_TEXT - 1);
	memset(run->environment.kernel, 'n', SW_FINGERPRINT_TEXT - 1);
	memset(run->environment.mount, 'n', SW_FINGERPRINT_TEXT - 1);
	run->environment.cpus_milli = run->environment.bound_cpus =
		SW_MISSING - 1;
	run->environment.bound_numa = run->environment.neighbors_permille =
		SW_MISSING - 1;
	for (i = 0; i < SW_STEP_AMOUNTS; i++)
		run->amount[i] = SW_MISSING - 1;
	run->phase_count = SW_FINGERPRINT_PHASES;
	for (i = 0; i < SW_FINGERPRINT_PROGRAMS; i++) {
		struct sw_fingerprint_program *program = &run->programs[i];

		sw_fingerprint_program_init(program, "");
		memset(program->name, 'a' + (int)i, SW_FINGERPRINT_NAME - 1);
		for (j = 0; j < SW_PROGRAM_AMOUNTS; j++)
			program->amount[j] = SW_MISSING - 1;
		for (j = 0; j < 2 * SW_EXIT_KINDS_MAX; j++)
			sw_fingerprint_add_exit(program, j % 2, 200 + j,
						SW_MISSING / 3);
	}
	run->program_count = SW_FINGERPRINT_PROGRAMS;
}

START_TEST(what_does_not_fit_is_counted)
{
	struct sw_fingerprint run, read;
	uint8_t bytes[SW_FINGERPRINT_BYTES];
	size_t size;

	fill(&run);
	run.more_programs = 7;
	size = sw_fingerprint_encode(&run, bytes);
	ck_assert_uint_le(size, SW_FINGERPRINT_BYTES);
	ck_assert_int_eq(sw_fingerprint_decode(&read, bytes, size), 0);
	ck_assert_uint_gt(read.program_count, 0);
	ck_assert_uint_eq(read.program_count + read.more_programs,
			  SW_FINGERPRINT_PROGRAMS + 7);
	ck_assert_str_eq(read.programs[read.program_count - 1].name,
			 run.programs[read.program_count - 1].name);
	ck_assert_uint_eq(sw_fingerprint_failures(read.programs),
			  sw_fingerprint_failures(run.programs));
	/* A program that is not listed may have run. */
	read.is_complete = true;
	ck_assert(!sw_fingerprint_lacks(&read, "zzz"));
}
END_TEST

START_TEST(damaged_bytes_are_refused_or_harmless)
{
	struct sw_fingerprint run = drawn(2), read, again;
	uint8_t bytes[SW_FINGERPRINT_BYTES], damaged[SW_FINGERPRINT_BYTES + 1];
	size_t size = sw_fingerprint_encode(&run, bytes), i, accepted = 0;

	for (i = 0; i < size; i++) {
		errno = 0;
		ck_assert_int_eq(sw_fingerprint_decode(&read, bytes, i), -1);
		ck_assert_int_eq(errno, EINVAL);
		ck_assert_uint_eq(read.program_count, 0);
	}
	memcpy(damaged, bytes, size);
	damaged[size] = 0;
	ck_assert_int_eq(sw_fingerprint_decode(&read, damaged, size + 1), -1);
	for (i = 0; i < 8 * size; i++) {
		memcpy(damaged, bytes, size);
		damaged[i / 8] ^= (uint8_t)(1u << i % 8);
		if (sw_fingerprint_decode(&read, damaged, size) < 0)
			continue;
		accepted++;
		ck_assert_int_eq(sw_fingerprint_decode(
					 &again, damaged,
					 sw_fingerprint_encode(&read, damaged)),
				 0);
		check_same(&read, &again);
	}
	ck_assert_uint_gt(accepted, 0);
	/* A newer version is not damage. */
	bytes[0] = 2;
	ck_assert_int_eq(sw_fingerprint_decode(&read, bytes, size), -1);
	ck_assert_int_eq(errno, ENOTSUP);
	bytes[0] = 0;
	ck_assert_int_eq(sw_fingerprint_decode(&read, bytes, size), -1);
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

START_TEST(many_statuses_are_counted)
{
	struct sw_fingerprint_program program;
	unsigned status;

	sw_fingerprint_program_init(&program, "tool");
	for (status = 1; status <= 100; status++)
		sw_fingerprint_add_exit(&program, false, status, 1);
	sw_fingerprint_add_exit(&program, true, 9, 2);
	sw_fingerprint_add_exit(&program, false, 1, 1);
	ck_assert_uint_le(program.exits.count, SW_EXIT_KINDS_MAX);
	ck_assert_uint_eq(sw_fingerprint_failures(&program), 103);
	ck_assert_uint_eq(sw_fingerprint_exits(&program, false, 1), 2);
	ck_assert_uint_gt(
		sw_fingerprint_exits(&program, false, SW_EXIT_NUMBER_UNKNOWN),
		0);
}
END_TEST

#define PROGRAMS                                                               \
	"table programs program bpf\ncolumn program - key\n"                   \
	"column name - text\ncolumn started count counter\n"                   \
	"column ended count counter\ncolumn is_complete - state\n"             \
	"column user_usec usec counter\ncolumn system_usec usec counter\n"     \
	"column exited_ok count counter\ncolumn exited_nonzero count "         \
	"counter\n"                                                            \
	"column killed count counter\ncolumn signal_kill count counter\n"      \
	"column signal_segv count counter\ncolumn signal_abrt count counter\n" \
	"column signal_term count counter\ncolumn last_exit_status - state\n"  \
	"column last_signal - state\n"

START_TEST(a_view_becomes_a_fingerprint)
{
	struct sw_view view = kit_view(
		STEPS SUMMARY CPU
		"row 1000000000 0 1000000\nrow 1010000000 0 3000000\n" PROGRAMS
		"row 1 align 1 1 1 9000000 0 1 0 0 0 0 0 0 - -\n"
		"row 2 worker 60 60 1 5000000 0 52 5 3 1 1 0 0 3 8\n"
		"row 3 date 2 2 1 10 0 2 0 0 0 0 0 0 - -\n");
	const struct sw_fingerprint_program *worker;
	struct sw_fingerprint print;

	sw_fingerprint_of_view(&print, &view, SW_RUN_COMPLETED, true, "epyc");
	ck_assert(print.has_failure);
	ck_assert(print.is_complete);
	ck_assert(!sw_fingerprint_teaches(&print));
	ck_assert_uint_eq(print.exit_code, 0);
	ck_assert_uint_eq(print.amount[SW_STEP_ELAPSED_USEC], 10000000);
	ck_assert_uint_eq(print.amount[SW_STEP_NEED_BYTES], SW_MISSING);
	ck_assert_uint_eq(print.environment.cpus_milli, 4000);
	ck_assert_str_eq(print.environment.kind, "epyc");
	/* Those that failed come first. */
	ck_assert_uint_eq(print.program_count, 3);
	ck_assert_str_eq(print.programs[0].name, "worker");
	ck_assert_str_eq(print.programs[1].name, "align");
	worker = sw_fingerprint_find(&print, "worker");
	ck_assert_uint_eq(sw_fingerprint_failures(worker), 8);
	ck_assert_uint_eq(sw_fingerprint_exits(worker, false, 3), 1);
	ck_assert_uint_eq(
		sw_fingerprint_exits(worker, false, SW_EXIT_NUMBER_UNKNOWN), 4);
	ck_assert_uint_eq(sw_fingerprint_exits(worker, true, 9), 1);
	ck_assert_uint_eq(sw_fingerprint_exits(worker, true, 11), 1);
	ck_assert_uint_eq(sw_fingerprint_exits(worker, true, 8), 1);
	ck_assert(sw_fingerprint_lacks(&print, "sort"));
	ck_assert_uint_eq(worker->amount[SW_PROGRAM_READ_BYTES], SW_MISSING);
	kit_drop(&view);
}
END_TEST

/* A sum of views has no placement, and no waits for mounts. */
START_TEST(a_sum_takes_its_environment_from_its_parts)
{
	struct sw_view sum = kit_view(STEPS SUMMARY PROGRAMS), parts[2];
	const struct sw_view *const list[] = { &parts[0], &parts[1] };
	struct sw_fingerprint print;

	parts[0] = parts[1] = sum;
	parts[0].cpu.used_usec = 5000;
	parts[1].cpu.used_usec = 9000;
	parts[0].placement.cpu_model = "atom";
	parts[1].placement.cpu_model = "epyc";
	parts[1].kernel = "6.1";
	parts[0].io.waits[0] =
		(struct sw_view_wait){ .name = "/scratch", .waited_usec = 70 };
	parts[1].io.waits[0] =
		(struct sw_view_wait){ .name = "/home", .waited_usec = 60 };
	parts[0].io.wait_count = parts[1].io.wait_count = 1;
	sw_fingerprint_of_sum(&print, &sum, list, 2, SW_RUN_COMPLETED, NULL);
	ck_assert_str_eq(print.environment.kind, "epyc");
	ck_assert_str_eq(print.environment.kernel, "6.1");
	ck_assert_str_eq(print.environment.mount, "/scratch");
	ck_assert_uint_eq(print.amount[SW_STEP_MOUNT_USEC], 70);
	kit_drop(&sum);
}
END_TEST

/* The table of exits has each status; what it does not tell apart is unknown. */
START_TEST(exits_are_those_of_the_table)
{
	struct sw_view view = kit_view(
		STEPS SUMMARY PROGRAMS
		"row 2 worker 60 60 1 5000000 0 52 5 3 1 1 0 0 3 8\n"
		"table program_exits program programs\n"
		"column time_usec usec time\ncolumn step - state\n"
		"column program - key\ncolumn exit_status - state\n"
		"column signal - state\ncolumn processes count counter\n"
		"row 1000000000 0 2 2 - 1\nrow 1000000000 0 2 3 - 2\n"
		"row 1000000000 0 2 - 9 2\nrow 1000000000 0 2 - - 3\n");
	const struct sw_fingerprint_program *worker;
	struct sw_fingerprint print;

	sw_fingerprint_of_view(&print, &view, SW_RUN_COMPLETED, false, NULL);
	worker = sw_fingerprint_find(&print, "worker");
	ck_assert_uint_eq(sw_fingerprint_failures(worker), 8);
	ck_assert_uint_eq(sw_fingerprint_exits(worker, false, 2), 1);
	ck_assert_uint_eq(sw_fingerprint_exits(worker, false, 3), 2);
	ck_assert_uint_eq(
		sw_fingerprint_exits(worker, false, SW_EXIT_NUMBER_UNKNOWN), 2);
	ck_assert_uint_eq(sw_fingerprint_exits(worker, true, 9), 2);
	ck_assert_uint_eq(
		sw_fingerprint_exits(worker, true, SW_EXIT_NUMBER_UNKNOWN), 1);
	kit_drop(&view);
}
END_TEST

START_TEST(unseen_ends_prove_nothing)
{
	struct sw_view view =
		kit_view(STEPS SUMMARY PROGRAMS
			 "row 1 align 1 1 0 9000000 0 1 0 0 0 0 0 0 - -\n");
	struct sw_fingerprint print;

	sw_fingerprint_of_view(&print, &view, SW_RUN_COMPLETED, false, NULL);
	ck_assert(!print.is_complete);
	ck_assert(!sw_fingerprint_lacks(&print, "sort"));
	kit_drop(&view);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("fingerprint"), *views = kit_case("views");

	tcase_add_test(tests, bytes_keep_everything);
	tcase_add_test(tests, twelve_programs_fit_in_a_kibibyte);
	tcase_add_test(tests, what_does_not_fit_is_counted);
	tcase_add_test(tests, damaged_bytes_are_refused_or_harmless);
	tcase_add_test(tests, many_statuses_are_counted);
	tcase_add_test(views, a_view_becomes_a_fingerprint);
	tcase_add_test(views, a_sum_takes_its_environment_from_its_parts);
	tcase_add_test(views, exits_are_those_of_the_table);
	tcase_add_test(views, unseen_ends_prove_nothing);
	return run_tests("fingerprint", tests, views, NULL);
}
