/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers from tables that are missing, empty, odd or unsorted. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "analyzer/view/fields.h"
#include "test/unit/analyzer/view/view_kit.h"

START_TEST(nothing_but_a_step)
{
	struct sw_view view = kit_view(STEPS);

	ck_assert_int_eq(view.state, SW_STATE_UNKNOWN);
	ck_assert_uint_eq(view.elapsed_usec, SW_MISSING);
	ck_assert_uint_eq(view.start_realtime_usec, SW_MISSING);
	ck_assert_uint_eq(view.cpu.used_usec, SW_MISSING);
	ck_assert_ptr_null(view.cpu.source);
	ck_assert(isnan(view.cpu.mean_cores) && isnan(view.cpu.peak_cores));
	ck_assert(isnan(view.cpu.efficiency));
	ck_assert_ptr_null(view.memory.source);
	ck_assert_uint_eq(view.memory.need_upper_bytes, SW_MISSING);
	ck_assert_uint_eq(view.memory.oom_kills, SW_MISSING);
	ck_assert_ptr_null(view.io.source);
	ck_assert_uint_eq(view.io.stalled_usec, SW_MISSING);
	ck_assert_uint_eq(view.pressure.cpu_some_usec, SW_MISSING);
	ck_assert_uint_eq(view.program_count + view.event_count, 0);
	ck_assert_uint_eq(view.recording.samples, SW_MISSING);
	ck_assert_ptr_null(view.name);
	ck_assert(!sw_view_has(&view, "series.cpu", "usage_usec"));
	ck_assert(!sw_view_has(&view, "steps", "no_such_column"));
	ck_assert(!sw_view_has(&view, "steps", "requested_cpus_milli"));
	ck_assert(sw_view_has(&view, "steps", "available_cpus_milli"));
	kit_drop(&view);
}
END_TEST

static const char *const stepless[] = {
	CPU "row 1000000000 0 5\n",
	"table identity job recorder\ncolumns node\n"
	"row n\n",
};

START_TEST(no_step_is_an_error)
{
	struct sw_view view = { 0 };
	struct sw_error error;

	errno = 0;
	ck_assert_int_eq(kit_try_view(&view, stepless[_i], &error), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(error.text, "no step"));
	kit_drop(&view);
}
END_TEST

/* Counts by kind of exit are cumulative; a forged profile may say anything. */
START_TEST(exits_by_kind)
{
	struct sw_view view = kit_view(
		STEPS "table programs program bpf\ncolumn program - key\n"
		"column name - text\ncolumn started - counter\n"
		"row 7 gzip 9\nrow 8 sort 1\n"
		"table program_exits program programs\n"
		"column time_usec usec time\ncolumn step - state\n"
		"column program - key\ncolumn exit_status - state\n"
		"column signal - state\ncolumn processes count counter\n"
		"row 1000000000 0 7 1 - 2\nrow 1000000000 0 7 - 9 1\n"
		"row 1000000001 0 7 1 - 5\nrow 1000000001 0 7 - - 3\n"
		"row 1000000002 0 7 999 9999 4\nrow 1000000002 0 99 1 - 4\n"
		"row 1000000002 1 8 1 - 4\nrow 1000000002 0 8 1 - -\n");
	const struct sw_exit_counts *exits;

	ck_assert_uint_eq(view.program_count, 2);
	exits = &view.programs[0].exits;
	ck_assert_str_eq(view.programs[0].name, "gzip");
	ck_assert_uint_eq(exits->count, 2);
	ck_assert_uint_eq(sw_exit_counts_of(exits, 1), 5);
	ck_assert_uint_eq(sw_exit_counts_of(exits, SW_EXIT_SIGNAL + 9), 1);
	ck_assert_uint_eq(exits->other, 4);
	ck_assert_uint_eq(view.programs[1].exits.count, 0);
	ck_assert_uint_eq(view.programs[1].exits.other, 0);
	kit_drop(&view);
}
END_TEST

/* Texts in place of numbers, and vice versa, are read as missing. */
START_TEST(odd_kinds_read_as_missing)
{
	struct sw_view view = kit_view(
		"table identity job recorder\n"
		"column node - gauge\ncolumn uid - text\ncolumns name\n"
		"row 7 root -\n" STEPS
		"table series.cpu step cgroup.v2\n"
		"column time_usec - text\ncolumns step\n"
		"column usage_usec - text\n"
		"row then 0 much\nrow now 0 more\n"
		"table programs program bpf\ncolumns program\n"
		"column name - gauge\ncolumn started - text\n"
		"row 1 2 three\n"
		"table events step recorder\ncolumns step time_usec\n"
		"column kind - gauge\n"
		"row 0 1000000000 5\n");

	ck_assert_ptr_null(view.node);
	ck_assert_uint_eq(view.job.uid, SW_MISSING);
	ck_assert_uint_eq(view.cpu.used_usec, SW_MISSING);
	ck_assert_uint_eq(view.cores.count, 0);
	ck_assert_uint_eq(view.program_count, 1);
	ck_assert_str_eq(view.programs[0].name, "?");
	ck_assert_uint_eq(view.programs[0].started, SW_MISSING);
	ck_assert(!view.programs[0].is_complete);
	ck_assert_uint_eq(view.event_count, 0);
	kit_drop(&view);
}
END_TEST

/* 10 s, then an older row and a repeated one: they change nothing. */
START_TEST(rows_out_of_order_count_once)
{
	struct sw_view view = kit_view(STEPS SUMMARY CPU
		"row 1000000000 0 1000000\n"
		"row 1005000000 0 3000000\n"
		"row 1002000000 0 1500000\n"
		"row 1005000000 0 3000000\n"
		"row - 0 99000000\n"
		"row 1010000000 0 6000000\n");

	ck_assert_uint_eq(view.cpu.used_usec, 5000000);
	ck_assert_uint_eq(view.cores.count, 2);
	ck_assert_double_eq_tol(view.cores.value[0], 0.4, 1e-9);
	ck_assert_double_eq_tol(view.cores.value[1], 0.6, 1e-9);
	ck_assert_double_eq_tol(view.cores.mean, 0.5, 1e-9);
	kit_drop(&view);
}
END_TEST

/* A reset restarts the count; a missing sample only leaves a gap. */
START_TEST(resets_and_holes)
{
	struct sw_view view = kit_view(STEPS SUMMARY CPU
		"row 1000000000 0 5000000\n"
		"row 1002000000 0 7000000\n"
		"row 1004000000 0 1000000\n"
		"row 1006000000 0 -\n"
		"row 1010000000 0 4000000\n");

	ck_assert_uint_eq(view.cpu.used_usec, 5000000);
	ck_assert_uint_eq(view.cores.count, 4);
	ck_assert_double_eq_tol(view.cores.value[0], 1.0, 1e-9);
	ck_assert(isnan(view.cores.value[1]));
	ck_assert(isnan(view.cores.value[2]));
	ck_assert(isnan(view.cores.value[3]));
	kit_drop(&view);
}
END_TEST

/* Half a second of four CPUs counts; a tenth of a second of 30 does not. */
START_TEST(peak_is_of_half_a_second)
{
	struct sw_view view = kit_view(STEPS SUMMARY CPU
		"row 1000000000 0 0\n"
		"row 1001000000 0 0\n"
		"row 1001100000 0 3000000\n"
		"row 1003000000 0 3000000\n"
		"row 1003250000 0 4000000\n"
		"row 1003500000 0 5000000\n"
		"row 1009000000 0 5000000\n"
		"row 1010000000 0 5000000\n");

	/* 3 s of CPU in 1.1 s, and in 2 s; but 2 s in the half second. */
	ck_assert_double_eq_tol(view.cpu.peak_cores, 4.0, 1e-9);
	ck_assert_double_eq_tol(view.cores.max, 30.0, 1e-9);
	kit_drop(&view);
}
END_TEST

START_TEST(two_steps_stay_apart)
{
	struct sw_view view = kit_view(STEPS_COLUMNS
		"row 4 1000000000 2000 8000\nrow 5 1000000000 6000 8000\n"
		"table summary step recorder\n"
		"columns step end_usec exit_code signal\n"
		"row 5 1100000000 - 9\nrow 4 1010000000 0 -\n" CPU
		"row 1000000000 4 0\nrow 1000000000 5 50000000\n"
		"row 1010000000 4 1000000\nrow 1010000000 5 90000000\n");

	ck_assert_int_eq(view.state, SW_STATE_COMPLETED);
	ck_assert_uint_eq(view.elapsed_usec, 10000000);
	ck_assert_uint_eq(view.cpu.used_usec, 1000000);
	ck_assert_double_eq(view.cpu.allocated_cores, 2.0);
	ck_assert(view.cpu.is_requested);
	ck_assert_uint_eq(view.cores.count, 1);
	kit_drop(&view);
}
END_TEST

#define RANKS \
	"table steps step recorder\n" \
	"columns step start_usec step_id task_count\n" \
	"row 0 1000000000 0 2\n" \
	"table tasks task recorder\ncolumns time_usec\ncolumn step - key\n" \
	"column task - state\n" \
	"columns cgroup_kind wait_status memory_peak_bytes cpu_usage_usec\n"

/* The last row of each rank; a step without samples has its tasks' sums. */
START_TEST(tasks_are_by_rank)
{
	struct sw_view view = kit_view(RANKS
		"row 1000000000 0 3 task - - -\n"
		"row 1000000000 0 1 task - - -\n"
		"row 1002000000 0 1 task 256 " MIB50 " 500000\n"
		"row 1001000000 7 1 task 0 " MIB300 " 900000\n"
		"row 1001000000 0 3 task 0 " MIB10 " 250000\n"
		"row 1001000000 0 - task 0 " MIB300 " 900000\n");

	ck_assert_uint_eq(view.task_count, 2);
	ck_assert_uint_eq(view.tasks[0].rank, 1);
	ck_assert_uint_eq(view.tasks[0].wait_status, 256);
	ck_assert_uint_eq(view.tasks[0].memory_peak_bytes, MIB(50));
	ck_assert_uint_eq(view.tasks[1].rank, 3);
	ck_assert_uint_eq(view.tasks[1].cpu_usec, 250000);
	ck_assert_str_eq(view.step_id, "0");
	ck_assert_uint_eq(view.slurm.task_count, 2);
	ck_assert_str_eq(view.cpu.source, "tasks");
	ck_assert_uint_eq(view.cpu.used_usec, 750000);
	ck_assert_uint_eq(view.memory.peak_bytes, MIB(60));
	ck_assert_str_eq(view.memory.source, "tasks");
	kit_drop(&view);
}
END_TEST

/* Tasks in one cgroup each read the counters of all of them. */
START_TEST(shared_cgroups_count_once)
{
	struct sw_view view = kit_view(RANKS
		"row 1002000000 0 0 shared 0 " MIB50 " 500000\n"
		"row 1002000000 0 1 shared 0 " MIB50 " 510000\n");

	ck_assert_uint_eq(view.cpu.used_usec, 510000);
	ck_assert_uint_eq(view.memory.peak_bytes, MIB(50));
	kit_drop(&view);
}
END_TEST

/* In this case the CPU time of each is that of its own processes only. */
START_TEST(tasks_of_one_cgroup_differ)
{
	struct sw_view view = kit_view(RANKS
		"row 1002000000 0 0 shared 0 " MIB50 " 500000\n"
		"row 1002000000 0 1 shared 0 " MIB50 " 510000\n"
		"row 1002000000 0 2 task 0 " MIB50 " 30000\n"
		"table series.task task bpf\n"
		"columns time_usec step subject cpu_usec\n"
		"row 1001000000 0 0 1000\nrow 1002000000 0 0 400000\n"
		"row 1002000000 0 1 90000\nrow 1002000000 0 2 29000\n"
		"table subjects step recorder\n"
		"columns time_usec step source subject kind name\n"
		"row 1000000000 0 task 0 task 0\n"
		"row 1000000000 0 task 1 task 1\n"
		"row 1000000000 0 task 2 task 2\n");

	ck_assert_uint_eq(view.tasks[0].cpu_usec, 400000);
	ck_assert_uint_eq(view.tasks[1].cpu_usec, 90000);
	ck_assert_uint_eq(view.tasks[2].cpu_usec, 30000);
	ck_assert_uint_eq(view.cpu.used_usec, 520000);
	kit_drop(&view);
}
END_TEST

/* Evenly distributed between two samples; unknown before the first. */
START_TEST(tasks_are_seen_over_time)
{
	struct sw_view view = kit_view(RANKS
		"row 1004000000 0 0 task 0 " MIB50 " 500000\n"
		"row 1004000000 0 1 task 0 " MIB50 " 510000\n"
		"table series.task task bpf\n"
		"columns time_usec step subject cpu_usec\n"
		"row 1001000000 0 5 1000\nrow 1001000000 0 9 0\n"
		"row 1003000000 0 5 401000\nrow 1003000000 0 7 100\n"
		"row 1004000000 0 5 1401000\nrow 1004000000 0 9 -\n"
		"table subjects step recorder\n"
		"columns time_usec step source subject kind name\n"
		"row 1000000000 0 task 5 task 0\n"
		"row 1000000000 0 task 9 task 1\n");
	double cpus[2][4];
	size_t i;

	ck_assert_int_eq(sw_view_tasks_over(&view, 1000000000, 1004000000, 4,
					    cpus[0]), 0);
	ck_assert(isnan(cpus[0][0]));
	ck_assert_double_eq_tol(cpus[0][1], 0.2, 1e-9);
	ck_assert_double_eq_tol(cpus[0][2], 0.2, 1e-9);
	ck_assert_double_eq_tol(cpus[0][3], 1, 1e-9);
	for (i = 0; i < 4; i++)
		ck_assert(isnan(cpus[1][i]));
	/* A part that ends within an interval does not include it. */
	ck_assert_int_eq(sw_view_tasks_over(&view, 1000000000, 1003500000, 1,
					    cpus[0]), 0);
	ck_assert_double_eq_tol(cpus[0][0], 0.2, 1e-9);
	kit_drop(&view);
}
END_TEST

/* A task with an unseen end is represented by its samples. */
START_TEST(samples_stand_in_for_an_end)
{
	struct sw_view view = kit_view(RANKS
		"row 1000000000 0 0 task - - -\n"
		"table series.task task bpf\n"
		"columns time_usec step subject cpu_usec\n"
		"row 1001000000 0 5 40000\nrow 1002000000 0 5 90000\n"
		"row 1002000000 0 9 70000\n"
		"table series.task_memory task cgroup.v2\n"
		"columns time_usec step subject memory.current\n"
		"row 1001000000 0 3 " MIB20 "\nrow 1002000000 0 3 " MIB10
		"\nrow 1002000000 0 4 " MIB50 "\n"
		"table subjects step recorder\n"
		"columns time_usec step source subject kind name\n"
		"row 1000000000 0 task_memory 3 task 0\n"
		"row 1000000000 0 task 5 task 0\n"
		"row 1000000000 0 binding 4 task 0\n");

	ck_assert_uint_eq(view.tasks[0].cpu_usec, 90000);
	ck_assert_uint_eq(view.tasks[0].memory_peak_bytes, MIB(20));
	ck_assert_uint_eq(view.cpu.used_usec, 90000);
	kit_drop(&view);
}
END_TEST

/* Programs: the last row of each key, most expensive first; events by time. */
START_TEST(programs_and_events)
{
	struct sw_view view = kit_view(
		STEPS SUMMARY
		"table programs program bpf\n"
		"columns time_usec program name started is_complete user_usec "
		"system_usec\n"
		"row 1001000000 7 sort 1 1 10 5\n"
		"row 1001000000 3 gzip 1 0 1 1\n"
		"row 1009000000 3 gzip 9 0 100 50\n"
		"table events step recorder\n"
		"columns time_usec step kind value\n"
		"row 1005000000 0 gap 2000000\nrow 1002000000 0 killed 11\n"
		"row 1007000000 0 gap 500000\n"
		"table series.memory step cgroup.v2\ncolumns step anon\n");

	ck_assert_uint_eq(view.program_count, 2);
	ck_assert_str_eq(view.programs[0].name, "gzip");
	ck_assert_uint_eq(view.programs[0].started, 9);
	ck_assert_uint_eq(view.programs[0].cpu_usec, 150);
	ck_assert(!view.programs[0].is_complete);
	ck_assert(view.programs[1].is_complete);
	ck_assert_uint_eq(view.programs[1].killed, SW_MISSING);
	ck_assert_uint_eq(view.event_count, 3);
	ck_assert_str_eq(view.events[0].kind, "killed");
	ck_assert_uint_eq(view.recording.gap_usec, 2500000);
	ck_assert(!sw_view_has(&view, "series.memory", "anon"));
	kit_drop(&view);
}
END_TEST

/* The program named by oom_killed counts if there is no cgroup. */
START_TEST(oom_without_a_cgroup)
{
	struct sw_view view = kit_view(
		STEPS SUMMARY
		"table programs program bpf\n"
		"columns program name oom_killed peak_bytes peak_anon_bytes\n"
		"row 1 hog 2 " MIB512 " " MIB300 "\nrow 2 ls 0 " MIB1 " -\n");

	ck_assert_uint_eq(view.memory.oom_kills, 2);
	ck_assert(view.memory.need_is_lower_bound);
	ck_assert_uint_eq(view.memory.need_bytes, MIB(300));
	ck_assert_uint_eq(view.memory.peak_bytes, MIB(512));
	ck_assert_uint_eq(view.memory.need_upper_bytes, SW_MISSING);
	kit_drop(&view);
}
END_TEST

START_TEST(waits_in_words)
{
	struct sw_view_wait wait = { .name = "/nfs" };

	ck_assert_str_eq(sw_view_wait_words(&wait), "/nfs");
	wait.name = "nfs";
	ck_assert_str_eq(sw_view_wait_words(&wait), "NFS");
	wait.name = "local";
	ck_assert_str_eq(sw_view_wait_words(&wait), "a local file system");
	wait.name = "unknown";
	ck_assert_ptr_null(sw_view_wait_words(&wait));
	wait.name = NULL;
	ck_assert_ptr_null(sw_view_wait_words(&wait));
}
END_TEST

START_TEST(real_time_by_the_anchor)
{
	struct sw_view view = kit_view(
		"table identity job recorder\n"
		"columns anchor_boottime_usec anchor_realtime_usec\n"
		"row 1000500000 1780000000500000\n" STEPS SUMMARY);

	ck_assert_uint_eq(view.start_realtime_usec, 1780000000000000);
	ck_assert_uint_eq(sw_view_realtime_usec(&view, view.end_usec),
			  1780000010000000);
	ck_assert_uint_eq(sw_view_realtime_usec(&view, SW_MISSING),
			  SW_MISSING);
	kit_drop(&view);
}
END_TEST

#define ALL_OF(part, fields) { #part, sizeof(struct part), { fields, NULL } }

/* Structures that consist of fields only. */
static const struct {
	const char *name;
	size_t size;
	const struct sw_field *fields[2];
} parts[] = {
	ALL_OF(sw_view_cpu, sw_cpu_fields),
	ALL_OF(sw_view_memory, sw_memory_fields),
	ALL_OF(sw_view_wait, sw_wait_fields),
	ALL_OF(sw_view_pressure, sw_pressure_fields),
	ALL_OF(sw_view_network, sw_network_fields),
	ALL_OF(sw_view_energy, sw_energy_fields),
	ALL_OF(sw_view_surroundings, sw_surroundings_fields),
	ALL_OF(sw_view_link, sw_link_fields),
	ALL_OF(sw_view_mount, sw_mount_fields),
	ALL_OF(sw_view_recording, sw_recording_fields),
	/* Exits are read from a table of their own: exits_by_kind. */
	{ "sw_view_program", offsetof(struct sw_view_program, exits),
	  { sw_program_fields, NULL } },
	ALL_OF(sw_view_event, sw_event_fields),
	ALL_OF(sw_view_hang, sw_hang_fields),
	ALL_OF(sw_view_pipe, sw_pipe_fields),
	{ "sw_view_counters", sizeof(struct sw_view_counters),
	  { sw_kernel_fields, sw_hardware_fields } },
};

/* A member without a row is never cleared, read, summed or reported. */
START_TEST(each_member_has_its_row)
{
	uint64_t words[80], before;
	size_t i, left = parts[_i].size / sizeof(before);

	memset(words, 0x5a, sizeof(words));
	before = words[0];
	ck_assert_uint_le(parts[_i].size, sizeof(words));
	for (i = 0; i < 2 && parts[_i].fields[i]; i++)
		sw_fields_clear(words, parts[_i].fields[i]);
	while (left-- > 0)
		ck_assert_msg(words[left] != before,
			      "no field has the member at byte %zu of %s",
			      left * sizeof(before), parts[_i].name);
}
END_TEST

int main(void)
{
	TCase *tcase = kit_case("tables");

	tcase_add_test(tcase, nothing_but_a_step);
	tcase_add_loop_test(tcase, no_step_is_an_error, 0,
			    sizeof(stepless) / sizeof(stepless[0]));
	tcase_add_test(tcase, odd_kinds_read_as_missing);
	tcase_add_test(tcase, exits_by_kind);
	tcase_add_test(tcase, rows_out_of_order_count_once);
	tcase_add_test(tcase, resets_and_holes);
	tcase_add_test(tcase, peak_is_of_half_a_second);
	tcase_add_test(tcase, two_steps_stay_apart);
	tcase_add_test(tcase, tasks_are_by_rank);
	tcase_add_test(tcase, shared_cgroups_count_once);
	tcase_add_test(tcase, tasks_of_one_cgroup_differ);
	tcase_add_test(tcase, tasks_are_seen_over_time);
	tcase_add_test(tcase, samples_stand_in_for_an_end);
	tcase_add_test(tcase, programs_and_events);
	tcase_add_test(tcase, oom_without_a_cgroup);
	tcase_add_test(tcase, waits_in_words);
	tcase_add_test(tcase, real_time_by_the_anchor);
	tcase_add_loop_test(tcase, each_member_has_its_row, 0,
			    sizeof(parts) / sizeof(parts[0]));
	return kit_run(tcase);
}
