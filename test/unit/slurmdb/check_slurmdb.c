/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of stepwell-slurmdb for libslurm's structures, after the source of
 * sacct of 22.05, and the windows it requests.  There is no slurmdbd: its
 * answers are made up here.
 */
#include <check.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/accounting/record_fields.h"
#include "slurmdb/query.h"
#include "slurmdb/states.h"
#include "test/run_tests.h"

#define HOUR 1779998400L
#define SECONDS(n) HOUR + (n)

static slurmdb_job_rec_t job;
static slurmdb_step_rec_t step;
static struct sw_slurmdb_format format;
static char windows[4000];
static long too_large_above;
static char *printed;

/* Replaces libslurm's. */
#if SW_SLURM_SINCE(24, 11)
typedef list_t *List;
#endif

List slurmdb_jobs_get(void *connection, slurmdb_job_cond_t *condition)
{
	size_t length = strlen(windows);
	void *list;

	(void)connection;
	ck_assert_uint_eq(condition->db_flags, SLURMDB_JOB_FLAG_NOTSET);
	ck_assert_uint_eq(condition->flags, JOBCOND_FLAG_NO_TRUNC |
					    JOBCOND_FLAG_DUP);
	snprintf(windows + length, sizeof(windows) - length, "%ld-%ld ",
		 (long)condition->usage_start - HOUR,
		 (long)condition->usage_end - HOUR);
	if (condition->usage_end - condition->usage_start > too_large_above) {
		errno = ESLURM_RESULT_TOO_LARGE;
		return NULL;
	}
	list = slurm_list_create(NULL);
	if (condition->usage_start <= job.end &&
	    job.end <= condition->usage_end)
		slurm_list_append(list, &job);
	return list;
}

static char text_mem[] = "mem", text_cpu[] = "cpu", text_node[] = "node",
	    text_gres[] = "gres", text_gpu[] = "gpu", text_fs[] = "fs",
	    text_disk[] = "disk", text_qos[] = "normal";

static slurmdb_tres_rec_t tres[] = {
	{ .id = 1, .type = text_cpu }, { .id = 2, .type = text_mem },
	{ .id = 4, .type = text_node },
	{ .id = 6, .type = text_fs, .name = text_disk },
	{ .id = 1001, .type = text_gres, .name = text_gpu },
};

static void set_up(void)
{
	static slurmdb_qos_rec_t qos = { .id = 1, .name = text_qos };
	size_t i;

	memset(&format, 0, sizeof(format));
	format.delimiter = "\x1f";
	format.tres_list = slurm_list_create(NULL);
	for (i = 0; i < sizeof(tres) / sizeof(tres[0]); i++)
		slurm_list_append(format.tres_list, &tres[i]);
	format.qos_list = slurm_list_create(NULL);
	slurm_list_append(format.qos_list, &qos);
	windows[0] = '\0';
	too_large_above = 1000000;
	memset(&job, 0, sizeof(job));
	job.jobid = 100;
	job.array_task_id = NO_VAL;
	job.state = JOB_COMPLETE;
	job.requid = INFINITE;
	job.show_full = 1;
	job.qosid = 1;
	job.submit = SECONDS(-100);
	job.eligible = SECONDS(-99);
	job.start = SECONDS(100);
	job.end = SECONDS(600);
	memset(&step, 0, sizeof(step));
	step.job_ptr = &job;
	step.state = JOB_COMPLETE;
	step.requid = INFINITE;
	step.step_id.step_id = SLURM_BATCH_SCRIPT;
	step.step_id.step_het_comp = NO_VAL;
}

static char *copy(const char *text)
{
	static char copies[16][100];
	static size_t next;
	char *to = copies[next++ % 16];

	snprintf(to, sizeof(copies[0]), "%s", text);
	return to;
}

/* Print columns of the job or the step, delimited by ";". */
static const char *print(const char *columns, slurmdb_step_rec_t *of)
{
	const char *unknown;
	size_t size, i;
	FILE *out = open_memstream(&printed, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(sw_slurmdb_format_read(&format, columns, &unknown), 0);
	sw_slurmdb_print(out, &format, &job, of);
	fclose(out);
	for (i = 0; i < size; i++)
		if (printed[i] == '\x1f')
			printed[i] = ';';
	return printed;
}

START_TEST(ids)
{
	ck_assert_str_eq(print("JobIDRaw,JobID", NULL), "100;100\n");
	ck_assert_str_eq(print("JobIDRaw,JobID", &step),
			 "100.batch;100.batch\n");
	job.array_job_id = 98;
	job.array_task_id = 3;
	step.step_id.step_id = 0;
	ck_assert_str_eq(print("JobIDRaw,JobID", &step), "100.0;98_3.0\n");
	job.array_task_id = NO_VAL;
	job.het_job_id = 99;
	job.het_job_offset = 1;
	step.step_id.step_id = SLURM_EXTERN_CONT;
	ck_assert_str_eq(print("JobIDRaw,JobID", &step),
			 "100.extern;99+1.extern\n");
	step.step_id.step_id = 2;
	step.step_id.step_het_comp = 1;
	ck_assert_str_eq(print("JobID", &step), "99+1.2+1\n");
}
END_TEST

START_TEST(states_and_exits)
{
	job.exitcode = 1 << 8;
	job.derived_ec = 9;
	ck_assert_str_eq(print("State,ExitCode,DerivedExitCode", NULL),
			 "COMPLETED;1:0;0:9\n");
	ck_assert_str_eq(print("State,ExitCode,DerivedExitCode", &step),
			 "COMPLETED;0:0;\n");
	job.state = JOB_CANCELLED;
	job.requid = 1001;
	job.exitcode = 137 << 8;
	ck_assert_str_eq(print("State,ExitCode", NULL),
			 SW_SLURM_SINCE(25, 11) ? "CANCELLED by 1001;137:0\n" :
						  "CANCELLED by 1001;9:0\n");
	job.state = JOB_REQUEUE;
	ck_assert_str_eq(print("State", NULL), "REQUEUED\n");
	job.state = JOB_OOM;
	ck_assert_str_eq(print("State", NULL), "OUT_OF_MEMORY\n");
}
END_TEST

START_TEST(times)
{
	job.timelimit = 60;
	job.elapsed = 500;
	ck_assert_str_eq(print("Submit,Eligible,Start,End,ElapsedRaw,"
			       "TimelimitRaw", NULL),
			 "1779998300;1779998301;1779998500;1779999000;500;"
			 "60\n");
	job.start = 0;
	job.timelimit = INFINITE;
	ck_assert_str_eq(print("Start,TimelimitRaw", NULL),
			 "Unknown;UNLIMITED\n");
	job.timelimit = NO_VAL;
	ck_assert_str_eq(print("TimelimitRaw", NULL), "Partition_Limit\n");
	ck_assert_str_eq(print("TimelimitRaw,Submit", &step), ";Unknown\n");
	job.tot_cpu_sec = 10;
	job.tot_cpu_usec = 500999;
	ck_assert_str_eq(print("TotalCPU", NULL), "00:10.500\n");
	job.tot_cpu_usec = 999;
	ck_assert_str_eq(print("TotalCPU", NULL), "00:00:10\n");
	job.tot_cpu_sec = 3661;
	job.tot_cpu_usec = 1999999;
	ck_assert_str_eq(print("TotalCPU", NULL), "01:01:02\n");
	job.tot_cpu_sec = 93784;
	job.tot_cpu_usec = 0;
	ck_assert_str_eq(print("TotalCPU", NULL), "1-02:03:04\n");
}
END_TEST

START_TEST(resources)
{
	job.tres_req_str = copy("1=4,2=16384,4=1,1001=2");
	job.tres_alloc_str = copy("1=8,2=16384,4=2,1001=2");
	job.req_cpus = 4;
	ck_assert_str_eq(print("ReqCPUS,ReqMem,ReqTRES", NULL),
			 "4;16384M;cpu=4,gres/gpu=2,mem=16384M,node=1\n");
	ck_assert_str_eq(print("AllocCPUS,AllocTRES,NNodes,NTasks", NULL),
			 "8;cpu=8,gres/gpu=2,mem=16384M,node=2;2;\n");
	step.ntasks = 3;
	step.nnodes = 1;
	step.tres_alloc_str = copy("1=2,2=1024");
	step.stats.tres_usage_in_max = copy("1=10000,2=1073741824,6=5");
	step.stats.tres_usage_in_ave = copy("1=10000,2=536870912,6=5");
	step.stats.tres_usage_in_tot = copy("1=10000,2=1073741824,6=2097153");
	step.stats.consumed_energy = NO_VAL64;
	ck_assert_str_eq(print("ReqCPUS,ReqMem,AllocCPUS,NNodes,NTasks", &step),
			 "2;;2;1;3\n");
	ck_assert_str_eq(print("MaxRSS,TRESUsageInTot,ConsumedEnergyRaw",
			       &step),
			 "1073741824;cpu=00:00:10,fs/disk=2097153,"
			 "mem=1073741824;\n");
	ck_assert_str_eq(print("AveRSS", &step), "536870912\n");
	ck_assert_str_eq(print("AveRSS", NULL), "\n");
	ck_assert_str_eq(print("MaxRSS,TRESUsageOutTot,ConsumedEnergyRaw",
			       NULL), ";;0\n");
}
END_TEST

START_TEST(texts_as_they_are)
{
	job.jobname = copy("a\nb|c\x1f\033[31m");
	job.user = copy("alice");
	job.account = copy("bio");
	job.cluster = copy("c1");
	job.partition = copy("main");
	job.work_dir = copy("/home/alice");
	job.derived_es = copy("note");
	job.uid = 1001;
	step.stepname = copy("batch");
	format.delimiter = ";";
	ck_assert_str_eq(print("Cluster,UID,User,Account,Partition,QOS,Comment,"
			       "WorkDir", NULL),
			 "c1;1001;alice;bio;main;normal;note;/home/alice\n");
	ck_assert_str_eq(print("Cluster,UID,User,Account,Partition,QOS,Comment,"
			       "WorkDir,JobName", &step),
			 "c1;;;bio;;;;;batch\n");
	ck_assert_str_eq(print("JobName", NULL), "a\nb|c;\033[31m\n");
	job.qosid = 7;
	ck_assert_str_eq(print("QOS", NULL), "Unknown\n");
}
END_TEST

static int query(time_t from, time_t until, char **text)
{
	struct sw_slurmdb_query what = {
		.from = from, .until = until, .has_all_runs = true,
	};
	const char *unknown;
	size_t size;
	FILE *out = open_memstream(text, &size);
	int rc;

	ck_assert_int_eq(sw_slurmdb_format_read(&format, "JobID,TotalCPU",
						&unknown), 0);
	rc = sw_slurmdb_print_jobs(out, &what, &format);
	fclose(out);
	return rc;
}

START_TEST(windows_do_not_overlap)
{
	char *text;

	job.steps = slurm_list_create(NULL);
	slurm_list_append(job.steps, &step);
	step.tot_cpu_sec = 90;
	ck_assert_int_eq(query(SECONDS(0), SECONDS(3600), &text), 0);
	ck_assert_str_eq(windows, "0-3600 ");
	ck_assert_str_eq(text, "100\x1f" "00:01:30\n"
			       "100.batch\x1f" "00:01:30\n");
	/* A step without an end of its own has the job's. */
	ck_assert_int_eq(step.end, job.end);
	windows[0] = '\0';
	ck_assert_int_eq(query(SECONDS(0), SECONDS(7201), &text), 0);
	ck_assert_str_eq(windows, "0-3600 3601-7201 ");
}
END_TEST

START_TEST(too_large_is_halved)
{
	char *text;

	too_large_above = 1800;
	ck_assert_int_eq(query(SECONDS(0), SECONDS(3600), &text), 0);
	ck_assert_str_eq(windows, "0-3600 0-1800 1801-3600 ");
	ck_assert_str_eq(text, "100\x1f" "00:00:00\n");
	windows[0] = '\0';
	too_large_above = -1;
	ck_assert_int_eq(query(SECONDS(0), SECONDS(2), &text), -1);
	ck_assert_str_eq(windows, "0-2 0-1 0-0 ");
	ck_assert_int_eq(errno, ESLURM_RESULT_TOO_LARGE);
}
END_TEST

START_TEST(all_that_the_reader_asks_for)
{
	struct sw_record_fields fields;
	struct sw_error error;
	const char *unknown;
	char *names;
	size_t size;
	FILE *out = open_memstream(&names, &size);

	sw_slurmdb_print_names(out);
	fclose(out);
	ck_assert_int_eq(sw_record_fields_read(&fields, names, &error), 0);
	/* Not before 24.11: Restarts. */
	ck_assert_uint_ge(fields.count, SW_RECORD_ASKED_MAX - 1);
	ck_assert_int_eq(sw_slurmdb_format_read(&format, fields.format,
						&unknown), 0);
	ck_assert_uint_eq(format.count, fields.count);
}
END_TEST

START_TEST(what_is_not_known)
{
	const char *unknown;

	ck_assert_int_eq(sw_slurmdb_format_read(&format, "jobid,Foo,End",
						&unknown), -1);
	ck_assert_str_eq(unknown, "Foo,End");
	ck_assert_ptr_null(sw_slurmdb_states_read("CA,XX"));
	ck_assert_ptr_nonnull(sw_slurmdb_states_read("BF,CA,CD,DL,F,NF,OOM,PR,"
						     "RQ,RS,RV,TO"));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("records");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, ids);
	tcase_add_test(tcase, states_and_exits);
	tcase_add_test(tcase, times);
	tcase_add_test(tcase, resources);
	tcase_add_test(tcase, texts_as_they_are);
	tcase_add_test(tcase, windows_do_not_overlap);
	tcase_add_test(tcase, too_large_is_halved);
	tcase_add_test(tcase, all_that_the_reader_asks_for);
	tcase_add_test(tcase, what_is_not_known);
	return run_tests("slurmdb", tcase, NULL);
}
