/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assignment of runs to job groups: names, rules, programs. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/grouping/job_group.h"
#include "test/run_tests.h"

struct fold_row {
	const char *name, *folded;
};

static const struct fold_row folds[] = {
	{ "align_sample_0042", "align_sample_#" },
	{ "align", "align" },
	{ "", "" },
	{ "12345", "#" },
	/* workflow systems */
	{ "nf-FASTQC_(sample_7)", "nf-FASTQC" },
	{ "nf-NFCORE_RNASEQ_STAR_ALIGN_(WT_REP1", "nf-NFCORE_RNASEQ_STAR_ALIGN"
	},
	{ "NFCORE_SAREK:BWAMEM2_MEM (patient1-2)", "NFCORE_SAREK:BWAMEM2_MEM" },
	{ "snakejob.bwa_map.12.sh", "snakejob.bwa_map" },
	{ "snakejob.bwa_map.sh", "snakejob.bwa_map" },
	{ "snakejob.sort.b6.7.sh", "snakejob.sort.b6" },
	{ "b3b1ef1c-9d2e-4d5a-8f07-000000000001", "#" },
	{ "smk-b3b1ef1c-9d2e-4d5a-8f07-a00000000001-x", "smk-#-x" },
	/* numbers, alone and after letters */
	{ "job[12]", "job[#]" },
	{ "sweep-0.5-100", "sweep-#" },
	{ "step1", "step1" },
	{ "step2", "step2" },
	{ "bwa2_hg38", "bwa2_hg38" },
	{ "SRR1234567_trim", "SRR#_trim" },
	{ "sample07", "sample#" },
	{ "run_7_8_9_end", "run_#_end" },
	/* dates and times */
	{ "nightly-2026-11-21", "nightly-#" },
	{ "nightly_20261121T101112Z", "nightly_#" },
	{ "nightly_2026-11-21_10:11:12", "nightly_#" },
	/* hashes and similar words */
	{ "build-3f9a1c7e", "build-#" },
	{ "build-deadbeef", "build-deadbeef" },
	{ "facade", "facade" },
	{ "f(x)", "f(x)" },
	{ "(x)", "(x)" },
	{ " (x)", " (x)" },
	{ "\xc3\xa4lign_7", "\xc3\xa4lign_#" },
	{ "\xff\xfe 12", "\xff\xfe #" },
};

START_TEST(test_fold)
{
	char buf[SW_JOB_GROUP_SIZE];

	ck_assert_str_eq(sw_fold_name(buf, sizeof(buf), folds[_i].name),
			 folds[_i].folded);
}
END_TEST

/* Folding is idempotent. */
START_TEST(test_fold_twice)
{
	char once[SW_JOB_GROUP_SIZE], twice[SW_JOB_GROUP_SIZE];

	sw_fold_name(once, sizeof(once), folds[_i].name);
	ck_assert_str_eq(sw_fold_name(twice, sizeof(twice), once), once);
}
END_TEST

START_TEST(test_fold_small)
{
	char buf[8];
	size_t size;

	for (size = 1; size <= sizeof(buf); size++) {
		memset(buf, 'x', sizeof(buf));
		sw_fold_name(buf, size, "ab-12-3f9a1c7e-2026-11-21-cdefghij");
		ck_assert_uint_lt(strlen(buf), size);
	}
}
END_TEST

/* The second is NULL if there is no evidence of a sample. */
static const struct fold_row families[] = {
	{ "alice/kmers_s1", "alice/kmers_s*" },
	{ "alice/kmers_s#", "alice/kmers_s*" },
	{ "alice/sample7", "alice/sample*" },
	{ "alice/call_chr7", "alice/call_chr*" },
	{ "alice/call_chrX", "alice/call_chr*" },
	{ "alice/call_chrMT", "alice/call_chr*" },
	{ "alice/chrY.gz", "alice/chr*.gz" },
	{ "alice/call_#", "alice/call_*" },
	{ "alice/call_X", "alice/call_*" },
	{ "alice/SRR#_trim", "alice/*_trim" },
	{ "alice/ERR#_trim", "alice/*_trim" },
	{ "alice/NA#_L#", "alice/*_L*" },
	{ "alice/HG#_L2", "alice/*_L*" },
	{ "alice/ctrl_rep2", "alice/ctrl_rep*" },
	{ "alice/T4_N12", "alice/T*_N*" },
	{ "alice/S1R2", "alice/S*R*" },
	{ "alice/k21_s3", "alice/k21_s*" },
	{ "alice/s1:samtools2", "alice/s*:samtools2" },
	{ "s1", "s*" },
	{ "alice1/x/s2", "alice1/x/s*" },
	{ "alice/\xc3\xa4_s1", "alice/\xc3\xa4_s*" },
	/* amount, stage or size of the work */
	{ "alice/run_t4", NULL },
	{ "alice/run_np16", NULL },
	{ "alice/run_threads4", NULL },
	{ "alice/sim_n1000", NULL },
	{ "alice/sim_size10_k31", NULL },
	{ "alice/fit_8gb", NULL },
	{ "alice/cov_30x", NULL },
	{ "alice/year2024", NULL },
	{ "alice/step1", NULL },
	{ "alice/bwa_hg38", NULL },
	{ "alice/pipeline_v2", NULL },
	/* nothing to fold, and only within the name */
	{ "alice7/align", NULL },
	{ "alice/wrap:bowtie2", NULL },
	{ "alice/chromium", NULL },
	{ "alice/", NULL },
	{ "", NULL },
};

START_TEST(test_family)
{
	const struct fold_row *row = &families[_i];
	char buf[SW_JOB_GROUP_SIZE];
	bool is_one = sw_family_name(buf, sizeof(buf), row->name);

	ck_assert_str_eq(buf, row->folded ? row->folded : row->name);
	ck_assert_int_eq(is_one, row->folded != NULL);
	ck_assert(!sw_family_name(buf, strlen(row->name), row->name));
}
END_TEST

static struct sw_job_group group_of(const struct sw_group_rules *rules,
				     struct sw_job_names names)
{
	struct sw_job_group result;

	sw_job_group_find(&result, rules, &names);
	return result;
}

START_TEST(test_default)
{
	struct sw_job_group group;

	group = group_of(NULL, (struct sw_job_names){ .user = "alice",
						 .name = "align_7" });
	ck_assert_str_eq(group.group, "alice/align_#");
	ck_assert_str_eq(group.label, "align_#");
	group = group_of(NULL, (struct sw_job_names){ .name = "align_7",
						 .partition = "short" });
	ck_assert_str_eq(group.group, "align_#");
	group = group_of(NULL, (struct sw_job_names){ .name = NULL });
	ck_assert_str_eq(group.group, "?");
}
END_TEST

START_TEST(test_says_nothing)
{
	struct sw_job_group group;

	group = group_of(NULL, (struct sw_job_names){ .user = "alice",
		.name = "wrap", .programs = "bwa+samtools" });
	ck_assert_str_eq(group.group, "alice/wrap:bwa+samtools");
	group = group_of(NULL, (struct sw_job_names){ .user = "alice",
		.name = "align", .programs = "bwa+samtools" });
	ck_assert_str_eq(group.group, "alice/align");
	group = group_of(NULL, (struct sw_job_names){ .user = "alice",
		.name = "b3b1ef1c-9d2e-4d5a-8f07-000000000001",
		.comment = "rule_bwa_map_wildcards_A" });
	ck_assert_str_eq(group.group, "alice/rule_bwa_map");
	/* A user's own comment is not used. */
	group = group_of(NULL, (struct sw_job_names){ .user = "alice",
		.name = "b3b1ef1c-9d2e-4d5a-8f07-000000000001",
		.comment = "please hurry" });
	ck_assert_str_eq(group.group, "alice/#");
	group = group_of(NULL, (struct sw_job_names){ .user = "alice",
		.name = "nf-FASTQC_(1)", .process = "RNASEQ:FASTQC" });
	ck_assert_str_eq(group.group, "alice/RNASEQ:FASTQC");
}
END_TEST

START_TEST(test_steps)
{
	struct sw_job_group group;

	group = group_of(NULL, (struct sw_job_names){ .user = "alice",
		.name = "align_7", .step = "0", .step_program = "samtools" });
	ck_assert_str_eq(group.group, "alice/align_#:samtools");
	ck_assert_str_eq(group.label, "align_#:samtools");
	group = group_of(NULL, (struct sw_job_names){ .user = "alice",
		.name = "align_7", .step = "batch", .step_program = "bash" });
	ck_assert_str_eq(group.group, "alice/align_#:batch");
	group = group_of(NULL, (struct sw_job_names){ .user = "alice",
		.name = "align_7", .step = "3" });
	ck_assert_str_eq(group.group, "alice/align_#:3");
}
END_TEST

static void add_rule(struct sw_group_rules *rules, const char *name,
		     const char *partition, const char *group)
{
	struct sw_error error = { "" };

	rules->items = realloc(rules->items, (rules->count + 1) *
			       sizeof(*rules->items));
	ck_assert_msg(sw_group_rule_init(&rules->items[rules->count++], name,
					 partition, group, &error) == 0,
		      "%s", error.text);
}

START_TEST(test_rules)
{
	struct sw_group_rules rules = { NULL, 0 };
	struct sw_job_group group;

	add_rule(&rules, "^nf-([A-Z]+)_([A-Z]+)", NULL, "nextflow/{2}");
	add_rule(&rules, "", "debug", "{user}/debug");
	add_rule(&rules, "^chr", NULL, "{user}/chr@{partition}");
	group = group_of(&rules, (struct sw_job_names){ .user = "alice",
						   .name = "nf-RNASEQ_FASTQC_(1)" });
	ck_assert_str_eq(group.group, "nextflow/FASTQC");
	ck_assert_str_eq(group.label, "nextflow/FASTQC");
	group = group_of(&rules, (struct sw_job_names){ .user = "alice",
		.name = "chr7", .partition = "debug" });
	ck_assert_str_eq(group.group, "alice/debug");
	ck_assert_str_eq(group.label, "debug");
	group = group_of(&rules, (struct sw_job_names){ .user = "alice",
		.name = "chr7", .partition = "long" });
	ck_assert_str_eq(group.group, "alice/chr@long");
	group = group_of(&rules, (struct sw_job_names){ .user = "alice",
						   .name = "align" });
	ck_assert_str_eq(group.group, "alice/align");
	sw_group_rules_fini(&rules);
}
END_TEST

static const struct {
	const char *name, *group, *says;
} bad[] = {
	{ "a(", "x", "not a regular expression" },
	{ "a", "{usr}/x", "unknown field \"{usr}\"" },
	{ "a", "{user", "no \"}\"" },
	{ "(a)", "{2}", "unknown field \"{2}\"" },
	{ "a", "{}", "unknown field \"{}\"" },
};

START_TEST(test_bad_rules)
{
	struct sw_group_rule rule;
	struct sw_error error = { "" };

	ck_assert_int_eq(sw_group_rule_init(&rule, bad[_i].name, NULL,
					    bad[_i].group, &error),
			 -1);
	ck_assert_msg(strstr(error.text, bad[_i].says), "%s", error.text);
}
END_TEST

START_TEST(test_long)
{
	char name[4 * SW_JOB_GROUP_SIZE];
	struct sw_job_group group;

	memset(name, 'y', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	group = group_of(NULL, (struct sw_job_names){ .user = name,
						      .name = name,
						      .programs = name,
						      .step = name,
						      .step_program = name });
	ck_assert_uint_eq(strlen(group.group), SW_JOB_GROUP_SIZE - 1);
	ck_assert_uint_eq(strlen(group.label), SW_JOB_GROUP_SIZE - 1);
}
END_TEST

START_TEST(test_programs)
{
	const char *const names[] = { "samtools", "bash", "bwa", "ls", "gzip",
				      "sort" };
	const double cpu[] = { 300, 5000, 400, 1, 250, 200 };
	char buf[64];

	ck_assert_str_eq(sw_job_group_programs(buf, sizeof(buf), names, cpu, 6),
			 "bwa+gzip+samtools");
	ck_assert_str_eq(sw_job_group_programs(buf, sizeof(buf), names, cpu, 0),
			 "");
	ck_assert_str_eq(sw_job_group_programs(buf, 6, names, cpu, 6), "bwa+g");
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("job_group");
	int count = sizeof(folds) / sizeof(folds[0]);

	tcase_add_loop_test(tcase, test_fold, 0, count);
	tcase_add_loop_test(tcase, test_fold_twice, 0, count);
	tcase_add_loop_test(tcase, test_family, 0,
			    sizeof(families) / sizeof(families[0]));
	tcase_add_test(tcase, test_fold_small);
	tcase_add_test(tcase, test_default);
	tcase_add_test(tcase, test_says_nothing);
	tcase_add_test(tcase, test_steps);
	tcase_add_test(tcase, test_rules);
	tcase_add_loop_test(tcase, test_bad_rules, 0,
			    sizeof(bad) / sizeof(bad[0]));
	tcase_add_test(tcase, test_long);
	tcase_add_test(tcase, test_programs);
	return run_tests("job_group", tcase, NULL);
}
