/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cause to which a failed step is attributed, and insufficient evidence. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/missing.h"
#include "common/units.h"
#include "recorder/programs/failed.h"
#include "test/run_tests.h"

enum { EXIT_1 = 1 << 8, EXIT_139 = 139 << 8 };

#define END_USEC (100 * SW_USEC_PER_SEC)

/* A program whose last call failed, this many seconds before the end. */
struct told {
	const char *call, *error, *object;
	bool is_unlikely;
	uint64_t before_seconds;
	int wait_status;
	const char *cause;	/* NULL: none is reported */
};

static const struct told all[] = {
	{ "open", "ENOENT", "/data/in.bam", false, 0, EXIT_1, "missing_file" },
	{ "access", "ENOENT", "x", false, 0, EXIT_1, "missing_file" },
	{ "open", "ENOENT", "libfoo.so.3", false, 0, EXIT_1, "library" },
	{ "open", "ENOENT", "notes.software", false, 0, EXIT_1,
	  "missing_file" },
	{ "open", "EACCES", "/data/in.bam", false, 0, EXIT_1, "permission" },
	{ "write", "ENOSPC", "/scratch/out", false, 0, EXIT_1, "no_space" },
	{ "write", "EDQUOT", "/scratch/out", false, 0, EXIT_1, "quota" },
	{ "write", "EIO", "/scratch/out", false, 0, EXIT_1, "io_error" },
	{ "memory", "ENOMEM", "123", false, 0, EXIT_1, "memory" },
	{ "fork", "ENOMEM", "", false, 0, EXIT_1, "memory" },
	{ "interpret", "ENOENT", "/opt/perl", false, 0, EXIT_1,
	  "interpreter" },
	{ "execute", "ENOENT", "bwa", false, 0, EXIT_1, "program" },
	{ "connect", "ECONNREFUSED", "10.0.0.1:27000", false, 0, EXIT_1,
	  "refused" },
	/* Similar cases. */
	{ "open", "ENOENT", "/data/in.bam", true, 0, EXIT_1, NULL },
	{ "open", "ENOENT", "/data/in.bam", false, 60, EXIT_1, NULL },
	{ "open", "ENOENT", "/data/in.bam", false, 0, 0, NULL },
	{ "open", "ENOENT", "/data/in.bam", false, 0, -1, NULL },
	{ "connect", "ETIMEDOUT", "10.0.0.1:27000", false, 0, EXIT_1, NULL },
	{ "open", NULL, "/data/in.bam", false, 0, EXIT_1, NULL },
};

START_TEST(of_a_call)
{
	const struct told *told = &all[_i];
	struct sw_program program;
	struct sw_cause cause = {
		.call = told->call, .error = told->error,
		.is_likely = !told->is_unlikely,
		.end_usec = END_USEC - told->before_seconds * SW_USEC_PER_SEC,
	};
	const char *found;

	sw_program_init(&program, "tool");
	snprintf(cause.object.text, sizeof(cause.object.text), "%s",
		 told->object);
	program.cause = &cause;
	found = sw_failed_cause(&program, told->wait_status, END_USEC);
	ck_assert_str_eq(sw_text(found), sw_text(told->cause));
}
END_TEST

static const char *crash(uint64_t signal, uint64_t before_seconds,
			 int wait_status)
{
	struct sw_program program;

	sw_program_init(&program, "tool");
	program.last_signal = signal;
	program.last_end_usec = END_USEC - before_seconds * SW_USEC_PER_SEC;
	return sw_text(sw_failed_cause(&program, wait_status, END_USEC));
}

START_TEST(of_a_signal)
{
	ck_assert_str_eq(crash(SIGSEGV, 0, SIGSEGV), "crash");
	ck_assert_str_eq(crash(SIGSEGV, 0, EXIT_139), "crash");
	/* Killed by others, another signal, long before, or irrelevant. */
	ck_assert_str_eq(crash(SIGTERM, 0, SIGTERM), "");
	ck_assert_str_eq(crash(SIGSEGV, 0, SIGABRT), "");
	ck_assert_str_eq(crash(SIGSEGV, 0, EXIT_1), "");
	ck_assert_str_eq(crash(SIGSEGV, 60, EXIT_139), "");
	ck_assert_str_eq(crash(SIGSEGV, 0, 0), "");
	ck_assert_str_eq(crash(SW_MISSING, 0, EXIT_1), "");
}
END_TEST

START_TEST(out_of_memory)
{
	struct sw_program program;

	sw_program_init(&program, "tool");
	program.oom_killed = 0;
	ck_assert_ptr_null(sw_failed_cause(&program, EXIT_1, END_USEC));
	program.oom_killed = 1;
	ck_assert_str_eq(sw_failed_cause(&program, EXIT_1, END_USEC),
			 "memory");
	/* The step may not know of it. */
	ck_assert_str_eq(sw_failed_cause(&program, 0, END_USEC), "memory");
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("all");

	tcase_add_loop_test(tests, of_a_call, 0,
			    (int)(sizeof(all) / sizeof(all[0])));
	tcase_add_test(tests, of_a_signal);
	tcase_add_test(tests, out_of_memory);
	return run_tests("failed", tests, NULL);
}
