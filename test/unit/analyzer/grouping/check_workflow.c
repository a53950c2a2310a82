/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data of workflow engines in a job's record, as written by their sources. */
#include <check.h>
#include <string.h>

#include "analyzer/grouping/workflow.h"
#include "test/run_tests.h"

#define UUID "b3b1ef1c-9d2e-4d5a-8f07-000000000001"
#define TASK "/ab/0123456789abcdef0123456789abcd"

struct row {
	const char *name, *comment, *folder, *pipeline, *run;
};

static const struct row rows[] = {
	/* Nextflow */
	{ "nf-NFCORE_RNASEQ_RNASEQ_FASTQC_(S1)", "", "/d/w" TASK,
	  "nf-core/rnaseq", "" },
	{ "nf-NFCORE_RNASEQ", "", "/d/run/work" TASK, "/d/run", "" },
	{ "nf-NFCORE_", "", "/d/run/work" TASK, "/d/run", "" },
	{ "nf-trim_(S1)", "", "/d/run/work" TASK, "/d/run", "" },
	{ "nf-trim_(S1)", "", "/scratch/nxf" TASK, "/scratch/nxf", "" },
	{ "nf-trim_(S1)", "", "/d/run/work", "/d/run", "" },
	{ "nf-trim", "", "", "", "" },
	{ "trim", "", "/d/run/work" TASK, "", "" },
	/* Snakemake */
	{ UUID, "rule_bwa_wildcards_S1", "/d/wgs", "/d/wgs", UUID },
	{ "smk_" UUID, "rule_bwa", "/d/wgs/", "/d/wgs", "smk_" UUID },
	{ UUID, "", "/d/wgs", "", "" },
	{ "x" UUID "y", "rule_bwa", "/d/wgs", "", "" },
	{ "plain", "rule_bwa", "/d/wgs", "", "" },
	{ "snakejob.bwa.12.sh", "", "/d/wgs", "/d/wgs", "" },
	/* Cromwell */
	{ "cromwell_b3b1ef1c_hc", "",
	  "/d/cromwell-executions/germline/" UUID "/call-hc/execution",
	  "germline", UUID },
	{ "cromwell_b3b1ef1c_hc", "", "/d/cromwell-executions/germline",
	  "germline", "" },
	{ "cromwell_b3b1ef1c_hc", "", "/d", "", "" },
	/* Toil */
	{ "toil_job_12_align", "", "/d/toil", "/d/toil", "" },
	/* Without an engine, or with an explicit name that takes precedence */
	{ "a", "stepwell:p:r", "/d", "p", "r" },
	{ "a", "stepwell:p:r:A:B:C", "/d", "p", "r" },
	{ "a", "stepwell:p", "/d", "p", "" },
	{ "a", "stepwell::r", "/d", "", "r" },
	{ "a", "stepwell:", "/d", "", "" },
	{ "nf-trim_(S1)", "stepwell:p:r", "/d/run/work" TASK, "p", "r" },
	/* No information */
	{ "a", "", "/d", "", "" },
	{ "toil_job_1", "", "/", "", "" },
	{ "toil_job_1", "", "relative", "", "" },
	{ "", "", "", "", "" },
};

START_TEST(test_found)
{
	const struct row *row = &rows[_i];
	struct sw_workflow workflow;

	memset(&workflow, 'x', sizeof(workflow));
	sw_workflow_find(&workflow, row->name, row->comment, row->folder);
	ck_assert_str_eq(workflow.pipeline, row->pipeline);
	ck_assert_str_eq(workflow.run, row->run);
}
END_TEST

/* Texts of any length, in each position. */
START_TEST(test_long)
{
	char text[2000];
	struct sw_workflow workflow;

	memset(text, 'A', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memcpy(text, "nf-NFCORE_", 10);
	text[1500] = '_';
	sw_workflow_find(&workflow, text, "", "");
	ck_assert_str_eq(workflow.pipeline, "");
	memcpy(text, "stepwell:", 9);
	text[1000] = ':';
	sw_workflow_find(&workflow, "a", text, "");
	ck_assert_uint_eq(strlen(workflow.pipeline), SW_WORKFLOW_SIZE - 1);
	ck_assert_uint_eq(strlen(workflow.run), SW_WORKFLOW_SIZE - 1);
	text[0] = '/';
	sw_workflow_find(&workflow, "toil_job_1", "", text);
	ck_assert_uint_eq(strlen(workflow.pipeline), SW_WORKFLOW_SIZE - 1);
}
END_TEST

int main(void)
{
	TCase *test = tcase_create("names");

	tcase_add_loop_test(test, test_found, 0,
			    sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(test, test_long);
	return run_tests("workflow", test, NULL);
}
