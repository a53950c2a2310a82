/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of a record: what each may look like, and what is dropped. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/record_jobs.h"
#include "analyzer/accounting/record_need.h"
#include "analyzer/accounting/record_run.h"
#include "analyzer/accounting/record_values.h"
#include "common/units.h"
#include "test/run_tests.h"

static const char *field[SW_RECORD_FIELDS];
static struct sw_job_record job;
static uint64_t impossible;

static void forget(void)
{
	size_t i;

	for (i = 0; i < SW_RECORD_FIELDS; i++)
		field[i] = "";
	impossible = 0;
}

static void fill(enum sw_record_field which, const char *text)
{
	forget();
	field[which] = text;
	memset(&job, 0, sizeof(job));
	sw_record_fill_job(&job, field, &impossible);
}

#define MIB ((uint64_t)1 << 20)

START_TEST(requests_of_memory)
{
	static const struct {
		const char *text;
		uint64_t bytes;
		enum sw_acct_memory_of of;
		uint64_t impossible;
	} rows[] = {
		{ "4Gn", 4096 * MIB, SW_ACCT_OF_NODE, 0 },
		{ "2000Mc", 2000 * MIB, SW_ACCT_OF_CPU, 0 },
		{ "4096", 4096 * MIB, SW_ACCT_OF_JOB, 0 },
		{ "4194304K", 4096 * MIB, SW_ACCT_OF_JOB, 0 },
		{ "4194304k", 4096 * MIB, SW_ACCT_OF_JOB, 0 },
		{ "1.50G", 1536 * MIB, SW_ACCT_OF_JOB, 0 },
		{ "1E", (uint64_t)1 << 60, SW_ACCT_OF_JOB, 0 },
		/* Of each CPU, by Slurm's flag of 32 and of 64 bits. */
		{ "2147486448Mn", 2800 * MIB, SW_ACCT_OF_CPU, 0 },
		{ "2147486448", 2800 * MIB, SW_ACCT_OF_CPU, 0 },
		{ "2147486448M", 2800 * MIB, SW_ACCT_OF_CPU, 0 },
		{ "9223372036854778608M", 2800 * MIB, SW_ACCT_OF_CPU, 0 },
		{ "9223372036854778608Mc", 2800 * MIB, SW_ACCT_OF_CPU, 0 },
		{ "9223372036854776833n", 1025 * MIB, SW_ACCT_OF_CPU, 0 },
		/* All of a node, or of each CPU: how much is not said. */
		{ "0", SW_MISSING, SW_ACCT_OF_JOB, 0 },
		{ "0n", SW_MISSING, SW_ACCT_OF_NODE, 0 },
		{ "0Mc", SW_MISSING, SW_ACCT_OF_CPU, 0 },
		{ "", SW_MISSING, SW_ACCT_OF_JOB, 0 },
		/* Whatever it is. */
		{ "16?", SW_MISSING, SW_ACCT_OF_JOB, 1 },
		{ "100Mcd", SW_MISSING, SW_ACCT_OF_CPU, 1 },
		{ "1Me", SW_MISSING, SW_ACCT_OF_JOB, 1 },
		{ "16384Me", SW_MISSING, SW_ACCT_OF_JOB, 1 },
		{ "-4G", SW_MISSING, SW_ACCT_OF_JOB, 1 },
		{ "4GG", SW_MISSING, SW_ACCT_OF_JOB, 1 },
		{ "4G ", SW_MISSING, SW_ACCT_OF_JOB, 1 },
		{ "nan", SW_MISSING, SW_ACCT_OF_JOB, 1 },
		{ "9999999P", SW_MISSING, SW_ACCT_OF_JOB, 1 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fill(SW_RECORD_REQ_MEM, rows[i].text);
		ck_assert_msg(job.requested_bytes == rows[i].bytes, "%s: %llu",
			      rows[i].text,
			      (unsigned long long)job.requested_bytes);
		if (!sw_is_missing(rows[i].bytes))
			ck_assert_msg(job.requested_of == rows[i].of, "%s",
				      rows[i].text);
		ck_assert_msg(impossible == rows[i].impossible, "%s",
			      rows[i].text);
	}
}
END_TEST

START_TEST(times)
{
	static const struct {
		enum sw_record_field which;
		const char *text;
		uint64_t value, impossible;
	} rows[] = {
		{ SW_RECORD_TOTAL_CPU, "1-02:03:04", 93784000000, 0 },
		{ SW_RECORD_TOTAL_CPU, "02:03:04", 7384000000, 0 },
		{ SW_RECORD_TOTAL_CPU, "05:20.500", 320500000, 0 },
		{ SW_RECORD_TOTAL_CPU, "00:00:00", 0, 0 },
		{ SW_RECORD_TOTAL_CPU, "", SW_MISSING, 0 },
		{ SW_RECORD_TOTAL_CPU, "INVALID", SW_MISSING, 1 },
		{ SW_RECORD_TOTAL_CPU, "-1:00", SW_MISSING, 1 },
		{ SW_RECORD_TOTAL_CPU, "1:2:3:4", SW_MISSING, 1 },
		{ SW_RECORD_TOTAL_CPU, "1-2-3:00", SW_MISSING, 1 },
		{ SW_RECORD_TOTAL_CPU, "::", SW_MISSING, 1 },
		{ SW_RECORD_TOTAL_CPU, "99999999999999999999:00", SW_MISSING,
		  1 },
		{ SW_RECORD_USED_IN, "cpu=00:16:30,energy=0,mem=5M",
		  990000000, 0 },
		{ SW_RECORD_USED_IN, "energy=0", SW_MISSING, 0 },
		{ SW_RECORD_ELAPSED, "100", 100, 0 },
		{ SW_RECORD_ELAPSED_WORDS, "1-00:00:10", 86410, 0 },
		{ SW_RECORD_ELAPSED, "16?", SW_MISSING, 1 },
		{ SW_RECORD_LIMIT, "60", 3600, 0 },
		{ SW_RECORD_LIMIT_WORDS, "01:00:00", 3600, 0 },
		{ SW_RECORD_LIMIT, "UNLIMITED", SW_MISSING, 0 },
		{ SW_RECORD_LIMIT_WORDS, "Partition_Limit", SW_MISSING, 0 },
	};
	uint64_t value;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fill(rows[i].which, rows[i].text);
		value = rows[i].which == SW_RECORD_TOTAL_CPU ||
					rows[i].which == SW_RECORD_USED_IN ?
				job.used.cpu_usec :
			rows[i].which == SW_RECORD_ELAPSED ||
					rows[i].which ==
						SW_RECORD_ELAPSED_WORDS ?
				job.elapsed_seconds :
				job.limit_seconds;
		ck_assert_msg(value == rows[i].value &&
				      impossible == rows[i].impossible,
			      "%s: %llu", rows[i].text,
			      (unsigned long long)value);
	}
}
END_TEST

START_TEST(lists_of_resources)
{
	fill(SW_RECORD_ALLOC_TRES, "billing=8,cpu=8,gres/gpu:a100=2,"
	     "gres/gpu:h100=1,mem=16384M,node=2");
	ck_assert_uint_eq(job.allocated.cpus, 8);
	ck_assert_uint_eq(job.allocated.gpus, 3);
	ck_assert_uint_eq(job.allocated.memory_bytes, 16384 * MIB);
	ck_assert_uint_eq(job.allocated.nodes, 2);
	ck_assert_uint_eq(impossible, 0);
	fill(SW_RECORD_ALLOC_TRES, "cpu=16?,gres/gpu=1,gres/gpu:a100=1,mem=1Me");
	ck_assert_uint_eq(job.allocated.cpus, SW_MISSING);
	ck_assert_uint_eq(job.allocated.gpus, 1);
	ck_assert_uint_eq(job.allocated.memory_bytes, SW_MISSING);
	ck_assert_uint_eq(impossible, 2);
}
END_TEST

/* In the hour that comes twice a clock goes back; nothing ends before it began. */
START_TEST(local_clocks)
{
	setenv("TZ", "Europe/Berlin", 1);
	forget();
	field[SW_RECORD_STATE] = "COMPLETED";
	field[SW_RECORD_START] = "2026-10-25T02:50:00";
	field[SW_RECORD_END] = "2026-10-25T02:10:00";
	field[SW_RECORD_ELAPSED_WORDS] = "00:20:00";
	memset(&job, 0, sizeof(job));
	sw_record_fill_job(&job, field, &impossible);
	ck_assert_uint_eq(job.end_seconds - job.start_seconds, 1200);
	ck_assert_uint_eq(impossible, 0);
}
END_TEST

/* What a job of steps in a file says. */
static struct sw_job_record taken;
static struct sw_step_record taken_steps[8];

static int take_job(void *context, const struct sw_job_record *one)
{
	(void)context;
	taken = *one;
	memcpy(taken_steps, one->steps,
	       one->step_count * sizeof(*taken_steps));
	taken.steps = taken_steps;
	return 0;
}

static struct sw_records_sums sums;

/* Without the header; the texts stay. */
static const struct sw_job_record *read_job(const char *text)
{
	static char header[400], body[4000];
	static const struct sw_records_taker taker = { .take_job = take_job };
	struct sw_record_fields fields;
	struct sw_record_lines lines = {
		.next = body, .delimiter = "|", .fields = &fields,
	};
	struct sw_error error;

	strcpy(header, "JobID|State|ExitCode|DerivedExitCode|Start|End|"
	       "ElapsedRaw|AllocCPUS|ReqMem|AllocTRES|NNodes|NTasks|NodeList|"
	       "TotalCPU|MaxRSS|AveRSS|TRESUsageInTot");
	ck_assert_ptr_null(sw_record_fields_of_header(&fields, header));
	strcpy(body, text);
	memset(&sums, 0, sizeof(sums));
	ck_assert_int_eq(sw_record_jobs_take(&lines, NULL, NULL, &taker, &sums,
					     &error), 0);
	ck_assert_uint_eq(sums.bad_lines, 0);
	ck_assert_uint_eq(sums.jobs, 1);
	return &taken;
}

#define JOB(memory, tres) \
	"5|COMPLETED|0:0|0:0|1000|4600|3600|8|" memory "|" tres "|1||n1|" \
	"01:00:00|||\n"
#define STEP(id, start, end, tasks, nodes, max, average) \
	"5." id "|COMPLETED|0:0||" start "|" end "|3600|8|||" nodes "|" tasks \
	"|n1|01:00:00|" max "|" average "|\n"
#define GIB ((double)((uint64_t)1 << 30))

START_TEST(a_need_lies_between_two_ends)
{
	static const struct {
		const char *text;
		double low, high, need, open;	/* GiB; what advice learns */
	} rows[] = {
		/* Eight tasks of a node, alike; and one of them larger. */
		{ JOB("16G", "cpu=8,mem=16G") STEP("extern", "1000", "4600",
		  "1", "1", "9G", "9G") STEP("0", "1000", "4600", "8", "1",
		  "1G", ""), 1, 8, 8, NAN },
		{ JOB("16G", "cpu=8,mem=16G") STEP("0", "1000", "4600", "8",
		  "1", "1G", "1G"), 8, 8, 8, NAN },
		{ JOB("16G", "cpu=8,mem=16G") STEP("0", "1000", "4600", "8",
		  "1", "1.5G", "0.5G"), 4, 12, 12, NAN },
		/* Tasks of a node are rounded up. */
		{ JOB("64G", "cpu=8,mem=64G,node=2") STEP("0", "1000", "4600",
		  "9", "2", "1G", "1G"), 5, 5, 5, NAN },
		/* The script is one task. */
		{ JOB("16G", "cpu=8,mem=16G") STEP("batch", "1000", "4600", "",
		  "1", "2G", "2G"), 2, 2, 2, NAN },
		/* Steps one behind the other, and at the same time. */
		{ JOB("16G", "cpu=8,mem=16G") STEP("0", "1000", "2000", "2",
		  "1", "2G", "2G") STEP("1", "2000", "4600", "2", "1", "3G",
		  "3G"), 6, 6, 6, NAN },
		{ JOB("16G", "cpu=8,mem=16G") STEP("0", "1000", "4600", "2",
		  "1", "2G", "2G") STEP("1", "1500", "4600", "2", "1", "3G",
		  "3G"), 6, 10, 10, NAN },
		/* The end of one is noted late. */
		{ JOB("16G", "cpu=8,mem=16G") STEP("0", "1000", "2001", "2",
		  "1", "2G", "2G") STEP("1", "2000", "4600", "2", "1", "3G",
		  "3G"), 6, 6, 6, NAN },
		/* How many tasks there were is not known: all that it had. */
		{ JOB("16G", "cpu=8,mem=16G") STEP("0", "1000", "4600", "",
		  "1", "1G", ""), 1, NAN, 1, 16 },
		/* No sample, and that of Slurm's own step: nothing. */
		{ JOB("16G", "cpu=8,mem=16G") STEP("batch", "1000", "4600",
		  "1", "1", "0", "0") STEP("extern", "1000", "4600", "1", "1",
		  "1600K", "1600K"), NAN, NAN, NAN, NAN },
		/* What completed had enough, whatever was added up. */
		{ JOB("4G", "cpu=8,mem=4G") STEP("0", "1000", "4600", "8", "1",
		  "1G", "0.25G"), 2, 8, 2, 4 },
		/* What was allocated counts: --mem=0, and where they differ. */
		{ JOB("0", "cpu=8,mem=4G") STEP("0", "1000", "4600", "8", "1",
		  "1G", "0.25G"), 2, 8, 2, 4 },
		{ JOB("2147486448Mn", "cpu=8,mem=4G") STEP("0", "1000", "4600",
		  "8", "1", "1G", "0.25G"), 2, 8, 2, 4 },
	};
	struct sw_record_need need;
	struct sw_run run;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct sw_job_record *one = read_job(rows[i].text);

		need = sw_record_need(one);
		ck_assert_msg(isnan(rows[i].low) ? isnan(need.low_bytes) :
			      need.low_bytes == rows[i].low * GIB,
			      "row %zu: low %g", i, need.low_bytes / GIB);
		ck_assert_msg(isnan(rows[i].high) ? isnan(need.high_bytes) :
			      need.high_bytes == rows[i].high * GIB,
			      "row %zu: high %g", i, need.high_bytes / GIB);
		sw_record_run(&run, one);
		ck_assert_msg(isnan(rows[i].need) ? isnan(run.need_bytes) :
			      run.need_bytes == rows[i].need * GIB,
			      "row %zu: need %g", i, run.need_bytes / GIB);
		ck_assert_msg(isnan(rows[i].open) ? isnan(run.open_bytes) :
			      run.open_bytes == rows[i].open * GIB,
			      "row %zu: open %g", i, run.open_bytes / GIB);
	}
}
END_TEST

/* mpirun starts its daemons on all nodes but the script's; ssh is not seen. */
START_TEST(nodes_that_were_seen)
{
	static const char head[] =
		"5|COMPLETED|0:0|0:0|1000|4600|3600|80|||10||n[1-10]||||\n";
	static const char batch[] =
		"5.batch|COMPLETED|0:0||1000|4600|3600|8|||1|1|n1||1G||\n";
	static const struct {
		const char *steps;
		double ratio;
	} rows[] = {
		{ "", 0.1 },
		{ "5.0|COMPLETED|0:0||1000|4600|3600|72|||9|9|n[2-10]||1G||\n",
		  1 },
		{ "5.0|COMPLETED|0:0||1000|4600|3600|80|||10|80|n[1-10]||1G||\n",
		  1 },
		{ "5.0|COMPLETED|0:0||1000|4600|3600|8|||1|8|n1||1G||\n"
		  "5.1|COMPLETED|0:0||1000|4600|3600|8|||1|8|n2||1G||\n", 0.2 },
		/* Lists that overlap: a node counts once. */
		{ "5.0|COMPLETED|0:0||1000|4600|3600|8|||5|5|n[1-5]||1G||\n"
		  "5.1|COMPLETED|0:0||1000|4600|3600|8|||5|5|n[3-7]||1G||\n",
		  0.7 },
		{ "5.0|COMPLETED|0:0||1000|4600|3600|8|||9|9|n[1-9]||1G||\n"
		  "5.1|COMPLETED|0:0||1000|4600|3600|8|||2|2|n[8-9]||1G||\n",
		  0.9 },
		/* Slurm's own step is on all nodes, and has what it adopted. */
		{ "5.extern|COMPLETED|0:0||1000|4600|3600|80|||10|10|n[1-10]|"
		  "00:00:00|1M||\n", 0.1 },
		{ "5.extern|COMPLETED|0:0||1000|4600|3600|80|||10|10|n[1-10]|"
		  "05:00:00|1G||\n", 1 },
	};
	char text[2000];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text), "%s%s%s", head, batch,
			 rows[i].steps);
		ck_assert_msg(sw_record_accounted_ratio(read_job(text)) ==
			      rows[i].ratio, "row %zu", i);
	}
}
END_TEST

/* Of CPU time: where it is, and where it cannot be. */
START_TEST(use_of_cpus)
{
	static const struct {
		const char *job, *step, *list;
		uint64_t usec, impossible;
	} rows[] = {
		{ "01:00:00", "01:00:00", "", 3600000000, 0 },
		/* 0 since Slurm 25.05 on some sites. */
		{ "00:00:00", "00:00:00", "cpu=00:40:00,mem=1G", 2400000000,
		  0 },
		{ "", "00:30:00", "", 1800000000, 0 },
		/* 40 hours of eight CPUs in an hour. */
		{ "1-16:00:00", "1-16:00:00", "", 144000000000, 1 },
		/* Nothing was gathered. */
		{ "00:00:00", "00:00:00", "", SW_MISSING, 0 },
	};
	struct sw_run run;
	char text[1000];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct sw_job_record *one;

		snprintf(text, sizeof(text), "5|COMPLETED|0:0|0:0|1000|4600|"
			 "3600|8|||1||n1|%s|||\n5.0|COMPLETED|0:0||1000|4600|"
			 "3600|8|||1|1|n1|%s|||%s\n", rows[i].job,
			 rows[i].step, rows[i].list);
		one = read_job(text);
		ck_assert_msg(one->used.cpu_usec == rows[i].usec, "row %zu: "
			      "%llu", i,
			      (unsigned long long)one->used.cpu_usec);
		ck_assert_uint_eq(one->used.is_cpu_impossible,
				  rows[i].impossible > 0);
		sw_record_run(&run, one);
		ck_assert_int_eq(isnan(run.used_core_seconds),
				 rows[i].impossible ||
				 sw_is_missing(rows[i].usec));
	}
}
END_TEST

/* Before 25.11 sacct takes 128 off; of a plain exit there is nothing to add. */
START_TEST(exits_of_two_releases)
{
	static const struct {
		const char *job, *derived, *step;
		uint64_t code;
	} rows[] = {
		{ "137:0", "137:0", "0:9", 137 },
		{ "9:0", "137:0", "0:9", 137 },
		{ "9:0", "0:0", "0:9", 137 },
		{ "9:0", "137:0", "9:0", 137 },
		{ "9:0", "9:0", "9:0", 9 },
		{ "1:0", "1:0", "0:9", 1 },
	};
	char text[1000];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text), "5|FAILED|%s|%s|1000|4600|3600|8|||"
			 "1||n1||||\n5.0|FAILED|%s||1000|4600|3600|8|||1|1|n1|"
			 "|||\n", rows[i].job, rows[i].derived, rows[i].step);
		ck_assert_msg(read_job(text)->end.exit_code == rows[i].code,
			      "row %zu: %llu", i,
			      (unsigned long long)taken.end.exit_code);
	}
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("values");

	tcase_add_test(tcase, requests_of_memory);
	tcase_add_test(tcase, times);
	tcase_add_test(tcase, lists_of_resources);
	tcase_add_test(tcase, local_clocks);
	tcase_add_test(tcase, a_need_lies_between_two_ends);
	tcase_add_test(tcase, nodes_that_were_seen);
	tcase_add_test(tcase, use_of_cpus);
	tcase_add_test(tcase, exits_of_two_releases);
	return run_tests("record_values", tcase, NULL);
}
