/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From tables to the memory need: interval, backends, and valid limits. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/view/memory_words.h"
#include "test/unit/analyzer/view/view_kit.h"

#define MEMORY \
	"table series.memory step cgroup.v2\n" \
	"columns time_usec step memory.current memory.peak memory.max anon " \
	"file shmem kernel slab_reclaimable unevictable sock events.max " \
	"events.oom_kill\n"

#define PRESSURE \
	"table series.pressure step cgroup.v2\n" \
	"columns time_usec step memory.full.total io.some.total\n"

#define PROC \
	"table series.proc step proc\n" \
	"columns time_usec step utime_usec stime_usec rss_anon_low rss_sum " \
	"rss_file_sum rss_anon_sum hiwater_max hiwater_anon_max\n"

START_TEST(need_leaves_cache_out)
{
	struct sw_view view = kit_view(STEPS SUMMARY MEMORY
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
	kit_drop(&view);
}
END_TEST

/* shmem is need though it is in "file"; reclaimable slab is not need. */
START_TEST(need_holds_what_cannot_be_reclaimed)
{
	struct sw_view view = kit_view(STEPS SUMMARY MEMORY
		"row 1005000000 0 " MIB512 " " MIB512 " - " MIB100 " "
		MIB300 " " MIB50 " " MIB20 " " MIB10 " " MIB300 " " MIB1
		" 0 0\n");

	/* 100 + 50, 150 more are locked, 20 - 10 of kernel, 1 of sockets */
	ck_assert_uint_eq(view.memory.need_bytes, MIB(300 + 10 + 1));
	ck_assert_uint_eq(view.memory.cache_bytes, MIB(300 - 50));
	kit_drop(&view);
}
END_TEST

#define AT_LIMIT \
	"row 1000000000 0 " MIB1 " " MIB1 " " MIB512 " 0 0 0 0 0 0 0 0 0\n" \
	"row 1010000000 0 " MIB512 " " MIB512 " " MIB512 " " MIB100 " " \
	MIB300 " 0 0 0 0 0 900 0\n"

START_TEST(peak_at_limit_is_cache_without_pressure)
{
	struct sw_view view = kit_view(STEPS SUMMARY MEMORY AT_LIMIT PRESSURE
		"row 1000000000 0 5 0\nrow 1010000000 0 400005 0\n");

	ck_assert(!view.memory.need_is_lower_bound);
	ck_assert_uint_eq(view.memory.limit_bytes, MIB(512));
	ck_assert_uint_eq(view.memory.limit_hits, 900);
	kit_drop(&view);
}
END_TEST

START_TEST(peak_at_limit_with_pressure_is_a_lower_bound)
{
	struct sw_view view = kit_view(STEPS SUMMARY MEMORY AT_LIMIT PRESSURE
		"row 1000000000 0 5 0\nrow 1010000000 0 4000005 0\n");

	ck_assert(view.memory.need_is_lower_bound);
	ck_assert_uint_eq(view.memory.need_bytes, MIB(100));
	kit_drop(&view);
}
END_TEST

#define NODE \
	"table identity job recorder\ncolumns node_memory_bytes\n" \
	"row " MIB2048 "\n"
#define STEPS_GIVEN(bytes) \
	"table steps step recorder\n" \
	"columns step start_usec available_memory_bytes\n" \
	"row 0 1000000000 " bytes "\n"

/* The smaller of the step's own limit and that of the parent cgroups. */
START_TEST(limit_may_be_above)
{
	struct sw_view view = kit_view(NODE STEPS_GIVEN(MIB300) SUMMARY MEMORY
				      AT_LIMIT);

	ck_assert_uint_eq(view.memory.limit_bytes, MIB(300));
	ck_assert(view.memory.is_limit_above);
	kit_drop(&view);
	view = kit_view(NODE STEPS_GIVEN(MIB2048) SUMMARY MEMORY AT_LIMIT);
	ck_assert_uint_eq(view.memory.limit_bytes, MIB(512));
	ck_assert(!view.memory.is_limit_above);
	kit_drop(&view);
}
END_TEST

/* The memory of the machine is no limit. */
START_TEST(machine_is_no_limit)
{
	struct sw_view view = kit_view(NODE STEPS_GIVEN(MIB2048) SUMMARY MEMORY
		"row 1010000000 0 " MIB10 " " MIB10 " - " MIB1
		" 0 0 0 0 0 0 0 0\n");

	ck_assert_uint_eq(view.memory.limit_bytes, SW_MISSING);
	ck_assert(!view.memory.is_limit_above);
	kit_drop(&view);
}
END_TEST

#define QUOTA \
	"table series.cpu step cgroup.v2\n" \
	"columns time_usec step usage_usec nr_periods nr_throttled " \
	"throttled_usec ancestor.nr_periods ancestor.nr_throttled " \
	"ancestor.throttled_usec\n"

START_TEST(quota_may_be_above)
{
	struct sw_view view = kit_view(STEPS SUMMARY QUOTA
		"row 1000000000 0 0 0 0 0 20 10 500\n"
		"row 1010000000 0 1000000 0 0 0 120 90 70500\n");

	ck_assert(view.cpu.is_quota_above);
	ck_assert_uint_eq(view.cpu.periods, 100);
	ck_assert_uint_eq(view.cpu.throttled_periods, 80);
	ck_assert_uint_eq(view.cpu.throttled_usec, 70000);
	kit_drop(&view);
	view = kit_view(STEPS SUMMARY QUOTA
		"row 1000000000 0 0 0 0 0 20 10 500\n"
		"row 1010000000 0 1000000 50 40 300 120 11 600\n");
	ck_assert(!view.cpu.is_quota_above);
	ck_assert_uint_eq(view.cpu.periods, 50);
	ck_assert_uint_eq(view.cpu.throttled_periods, 40);
	ck_assert_uint_eq(view.cpu.throttled_usec, 300);
	kit_drop(&view);
	/* One above has more periods, of more tasks, and is hardly used up. */
	view = kit_view(STEPS SUMMARY QUOTA
		"row 1000000000 0 0 0 0 0 0 0 0\n"
		"row 1010000000 0 1000000 50 40 300 1000 100 600\n");
	ck_assert(!view.cpu.is_quota_above);
	ck_assert_uint_eq(view.cpu.periods, 50);
	ck_assert_uint_eq(view.cpu.throttled_periods, 40);
	kit_drop(&view);
}
END_TEST

/* Files read once also stall for reclaim; nothing reclaimed was missed. */
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
		view = kit_view(text);
		ck_assert(view.memory.need_is_lower_bound == rows[i].is_bound);
		kit_drop(&view);
	}
}
END_TEST

/* Not known without pressure counters, and not claimed. */
START_TEST(peak_at_limit_without_psi_is_no_claim)
{
	struct sw_view view = kit_view(STEPS SUMMARY MEMORY AT_LIMIT);

	ck_assert(!view.memory.need_is_lower_bound);
	ck_assert_uint_eq(view.pressure.memory_full_usec, SW_MISSING);
	kit_drop(&view);
}
END_TEST

START_TEST(oom_kill_makes_a_lower_bound)
{
	struct sw_view view = kit_view(STEPS SUMMARY MEMORY
		"row 1000000000 0 " MIB1 " " MIB1 " " MIB512
		" 0 0 0 0 0 0 0 0 7\n"
		"row 1010000000 0 " MIB10 " " MIB512 " " MIB512 " " MIB300
		" 0 0 0 0 0 0 50 8\n");

	ck_assert(view.memory.need_is_lower_bound);
	ck_assert_uint_eq(view.memory.oom_kills, 1);
	kit_drop(&view);
}
END_TEST

/* A spike between two samples: in the process's own high-water mark. */
START_TEST(spike_is_in_the_high_water_mark)
{
	struct sw_view view = kit_view(STEPS SUMMARY MEMORY
		"row 1000000000 0 " MIB1 " " MIB1 " - 0 0 0 0 0 0 0 0 0\n"
		"row 1010000000 0 " MIB10 " " MIB512 " - " MIB10 " " MIB1
		" 0 0 0 0 0 0 0\n" PROC
		"row 1010000000 0 0 0 - - - - " MIB512 " " MIB300 "\n");

	ck_assert_uint_eq(view.memory.need_bytes, MIB(300));
	ck_assert_ptr_nonnull(strstr(view.memory.need_source, "high-water"));
	ck_assert_uint_eq(view.memory.need_upper_bytes, MIB(512));
	kit_drop(&view);
}
END_TEST

START_TEST(process_backend)
{
	struct sw_view view = kit_view(STEPS SUMMARY PROC
		"row 1000000000 0 100000 50000 " MIB1 " " MIB10 " " MIB1 " "
		MIB1 " " MIB10 " " MIB1 "\n"
		"row 1010000000 0 8100000 2050000 " MIB100 " " MIB300 " "
		MIB50 " " MIB100 " " MIB20 " " MIB20 "\n");

	ck_assert_str_eq(view.memory.source, "process.tree");
	ck_assert_uint_eq(view.memory.need_bytes, MIB(100));
	ck_assert_uint_eq(view.memory.peak_bytes, MIB(300));
	ck_assert_uint_eq(view.memory.need_upper_bytes, SW_MISSING);
	ck_assert_uint_eq(view.memory.floor_bytes, MIB(150));
	ck_assert_uint_eq(view.memory.oom_kills, SW_MISSING);
	ck_assert_str_eq(view.cpu.source, "proc");
	ck_assert_uint_eq(view.cpu.used_usec, 10000000);
	ck_assert_uint_eq(view.cpu.user_usec, 8000000);
	ck_assert_double_eq_tol(view.cpu.mean_cores, 1.0, 1e-9);
	ck_assert_double_eq_tol(view.cpu.efficiency, 0.25, 1e-9);
	ck_assert(!view.cpu.is_requested);
	ck_assert_uint_eq(view.memory_bytes.count, 1);
	ck_assert_double_eq(view.memory_bytes.max, (double)MIB(100));
	kit_drop(&view);
}
END_TEST

#define RUSAGE(user, system, reaped) \
	"table summary step recorder\n" \
	"columns step end_usec exit_code rusage_user_usec rusage_system_usec " \
	"reaped_user_usec rusage_maxrss_bytes\n" \
	"row 0 1010000000 3 " user " " system " " reaped " " MIB20 "\n"

/* Only data of wait4(): exact CPU time, memory of one process. */
START_TEST(rusage_backend)
{
	struct sw_view view = kit_view(STEPS RUSAGE("4000001", "1000002", "3"));

	ck_assert_str_eq(view.cpu.source, "rusage");
	ck_assert_uint_eq(view.cpu.used_usec, 5000006);
	ck_assert_double_eq_tol(view.cpu.peak_cores, 0.5000006, 1e-9);
	ck_assert_str_eq(view.memory.source, "rusage");
	ck_assert_uint_eq(view.memory.need_bytes, SW_MISSING);
	ck_assert_uint_eq(view.memory.peak_bytes, MIB(20));
	ck_assert_uint_eq(view.memory.need_upper_bytes, SW_MISSING);
	ck_assert_int_eq(view.state, SW_STATE_FAILED);
	ck_assert_uint_eq(view.exit_code, 3);
	ck_assert_uint_eq(view.cores.count, 0);
	kit_drop(&view);
}
END_TEST

/* wait4() lacks children that were never waited for. */
START_TEST(rusage_that_lacks_children_is_not_used)
{
	struct sw_view view = kit_view(STEPS RUSAGE("1000000", "0", "-") PROC
		"row 1000000000 0 0 0 - - - - - -\n"
		"row 1010000000 0 3000000 0 - - - - - -\n");

	ck_assert_str_eq(view.cpu.source, "proc");
	ck_assert_uint_eq(view.cpu.used_usec, 3000000);
	kit_drop(&view);
	view = kit_view(STEPS RUSAGE("2990001", "0", "-") PROC
		"row 1000000000 0 0 0 - - - - - -\n"
		"row 1010000000 0 3000000 0 - - - - - -\n");
	ck_assert_str_eq(view.cpu.source, "rusage");
	ck_assert_uint_eq(view.cpu.used_usec, 2990001);
	kit_drop(&view);
}
END_TEST

#define MAPPED \
	"table series.memory step cgroup.v2\n" \
	"columns time_usec step memory.current memory.peak memory.max anon " \
	"file file_mapped shmem events.max workingset_refault_file " \
	"pgsteal_direct\n"

/* 300 of 512 MiB are mapped: the limit, refaults and reclaim vary. */
#define MAPPED_ROWS(hits, refaults, steals) \
	"row 1000000000 0 " MIB1 " " MIB1 " " MIB512 " 0 0 0 0 0 0 0\n" \
	"row 1010000000 0 " MIB512 " " MIB512 " " MIB512 " " MIB50 " " \
	MIB300 " " MIB300 " 0 " hits " " refaults " " steals "\n"

/* No counter shows whether mapped pages are in use, but reclaim may. */
START_TEST(mapped_files_count_by_use)
{
	static const struct {
		const char *text;
		uint64_t low_mib, floor_mib;
	} rows[] = {
		/* Nothing was reclaimed: not known. */
		{ STEPS SUMMARY MAPPED MAPPED_ROWS("0", "0", "0"), 50, 350 },
		{ STEPS SUMMARY MAPPED MAPPED_ROWS("9", "-", "-"), 50, 350 },
		/* Less than is mapped was reclaimed. */
		{ STEPS SUMMARY MAPPED MAPPED_ROWS("9", "0", "7680"), 50, 350 },
		/* All of it was, and nothing refaulted: read once. */
		{ STEPS SUMMARY MAPPED MAPPED_ROWS("9", "0", "76801"), 50, 50 },
		/* It was, and refaulted. */
		{ STEPS SUMMARY MAPPED MAPPED_ROWS("9", "76801", "76801"),
		  350, 350 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sw_view view = kit_view(rows[i].text);

		ck_assert_uint_eq(view.memory.need_bytes, MIB(rows[i].low_mib));
		ck_assert_uint_eq(view.memory.floor_bytes,
				  MIB(rows[i].floor_mib));
		ck_assert_uint_eq(view.memory.mapped_bytes, MIB(300));
		ck_assert_uint_ge(sw_view_memory_base(&view.memory),
				  MIB(rows[i].floor_mib));
		ck_assert_uint_eq(view.memory.need_upper_bytes, MIB(512));
		kit_drop(&view);
	}
}
END_TEST

/* Pages first read by another cgroup are charged there, and needed here. */
START_TEST(files_of_another_cgroup_count)
{
	struct sw_view view = kit_view(STEPS SUMMARY MEMORY
		"row 1010000000 0 " MIB1 " " MIB10 " - " MIB1
		" 0 0 0 0 0 0 0 0\n" PROC
		"row 1010000000 0 0 0 " MIB1 " " MIB300 " " MIB300 " " MIB1 " "
		MIB300 " " MIB1 "\n");

	ck_assert_uint_eq(view.memory.need_bytes, MIB(1));
	ck_assert_uint_eq(view.memory.floor_bytes, MIB(300));
	ck_assert_uint_eq(view.memory.need_upper_bytes, MIB(300));
	ck_assert_uint_eq(sw_view_memory_base(&view.memory), MIB(300));
	kit_drop(&view);
}
END_TEST

/* A file that is read, and not mapped, is no need, whatever its size. */
START_TEST(a_file_that_is_read_is_no_need)
{
	struct sw_view view = kit_view(STEPS SUMMARY MEMORY
		"row 1010000000 0 " MIB2048 " " MIB2048 " - " MIB50 " " MIB2048
		" 0 0 0 0 0 0 0\n" PROC
		"row 1010000000 0 0 0 " MIB50 " " MIB50 " " MIB1 " " MIB50 " "
		MIB50 " " MIB50 "\n");

	ck_assert_uint_eq(view.memory.floor_bytes, MIB(50));
	ck_assert_uint_eq(sw_view_memory_base(&view.memory), MIB(50));
	kit_drop(&view);
}
END_TEST

#define PAGES(bytes) \
	"table identity job recorder\ncolumns page_bytes\n" \
	"row " bytes "\n"

/* Pages are counted: a sixteenth of them is as much at 64 KiB. */
START_TEST(pages_have_the_kernels_size)
{
	struct sw_view view = kit_view(PAGES("65536") STEPS SUMMARY MAPPED
				       MAPPED_ROWS("9", "0", "4801"));

	ck_assert_uint_eq(view.page_bytes, 65536);
	ck_assert_uint_eq(view.memory.floor_bytes, MIB(50));
	kit_drop(&view);
	view = kit_view(PAGES("65536") STEPS SUMMARY MAPPED
			MAPPED_ROWS("9", "48", "4801"));
	ck_assert_uint_eq(view.memory.need_bytes, MIB(350));
	kit_drop(&view);
	view = kit_view(PAGES("4096") STEPS SUMMARY MAPPED
			MAPPED_ROWS("9", "48", "4801"));
	ck_assert_uint_eq(view.memory.need_bytes, MIB(50));
	ck_assert_uint_eq(view.memory.floor_bytes, MIB(350));
	kit_drop(&view);
}
END_TEST

/* Without the kernel's high-water mark samples are no upper bound. */
START_TEST(samples_are_no_upper_end)
{
	struct sw_view view = kit_view(STEPS SUMMARY MEMORY
		"row 1010000000 0 " MIB300 " - - " MIB50 " " MIB100
		" 0 0 0 0 0 0 0\n");

	ck_assert_uint_eq(view.memory.peak_bytes, MIB(300));
	ck_assert_uint_eq(view.memory.need_upper_bytes, SW_MISSING);
	kit_drop(&view);
}
END_TEST

/* Without a cgroup, no cgroup counter is given as evidence. */
START_TEST(peak_names_its_counter)
{
	struct sw_view_memory memory = { .source = "cgroup.v2" };

	ck_assert_str_eq(sw_memory_peak_counter(&memory), "memory.peak");
	memory.source = "cgroup.v1";
	ck_assert_str_eq(sw_memory_peak_counter(&memory),
			 "memory.max_usage_in_bytes");
	memory.source = "process.tree";
	ck_assert_ptr_null(strstr(sw_memory_peak_counter(&memory), "memory."));
}
END_TEST

int main(void)
{
	TCase *tcase = kit_case("need");

	tcase_add_test(tcase, peak_names_its_counter);
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
	tcase_add_test(tcase, process_backend);
	tcase_add_test(tcase, mapped_files_count_by_use);
	tcase_add_test(tcase, files_of_another_cgroup_count);
	tcase_add_test(tcase, a_file_that_is_read_is_no_need);
	tcase_add_test(tcase, pages_have_the_kernels_size);
	tcase_add_test(tcase, samples_are_no_upper_end);
	tcase_add_test(tcase, rusage_backend);
	tcase_add_test(tcase, rusage_that_lacks_children_is_not_used);
	return kit_run(tcase);
}
