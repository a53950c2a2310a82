/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From tables to numbers: the need interval, each rung of the ladder, and
 * tables that are missing, empty, odd or out of order.
 */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/view.h"
#include "test/text_profile.h"

#define MIB(n) ((uint64_t)(n) << 20)

static char text_path[] = "/tmp/check_view.txt.XXXXXX";
static char profile[] = "/tmp/check_view.XXXXXX";

#define STEPS_COLUMNS \
	"table steps step recorder\ncolumn step - key\n" \
	"column start_usec usec time\n" \
	"column requested_cpus_milli cpu/1000 gauge\n" \
	"column available_cpus_milli cpu/1000 gauge\n"

#define STEPS STEPS_COLUMNS "row 0 1000000000 - 4000\n"

/* Ten seconds, exit status 0. */
#define SUMMARY \
	"table summary step recorder\ncolumn step - key\n" \
	"column end_usec usec time\ncolumn exit_code - state\n" \
	"row 0 1010000000 0\n"

#define MEMORY \
	"table series.memory step cgroup.v2\n" \
	"column time_usec usec time\ncolumn step - key\n" \
	"column memory.current bytes gauge\ncolumn memory.peak bytes peak\n" \
	"column memory.max bytes gauge\ncolumn anon bytes gauge\n" \
	"column file bytes gauge\ncolumn shmem bytes gauge\n" \
	"column kernel bytes gauge\ncolumn slab_reclaimable bytes gauge\n" \
	"column unevictable bytes gauge\ncolumn sock bytes gauge\n" \
	"column events.max count counter\n" \
	"column events.oom_kill count counter\n"

/* Bytes are in units of 1 MiB = 1048576. */
#define MIB1 "1048576"
#define MIB10 "10485760"
#define MIB20 "20971520"
#define MIB50 "52428800"
#define MIB100 "104857600"
#define MIB300 "314572800"
#define MIB512 "536870912"
#define MIB2048 "2147483648"

#define PRESSURE \
	"table series.pressure step cgroup.v2\n" \
	"column time_usec usec time\ncolumn step - key\n" \
	"column memory.full.total usec counter\n" \
	"column io.some.total usec counter\n"

#define PROC \
	"table series.proc step proc\n" \
	"column time_usec usec time\ncolumn step - key\n" \
	"column utime_usec usec counter\ncolumn stime_usec usec counter\n" \
	"column rss_anon_low bytes gauge\ncolumn rss_sum bytes gauge\n" \
	"column rss_file_sum bytes gauge\ncolumn rss_anon_sum bytes gauge\n" \
	"column hiwater_max bytes peak\ncolumn hiwater_anon_max bytes peak\n"

#define CPU \
	"table series.cpu step cgroup.v2\n" \
	"column time_usec usec time\ncolumn step - key\n" \
	"column usage_usec usec counter\n"

static struct sw_reader *reader;
static struct sw_error error;

static void write_profile(const char *text)
{
	FILE *file = fopen(text_path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	ck_assert_msg(text_profile_write(text_path, profile, true, &error) == 0,
		      "%s", error.text);
}

/* Of the first step. */
static int init_view(struct sw_view *view)
{
	uint64_t *keys;
	size_t count;
	int rc;

	if (sw_view_steps(reader, &keys, &count, &error) < 0)
		return -1;
	rc = sw_view_init(view, reader, keys[0], &error);
	free(keys);
	return rc;
}

static struct sw_view view_of(const char *text)
{
	struct sw_view view;

	write_profile(text);
	reader = sw_reader_open(profile, &error);
	ck_assert_msg(reader != NULL, "%s", error.text);
	ck_assert_msg(init_view(&view) == 0, "%s", error.text);
	return view;
}

static void drop(struct sw_view *view)
{
	sw_view_fini(view);
	sw_reader_close(reader);
}

START_TEST(need_leaves_cache_out)
{
	struct sw_view view = view_of(STEPS SUMMARY MEMORY
		"row 1000000000 0 " MIB1 " " MIB1 " - 0 0 0 0 0 0 0 0 0\n"
		"row 1005000000 0 " MIB2048 " " MIB2048 " - " MIB300 " "
		MIB512 " 0 0 0 0 0 0 0\n"
		"row 1010000000 0 " MIB2048 " " MIB2048 " - " MIB100 " "
		MIB2048 " 0 0 0 0 0 0 0\n");

	ck_assert_str_eq(view.memory.source, "cgroup.v2");
	ck_assert_uint_eq(view.memory.need_bytes, MIB(300));
	ck_assert_str_eq(view.memory.need_source, "memory.stat");
	ck_assert_uint_eq(view.memory.need_upper_bytes, MIB(2048));
	ck_assert_uint_eq(view.memory.cache_bytes, MIB(2048));
	ck_assert(!view.memory.need_is_lower_bound);
	ck_assert_uint_eq(view.memory.limit_bytes, SW_MISSING);
	drop(&view);
}
END_TEST

/* shmem is need though it is in "file"; reclaimable slab is not need. */
START_TEST(need_holds_what_cannot_be_reclaimed)
{
	struct sw_view view = view_of(STEPS SUMMARY MEMORY
		"row 1005000000 0 " MIB512 " " MIB512 " - " MIB100 " "
		MIB300 " " MIB50 " " MIB20 " " MIB10 " " MIB300 " " MIB1
		" 0 0\n");

	/* 100 + 50, 150 more are locked, 20 - 10 of kernel, 1 of sockets */
	ck_assert_uint_eq(view.memory.need_bytes, MIB(300 + 10 + 1));
	ck_assert_uint_eq(view.memory.cache_bytes, MIB(300 - 50));
	drop(&view);
}
END_TEST

#define AT_LIMIT \
	"row 1000000000 0 " MIB1 " " MIB1 " " MIB512 " 0 0 0 0 0 0 0 0 0\n" \
	"row 1010000000 0 " MIB512 " " MIB512 " " MIB512 " " MIB100 " " \
	MIB300 " 0 0 0 0 0 900 0\n"

START_TEST(peak_at_limit_is_cache_without_pressure)
{
	struct sw_view view = view_of(STEPS SUMMARY MEMORY AT_LIMIT PRESSURE
		"row 1000000000 0 5 0\nrow 1010000000 0 400005 0\n");

	ck_assert(!view.memory.need_is_lower_bound);
	ck_assert_uint_eq(view.memory.limit_bytes, MIB(512));
	ck_assert_uint_eq(view.memory.limit_hits, 900);
	drop(&view);
}
END_TEST

START_TEST(peak_at_limit_with_pressure_is_a_lower_bound)
{
	struct sw_view view = view_of(STEPS SUMMARY MEMORY AT_LIMIT PRESSURE
		"row 1000000000 0 5 0\nrow 1010000000 0 4000005 0\n");

	ck_assert(view.memory.need_is_lower_bound);
	ck_assert_uint_eq(view.memory.need_bytes, MIB(100));
	drop(&view);
}
END_TEST

#define NODE \
	"table identity job recorder\ncolumn node_memory_bytes bytes gauge\n" \
	"row " MIB2048 "\n"
#define STEPS_GIVEN(bytes) \
	"table steps step recorder\n" \
	"column step - key\ncolumn start_usec usec time\n" \
	"column available_memory_bytes bytes gauge\n" \
	"row 0 1000000000 " bytes "\n"

/* The smaller of the step's own limit and of what the cgroups above give. */
START_TEST(limit_may_be_above)
{
	struct sw_view view = view_of(NODE STEPS_GIVEN(MIB300) SUMMARY MEMORY
				      AT_LIMIT);

	ck_assert_uint_eq(view.memory.limit_bytes, MIB(300));
	ck_assert(view.memory.is_limit_above);
	drop(&view);
	view = view_of(NODE STEPS_GIVEN(MIB2048) SUMMARY MEMORY AT_LIMIT);
	ck_assert_uint_eq(view.memory.limit_bytes, MIB(512));
	ck_assert(!view.memory.is_limit_above);
	drop(&view);
}
END_TEST

/* The memory of the machine is no limit. */
START_TEST(machine_is_no_limit)
{
	struct sw_view view = view_of(NODE STEPS_GIVEN(MIB2048) SUMMARY MEMORY
		"row 1010000000 0 " MIB10 " " MIB10 " - " MIB1
		" 0 0 0 0 0 0 0 0\n");

	ck_assert_uint_eq(view.memory.limit_bytes, SW_MISSING);
	ck_assert(!view.memory.is_limit_above);
	drop(&view);
}
END_TEST

#define QUOTA \
	"table series.cpu step cgroup.v2\n" \
	"column time_usec usec time\ncolumn step - key\n" \
	"column usage_usec usec counter\n" \
	"column nr_periods count counter\n" \
	"column nr_throttled count counter\n" \
	"column throttled_usec usec counter\n" \
	"column above.nr_periods count counter\n" \
	"column above.nr_throttled count counter\n" \
	"column above.throttled_usec usec counter\n"

START_TEST(quota_may_be_above)
{
	struct sw_view view = view_of(STEPS SUMMARY QUOTA
		"row 1000000000 0 0 0 0 0 20 10 500\n"
		"row 1010000000 0 1000000 0 0 0 120 90 70500\n");

	ck_assert(view.cpu.is_quota_above);
	ck_assert_uint_eq(view.cpu.periods, 100);
	ck_assert_uint_eq(view.cpu.throttled_periods, 80);
	ck_assert_uint_eq(view.cpu.throttled_usec, 70000);
	drop(&view);
	view = view_of(STEPS SUMMARY QUOTA
		"row 1000000000 0 0 0 0 0 20 10 500\n"
		"row 1010000000 0 1000000 50 40 300 120 11 600\n");
	ck_assert(!view.cpu.is_quota_above);
	ck_assert_uint_eq(view.cpu.periods, 50);
	ck_assert_uint_eq(view.cpu.throttled_periods, 40);
	ck_assert_uint_eq(view.cpu.throttled_usec, 300);
	drop(&view);
}
END_TEST

/* Files read once stall for reclaim too; nothing is missed that went. */
START_TEST(reclaim_without_refaults_is_cache)
{
	static const struct {
		const char *refaults;
		bool is_bound;
	} rows[] = { { "0", false }, { "1309", false }, { "1310", true } };
	char text[4096];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sw_view view;

		snprintf(text, sizeof(text), STEPS SUMMARY MEMORY
			 "column workingset_refault_file count counter\n"
			 "row 1000000000 0 " MIB1 " " MIB1 " " MIB512
			 " 0 0 0 0 0 0 0 0 0 0\n"
			 "row 1010000000 0 " MIB512 " " MIB512 " " MIB512 " "
			 MIB1 " " MIB300 " 0 0 0 0 0 900 0 %s\n" PRESSURE
			 "row 1000000000 0 5 0\nrow 1010000000 0 4000005 0\n",
			 rows[i].refaults);
		view = view_of(text);
		ck_assert(view.memory.need_is_lower_bound == rows[i].is_bound);
		drop(&view);
	}
}
END_TEST

/* Without pressure counters it cannot be told, and is not claimed. */
START_TEST(peak_at_limit_without_psi_is_no_claim)
{
	struct sw_view view = view_of(STEPS SUMMARY MEMORY AT_LIMIT);

	ck_assert(!view.memory.need_is_lower_bound);
	ck_assert_uint_eq(view.pressure.memory_full_usec, SW_MISSING);
	drop(&view);
}
END_TEST

START_TEST(oom_kill_makes_a_lower_bound)
{
	struct sw_view view = view_of(STEPS SUMMARY MEMORY
		"row 1000000000 0 " MIB1 " " MIB1 " " MIB512
		" 0 0 0 0 0 0 0 0 7\n"
		"row 1010000000 0 " MIB10 " " MIB512 " " MIB512 " " MIB300
		" 0 0 0 0 0 0 50 8\n");

	ck_assert(view.memory.need_is_lower_bound);
	ck_assert_uint_eq(view.memory.oom_kills, 1);
	drop(&view);
}
END_TEST

/* A spike between two samples: the process's own high-water mark knows. */
START_TEST(spike_is_in_the_high_water_mark)
{
	struct sw_view view = view_of(STEPS SUMMARY MEMORY
		"row 1000000000 0 " MIB1 " " MIB1 " - 0 0 0 0 0 0 0 0 0\n"
		"row 1010000000 0 " MIB10 " " MIB512 " - " MIB10 " " MIB1
		" 0 0 0 0 0 0 0\n" PROC
		"row 1010000000 0 0 0 - - - - " MIB512 " " MIB300 "\n");

	ck_assert_uint_eq(view.memory.need_bytes, MIB(300));
	ck_assert_ptr_nonnull(strstr(view.memory.need_source, "high-water"));
	ck_assert_uint_eq(view.memory.need_upper_bytes, MIB(512));
	drop(&view);
}
END_TEST

START_TEST(process_rung)
{
	struct sw_view view = view_of(STEPS SUMMARY PROC
		"row 1000000000 0 100000 50000 " MIB1 " " MIB10 " " MIB1 " "
		MIB1 " " MIB10 " " MIB1 "\n"
		"row 1010000000 0 8100000 2050000 " MIB100 " " MIB300 " "
		MIB50 " " MIB100 " " MIB20 " " MIB20 "\n");

	ck_assert_str_eq(view.memory.source, "process.tree");
	ck_assert_uint_eq(view.memory.need_bytes, MIB(100));
	ck_assert_uint_eq(view.memory.need_upper_bytes, MIB(300));
	ck_assert_uint_eq(view.memory.oom_kills, SW_MISSING);
	ck_assert_str_eq(view.cpu.source, "proc");
	ck_assert_uint_eq(view.cpu.used_usec, 10000000);
	ck_assert_uint_eq(view.cpu.user_usec, 8000000);
	ck_assert_double_eq_tol(view.cpu.mean_cores, 1.0, 1e-9);
	ck_assert_double_eq_tol(view.cpu.efficiency, 0.25, 1e-9);
	ck_assert(!view.cpu.is_declared);
	ck_assert_uint_eq(view.memory_bytes.count, 1);
	ck_assert_double_eq(view.memory_bytes.max, (double)MIB(100));
	drop(&view);
}
END_TEST

#define RUSAGE(user, system, reaped) \
	"table summary step recorder\ncolumn step - key\n" \
	"column end_usec usec time\ncolumn exit_code - state\n" \
	"column rusage_user_usec usec counter\n" \
	"column rusage_system_usec usec counter\n" \
	"column reaped_user_usec usec counter\n" \
	"column rusage_maxrss_bytes bytes peak\n" \
	"row 0 1010000000 3 " user " " system " " reaped " " MIB20 "\n"

/* Nothing but what wait4() says: exact CPU time, memory of one process. */
START_TEST(rusage_rung)
{
	struct sw_view view = view_of(STEPS RUSAGE("4000001", "1000002", "3"));

	ck_assert_str_eq(view.cpu.source, "rusage");
	ck_assert_uint_eq(view.cpu.used_usec, 5000006);
	ck_assert_double_eq_tol(view.cpu.peak_cores, 0.5000006, 1e-9);
	ck_assert_str_eq(view.memory.source, "rusage");
	ck_assert_uint_eq(view.memory.need_bytes, SW_MISSING);
	ck_assert_uint_eq(view.memory.need_upper_bytes, MIB(20));
	ck_assert_int_eq(view.state, SW_STATE_FAILED);
	ck_assert_uint_eq(view.exit_code, 3);
	ck_assert_uint_eq(view.cores.count, 0);
	drop(&view);
}
END_TEST

/* wait4() knows nothing of children that were never waited for. */
START_TEST(rusage_that_lacks_children_is_not_used)
{
	struct sw_view view = view_of(STEPS RUSAGE("1000000", "0", "-") PROC
		"row 1000000000 0 0 0 - - - - - -\n"
		"row 1010000000 0 3000000 0 - - - - - -\n");

	ck_assert_str_eq(view.cpu.source, "proc");
	ck_assert_uint_eq(view.cpu.used_usec, 3000000);
	drop(&view);
	view = view_of(STEPS RUSAGE("2990001", "0", "-") PROC
		"row 1000000000 0 0 0 - - - - - -\n"
		"row 1010000000 0 3000000 0 - - - - - -\n");
	ck_assert_str_eq(view.cpu.source, "rusage");
	ck_assert_uint_eq(view.cpu.used_usec, 2990001);
	drop(&view);
}
END_TEST

START_TEST(nothing_but_a_step)
{
	struct sw_view view = view_of(STEPS);

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
	ck_assert_ptr_null(view.io.stalled_source);
	ck_assert_uint_eq(view.pressure.cpu_some_usec, SW_MISSING);
	ck_assert_uint_eq(view.tool_count + view.event_count, 0);
	ck_assert_uint_eq(view.recording.samples, SW_MISSING);
	ck_assert_ptr_null(view.name);
	ck_assert(!sw_view_has(&view, "series.cpu", "usage_usec"));
	ck_assert(!sw_view_has(&view, "steps", "no_such_column"));
	ck_assert(!sw_view_has(&view, "steps", "requested_cpus_milli"));
	ck_assert(sw_view_has(&view, "steps", "available_cpus_milli"));
	drop(&view);
}
END_TEST

static const char *const stepless[] = {
	CPU "row 1000000000 0 5\n",
	"table identity job recorder\ncolumn node - text\nrow n\n",
};

START_TEST(no_step_is_an_error)
{
	struct sw_view view = { 0 };

	write_profile(stepless[_i]);
	reader = sw_reader_open(profile, &error);
	ck_assert_ptr_nonnull(reader);
	errno = 0;
	ck_assert_int_eq(init_view(&view), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(error.text, "no step"));
	drop(&view);
}
END_TEST

/* Texts where numbers belong and the other way round read as missing. */
START_TEST(odd_kinds_read_as_missing)
{
	struct sw_view view = view_of(
		"table identity job recorder\ncolumn node - gauge\n"
		"column uid - text\ncolumn name - text\nrow 7 root -\n"
		STEPS
		"table series.cpu step cgroup.v2\n"
		"column time_usec - text\ncolumn step - key\n"
		"column usage_usec - text\nrow then 0 much\nrow now 0 more\n"
		"table tools tool bpf\ncolumn tool - key\n"
		"column program - gauge\ncolumn started - text\nrow 1 2 three\n"
		"table events step recorder\ncolumn step - key\n"
		"column time_usec usec time\ncolumn kind - gauge\n"
		"row 0 1000000000 5\n");

	ck_assert_ptr_null(view.node);
	ck_assert_uint_eq(view.uid, SW_MISSING);
	ck_assert_uint_eq(view.cpu.used_usec, SW_MISSING);
	ck_assert_uint_eq(view.cores.count, 0);
	ck_assert_uint_eq(view.tool_count, 1);
	ck_assert_str_eq(view.tools[0].program, "?");
	ck_assert_uint_eq(view.tools[0].started, SW_MISSING);
	ck_assert(!view.tools[0].is_complete);
	ck_assert_uint_eq(view.event_count, 0);
	drop(&view);
}
END_TEST

/* 10 s, then one row from the past and one twice: they change nothing. */
START_TEST(rows_out_of_order_count_once)
{
	struct sw_view view = view_of(STEPS SUMMARY CPU
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
	drop(&view);
}
END_TEST

/* A reset starts anew; a missing sample leaves a hole in the curve only. */
START_TEST(resets_and_holes)
{
	struct sw_view view = view_of(STEPS SUMMARY CPU
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
	drop(&view);
}
END_TEST

/* Half a second of four CPUs counts; a tenth of a second of 30 does not. */
START_TEST(peak_is_of_half_a_second)
{
	struct sw_view view = view_of(STEPS SUMMARY CPU
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
	drop(&view);
}
END_TEST

START_TEST(two_steps_stay_apart)
{
	struct sw_view view = view_of(STEPS_COLUMNS
		"row 4 1000000000 2000 8000\nrow 5 1000000000 6000 8000\n"
		"table summary step recorder\ncolumn step - key\n"
		"column end_usec usec time\ncolumn exit_code - state\n"
		"column signal - state\n"
		"row 5 1100000000 - 9\nrow 4 1010000000 0 -\n" CPU
		"row 1000000000 4 0\nrow 1000000000 5 50000000\n"
		"row 1010000000 4 1000000\nrow 1010000000 5 90000000\n");

	ck_assert_int_eq(view.state, SW_STATE_COMPLETED);
	ck_assert_uint_eq(view.elapsed_usec, 10000000);
	ck_assert_uint_eq(view.cpu.used_usec, 1000000);
	ck_assert_double_eq(view.cpu.allocated_cores, 2.0);
	ck_assert(view.cpu.is_declared);
	ck_assert_uint_eq(view.cores.count, 1);
	drop(&view);
}
END_TEST

#define RANKS \
	"table steps step recorder\ncolumn step - key\n" \
	"column start_usec usec time\ncolumn step_id - text\n" \
	"column task_count count gauge\n" \
	"row 0 1000000000 0 2\n" \
	"table tasks task recorder\ncolumn time_usec usec time\n" \
	"column step - key\ncolumn task - state\n" \
	"column cgroup_kind - text\ncolumn wait_status - state\n" \
	"column memory_peak_bytes bytes peak\n" \
	"column cpu_usage_usec usec counter\n"

/* Of each rank the last row; a step that no sample saw has its tasks' sums. */
START_TEST(tasks_are_by_rank)
{
	struct sw_view view = view_of(RANKS
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
	drop(&view);
}
END_TEST

/* Tasks in one cgroup each read the counters of all of them. */
START_TEST(shared_cgroups_count_once)
{
	struct sw_view view = view_of(RANKS
		"row 1002000000 0 0 shared 0 " MIB50 " 500000\n"
		"row 1002000000 0 1 shared 0 " MIB50 " 510000\n");

	ck_assert_uint_eq(view.cpu.used_usec, 510000);
	ck_assert_uint_eq(view.memory.peak_bytes, MIB(50));
	drop(&view);
}
END_TEST

/* Then the CPU time of each is that of its processes, and not all of it. */
START_TEST(tasks_of_one_cgroup_differ)
{
	struct sw_view view = view_of(RANKS
		"row 1002000000 0 0 shared 0 " MIB50 " 500000\n"
		"row 1002000000 0 1 shared 0 " MIB50 " 510000\n"
		"row 1002000000 0 2 task 0 " MIB50 " 30000\n"
		"table series.task task bpf\n"
		"column time_usec usec time\ncolumn step - key\n"
		"column subject - state\ncolumn cpu_usec usec counter\n"
		"row 1001000000 0 0 1000\nrow 1002000000 0 0 400000\n"
		"row 1002000000 0 1 90000\nrow 1002000000 0 2 29000\n"
		"table subjects step recorder\n"
		"column time_usec usec time\ncolumn step - key\n"
		"column source - text\ncolumn subject - state\n"
		"column kind - text\ncolumn name - text\n"
		"row 1000000000 0 task 0 task 0\n"
		"row 1000000000 0 task 1 task 1\n"
		"row 1000000000 0 task 2 task 2\n");

	ck_assert_uint_eq(view.tasks[0].cpu_usec, 400000);
	ck_assert_uint_eq(view.tasks[1].cpu_usec, 90000);
	ck_assert_uint_eq(view.tasks[2].cpu_usec, 30000);
	ck_assert_uint_eq(view.cpu.used_usec, 520000);
	drop(&view);
}
END_TEST

/* A task whose end nobody read has its samples. */
START_TEST(samples_stand_in_for_an_end)
{
	struct sw_view view = view_of(RANKS
		"row 1000000000 0 0 task - - -\n"
		"table series.task task bpf\n"
		"column time_usec usec time\ncolumn step - key\n"
		"column subject - state\ncolumn cpu_usec usec counter\n"
		"row 1001000000 0 5 40000\nrow 1002000000 0 5 90000\n"
		"row 1002000000 0 9 70000\n"
		"table series.task_memory task cgroup.v2\n"
		"column time_usec usec time\ncolumn step - key\n"
		"column subject - state\ncolumn memory.current bytes gauge\n"
		"row 1001000000 0 3 " MIB20 "\nrow 1002000000 0 3 " MIB10
		"\nrow 1002000000 0 4 " MIB50 "\n"
		"table subjects step recorder\n"
		"column time_usec usec time\ncolumn step - key\n"
		"column source - text\ncolumn subject - state\n"
		"column kind - text\ncolumn name - text\n"
		"row 1000000000 0 task_memory 3 task 0\n"
		"row 1000000000 0 task 5 task 0\n"
		"row 1000000000 0 binding 4 task 0\n");

	ck_assert_uint_eq(view.tasks[0].cpu_usec, 90000);
	ck_assert_uint_eq(view.tasks[0].memory_peak_bytes, MIB(20));
	ck_assert_uint_eq(view.cpu.used_usec, 90000);
	drop(&view);
}
END_TEST

/* Tools: the last row of each key, dearest first; events by time. */
START_TEST(tools_and_events)
{
	struct sw_view view = view_of(STEPS SUMMARY
		"table tools tool bpf\ncolumn time_usec usec time\n"
		"column tool - key\ncolumn program - text\n"
		"column started count counter\ncolumn is_complete - state\n"
		"column user_usec usec counter\n"
		"column system_usec usec counter\n"
		"row 1001000000 7 sort 1 1 10 5\n"
		"row 1001000000 3 gzip 1 0 1 1\n"
		"row 1009000000 3 gzip 9 0 100 50\n"
		"table events step recorder\ncolumn time_usec usec time\n"
		"column step - key\ncolumn kind - text\ncolumn value - state\n"
		"row 1005000000 0 gap 2000000\nrow 1002000000 0 killed 11\n"
		"row 1007000000 0 gap 500000\n"
		"table series.memory step cgroup.v2\n"
		"column step - key\ncolumn anon bytes gauge\n");

	ck_assert_uint_eq(view.tool_count, 2);
	ck_assert_str_eq(view.tools[0].program, "gzip");
	ck_assert_uint_eq(view.tools[0].started, 9);
	ck_assert_uint_eq(view.tools[0].cpu_usec, 150);
	ck_assert(!view.tools[0].is_complete);
	ck_assert(view.tools[1].is_complete);
	ck_assert_uint_eq(view.tools[1].killed, SW_MISSING);
	ck_assert_uint_eq(view.event_count, 3);
	ck_assert_str_eq(view.events[0].kind, "killed");
	ck_assert_uint_eq(view.recording.gap_usec, 2500000);
	ck_assert(!sw_view_has(&view, "series.memory", "anon"));
	drop(&view);
}
END_TEST

/* The program that oom_killed says died counts where no cgroup does. */
START_TEST(oom_without_a_cgroup)
{
	struct sw_view view = view_of(STEPS SUMMARY
		"table tools tool bpf\ncolumn tool - key\n"
		"column program - text\ncolumn oom_killed count counter\n"
		"column peak_bytes bytes peak\n"
		"column peak_anon_bytes bytes peak\n"
		"row 1 hog 2 " MIB512 " " MIB300 "\nrow 2 ls 0 " MIB1 " -\n");

	ck_assert_uint_eq(view.memory.oom_kills, 2);
	ck_assert(view.memory.need_is_lower_bound);
	ck_assert_uint_eq(view.memory.need_bytes, MIB(300));
	ck_assert_uint_eq(view.memory.need_upper_bytes, MIB(512));
	drop(&view);
}
END_TEST

START_TEST(real_time_by_the_anchor)
{
	struct sw_view view = view_of(
		"table identity job recorder\n"
		"column anchor_boottime_usec usec time\n"
		"column anchor_realtime_usec usec state\n"
		"row 1000500000 1780000000500000\n" STEPS SUMMARY);

	ck_assert_uint_eq(view.start_realtime_usec, 1780000000000000);
	ck_assert_uint_eq(sw_view_realtime_usec(&view, view.end_usec),
			  1780000010000000);
	ck_assert_uint_eq(sw_view_realtime_usec(&view, SW_MISSING),
			  SW_MISSING);
	drop(&view);
}
END_TEST

static void add_tests(TCase *tcase)
{
	tcase_add_test(tcase, need_leaves_cache_out);
	tcase_add_test(tcase, need_holds_what_cannot_be_reclaimed);
	tcase_add_test(tcase, peak_at_limit_is_cache_without_pressure);
	tcase_add_test(tcase, peak_at_limit_with_pressure_is_a_lower_bound);
	tcase_add_test(tcase, peak_at_limit_without_psi_is_no_claim);
	tcase_add_test(tcase, reclaim_without_refaults_is_cache);
	tcase_add_test(tcase, limit_may_be_above);
	tcase_add_test(tcase, machine_is_no_limit);
	tcase_add_test(tcase, quota_may_be_above);
	tcase_add_test(tcase, oom_kill_makes_a_lower_bound);
	tcase_add_test(tcase, spike_is_in_the_high_water_mark);
	tcase_add_test(tcase, process_rung);
	tcase_add_test(tcase, rusage_rung);
	tcase_add_test(tcase, rusage_that_lacks_children_is_not_used);
	tcase_add_test(tcase, nothing_but_a_step);
	tcase_add_loop_test(tcase, no_step_is_an_error, 0,
			    sizeof(stepless) / sizeof(stepless[0]));
	tcase_add_test(tcase, odd_kinds_read_as_missing);
	tcase_add_test(tcase, rows_out_of_order_count_once);
	tcase_add_test(tcase, resets_and_holes);
	tcase_add_test(tcase, peak_is_of_half_a_second);
	tcase_add_test(tcase, two_steps_stay_apart);
	tcase_add_test(tcase, tasks_are_by_rank);
	tcase_add_test(tcase, shared_cgroups_count_once);
	tcase_add_test(tcase, tasks_of_one_cgroup_differ);
	tcase_add_test(tcase, samples_stand_in_for_an_end);
	tcase_add_test(tcase, tools_and_events);
	tcase_add_test(tcase, oom_without_a_cgroup);
	tcase_add_test(tcase, real_time_by_the_anchor);
}

static int run_suite(void)
{
	Suite *suite = suite_create("view");
	TCase *tcase = tcase_create("tables");
	SRunner *runner = srunner_create(suite);
	int failed;

	add_tests(tcase);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed;
}

int main(void)
{
	int text_fd = mkstemp(text_path), fd = mkstemp(profile), failed = 1;

	if (text_fd >= 0 && fd >= 0)
		failed = run_suite();
	unlink(text_path);
	unlink(profile);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
