/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests in whole units, and in the grammar of each dialect, with names that
 * are hostile to it.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/advisors.h"
#include "advice/text.h"
#include "analyzer/dialects/dialect.h"
#include "analyzer/suggest/advice_words.h"
#include "common/missing.h"
#include "test/run_tests.h"

#define MIB 1048576.0
#define GIB (1024 * MIB)
#define COUNT(rows) ((int)(sizeof(rows) / sizeof((rows)[0])))

/* An advisor of each resource: only the resource matters here. */
static const struct sw_advisor advisors[SW_RESOURCES] = {
	{ .resource = SW_RESOURCE_MEMORY }, { .resource = SW_RESOURCE_TIME },
	{ .resource = SW_RESOURCE_CORES },  { .resource = SW_RESOURCE_GPUS },
	{ .resource = SW_RESOURCE_TASKS },  { .resource = SW_RESOURCE_NODES },
};

static struct sw_advice advice;

static void setup(void)
{
	memset(&advice, 0, sizeof(advice));
	advice.asked = sw_run_unknown;
	advice.asked.nodes = advice.asked.tasks = 1;
}

static struct sw_suggestion *suggest(enum sw_resource resource, double current,
				     double suggested)
{
	struct sw_suggestion *suggestion = &advice.suggestions[advice.count];

	advice.advisors[advice.count++] = &advisors[resource];
	sw_suggestion_init(suggestion, resource, current);
	suggestion->suggested = suggested;
	return suggestion;
}

static void refuse(enum sw_resource resource, double current)
{
	sw_suggestion_withhold(suggest(resource, current, NAN), "", "why");
}

/* Memory in bytes: never less than suggested. */
static const struct {
	double bytes;
	uint64_t mib;
} memories[] = {
	{ MIB, 1 }, { 1, 1 }, { MIB + 1, 2 }, { 5e9, 4769 },
	{ 4096 * MIB, 4096 }, { 4096 * MIB - 1, 4096 }, { 1e15, 953674317 },
	{ INFINITY, SW_MISSING }, { -1, SW_MISSING }, { 1e300, SW_MISSING },
};

START_TEST(test_memory)
{
	const struct sw_request_item *item;
	struct sw_request request;

	suggest(SW_RESOURCE_MEMORY, NAN, memories[_i].bytes);
	sw_request_init(&request, &advice);
	item = &request.items[SW_RESOURCE_MEMORY];
	ck_assert_uint_eq(item->next, memories[_i].mib);
	ck_assert_int_eq(item->is_change, !sw_is_missing(memories[_i].mib));
	ck_assert(sw_is_missing(item->now));
	if (!sw_is_missing(item->next))
		ck_assert_double_ge((double)item->next * MIB,
				    memories[_i].bytes);
}
END_TEST

static const char *item_of(const struct sw_request *request,
			   enum sw_resource resource)
{
	static char buf[SW_DIALECT_ITEM_SIZE];

	return sw_dialect_sbatch.item(buf, request, resource, 1);
}

/* In the unit of the request, divided by the new numbers. */
START_TEST(test_memory_per)
{
	struct sw_suggestion *memory;
	struct sw_request request;
	char retry[SW_DIALECT_ITEM_SIZE];

	advice.asked.requested_cores = 8;
	advice.asked.requested_gpus = 2;
	advice.asked.memory_per = SW_MEMORY_PER_CPU;
	memory = suggest(SW_RESOURCE_MEMORY, 16 * GIB, 4 * GIB + MIB);
	memory->retries[0] = 8 * GIB;
	memory->retry_count = 1;
	sw_request_init(&request, &advice);
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_MEMORY),
			 "--mem-per-cpu=513M");
	sw_dialect_sbatch.item(retry, &request, SW_RESOURCE_MEMORY, 2);
	ck_assert_str_eq(retry, "--mem-per-cpu=1G");
	advice.asked.nodes = 2;
	sw_request_init(&request, &advice);
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_MEMORY),
			 "--mem-per-cpu=1025M");
	advice.asked.nodes = 1;
	suggest(SW_RESOURCE_CORES, 8, 2);
	sw_request_init(&request, &advice);
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_MEMORY),
			 "--mem-per-cpu=2049M");
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_CORES),
			 "--cpus-per-task=2");
	advice.asked.memory_per = SW_MEMORY_PER_GPU;
	sw_request_init(&request, &advice);
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_MEMORY),
			 "--mem-per-gpu=2049M");
	advice.asked.memory_per = SW_MEMORY_PER_NODE;
	advice.policy.memory_per = SW_MEMORY_PER_CPU;
	sw_request_init(&request, &advice);
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_MEMORY), "--mem=4097M");
	/* The site's unit if it is unknown; and none without a number. */
	advice.asked.memory_per = NAN;
	sw_request_init(&request, &advice);
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_MEMORY),
			 "--mem-per-cpu=2049M");
	advice.policy.memory_per = SW_MEMORY_PER_GPU;
	advice.asked.requested_gpus = NAN;
	sw_request_init(&request, &advice);
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_MEMORY), "--mem=4097M");
	ck_assert_str_eq(
		sw_dialect_lsf.item(retry, &request, SW_RESOURCE_MEMORY, 1),
		"-M 4097MB -R \"rusage[mem=4097MB]\"");
}
END_TEST

/* Fewer CPUs must not reduce memory that has no advice or fits. */
START_TEST(test_memory_is_kept)
{
	struct sw_request request;
	char text[SW_DIALECT_ITEM_SIZE];
	FILE *out = fmemopen(text, sizeof(text), "w");

	advice.asked.requested_cores = 8;
	advice.asked.memory_per = SW_MEMORY_PER_CPU;
	suggest(SW_RESOURCE_MEMORY, 16 * GIB, 16 * GIB);
	suggest(SW_RESOURCE_CORES, 8, 2);
	sw_request_init(&request, &advice);
	ck_assert(!request.items[SW_RESOURCE_MEMORY].is_change);
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_CORES),
			 "--cpus-per-task=2 --mem-per-cpu=8G");
	sw_dialect_srun.write(out, &request, "");
	fclose(out);
	ck_assert_str_eq(text, "srun --cpus-per-task=2 --mem-per-cpu=8G\n");

	advice.count = 0;
	refuse(SW_RESOURCE_MEMORY, 16 * GIB);
	suggest(SW_RESOURCE_TASKS, 8, 4);
	advice.asked.tasks = 8;
	sw_request_init(&request, &advice);
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_TASKS),
			 "--ntasks=4 --mem-per-cpu=4G");
	/* The current amount is not known. */
	advice.suggestions[0].current = NAN;
	sw_request_init(&request, &advice);
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_TASKS), "--ntasks=4");
	advice.suggestions[0].current = 16 * GIB;
	advice.asked.memory_per = NAN;
	sw_request_init(&request, &advice);
	ck_assert_str_eq(item_of(&request, SW_RESOURCE_TASKS), "--ntasks=4");
}
END_TEST

START_TEST(test_no_change)
{
	struct sw_request request;

	/* The same MiB and the same minute. */
	suggest(SW_RESOURCE_MEMORY, 1024 * MIB, 1024 * MIB - 5);
	suggest(SW_RESOURCE_TIME, 600, 550);
	suggest(SW_RESOURCE_CORES, 4, 4);
	refuse(SW_RESOURCE_GPUS, 2);
	sw_request_init(&request, &advice);
	ck_assert(!request.has_change);
	ck_assert_uint_eq(request.items[SW_RESOURCE_GPUS].now, 2);
	ck_assert(sw_is_missing(request.items[SW_RESOURCE_GPUS].next));
	ck_assert_double_eq(request.cores, 4);
}
END_TEST

START_TEST(test_shape)
{
	struct sw_request request;

	/* Two nodes instead of four: each must hold twice as much. */
	advice.asked.nodes = 4;
	advice.asked.tasks = 8;
	advice.asked.requested_cores = 32;
	suggest(SW_RESOURCE_NODES, 4, 2);
	suggest(SW_RESOURCE_MEMORY, 64 * 1024 * MIB, 10 * 1024 * MIB);
	suggest(SW_RESOURCE_CORES, 32, 16);
	suggest(SW_RESOURCE_GPUS, 8, 4);
	sw_request_init(&request, &advice);
	ck_assert_uint_eq(request.items[SW_RESOURCE_MEMORY].next, 20 * 1024);
	ck_assert_uint_eq(request.items[SW_RESOURCE_CORES].now, 4);
	ck_assert_uint_eq(request.items[SW_RESOURCE_CORES].next, 2);
	ck_assert_uint_eq(request.items[SW_RESOURCE_GPUS].now, 2);
	ck_assert_uint_eq(request.items[SW_RESOURCE_GPUS].next, 2);
	ck_assert_double_eq(request.cores, 16);
}
END_TEST

/* With fewer tasks each keeps its cores. */
START_TEST(test_fewer_tasks)
{
	struct sw_request request;

	advice.asked.tasks = 64;
	advice.asked.requested_cores = 128;
	suggest(SW_RESOURCE_TASKS, 64, 32);
	suggest(SW_RESOURCE_CORES, 128, 128);
	sw_request_init(&request, &advice);
	ck_assert(!request.items[SW_RESOURCE_CORES].is_change);
	ck_assert_uint_eq(request.items[SW_RESOURCE_CORES].next, 2);
	ck_assert_uint_eq(request.tasks, 32);
	ck_assert_double_eq(request.cores, 64);
}
END_TEST

START_TEST(test_retries)
{
	const struct sw_request_item *item;
	struct sw_suggestion *memory;
	struct sw_request request;

	memory = suggest(SW_RESOURCE_MEMORY, 8192 * MIB, 1000 * MIB);
	memory->retries[0] = 900 * MIB;	/* not above the one before: left out */
	memory->retries[1] = 2000 * MIB + 1;
	memory->retries[2] = NAN;
	memory->retries[3] = 8192 * MIB;
	memory->retry_count = 4;
	sw_request_init(&request, &advice);
	item = &request.items[SW_RESOURCE_MEMORY];
	ck_assert_uint_eq(item->retry_count, 2);
	ck_assert_uint_eq(sw_request_attempt(item, 1), 1000);
	ck_assert_uint_eq(sw_request_attempt(item, 2), 2001);
	ck_assert_uint_eq(sw_request_attempt(item, 3), 8192);
	ck_assert_uint_eq(sw_request_attempt(item, 99), 8192);
	ck_assert_uint_eq(sw_request_most_retries(&request), 2);
}
END_TEST

/* A request below a run's need always has a note. */
START_TEST(test_below_need)
{
	struct sw_run runs[2] = { sw_run_unknown, sw_run_unknown };
	struct sw_suggestion *gpus;
	char text[SW_ADVICE_WORDS_SIZE];
	struct sw_request request;

	runs[0].need_bytes = 3000 * MIB;
	runs[1].need_bytes = 1000 * MIB;
	advice.runs.runs = runs;
	advice.runs.count = 2;
	suggest(SW_RESOURCE_MEMORY, 8192 * MIB, 2000 * MIB);
	gpus = suggest(SW_RESOURCE_GPUS, 8, 3);
	gpus->margin = 0.75;
	snprintf(gpus->statistic, sizeof(gpus->statistic), "what most needed");
	sw_request_init(&request, &advice);
	ck_assert_str_eq(sw_below_need_words(text, sizeof(text), &request,
					     SW_RESOURCE_MEMORY),
			 "Careful: 1 of these 2 runs needed more, the largest "
			 "2.9 GiB.");
	ck_assert_str_eq(sw_below_need_words(text, sizeof(text), &request,
					     SW_RESOURCE_GPUS),
			 "Careful: this is what most needed; the most was 4 "
			 "GPUs.");
	runs[0].need_bytes = 2000 * MIB;
	ck_assert_str_eq(sw_below_need_words(text, sizeof(text), &request,
					     SW_RESOURCE_MEMORY), "");
}
END_TEST

/* 2.5 GiB, then 8; 90 minutes, then a day; 4 CPUs, 2 GPUs. */
static void make_all(struct sw_request *request)
{
	struct sw_suggestion *suggestion;

	suggestion = suggest(SW_RESOURCE_MEMORY, 16384 * MIB, 2560 * MIB);
	suggestion->retries[0] = 8192 * MIB;
	suggestion->retry_count = 1;
	suggestion = suggest(SW_RESOURCE_TIME, 86400, 5400);
	suggestion->retries[0] = 86400;
	suggestion->retry_count = 1;
	suggest(SW_RESOURCE_CORES, 8, 4);
	suggest(SW_RESOURCE_GPUS, 4, 2);
	sw_request_init(request, &advice);
}

struct item_row {
	const struct sw_dialect *dialect;
	const char *memory, *time, *cores, *gpus;
};

static const struct item_row items[] = {
	{ &sw_dialect_sbatch, "--mem=2560M", "--time=01:30:00",
	  "--cpus-per-task=4", "--gpus-per-node=2" },
	{ &sw_dialect_srun, "--mem=2560M", "--time=01:30:00",
	  "--cpus-per-task=4", "--gpus-per-node=2" },
	{ &sw_dialect_lsf, "-M 2560MB -R \"rusage[mem=2560MB]\"", "-W 1:30",
	  "-n 4", "-gpu \"num=2\"" },
	{ &sw_dialect_nextflow,
	  "memory = { [2560.MB, 8192.MB][Math.min(task.attempt, 2) - 1] }",
	  "time = { [90.min, 1440.min][Math.min(task.attempt, 2) - 1] }",
	  "cpus = 4", "accelerator = 2" },
	/* 2560 MiB are 2684.4 MB, 8 GiB 8589.9 */
	{ &sw_dialect_snakemake,
	  "mem_mb: \"[2685, 8590][min(attempt, 2) - 1]\"",
	  "runtime: \"[90, 1440][min(attempt, 2) - 1]\"", "threads: 4",
	  "gpu: 2" },
};

START_TEST(test_items)
{
	const struct item_row *row = &items[_i];
	const struct {
		enum sw_resource resource;
		const char *want;
	} wants[] = {
		{ SW_RESOURCE_MEMORY, row->memory },
		{ SW_RESOURCE_TIME, row->time },
		{ SW_RESOURCE_CORES, row->cores },
		{ SW_RESOURCE_GPUS, row->gpus },
	};
	char text[SW_DIALECT_ITEM_SIZE];
	struct sw_request request;
	size_t i;

	make_all(&request);
	for (i = 0; i < sizeof(wants) / sizeof(wants[0]); i++)
		ck_assert_str_eq(row->dialect->item(text, &request,
						    wants[i].resource, 1),
				 wants[i].want);
	ck_assert_ptr_eq(sw_dialect_find(row->dialect->name), row->dialect);
}
END_TEST

/* Every row of the table has its line in the tests above. */
START_TEST(test_all_have_rows)
{
	const struct sw_dialect *const *dialect;
	char names[SW_DIALECT_NAMES_SIZE];
	int i;

	for (dialect = sw_dialects; *dialect; dialect++) {
		const char *name = (*dialect)->name;

		for (i = 0; i < COUNT(items); i++) {
			if (items[i].dialect == *dialect)
				break;
		}
		ck_assert_msg(i < COUNT(items), "add a row { &sw_dialect_%s, "
			      "... } to items[] of %s", name, __FILE__);
		ck_assert_msg((*dialect)->manual && *(*dialect)->manual,
			      "%s: set .manual, for stepwell-suggest(1)", name);
		ck_assert_msg((*dialect)->comment && (*dialect)->prefix &&
				      (*dialect)->item && (*dialect)->assumes,
			      "%s: set .comment, .prefix, .item and .assumes",
			      name);
		ck_assert_ptr_nonnull(strstr(sw_dialect_names(names), name));
	}
	ck_assert_ptr_null(sw_dialect_find("unknown"));
}
END_TEST

START_TEST(test_attempts)
{
	char text[SW_DIALECT_ITEM_SIZE];
	struct sw_request request;

	make_all(&request);
	ck_assert_str_eq(sw_dialect_sbatch.item(text, &request,
						SW_RESOURCE_MEMORY, 2),
			 "--mem=8G");
	ck_assert_str_eq(
		sw_dialect_lsf.item(text, &request, SW_RESOURCE_TIME, 2),
		"-W 24:00");
	ck_assert_str_eq(sw_dialect_nextflow.item(text, &request,
						  SW_RESOURCE_MEMORY, 2),
			 "memory = 8192.MB");
}
END_TEST

START_TEST(test_lsf_slots)
{
	char text[SW_DIALECT_ITEM_SIZE];
	struct sw_request request;

	/* Slots are those of all tasks; only one line sets their number. */
	advice.asked.tasks = 4;
	advice.asked.requested_cores = 16;
	suggest(SW_RESOURCE_CORES, 16, 12);
	suggest(SW_RESOURCE_TASKS, 4, 2);
	sw_request_init(&request, &advice);
	ck_assert_str_eq(
		sw_dialect_lsf.item(text, &request, SW_RESOURCE_CORES, 1),
		"-n 6");
	ck_assert_str_eq(
		sw_dialect_lsf.item(text, &request, SW_RESOURCE_TASKS, 1), "");
}
END_TEST

static char *block(const struct sw_dialect *dialect,
		   const struct sw_request *request, const char *group)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	ck_assert_ptr_nonnull(out);
	dialect->write(out, request, group);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

START_TEST(test_srun)
{
	struct sw_request request;
	char *text;

	make_all(&request);
	text = block(&sw_dialect_srun, &request, "x");
	ck_assert_str_eq(text, "srun --mem=2560M --time=01:30:00 "
			 "--cpus-per-task=4 --gpus-per-node=2\n");
	free(text);
}
END_TEST

/* The newest run's own name, as in the workflow system. */
static const struct {
	const char *group, *name, *rule;
} rules[] = {
	{ "alice/snakejob.map_#", "snakejob.map_2020.12.sh", "map_2020" },
	{ "alice/snakejob.bwa", "snakejob.bwa.sh", "bwa" },
	{ "alice/snakejob.sort.b6", "snakejob.sort.b6.7.sh", "sort.b6" },
	{ "NFCORE:SPLIT_#", "NFCORE:SPLIT_100 (s 1)", "NFCORE:SPLIT_100" },
	{ "alice/nf-STAR_ALIGN", "nf-STAR_ALIGN_(WT_REP1)", "STAR_ALIGN" },
	{ "w:T_#", "T_007", "T_007" },		/* from a CSV */
	{ "alice/rule_bwa", "3f9a1c7e-0000", "bwa" },	/* from the comment */
	{ "alice/align_#", "align_0031", "align_0031" },
	{ "alice/align", "", "align" },
	{ "alice/align", NULL, "align" },
};

START_TEST(test_rules)
{
	char text[SW_JOB_GROUP_SIZE], group[64], name[64];

	snprintf(group, sizeof(group), "%s", rules[_i].group);
	advice.group = group;
	if (rules[_i].name) {
		snprintf(name, sizeof(name), "%s", rules[_i].name);
		advice.name = name;
	}
	ck_assert_str_eq(sw_rule_of_advice(text, sizeof(text), &advice),
			 rules[_i].rule);
}
END_TEST

static const struct {
	const char *group, *selector, *key;
} names[] = {
	{ "alice/align", "'align'", "align" },
	{ "align", "'align'", "align" },
	/* job names made by the systems */
	{ "alice/nf-RNASEQ_STAR_ALIGN", "'RNASEQ_STAR_ALIGN'",
	  "RNASEQ_STAR_ALIGN" },
	{ "NFCORE:RNASEQ:STAR", "'NFCORE:RNASEQ:STAR'",
	  "\"NFCORE:RNASEQ:STAR\"" },
	{ "alice/snakejob.bwa_map", "'bwa_map'", "bwa_map" },
	{ "alice/rule_bwa", "'bwa'", "bwa" },
	{ "alice/x_#", "'x_#'", "\"x_#\"" },
	/* hostile to quotes, blocks, regular expressions and YAML */
	{ "a/x' } ; 'rm -rf /'", "'x_______rm_-rf___'",
	  "\"x' } ; 'rm -rf /'\"" },
	{ "a/x\"\\\n: y", "'x___:_y'", NULL },
	{ "a/${x}$(y)", "'__x___y_'", "\"${x}$(y)\"" },
	{ "a/\xc3\xa4\xff\033[31m", "'_____31m'", NULL },
	{ "a/1st", "'1st'", "\"1st\"" },
};

START_TEST(test_names)
{
	struct sw_request request;
	char *text, *at;

	suggest(SW_RESOURCE_CORES, 8, 4);
	suggest(SW_RESOURCE_TIME, 86400, 5400);
	sw_request_init(&request, &advice);
	text = block(&sw_dialect_nextflow, &request, names[_i].group);
	at = strstr(text, "withName: ");
	ck_assert_ptr_nonnull(at);
	at[strcspn(at, "{")] = '\0';
	at[strlen(at) - 1] = '\0';
	ck_assert_str_eq(at + strlen("withName: "), names[_i].selector);
	free(text);
	text = block(&sw_dialect_snakemake, &request, names[_i].group);
	/* Exactly five lines, whatever the name contains. */
	for (at = text, request.tasks = 0; *at; at++) {
		request.tasks += *at == '\n';
		ck_assert_msg(*at == '\n' || (*at >= 32 && *at < 127), "%s",
			      text);
	}
	ck_assert_uint_eq(request.tasks, 5);
	if (names[_i].key) {
		at = strstr(text, "set-threads:\n  ") +
		     strlen("set-threads:\n  ");
		ck_assert_int_eq(strncmp(at, names[_i].key,
					 strlen(names[_i].key)), 0);
	}
	free(text);
}
END_TEST

START_TEST(test_nextflow)
{
	struct sw_request request;
	char *text;

	make_all(&request);
	text = block(&sw_dialect_nextflow, &request, "alice/align");
	ck_assert_str_eq(text,
		"process {\n    withName: 'align' {\n"
		"        memory = { [2560.MB, 8192.MB]"
		"[Math.min(task.attempt, 2) - 1] }\n"
		"        time = { [90.min, 1440.min]"
		"[Math.min(task.attempt, 2) - 1] }\n"
		"        cpus = 4\n        accelerator = 2\n"
		"        errorStrategy = { task.exitStatus in 137..140 ? "
		"'retry' : 'terminate' }\n        maxRetries = 1\n"
		"    }\n}\n");
	free(text);
}
END_TEST

START_TEST(test_snakemake)
{
	struct sw_request request;
	char *text;

	make_all(&request);
	text = block(&sw_dialect_snakemake, &request, "alice/align");
	ck_assert_str_eq(text,
		"retries: 1\nset-threads:\n  align: 4\nset-resources:\n"
		"  align:\n"
		"    mem_mb: \"[2685, 8590][min(attempt, 2) - 1]\"\n"
		"    runtime: \"[90, 1440][min(attempt, 2) - 1]\"\n"
		"    gpu: 2\n");
	free(text);
}
END_TEST

int main(void)
{
	TCase *all = tcase_create("dialects");

	tcase_add_checked_fixture(all, setup, NULL);
	tcase_add_loop_test(all, test_memory, 0, COUNT(memories));
	tcase_add_test(all, test_memory_per);
	tcase_add_test(all, test_memory_is_kept);
	tcase_add_test(all, test_no_change);
	tcase_add_test(all, test_shape);
	tcase_add_test(all, test_fewer_tasks);
	tcase_add_test(all, test_retries);
	tcase_add_test(all, test_below_need);
	tcase_add_loop_test(all, test_items, 0, COUNT(items));
	tcase_add_test(all, test_all_have_rows);
	tcase_add_test(all, test_attempts);
	tcase_add_test(all, test_lsf_slots);
	tcase_add_test(all, test_srun);
	tcase_add_loop_test(all, test_rules, 0,
			    (int)(sizeof(rules) / sizeof(rules[0])));
	tcase_add_loop_test(all, test_names, 0, COUNT(names));
	tcase_add_test(all, test_nextflow);
	tcase_add_test(all, test_snakemake);
	return run_tests("dialects", all, NULL);
}
