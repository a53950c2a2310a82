/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A step recorded by two recorders in sequence, with new numbers. */
#include <math.h>

#include "analyzer/view/view.h"
#include "analyzer/view/wait_track.h"
#include "test/unit/analyzer/view/view_kit.h"

#define NAMES \
	"table subjects step recorder\n" \
	"columns time_usec step source subject kind name\n"

#define WAITS \
	"table series.waits step bpf\n" \
	"columns time_usec step subject thread_usec some_usec idle_usec\n"

/* The name of a mount is found late, and applies to all rows of its number. */
static const char waits[] = STEPS SUMMARY WAITS
	"row 1001000000 0 0 0 0 0\nrow 1001000000 0 1 0 0 0\n"
	"row 1001000000 0 2 0 0 0\n"
	"row 1002000000 0 0 900000 300000 100000\n"
	"row 1002000000 0 1 900000 300000 100000\n"
	"row 1002000000 0 2 50000 50000 50000\n"
	"row 1003000000 0 0 1000000 400000 150000\n"
	"row 1003000000 0 1 1000000 400000 150000\n"
	"row 1003000000 0 2 60000 60000 60000\n"
	/* Counters that restarted, and are higher than before. */
	"row 1005000000 0 0 2000000 2000000 2000000\n"
	"row 1005000000 0 1 700000 700000 700000\n"
	"row 1005000000 0 2 2000000 2000000 2000000\n"
	NAMES
	"row 1000900000 0 waits 0 all io\n"
	"row 1000900000 0 waits 1 io nfs\n"
	"row 1000900000 0 waits 2 lock -\n"
	"row 1002500000 0 waits 1 io /scratch\n"
	"row 1004000000 0 waits 0 all io\n"
	"row 1004000000 0 waits 1 lock -\n"
	"row 1004000000 0 waits 2 io /home\n";

START_TEST(waits_are_by_the_names_of_their_recorder)
{
	struct sw_view view = kit_view(waits);
	const struct sw_view_io *io = &view.io;

	ck_assert_uint_eq(io->waited_usec, 2400000);
	ck_assert_uint_eq(io->waited_thread_usec, 3000000);
	ck_assert_uint_eq(io->waited_idle_usec, 2150000);
	ck_assert_uint_eq(io->wait_count, 2);
	ck_assert_str_eq(io->waits[0].name, "/home");
	ck_assert_uint_eq(io->waits[0].waited_usec, 2000000);
	ck_assert_uint_eq(io->waits[0].waited_thread_usec, 2000000);
	ck_assert_str_eq(io->waits[1].name, "/scratch");
	ck_assert_uint_eq(io->waits[1].waited_usec, 400000);
	ck_assert_uint_eq(io->waits[1].waited_idle_usec, 150000);
	kit_drop(&view);
}
END_TEST

START_TEST(so_is_what_limited_the_step)
{
	struct sw_view view = kit_view(waits);
	uint64_t idle_usec[SW_LIMIT_WAITS];
	struct sw_wait_track track;

	ck_assert_int_eq(sw_wait_track_init(&track, view.reader, 0), 0);
	sw_wait_track_sum(&track, idle_usec);
	ck_assert_uint_eq(idle_usec[SW_LIMIT_IO], 2150000);
	ck_assert_uint_eq(idle_usec[SW_LIMIT_LOCK], 760000);
	sw_wait_track_fini(&track);
	kit_drop(&view);
}
END_TEST

#define TASKS \
	"table tasks task slurm\ncolumns time_usec\ncolumn step - key\n" \
	"column task - state\ncolumns local_task wait_status\n"

/* The first task had ended before: the second one has its number. */
START_TEST(tasks_are_by_the_numbers_of_their_recorder)
{
	struct sw_view view = kit_view(STEPS SUMMARY TASKS
		"row 1000000000 0 0 0 -\nrow 1000000000 0 1 1 -\n"
		"table series.task task bpf\n"
		"columns time_usec step subject cpu_usec\n"
		"row 1001000000 0 0 100000\nrow 1001000000 0 1 0\n"
		"row 1002000000 0 0 400000\nrow 1002000000 0 1 500000\n"
		"row 1004000000 0 0 900000\nrow 1005000000 0 0 1100000\n"
		"table series.task_memory task cgroup.v2\n"
		"columns time_usec step subject memory.peak\n"
		"row 1001000000 0 0 " MIB50 "\nrow 1001000000 0 1 " MIB10 "\n"
		"row 1004000000 0 0 " MIB20 "\n"
		NAMES
		"row 1000900000 0 task 0 task 0\n"
		"row 1000900000 0 task 1 task 1\n"
		"row 1000900000 0 task_memory 0 task 0\n"
		"row 1000900000 0 task_memory 1 task 1\n"
		"row 1003500000 0 task 0 task 1\n"
		"row 1003500000 0 task_memory 0 task 1\n");
	double cpus[2][10];

	ck_assert_uint_eq(view.task_count, 2);
	ck_assert_uint_eq(view.tasks[0].cpu_usec, 400000);
	ck_assert_uint_eq(view.tasks[1].cpu_usec, 1100000);
	ck_assert_uint_eq(view.tasks[0].memory_peak_bytes, MIB(50));
	ck_assert_uint_eq(view.tasks[1].memory_peak_bytes, MIB(20));
	ck_assert_int_eq(sw_view_tasks_over(&view, 1000000000, 1010000000, 10,
					    cpus[0]), 0);
	ck_assert_double_eq_tol(cpus[0][1], 0.3, 1e-9);
	ck_assert_double_eq_tol(cpus[1][1], 0.5, 1e-9);
	ck_assert(isnan(cpus[0][3]));
	/* Nothing is known between two recorders. */
	ck_assert(isnan(cpus[1][3]));
	ck_assert_double_eq_tol(cpus[1][4], 0.2, 1e-9);
	kit_drop(&view);
}
END_TEST

/* The second recorder counts its own. */
START_TEST(samples_are_of_both)
{
	struct sw_view view = kit_view(STEPS
		"table summary step recorder\n"
		"columns step end_usec exit_code samples\n"
		"row 0 1010000000 0 0\n" CPU
		"row 1001000000 0 100\nrow 1002000000 0 200\n"
		"row 1003000000 0 300\n");

	ck_assert_uint_eq(view.recording.samples, 3);
	kit_drop(&view);
}
END_TEST

int main(void)
{
	TCase *tcase = kit_case("two_recorders");

	tcase_add_test(tcase, samples_are_of_both);
	tcase_add_test(tcase, waits_are_by_the_names_of_their_recorder);
	tcase_add_test(tcase, so_is_what_limited_the_step);
	tcase_add_test(tcase, tasks_are_by_the_numbers_of_their_recorder);
	return kit_run(tcase);
}
