/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of a program's row at each level of privacy. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "recorder/programs/program.h"
#include "recorder/tables/privacy.h"
#include "test/run_tests.h"

static union sw_value values[SW_TABLE_COLUMNS_MAX];

static const char *text_of(const char *column)
{
	size_t i;

	for (i = 0; i < sw_program_table.column_count; i++) {
		if (!strcmp(sw_program_table.columns[i].name, column))
			return values[i].text;
	}
	ck_abort_msg("no column %s", column);
	return NULL;
}

/* Fill a row with texts for the user only, and others. */
static void make_row(enum sw_privacy level)
{
	static const struct sw_cause cause = {
		.call = "open", .error = "ENOENT", .end_usec = 5,
		.object.text = "/secret/genome", .read.text = "/secret/reads",
	};
	struct sw_program program, origin;

	sw_program_init(&program, "STAR");
	sw_program_init(&origin, "wrapper");
	program.origin = &origin;
	sw_program_count_killer(&program, SIGKILL, SW_KILLER_JOB, "bash");
	sw_program_put_cause(&program, &cause);
	program.spin = (struct sw_spin){ .usec = 9, .call = "stat",
					 .object = "/secret/lock" };
	sw_privacy_set(level);
	sw_program_row(&program, 0, 3, 7, values);
	/* Its texts are constants of the recorder, except the name. */
	ck_assert_str_eq(text_of("failed_error"), "ENOENT");
	ck_assert_str_eq(text_of("failed_call"), "open");
	ck_assert_str_eq(text_of("spin_call"), "stat");
	if (level == SW_PRIVACY_FULL) {
		ck_assert_str_eq(text_of("failed_object"), "/secret/genome");
		ck_assert_str_eq(text_of("last_read"), "/secret/reads");
		ck_assert_str_eq(text_of("spin_object"), "/secret/lock");
	} else {
		ck_assert_ptr_null(text_of("failed_object"));
		ck_assert_ptr_null(text_of("last_read"));
		ck_assert_ptr_null(text_of("spin_object"));
	}
	ck_assert_str_eq(text_of("name"), level == SW_PRIVACY_COUNTERS ?
					  "program 3" : "STAR");
	if (level == SW_PRIVACY_COUNTERS) {
		ck_assert_ptr_null(text_of("killer"));
		ck_assert_ptr_null(text_of("started_by"));
	} else {
		ck_assert_str_eq(text_of("killer"), "bash");
		ck_assert_str_eq(text_of("started_by"), "wrapper");
	}
	sw_program_fini(&program);
}

static void is_number(const struct sw_program *program, const char *column,
		      uint64_t expected)
{
	size_t i;

	sw_program_row(program, 0, 3, 7, values);
	for (i = 0; i < sw_program_table.column_count; i++) {
		if (!strcmp(sw_program_table.columns[i].name, column)) {
			ck_assert_uint_eq(values[i].number, expected);
			return;
		}
	}
	ck_abort_msg("no column %s", column);
}

/* Usage of a process is known only after its exit. */
START_TEST(usage_of_none_is_missing)
{
	struct sw_program program;

	sw_program_init(&program, "tool");
	program.started = 1;
	is_number(&program, "cpu_usec", SW_MISSING);
	is_number(&program, "user_usec", SW_MISSING);
	is_number(&program, "system_usec", SW_MISSING);
	sw_program_fini(&program);
}
END_TEST

/* Senders of fatal signals are counted, except of SIGTERM. */
START_TEST(killers_are_counted)
{
	struct sw_program program;

	sw_program_init(&program, "tool");
	sw_program_count_killer(&program, SIGKILL, SW_KILLER_UNKNOWN, "");
	is_number(&program, "killed_by_job", SW_MISSING);
	is_number(&program, "killed_by_other", SW_MISSING);
	sw_program_count_killer(&program, 0, SW_KILLER_NONE, "");
	is_number(&program, "killed_by_job", 0);
	sw_program_count_killer(&program, SIGKILL, SW_KILLER_JOB, "timeout");
	sw_program_count_killer(&program, SIGTERM, SW_KILLER_JOB, "bash");
	sw_program_count_killer(&program, SIGTERM, SW_KILLER_OTHER, "bash");
	sw_program_count_killer(&program, SIGINT, SW_KILLER_OTHER, "bash");
	sw_program_count_killer(&program, SIGSEGV, SW_KILLER_NONE, "bash");
	sw_program_count_killer(&program, SIGKILL, SW_KILLER_KERNEL, "bash");
	is_number(&program, "killed_by_job", 1);
	is_number(&program, "killed_by_other", 1);
	ck_assert_str_eq(program.killer, "timeout");
	sw_program_fini(&program);
}
END_TEST

/* The doubtful work is that of the process that had done most. */
START_TEST(losses_are_of_one)
{
	static const struct sw_program_loss losses[] = {
		{ .start_usec = 1, .cpu_usec = 999, .written_bytes = 999 },
		{ 1 << 8, 2, 50, 7, 8 }, { 1 << 8, 3, 40, 7, 90 },
		{ SIGKILL, 4, 30, 7, 8 }, { SIGSEGV, 5, 20, 70, 8 },
		{ SIGTERM, 6, 500, 70, 80 },
	};
	struct sw_program program;
	size_t i;

	sw_program_init(&program, "tool");
	is_number(&program, "failed_cpu_usec", SW_MISSING);
	is_number(&program, "killed_cpu_usec", SW_MISSING);
	for (i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		sw_program_count_loss(&program, &losses[i]);
	is_number(&program, "failed_cpu_usec", 50);
	is_number(&program, "failed_written_bytes", 90);
	is_number(&program, "failed_start_usec", 3);
	is_number(&program, "killed_cpu_usec", 30);
	is_number(&program, "killed_bytes", 78);
	sw_program_fini(&program);
}
END_TEST

static void end(struct sw_program *program, int wait_status,
		enum sw_executed executed, uint64_t start, uint64_t end_usec)
{
	sw_program_count_end(program, &(struct sw_program_end){
		wait_status, executed, start, end_usec });
}

/* The status of a mere fork concerns only its parent; a signal does not. */
START_TEST(forks_are_apart)
{
	struct sw_program program;

	sw_program_init(&program, "tool");
	end(&program, 3 << 8, SW_EXECUTED_UNKNOWN, 10, 20);
	is_number(&program, "forked_nonzero", SW_MISSING);
	is_number(&program, "exited_nonzero", 1);
	is_number(&program, "first_failed_usec", 20);
	sw_program_init(&program, "tool");
	end(&program, 255 << 8, SW_ONLY_FORKED, 10, 20);
	is_number(&program, "exited_nonzero", 1);
	is_number(&program, "forked_nonzero", 1);
	is_number(&program, "forked_not_found", 0);
	is_number(&program, "last_exit_status", 255);
	is_number(&program, "first_failed_usec", SW_MISSING);
	end(&program, 4 << 8, SW_EXECUTED, 10, 50);
	end(&program, 127 << 8, SW_ONLY_FORKED, 10, 60);
	end(&program, 126 << 8, SW_ONLY_FORKED, 10, 60);
	end(&program, 0, SW_ONLY_FORKED, 10, 70);
	end(&program, 0, SW_EXECUTED, 10, 40);
	is_number(&program, "exited_nonzero", 4);
	is_number(&program, "forked_nonzero", 3);
	is_number(&program, "forked_not_found", 2);
	is_number(&program, "first_not_found_usec", 60);
	is_number(&program, "last_exit_status", 4);
	is_number(&program, "first_failed_usec", 50);
	is_number(&program, "ok_shortest_usec", 30);
	end(&program, SIGSEGV, SW_ONLY_FORKED, 10, 90);
	is_number(&program, "killed", 1);
	sw_program_fini(&program);
}
END_TEST

static void is_exits_row(struct sw_program *program, uint64_t status,
			 uint64_t signal, uint64_t processes)
{
	union sw_value row[SW_PROGRAM_EXITS_COLUMNS];
	int kind = sw_program_exits_row(program, 2, 3, 7, row);

	ck_assert_int_ge(kind, 0);
	ck_assert_uint_eq(row[0].number, 7);
	ck_assert_uint_eq(row[1].number, 2);
	ck_assert_uint_eq(row[2].number, 3);
	ck_assert_uint_eq(row[3].number, status);
	ck_assert_uint_eq(row[4].number, signal);
	ck_assert_uint_eq(row[5].number, processes);
	sw_program_wrote_exits(program, kind);
}

/* Rows are only written for kinds of exit whose number has changed. */
START_TEST(exits_are_by_kind)
{
	union sw_value row[SW_PROGRAM_EXITS_COLUMNS];
	struct sw_program program;
	int i;

	sw_program_init(&program, "tool");
	end(&program, 0, SW_EXECUTED, 10, 20);
	end(&program, 1 << 8, SW_ONLY_FORKED, 10, 20);
	ck_assert_int_eq(sw_program_exits_row(&program, 2, 3, 7, row), -1);
	end(&program, 1 << 8, SW_EXECUTED, 10, 20);
	end(&program, SIGSEGV | 0x80, SW_EXECUTED, 10, 20);
	end(&program, 1 << 8, SW_EXECUTED_UNKNOWN, 10, 20);
	is_exits_row(&program, 1, SW_MISSING, 2);
	is_exits_row(&program, SW_MISSING, SIGSEGV, 1);
	ck_assert_int_eq(sw_program_exits_row(&program, 2, 3, 7, row), -1);
	end(&program, SIGSEGV, SW_EXECUTED, 10, 20);
	is_exits_row(&program, SW_MISSING, SIGSEGV, 2);
	for (i = 2; i < 12; i++)
		end(&program, i << 8, SW_EXECUTED, 10, 20);
	for (i = 2; i < SW_EXIT_KINDS_MAX; i++)
		is_exits_row(&program, (uint64_t)i, SW_MISSING, 1);
	is_exits_row(&program, SW_MISSING, SW_MISSING, 4);
	ck_assert_int_eq(sw_program_exits_row(&program, 2, 3, 7, row), -1);
	sw_program_fini(&program);
}
END_TEST

START_TEST(texts_by_level)
{
	make_row((enum sw_privacy)_i);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("row");

	tcase_add_test(tests, usage_of_none_is_missing);
	tcase_add_test(tests, killers_are_counted);
	tcase_add_test(tests, losses_are_of_one);
	tcase_add_test(tests, forks_are_apart);
	tcase_add_test(tests, exits_are_by_kind);
	tcase_add_loop_test(tests, texts_by_level, 0, SW_PRIVACY_LEVELS);
	return run_tests("program", tests, NULL);
}
