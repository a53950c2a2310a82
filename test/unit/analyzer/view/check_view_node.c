/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From counters of the node to their growth while a step ran: rows that do not
 * match its time, subjects that appear, vanish and are renumbered, and missing
 * data.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/unit/analyzer/view/view_kit.h"

/* From second 1000 to second 1010; 4 s of CPU time. */
#define STEP \
	"table steps step recorder\ncolumns step start_usec\n" \
	"row 7 1000000000\n" \
	"table summary step recorder\ncolumns step end_usec exit_code\n" \
	"row 7 1010000000 0\n" \
	"table series.cpu step cgroup.v2\ncolumns time_usec step usage_usec\n" \
	"row 1000000000 7 0\nrow 1010000000 7 4000000\n"

#define SUBJECTS \
	"table subjects step recorder\n" \
	"columns time_usec step source subject kind name detail\n"

#define INTERFACE \
	"table series.interface node proc.net\n" \
	"columns time_usec step subject rx_bytes tx_bytes " \
	"speed_bits_per_sec\n"

#define ENERGY \
	"table series.energy node powercap\n" \
	"columns time_usec step subject energy_uj\n"

#define DRAM \
	"table series.dram node uncore\n" \
	"columns time_usec step subject read_bytes written_bytes\n"

#define NODE \
	"table series.node node proc\n" \
	"columns time_usec step user_usec idle_usec\n"

/* Rows of another step, 5 s before and after: half of each interval. */
START_TEST(cut_to_time)
{
	struct sw_view view = kit_view(STEP SUBJECTS
		"row 990000000 3 interface 0 interface eth0 device\n"
		INTERFACE
		"row 995000000 3 0 1000 0 -\n"
		"row 1005000000 3 0 2000 400 -\n"
		"row 1015000000 3 0 8000 400 -\n"
		"row 1025000000 3 0 9000 900 -\n");

	ck_assert_uint_eq(view.nearby.link_count, 1);
	ck_assert_str_eq(view.nearby.links[0].name, "eth0");
	ck_assert_uint_eq(view.nearby.links[0].received_bytes, 500 + 3000);
	ck_assert_uint_eq(view.nearby.links[0].sent_bytes, 200);
	ck_assert_uint_eq(view.nearby.links[0].bits_per_sec, SW_MISSING);
	ck_assert_uint_eq(view.nearby.links[0].full_usec, SW_MISSING);
	ck_assert(isnan(view.nearby.links[0].peak_utilization));
	kit_drop(&view);
}
END_TEST

/* A second recorder gives eth0 the index that eth1 had. */
START_TEST(counted_anew)
{
	struct sw_view view = kit_view(STEP SUBJECTS
		"row 999000000 7 interface 0 interface eth0 device\n"
		"row 999000000 7 interface 1 interface eth1 device\n"
		"row 1005000000 7 interface 1 interface eth0 device\n"
		"row 1005000000 7 interface 0 interface eth1 device\n"
		INTERFACE
		"row 1000000000 7 0 100 0 -\nrow 1000000000 7 1 9000 0 -\n"
		"row 1004000000 7 0 150 0 -\nrow 1004000000 7 1 9001 0 -\n"
		"row 1006000000 7 1 200 0 -\nrow 1006000000 7 0 9003 0 -\n"
		"row 1010000000 7 1 250 0 -\nrow 1010000000 7 0 9003 0 -\n");

	ck_assert_uint_eq(view.nearby.link_count, 2);
	ck_assert_str_eq(view.nearby.links[0].name, "eth0");
	ck_assert_uint_eq(view.nearby.links[0].received_bytes, 150);
	ck_assert_str_eq(view.nearby.links[1].name, "eth1");
	ck_assert_uint_eq(view.nearby.links[1].received_bytes, 3);
	kit_drop(&view);
}
END_TEST

/* It went down and up again: earlier traffic is not estimated. */
START_TEST(went_back)
{
	struct sw_view view = kit_view(STEP SUBJECTS
		"row 999000000 7 interface 0 interface eth0 device\n"
		INTERFACE
		"row 1000000000 7 0 1000 0 -\nrow 1004000000 7 0 1500 0 -\n"
		"row 1006000000 7 0 10 0 -\nrow 1010000000 7 0 30 0 -\n");

	ck_assert_uint_eq(view.nearby.link_count, 1);
	ck_assert_uint_eq(view.nearby.links[0].received_bytes, 520);
	kit_drop(&view);
}
END_TEST

/* 1 Gbit/s: 125,000,000 bytes a second each way. */
START_TEST(full_link)
{
	struct sw_view view = kit_view(STEP SUBJECTS
		"row 999000000 7 interface 0 interface eth0 device\n"
		INTERFACE
		"row 1000000000 7 0 0 0 1000000000\n"
		"row 1004000000 7 0 100 450000000 1000000000\n"
		"row 1010000000 7 0 200 900000000 1000000000\n");

	ck_assert_uint_eq(view.nearby.links[0].full_usec, 4000000);
	ck_assert_double_eq_tol(view.nearby.links[0].peak_utilization, 0.9,
				1e-9);
	kit_drop(&view);
}
END_TEST

START_TEST(energy_is_shared_out)
{
	struct sw_view view = kit_view(STEP SUBJECTS
		"row 999000000 7 energy 0 zone package-0 intel-rapl:0\n"
		"row 999000000 7 energy 1 zone core intel-rapl:0:0\n"
		"row 999000000 7 energy 2 zone dram intel-rapl:0:1\n"
		ENERGY
		"row 1000000000 7 0 500\nrow 1000000000 7 1 0\n"
		"row 1000000000 7 2 0\n"
		"row 1010000000 7 0 1000500\nrow 1010000000 7 1 900000\n"
		"row 1010000000 7 2 200000\n"
		NODE
		"row 1000000000 7 0 0\nrow 1010000000 7 16000000 4000000\n");

	ck_assert_uint_eq(view.nearby.energy.node_uj, 1200000);
	ck_assert_double_eq_tol(view.nearby.energy.cpu_share, 0.25, 1e-9);
	ck_assert_uint_eq(view.nearby.energy.step_uj, 300000);
	ck_assert_uint_eq(view.nearby.around.busy_usec, 16000000);
	ck_assert_uint_eq(view.nearby.around.other_usec, 12000000);
	kit_drop(&view);
}
END_TEST

START_TEST(memory_traffic_of_packages)
{
	struct sw_view view = kit_view(STEP SUBJECTS
		"row 999000000 7 dram 0 package package-0 -\n"
		"row 999000000 7 dram 1 package package-1 -\n" DRAM
		"row 1000000000 7 0 500 100\nrow 1000000000 7 1 0 0\n"
		"row 1010000000 7 0 1500 400\nrow 1010000000 7 1 20 3\n");

	ck_assert_uint_eq(view.nearby.around.memory_read_bytes, 1020);
	ck_assert_uint_eq(view.nearby.around.memory_written_bytes, 303);
	kit_drop(&view);
	view = kit_view(STEP SUBJECTS DRAM "row 1000000000 7 0 500 100\n");
	ck_assert_uint_eq(view.nearby.around.memory_read_bytes, SW_MISSING);
	kit_drop(&view);
}
END_TEST

/* A step with one row, and one without any: nothing is known. */
START_TEST(not_known)
{
	struct sw_view view = kit_view(STEP ENERGY "row 1005000000 7 0 500\n"
				      NODE "row 1005000000 7 1 1\n");

	ck_assert_uint_eq(view.nearby.energy.node_uj, SW_MISSING);
	ck_assert_uint_eq(view.nearby.energy.step_uj, SW_MISSING);
	ck_assert_uint_eq(view.nearby.around.busy_usec, SW_MISSING);
	kit_drop(&view);
	view = kit_view(STEP);
	ck_assert_uint_eq(view.nearby.link_count, 0);
	ck_assert_uint_eq(view.network.received_bytes, SW_MISSING);
	ck_assert_ptr_null(view.network.source);
	ck_assert_uint_eq(view.nearby.around.other_usec, SW_MISSING);
	kit_drop(&view);
}
END_TEST

/* Many more rows than the step has, of the maximum number of subjects. */
START_TEST(among_many)
{
	size_t size = 4 << 20, used, i;
	char *text = malloc(size);
	struct sw_view view;
	uint64_t second;

	ck_assert_ptr_nonnull(text);
	used = (size_t)snprintf(text, size, "%s%s", STEP, SUBJECTS);
	for (i = 0; i < 256; i++)
		used += (size_t)snprintf(text + used, size - used,
			"row 1 7 interface %zu interface eth%zu device\n", i,
			i);
	used += (size_t)snprintf(text + used, size - used, "%s", INTERFACE);
	for (second = 900; second < 1100; second += 10) {
		for (i = 0; i < 256; i++)
			used += (size_t)snprintf(text + used, size - used,
				"row %llu000000 7 %zu %llu 0 -\n",
				(unsigned long long)second, i,
				(unsigned long long)(second * (i + 1)));
	}
	ck_assert_uint_lt(used, size);
	view = kit_view(text);
	ck_assert_uint_eq(view.nearby.link_count, 256);
	for (i = 0; i < 256; i++)
		ck_assert_uint_eq(view.nearby.links[i].received_bytes,
				  10 * (256 - i));
	kit_drop(&view);
	free(text);
}
END_TEST

int main(void)
{
	TCase *tcase = kit_case("node");

	tcase_add_test(tcase, cut_to_time);
	tcase_add_test(tcase, counted_anew);
	tcase_add_test(tcase, went_back);
	tcase_add_test(tcase, full_link);
	tcase_add_test(tcase, energy_is_shared_out);
	tcase_add_test(tcase, memory_traffic_of_packages);
	tcase_add_test(tcase, not_known);
	tcase_add_test(tcase, among_many);
	return kit_run(tcase);
}
