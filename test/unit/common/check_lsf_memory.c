/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory requests of LSF. */
#include "common/lsf_memory.h"

#include <check.h>

#include "common/missing.h"
#include "common/units.h"
#include "test/run_tests.h"

static const struct {
	const char *res_req;
	uint64_t bytes; /* a bare number is in MB */
	bool has_unit;
	enum sw_lsf_per per;
	bool is_bad;
} rows[] = {
	{ "rusage[mem=4000]", 4000 * SW_MIB, false, SW_LSF_PER_SITE, false },
	{ "select[type == any] order[r15s:pg] rusage[mem=400.00] span[hosts=1]",
	  400 * SW_MIB, false, SW_LSF_PER_SITE, false },
	{ "rusage[swp=1:mem=4GB:duration=1h]", 4 * SW_GIB, true,
	  SW_LSF_PER_SITE, false },
	{ "rusage[tmp=2, mem=512KB/task]", 512 * SW_KIB, true,
	  SW_LSF_PER_TASK, false },
	{ "rusage[mem=1.5G/host:decay=0]", 3 * SW_GIB / 2, true,
	  SW_LSF_PER_HOST, false },
	{ "rusage[mem=10/job]", 10 * SW_MIB, false, SW_LSF_PER_JOB, false },
	{ "rusage[MEM=10MiB]", 10 * SW_MIB, true, SW_LSF_PER_SITE, false },
	/* None, or not one number. */
	{ .res_req = "", .bytes = SW_MISSING },
	{ .res_req = "select[mem>4000]", .bytes = SW_MISSING },
	{ .res_req = "rusage[swp=100] select[mem=4]", .bytes = SW_MISSING },
	{ .res_req = "rusage[mymem=100]", .bytes = SW_MISSING },
	{ .res_req = "rusage[mem=(400 200):duration=(10 20)]",
	  .bytes = SW_MISSING },
	{ .res_req = "rusage[mem=400] || rusage[mem=200]",
	  .bytes = SW_MISSING },
	{ .res_req = "2*{rusage[mem=4]} + 3*{rusage[mem=2]}",
	  .bytes = SW_MISSING },
	{ .res_req = "rusage[mem=]", .bytes = SW_MISSING, .is_bad = true },
	{ .res_req = "rusage[mem=-4]", .bytes = SW_MISSING, .is_bad = true },
	{ .res_req = "rusage[mem=0]", .bytes = SW_MISSING },
	{ .res_req = "rusage[mem=nan]", .bytes = SW_MISSING, .is_bad = true },
	{ .res_req = "rusage[mem=1e99]", .bytes = SW_MISSING, .is_bad = true },
	{ .res_req = "rusage[mem=16?]", .bytes = SW_MISSING, .is_bad = true },
	{ .res_req = "rusage[mem=4x]", .bytes = SW_MISSING, .is_bad = true },
	{ .res_req = "rusage[mem=4GB/slot]", .bytes = SW_MISSING,
	  .is_bad = true },
	{ .res_req = "rusage[mem=", .bytes = SW_MISSING, .is_bad = true },
	{ .res_req = "rusage[", .bytes = SW_MISSING },
};

START_TEST(reads)
{
	struct sw_lsf_memory memory =
		sw_lsf_memory_read(rows[_i].res_req, SW_MIB);

	ck_assert_msg(memory.bytes == rows[_i].bytes, "%s: %llu",
		      rows[_i].res_req, (unsigned long long)memory.bytes);
	ck_assert_msg(memory.is_bad == rows[_i].is_bad, "%s",
		      rows[_i].res_req);
	if (sw_is_missing(memory.bytes))
		return;
	ck_assert_int_eq(memory.has_unit, rows[_i].has_unit);
	ck_assert_int_eq(memory.per, rows[_i].per);
}
END_TEST

START_TEST(units)
{
	ck_assert_uint_eq(sw_lsf_unit_bytes("KB"), SW_KIB);
	ck_assert_uint_eq(sw_lsf_unit_bytes("mb"), SW_MIB);
	ck_assert_uint_eq(sw_lsf_unit_bytes("G"), SW_GIB);
	ck_assert_uint_eq(sw_lsf_unit_bytes("EB"), (uint64_t)1 << 60);
	ck_assert_uint_eq(sw_lsf_unit_bytes(""), 0);
	ck_assert_uint_eq(sw_lsf_unit_bytes("XB"), 0);
	ck_assert_uint_eq(sw_lsf_unit_bytes("MBs"), 0);
	ck_assert_uint_eq(sw_lsf_memory_read("rusage[mem=4]", SW_GIB).bytes,
			  4 * SW_GIB);
	ck_assert_uint_eq(sw_lsf_memory_read("rusage[mem=4K]", SW_GIB).bytes,
			  4 * SW_KIB);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("lsf_memory");

	tcase_add_loop_test(tcase, reads, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(tcase, units);
	return run_tests("lsf_memory", tcase, NULL);
}
