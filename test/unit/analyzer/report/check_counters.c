/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From counters to words: derived values, owners, and the whole path from a
 * simulated PMU through a profile to the report.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/report/report.h"
#include "common/clock.h"
#include "config.h"
#include "recorder/sampler/sampler.h"
#include "recorder/sources/pmu/counters.h"
#include "recorder/tables/events.h"
#include "recorder/tables/identity.h"
#include "recorder/tables/summary.h"
#include "test/run_tests.h"
#include "test/unit/analyzer/report/report_kit.h"
#include "test/unit/recorder/sources/pmu/pmu_kit.h"

static struct sw_error error;

START_TEST(ratios)
{
	struct sw_view_counters c, sum;

	sw_counters_clear(&c);
	ck_assert(!sw_counters_has_kernel(&c));
	ck_assert(!sw_counters_has_hardware(&c));
	ck_assert(isnan(sw_counters_ipc(&c)));
	ck_assert(isnan(sw_counters_flops(&c)));
	ck_assert(isnan(sw_counters_vector(&c)));
	c.instructions = 3000;
	c.cycles = 2000;
	c.llc_misses = 30;
	c.hw_usec = 100;
	c.hw_counted_usec = 25;
	ck_assert_double_eq(sw_counters_ipc(&c), 1.5);
	ck_assert_double_eq(sw_counters_llc_rate(&c), 10);
	ck_assert_double_eq(sw_counters_share(&c), 0.25);
	c.fp_double[0] = 20;
	c.fp_double[2] = 10;		/* four numbers each */
	c.fp_single[3] = 10;		/* sixteen */
	ck_assert_double_eq(sw_counters_flops(&c), 20 + 40 + 160);
	ck_assert_double_eq(sw_counters_vector(&c), 200.0 / 220);
	sw_counters_clear(&sum);
	sw_counters_add(&sum, &c);
	sw_counters_add(&sum, &c);
	ck_assert_uint_eq(sum.instructions, 6000);
	ck_assert(sw_is_missing(sum.branch_misses));
	c.fp_operations = 7;		/* precision not known */
	ck_assert_double_eq(sw_counters_flops(&c), 7);
	ck_assert(isnan(sw_counters_vector(&c)));
	c.cycles = 0;
	ck_assert(isnan(sw_counters_ipc(&c)));
}
END_TEST

static const char ranks[] =
	REPORT_KIT_STEPS
	"row 0 1000000000\nrow 7 1000000000\n"
	"table tasks task recorder\ncolumns time_usec\ncolumn step - key\n"
	"column task - state\n"
	"row 1000000000 0 4\nrow 1000000000 0 9\nrow 1000000000 0 12\n"
	REPORT_KIT_SUBJECTS
	"row 1000000000 0 perf 0 task \"rank 4\" page-faults:u\n"
	"row 1000000000 0 perf 1 task \"rank 9\" page-faults\n"
	"row 1000000000 0 gpu 0 gpu \"rank 12\" x\n"
	"row 1000000000 0 perf 999 task \"rank 12\" page-faults\n"
	"row 1000000000 7 perf 0 task \"rank 12\" page-faults\n"
	"table series.perf task perf.inherit\n"
	"columns time_usec step subject page_faults context_switches\n"
	"row 1000000000 0 0 0 0\nrow 1000000000 0 1 0 0\n"
	"row 1010000000 0 0 50 5\nrow 1010000000 0 1 70 -\n"
	"row 1010000000 7 0 4000 4000\nrow 1010000000 0 300 9000 9000\n"
	"row 1010000000 0 - 9000 9000\n";

/* By rank; for this step; and rows without an owner are ignored. */
START_TEST(whose)
{
	struct sw_reader *reader;
	struct sw_view view;

	report_kit_write(ranks);
	reader = sw_reader_open(report_kit_profile(), &error);
	ck_assert_msg(reader != NULL, "%s", error.text);
	ck_assert_int_eq(sw_view_init(&view, reader, 0, &error), 0);
	ck_assert_uint_eq(view.task_count, 3);
	ck_assert_uint_eq(view.tasks[0].counters.page_faults, 50);
	ck_assert(view.tasks[0].counters.is_user_only);
	ck_assert_uint_eq(view.tasks[1].counters.page_faults, 70);
	ck_assert(!view.tasks[1].counters.is_user_only);
	ck_assert_uint_eq(view.tasks[1].counters.context_switches, 0);
	ck_assert(!sw_counters_has_kernel(&view.tasks[2].counters));
	ck_assert_uint_eq(view.counters.page_faults, 120);
	ck_assert_uint_eq(view.counters.context_switches, 5);
	ck_assert(view.counters.is_user_only);
	ck_assert(!sw_counters_has_hardware(&view.counters));
	sw_view_fini(&view);
	sw_reader_close(reader);
	unlink(report_kit_profile());
}
END_TEST

static const char named[] =
	REPORT_KIT_STEPS "row 0 1000000000\n"
	REPORT_KIT_SUBJECTS
	"row 1000000000 0 counters 0 task \"rank 4\" \"PAPI_DP_OPS "
	"N0|N1|2|*|+| RATIO N0|N2|/| NEVER N3| WILD N4| BROKEN N0|+|\"\n"
	"row 1000000000 0 counters 1 task \"rank 9\" \"PAPI_DP_OPS "
	"N0|N1|2|*|+| RATIO N0|N2|/| NEVER N3| WILD N4| BROKEN N0|+|\"\n"
	"table series.counters task perf.inherit\n"
	"columns time_usec step subject enabled_usec\n"
	"column running_usec.0 usec counter\ncolumn event.0 count counter\n"
	"column event.1 count counter\ncolumn event.2 count counter\n"
	"column event.3 count counter\ncolumn event.4 count counter\n"
	"row 1000000000 0 0 0 0 0 0 0 0 0\n"
	"row 1010000000 0 0 1000000 500000 100 10 0 - 9000000000000000000\n"
	"row 1010000000 0 1 1000000 500000 300 30 0 5 0\n";

/* Sums, and reasons for their absence: never 0, infinite or impossible. */
START_TEST(by_name)
{
	static const char *const why[] = {
		NULL, "divides by zero", "not counted", "impossible", "is none"
	};
	struct sw_view_chosen total[SW_CHOSEN_MAX];
	struct sw_reader *reader;
	struct sw_view view;
	size_t i, count = 0;

	report_kit_write(named);
	reader = sw_reader_open(report_kit_profile(), &error);
	ck_assert_msg(reader != NULL, "%s", error.text);
	ck_assert_int_eq(sw_view_init(&view, reader, 0, &error), 0);
	ck_assert_uint_eq(view.chosen_count, 5);
	ck_assert_str_eq(view.chosen[0].name, "PAPI_DP_OPS");
	ck_assert_double_eq(view.chosen[0].value, 400 + 2 * 40);
	ck_assert_double_eq(sw_chosen_share(&view.chosen[0]), 0.5);
	ck_assert_double_eq(sw_chosen_rate(&view.chosen[0], 10000000), 48);
	ck_assert_double_eq(sw_chosen_task_rate(&view.chosen[0], 10000000),
			    24);
	for (i = 1; i < 5; i++) {
		ck_assert(isnan(view.chosen[i].value));
		ck_assert_ptr_nonnull(strstr(view.chosen[i].why, why[i]));
	}
	/* Two nodes: a ratio is per node. */
	view.chosen[1].value = 2;
	for (i = 0; i < 2; i++)
		sw_chosen_add(total, &count, view.chosen, 2);
	ck_assert_uint_eq(count, 2);
	ck_assert_double_eq(total[0].value, 960);
	ck_assert_uint_eq(total[0].tasks, 4);
	ck_assert(isnan(total[1].value));
	sw_view_fini(&view);
	sw_reader_close(reader);
	unlink(report_kit_profile());
}
END_TEST

/* A recording with our own PMU. */

static const struct sw_source *const pmu_sources[] = {
	&sw_src_pmu, &sw_src_counters, NULL };

static void set(uint32_t type, uint64_t config, uint64_t value,
		uint64_t enabled_nsec)
{
	pmu_kit_set(&(struct pmu_kit_event){ .type = type, .config = config,
		.value = value, .enabled_nsec = enabled_nsec,
		.running_nsec = enabled_nsec / 2 });
}

static void write_frame(struct sw_writer *writer, uint64_t start_usec)
{
	const struct sw_identity identity = {
		.origin = "run", .name = "solver", .program = "solver",
		.job = SW_JOB_KEY_MISSING, .node_count = SW_MISSING, .start_usec = start_usec,
		.period_usec = 1000000, .node_cpus = 4,
		.node_memory_bytes = SW_MISSING, .proc_fd = -1,
	};
	const struct sw_step_start start = {
		.step_id = "run", .start_usec = start_usec,
		.backend = "process.tree", .programs_source = "none",
		.requested_cpus_milli = SW_MISSING,
		.requested_memory_bytes = SW_MISSING,
		.requested_time_usec = SW_MISSING,
		.available_cpus_milli = 4000,
		.available_memory_bytes = SW_MISSING,
		.task_count = SW_MISSING, .node_task_count = SW_MISSING,
		.node_count = SW_MISSING, .node_index = SW_MISSING,
		.is_armed = 1,
	};

	ck_assert_int_eq(sw_identity_write(&identity, writer, &error), 0);
	ck_assert_int_eq(sw_step_start_write(&start, writer, &error), 0);
}

/* Four samples, the first and the last with counters. */
static void record(uint64_t elapsed_usec, size_t task_count)
{
	struct sw_target_task tasks[] = {
		{ .pid = 4711, .rank = SW_MISSING },
		{ .pid = 4712, .rank = SW_MISSING },
	};
	struct sw_target target = {
		.cgroup_fd = -1, .proc_fd = -1, .sys_fd = -1,
		.tasks = tasks, .task_count = task_count,
	};
	int i, dirfd = open(report_kit_folder(), O_RDONLY | O_DIRECTORY);
	struct sw_writer *writer = sw_writer_create(dirfd, "profile", true,
						    &error);
	uint64_t now = sw_clock_boottime_usec();
	struct sw_events events = { .table = -1 };
	struct sw_sampler *sampler;

	ck_assert_msg(writer != NULL, "%s", error.text);
	ck_assert_int_eq(sw_events_open(&events, writer, &error), 0);
	write_frame(writer, now - elapsed_usec);
	sampler = sw_sampler_create(pmu_sources, &target, writer, &events,
				    &error);
	ck_assert_ptr_nonnull(sampler);
	for (i = 0; i < 3; i++)
		sw_sampler_take(sampler, NULL, false);
	set(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 20000000000,
	    80000000000);
	set(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 100000000000, 0);
	set(PERF_TYPE_HW_CACHE, 0x10002, 400000000, 0);
	sw_sampler_take(sampler, NULL, true);
	sw_summary_write(&(struct sw_summary){
		.end_usec = now, .final_source = "none", .proc_fd = -1,
		.restart_count = SW_MISSING,
		.reaped_user_usec = SW_MISSING,
		.reaped_system_usec = SW_MISSING }, writer);
	sw_sampler_destroy(sampler);
	ck_assert_int_eq(sw_writer_finish(writer, now, &error), 0);
	sw_writer_destroy(writer);
	close(dirfd);
}

START_TEST(simulated)
{
	static char text[16384];

	/* Only the kernel's names: the same with and without libpfm4. */
	setenv("LIBPFM_FORCE_PMU", "none", 1);
	pmu_kit_begin();
	set(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0, 0);
	set(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, 0);
	set(PERF_TYPE_HW_CACHE, 0x10002, 0, 0);
	record(40000000, 1);
	ck_assert_uint_eq(pmu_kit_reads(), 2);
	ck_assert_uint_eq(pmu_kit_open_count(), 0);
	report_kit_print("text", text, sizeof(text));
	report_kit_expect(text, "0.20 instructions per cycle, 20.0 last-level cache "
		     "misses per 1000");
	report_kit_expect(text, "counted 50 % of the time");
	report_kit_expect(text, "(hw.low_ipc)");
	report_kit_expect(text, "It waited for memory");
}
END_TEST

#if defined(HAVE_PAPI) && defined(HAVE_LIBPFM)
static void count(uint32_t type, uint64_t config, uint64_t value)
{
	pmu_kit_set(&(struct pmu_kit_event){ .type = type, .config = config,
		.value = value, .enabled_nsec = 80000000000,
		.running_nsec = 80000000000 });
}

/* PAPI's presets, from the PMU's counts and the formulas of src_pmu.c. */
START_TEST(presets)
{
	enum { RAW = PERF_TYPE_RAW, ALL = 1000 + 2 * 200 + 4 * 30 + 8 * 7 };
	static char text[32768];
	char part[80];

	setenv("LIBPFM_FORCE_PMU", "skx", 1);
	pmu_kit_begin();
	count(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 8000000000);
	count(RAW, 0xc0, 8000000001);
	count(RAW, 0x1c7, 1000);
	count(RAW, 0x4c7, 200);
	count(RAW, 0x10c7, 30);
	count(RAW, 0x40c7, 7);
	sw_counters_choose("PAPI_TOT_INS,PAPI_DP_OPS,PAPI_L1_DCM",
			   &(struct sw_papi_origin){ .processor = "skx" });
	ck_assert_str_eq(sw_counters_refused(), "");
	record(40000000, 1);
	ck_assert_uint_eq(pmu_kit_open_count(), 0);
	report_kit_print("json", text, sizeof(text));
	report_kit_expect(text, "\"name\":\"PAPI_TOT_INS\",\n          "
		     "\"value\":8000000001");
	snprintf(part, sizeof(part), "\"name\":\"PAPI_DP_OPS\",\n          "
		 "\"value\":%d", ALL);
	report_kit_expect(text, part);
	snprintf(part, sizeof(part), "\"fp_operations\":%d", ALL);
	report_kit_expect(text, part);
	/* The kernel does not open this one. */
	report_kit_expect(text, "\"name\":\"PAPI_L1_DCM\"");
	report_kit_expect(text, "\"missing\":");
}
END_TEST
#endif

/* The second task had ended before it could be counted. */
START_TEST(in_part)
{
	static char text[16384];

	pmu_kit_begin();
	set(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0, 0);
	pmu_kit_set(&(struct pmu_kit_event){ .type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS, .pid = 4712,
		.why = ESRCH });
	record(40000000, 2);
	report_kit_print("text", text, sizeof(text));
	report_kit_expect(text, "Recorded in part: pmu: the task had ended: only 1 of 2");
}
END_TEST

START_TEST(no_pmu)
{
	static char text[16384];

	pmu_kit_begin();
	record(40000000, 1);
	report_kit_print("text", text, sizeof(text));
	ck_assert_ptr_null(strstr(text, "instructions per cycle"));
	report_kit_expect(text, "hw.*");
	pmu_kit_begin();
	record(40000000, 1);
	report_kit_print("json", text, sizeof(text));
	report_kit_expect(text, "does not support the performance counters");
	/* Every report says which requested counters are missing. */
	pmu_kit_begin();
	sw_counters_choose("NO::SUCH", &(struct sw_papi_origin){ 0 });
	record(40000000, 1);
	report_kit_print("brief", text, sizeof(text));
	report_kit_expect(text, "None of the chosen counters was counted: "
				"NO::SUCH: ");
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("counters");
	int failed;

	report_kit_begin();
	tcase_add_test(tcase, ratios);
	tcase_add_test(tcase, whose);
	tcase_add_test(tcase, by_name);
	tcase_add_test(tcase, simulated);
#if defined(HAVE_PAPI) && defined(HAVE_LIBPFM)
	tcase_add_test(tcase, presets);
#endif
	tcase_add_test(tcase, in_part);
	tcase_add_test(tcase, no_pmu);
	failed = run_tests("counters", tcase, NULL);
	report_kit_end();
	return failed;
}
