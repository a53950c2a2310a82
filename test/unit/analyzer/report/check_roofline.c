/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FLOP/s and bytes per FLOP; values of PAPI's components in reports. */
#include <check.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/view/roofline.h"
#include "test/run_tests.h"
#include "test/unit/analyzer/report/report_kit.h"

static struct sw_error error;

static const char computed[] =
	"table identity job recorder\ncolumns node\n"
	"row n1\n"
	REPORT_KIT_STEPS "row 0 1000000000\n"
	REPORT_KIT_SUBJECTS
	"row 1000000000 0 pmu 0 task command cycles\n"
	"row 1000000000 0 counters 0 task command \"PAPI_DP_OPS N0|\"\n"
	"table series.pmu task perf.inherit\n"
	"columns time_usec step subject enabled_usec running_usec "
	"instructions llc_misses\n"
	"row 1000000000 0 0 0 0 0 0\n"
	"row 1010000000 0 0 10000000 10000000 1000 1000000\n"
	"table series.counters task perf.inherit\n"
	"columns time_usec step subject enabled_usec\n"
	"column running_usec.0 usec counter\ncolumn event.0 count counter\n"
	"row 1000000000 0 0 0 0 0\n"
	"row 1010000000 0 0 10000000 10000000 20000000\n";

/* 2 MFLOP/s, with 3.2 bytes of memory traffic each; the node has 10 and 20. */
START_TEST(rates)
{
	const struct sw_ceilings ceilings = { 1e7, 2e7 };
	struct sw_roofline roofline;
	struct sw_reader *reader;
	struct sw_view view;

	report_kit_write(computed);
	reader = sw_reader_open(report_kit_profile(), &error);
	ck_assert_msg(reader != NULL, "%s", error.text);
	ck_assert_int_eq(sw_view_init(&view, reader, 0, &error), 0);
	view.elapsed_usec = 10000000;
	sw_roofline_init(&roofline, &view, &ceilings);
	ck_assert_double_eq(roofline.flops_per_sec, 2e6);
	ck_assert_str_eq(roofline.flops_of, "PAPI_DP_OPS");
	ck_assert_double_eq(roofline.bytes_per_flop, 3.2);
	ck_assert_double_eq(sw_ceilings_balance(&roofline.node), 2);
	/* A node's ceiling does not apply to several, nor to 0 operations. */
	view.node = NULL;
	sw_roofline_init(&roofline, &view, &ceilings);
	ck_assert(isnan(roofline.node.flops_per_sec));
	ck_assert(sw_roofline_is_known(&roofline));
	view.chosen[0].value = 0;
	sw_roofline_init(&roofline, &view, &ceilings);
	ck_assert(isnan(roofline.bytes_per_flop));
	ck_assert(!sw_roofline_is_known(&roofline));
	view.chosen_count = 0;
	sw_roofline_init(&roofline, &view, NULL);
	ck_assert(isnan(roofline.flops_per_sec));
	sw_view_fini(&view);
	sw_reader_close(reader);
	unlink(report_kit_profile());
}
END_TEST

static const char read_by_papi[] =
	REPORT_KIT_STEPS "row 0 1000000000\n"
	REPORT_KIT_SUMMARY "row 0 1020000000\n"
	REPORT_KIT_SUBJECTS
	"row 1000000000 - papi 0 component pm -\n"
	"row 1000000000 - papi 1 component gone \"no such\x1b[31m thing\"\n"
	"row 1000000000 - papi 8 event pm:::energy J\n"
	"table series.papi node libpapi\n"
	"columns time_usec step subject events value\n"
	"row 1000000000 - 0 1 -\nrow 1000000000 - 1 - -\n"
	"row 1000000000 - 8 - 1200\nrow 1010000000 - 0 1 -\n"
	"row 1010000000 - 1 - -\nrow 1010000000 - 8 - 3400\n"
	"row 1015000000 - 8 - 2400\n";

/* Unread values have a reason, and names are escaped. */
START_TEST(components)
{
	static char text[16384];

	report_kit_write(read_by_papi);
	report_kit_print("text", text, sizeof(text));
	report_kit_expect(text, "pm:::energy 2400 J, from 2400 to 3400");
	report_kit_expect(text, "gone is not read: no such");
	ck_assert_ptr_null(strchr(text, '\x1b'));
	report_kit_write(read_by_papi);
	report_kit_print("json", text, sizeof(text));
	report_kit_expect(text, "\"largest\":3400");
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("roofline");
	int failed;

	report_kit_begin();
	tcase_add_test(tcase, rates);
	tcase_add_test(tcase, components);
	failed = run_tests("roofline", tcase, NULL);
	report_kit_end();
	return failed;
}
