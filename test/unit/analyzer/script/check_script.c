/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Batch scripts: options as read by sbatch, scripts changed by advice, and
 * their differences.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/script/sbatch_options.h"
#include "analyzer/script/script.h"
#include "common/missing.h"
#include "common/units.h"
#include "test/run_tests.h"

#define GIB 1073741824.0

/* Requests of a script; NAN if not given. */
struct request_row {
	const char *text;	/* after "#!/bin/sh\n" */
	double gib, minutes, cores, tasks, nodes, gpus;
};

static const struct request_row requests[] = {
	{ "", NAN, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH --mem=4G\n", 4, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH --mem 4G\n", 4, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH --mem=4096\n", 4, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH --mem=\"4G\"\n", 4, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH '--mem=4G'\n", 4, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH --mem\n#SBATCH 4G\n", 4, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH --mem=4G# comment --mem=8G\n", 4, NAN, NAN, NAN, NAN,
	  NAN },
	{ "#SBATCH --mem=0\n", NAN, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH --mem=4G\n#SBATCH --mem=8G\n", 8, NAN, NAN, NAN, NAN,
	  NAN },
	{ "#SBATCH --mem-per-cpu=2G -c 4\n", 8, NAN, 4, NAN, NAN, NAN },
	{ "#SBATCH --mem-per-cpu=2G -n 8 -N 2\n", 8, NAN, 8, 8, 2, NAN },
	{ "#SBATCH --mem-per-gpu=8G --gres=gpu:2\n", 16, NAN, NAN, NAN, NAN,
	  2 },
	{ "#SBATCH -t 90\n", NAN, 90, NAN, NAN, NAN, NAN },
	{ "#SBATCH --time=1-12\n", NAN, 36 * 60, NAN, NAN, NAN, NAN },
	{ "#SBATCH -t1:30:00\n", NAN, 90, NAN, NAN, NAN, NAN },
	{ "#SBATCH --time=UNLIMITED\n", NAN, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH -c4\n", NAN, NAN, 4, NAN, NAN, NAN },
	{ "#SBATCH -Hc4\n", NAN, NAN, 4, NAN, NAN, NAN },
	{ "#SBATCH -n 4 -c 2\n", NAN, NAN, 8, 4, NAN, NAN },
	{ "#SBATCH -N 2-4 --ntasks-per-node=3\n", NAN, NAN, 6, 6, 2, NAN },
	{ "#SBATCH --exclusive -N 2 -c 4\n", NAN, NAN, NAN, NAN, 2, NAN },
	{ "#SBATCH -G a100:2\n", NAN, NAN, NAN, NAN, NAN, 2 },
	{ "#SBATCH -N2 --gpus-per-node=4\n", NAN, NAN, NAN, NAN, 2, 8 },
	{ "#SBATCH --gres=gpu:a100:2,lustre:1\n", NAN, NAN, NAN, NAN, NAN,
	  2 },
	{ "#SBATCH --gres=lustre:1\n", NAN, NAN, NAN, NAN, NAN, 0 },
	{ "#SBATCH --gres=gpu\n", NAN, NAN, NAN, NAN, NAN, 1 },
	/* names may be abbreviated if unambiguous */
	{ "#SBATCH --nt=4\n", NAN, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH --ntasks=4 --parti=x\n", NAN, NAN, 4, 4, NAN, NAN },
	{ "#SBATCH --cpus-per-t=4\n", NAN, NAN, 4, NAN, NAN, NAN },
	/* values that look like options */
	{ "#SBATCH --comment --mem=1G --mem=4G\n", 4, NAN, NAN, NAN, NAN,
	  NAN },
	{ "#SBATCH -o -c4 -c 2\n", NAN, NAN, 2, NAN, NAN, NAN },
	/* of a plugin: the next word could be its value */
	{ "#SBATCH --x11ish yes --mem=4G\n", 4, NAN, NAN, NAN, NAN, NAN },
	/* lines that sbatch ignores */
	{ " #SBATCH --mem=4G\n", NAN, NAN, NAN, NAN, NAN, NAN },
	{ "##SBATCH --mem=4G\n", NAN, NAN, NAN, NAN, NAN, NAN },
	{ "#sbatch --mem=4G\n", NAN, NAN, NAN, NAN, NAN, NAN },
	{ "\n# words\n\t\n#SBATCH --mem=4G\n", 4, NAN, NAN, NAN, NAN, NAN },
	{ "true\n#SBATCH --mem=4G\n", NAN, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH --mem=4G\r\n#SBATCH -c 2\r\n", 4, NAN, 2, NAN, NAN, NAN },
	{ "#SBATCH --mem=4G", 4, NAN, NAN, NAN, NAN, NAN },
	/* no numbers */
	{ "#SBATCH --mem=x -c -t\n", NAN, NAN, NAN, NAN, NAN, NAN },
	{ "#SBATCH --mem=-4G -c 0 -n -3\n", NAN, NAN, NAN, NAN, NAN, NAN },
};

static void parse(struct sw_script *script, const char *text)
{
	struct sw_error error = { "" };

	ck_assert_msg(sw_script_init(script, text, strlen(text), &error) == 0,
		      "%s: %s", text, error.text);
}

static void same(const char *text, const char *what, double got, double want)
{
	ck_assert_msg(isnan(want) ? isnan(got) : fabs(got - want) < 1e-6,
		      "%s: %s is %g, not %g", text, what, got, want);
}

START_TEST(test_request)
{
	const struct request_row *row = &requests[_i];
	struct sw_script script;
	struct sw_run run;
	char text[512];

	snprintf(text, sizeof(text), "#!/bin/sh\n%s", row->text);
	parse(&script, text);
	sw_script_request(&script, &run);
	same(text, "memory", run.requested_bytes / GIB, row->gib);
	same(text, "time", run.requested_seconds / 60, row->minutes);
	same(text, "cores", run.requested_cores, row->cores);
	same(text, "tasks", run.tasks, row->tasks);
	same(text, "nodes", run.nodes, row->nodes);
	same(text, "GPUs", run.requested_gpus, row->gpus);
	sw_script_fini(&script);
}
END_TEST

static const struct {
	const char *text, *words;
} refused[] = {
	{ "", "\"#!\"" },
	{ "echo\n", "\"#!\"" },
	{ "\n#!/bin/sh\n", "\"#!\"" },
	{ "#!/bin/sh\n#PBS -l mem=4gb\n", "PBS" },
	{ "#!/bin/sh\n#BSUB -M 4GB\n", "LSF" },
	{ "#!/bin/sh\n#$ -l h_vmem=4G\n", "Grid Engine" },
	{ "#!/bin/sh\n#SBATCH -n1\n#SBATCH hetjob\n#SBATCH -n2\n",
	  "line 3: a heterogeneous" },
	{ "#!/bin/sh\n#SBATCH packjob\n", "heterogeneous" },
	{ "#!/bin/sh\n#SBATCH --mem=4G stray --time=5\n", "line 2: \"stray\"" },
	{ "#!/bin/sh\n#SBATCH mem=4G\n", "\"mem=4G\"" },
	{ "#!/bin/sh\n#SBATCH -n 1 a\033[31m\n", "a\\x1b[31m" },
	/* sbatch takes the next line as a part of the value. */
	{ "#!/bin/sh\n#SBATCH --mem=\"4G\n#SBATCH -n1\n",
	  "line 2: a quote is not closed" },
	{ "#!/bin/sh\n#SBATCH -n1\n#SBATCH --mem '4G\r\necho\n",
	  "line 3: a quote is not closed" },
};

START_TEST(test_refused)
{
	struct sw_error error = { "" };
	struct sw_script script;

	ck_assert_int_eq(sw_script_init(&script, refused[_i].text,
					strlen(refused[_i].text), &error), -1);
	ck_assert_msg(strstr(error.text, refused[_i].words) != NULL,
		      "\"%s\" lacks \"%s\"", error.text, refused[_i].words);
	ck_assert_ptr_null(script.text);
}
END_TEST

START_TEST(test_nul)
{
	static const char text[] = "#!/bin/sh\n\0#SBATCH -c 4\n";
	struct sw_error error = { "" };
	struct sw_script script;

	ck_assert_int_eq(sw_script_init(&script, text, sizeof(text) - 1,
					&error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "NUL"));
}
END_TEST

/* Units of struct sw_request_item; 0: no change. */
struct wish {
	uint64_t mib, minutes, cores, gpus, tasks, nodes;
	bool has_gpus;		/* even if it is 0 */
	uint64_t mib_now;	/* if it does not change */
};

static void make_ask(struct sw_request *request, const struct wish *wish)
{
	const uint64_t values[SW_RESOURCES] = {
		[SW_RESOURCE_MEMORY] = wish->mib,
		[SW_RESOURCE_TIME] = wish->minutes,
		[SW_RESOURCE_CORES] = wish->cores,
		[SW_RESOURCE_GPUS] = wish->gpus,
		[SW_RESOURCE_TASKS] = wish->tasks,
		[SW_RESOURCE_NODES] = wish->nodes,
	};
	unsigned i;

	memset(request, 0, sizeof(*request));
	request->tasks = wish->tasks ? wish->tasks : 1;
	request->nodes = wish->nodes ? wish->nodes : 1;
	for (i = 0; i < SW_RESOURCES; i++) {
		request->items[i].now = SW_MISSING;
		request->items[i].next = values[i] ? values[i] : SW_MISSING;
		request->items[i].is_change = values[i] > 0;
	}
	if (wish->mib_now)
		request->items[SW_RESOURCE_MEMORY].now = wish->mib_now;
	if (wish->has_gpus) {
		request->items[SW_RESOURCE_GPUS].next = wish->gpus;
		request->items[SW_RESOURCE_GPUS].is_change = true;
	}
}

struct change_row {
	const char *old, *new;
	struct wish wish;
	size_t left;
	const char *note;	/* NULL: none */
};

#define HEAD "#!/bin/sh\n"
#define REST "echo\n#SBATCH --mem=1G\n"

static const struct change_row changes[] = {
	{ HEAD "#SBATCH --mem=4G\n" REST, HEAD "#SBATCH --mem=2G\n" REST,
	  .wish = { .mib = 2048 } },
	{ HEAD "#SBATCH --mem  4G # why\n" REST,
	  HEAD "#SBATCH --mem  2049M # why\n" REST, .wish = { .mib = 2049 } },
	{ HEAD "#SBATCH --mem=\"4G\"#why\n", HEAD "#SBATCH --mem=2G#why\n",
	  .wish = { .mib = 2048 } },
	{ HEAD "#SBATCH '--mem=4G'\n", HEAD "#SBATCH '--mem=2G'\n",
	  .wish = { .mib = 2048 } },
	{ HEAD "#SBATCH --mem=1G\n#SBATCH -J x --mem=4G -p y\n",
	  HEAD "#SBATCH --mem=1G\n#SBATCH -J x --mem=2G -p y\n",
	  .wish = { .mib = 2048 } },
	{ HEAD "#SBATCH --mem-per-cpu=4G\n", HEAD "#SBATCH --mem=2G\n",
	  .wish = { .mib = 2048 }, .note = "replaces --mem-per-cpu" },
	{ HEAD "#SBATCH --mem-per-cpu 4G -c 2\n",
	  HEAD "#SBATCH --mem-per-cpu 1G -c 2\n",
	  .wish = { .mib = 2048 } },
	{ HEAD "#SBATCH --mem-per-gpu=4G\n", HEAD "#SBATCH --mem=2G\n",
	  .wish = { .mib = 2048 }, .note = "replaces --mem-per-gpu" },
	{ HEAD "#SBATCH --mem-per-cpu=4G\n#SBATCH --mem=8G\n",
	  HEAD "#SBATCH --mem=2G\n", .wish = { .mib = 2048 } },
	{ HEAD "#SBATCH --mem=8G -c 2 # why\n#SBATCH --mem-per-cpu=4G\n",
	  HEAD "#SBATCH -c 2 # why\n#SBATCH --mem-per-cpu=1G\n",
	  .wish = { .mib = 2048 } },
	{ HEAD "#SBATCH --exclusive --mem=0\n",
	  HEAD "#SBATCH --exclusive --mem=0\n",
	  .wish = { .mib = 2048 }, .left = 1, .note = "all of a node" },
	{ HEAD "#SBATCH -c 8 -t 1-0\n", HEAD "#SBATCH -c 4 -t 01:30:00\n",
	  .wish = { .cores = 4, .minutes = 90 } },
	{ HEAD "#SBATCH -c8 -t1-0\n", HEAD "#SBATCH -c4 -t1-01:30:00\n",
	  .wish = { .cores = 4, .minutes = 1530 } },
	{ HEAD "#SBATCH -Hc8\n", HEAD "#SBATCH -Hc4\n", .wish = { .cores = 4 } },
	{ HEAD "#SBATCH --cpus-per-t=8\n", HEAD "#SBATCH --cpus-per-t=4\n",
	  .wish = { .cores = 4 } },
	{ HEAD "#SBATCH -n 8\n#SBATCH --nodes=2-4\n",
	  HEAD "#SBATCH -n 4\n#SBATCH --nodes=1\n",
	  .wish = { .tasks = 4, .nodes = 1 } },
	{ HEAD "#SBATCH --ntasks-per-node=8 -N 4\n",
	  HEAD "#SBATCH --ntasks-per-node=3 -N 2\n",
	  .wish = { .tasks = 5, .nodes = 2 } },
	/* missing options get their own lines */
	{ HEAD REST, HEAD "#SBATCH --mem=2G\n#SBATCH --time=00:30:00\n" REST,
	  .wish = { .mib = 2048, .minutes = 30 } },
	{ HEAD "#SBATCH -J x\n# words\n\n" REST,
	  HEAD "#SBATCH -J x\n#SBATCH --cpus-per-task=4\n# words\n\n" REST,
	  .wish = { .cores = 4 } },
	{ "#!/bin/sh", "#!/bin/sh\n#SBATCH --mem=2G", .wish = { .mib = 2048 } },
	{ HEAD "#SBATCH -J x", HEAD "#SBATCH -J x\n#SBATCH --mem=2G",
	  .wish = { .mib = 2048 } },
	{ "#!/bin/sh\r\n#SBATCH --mem=4G\r\necho\r\n",
	  "#!/bin/sh\r\n#SBATCH --mem=2G\r\n#SBATCH --time=00:30:00\r\n"
	  "echo\r\n", .wish = { .mib = 2048, .minutes = 30 } },
	/* GPUs */
	{ HEAD "#SBATCH --gres=gpu:a100:4\n",
	  HEAD "#SBATCH --gres=gpu:a100:2\n", .wish = { .gpus = 2 } },
	{ HEAD "#SBATCH --gpus=4 -N 2\n", HEAD "#SBATCH --gpus=4 -N 2\n",
	  .wish = { .gpus = 2, .nodes = 2 } },
	{ HEAD "#SBATCH --gres=gpu:a100 -c 2\n",
	  HEAD "#SBATCH --gres=gpu:a100:2 -c 2\n", .wish = { .gpus = 2 } },
	{ HEAD "#SBATCH -c 2\n#SBATCH --gres=gpu:1\n", HEAD "#SBATCH -c 2\n",
	  .wish = { .has_gpus = true } },
	{ HEAD "#SBATCH -c 2 --gpus-per-node 1 # why\n",
	  HEAD "#SBATCH -c 2 # why\n", .wish = { .has_gpus = true } },
	{ HEAD "#SBATCH --gres=gpu:2,lustre:1\n",
	  HEAD "#SBATCH --gres=gpu:2,lustre:1\n", .wish = { .gpus = 1 }, .left = 1,
	  .note = "the GPUs are not changed" },
	/* fewer CPUs or GPUs do not reduce memory */
	{ HEAD "#SBATCH --mem-per-cpu=1G -c 8\n",
	  HEAD "#SBATCH --mem-per-cpu=2G -c 4\n",
	  .wish = { .cores = 4, .mib_now = 8192 } },
	{ HEAD "#SBATCH --mem-per-gpu=4G -G 2\n",
	  HEAD "#SBATCH --mem-per-gpu=8G -G 1\n",
	  .wish = { .gpus = 1, .mib_now = 8192 } },
	{ HEAD "#SBATCH --mem-per-gpu=4G -c 8\n",
	  HEAD "#SBATCH --mem-per-gpu=4G -c 4\n",
	  .wish = { .cores = 4, .mib_now = 8192 } },
	{ HEAD "#SBATCH --mem-per-cpu=1G -c 8\n",
	  HEAD "#SBATCH --mem-per-cpu=1G -c 4\n", .wish = { .cores = 4 },
	  .left = 1, .note = "the memory is not changed" },
	/* options that depend on others are left alone */
	{ HEAD "#SBATCH -t 60 --time-min=30\n",
	  HEAD "#SBATCH -t 60 --time-min=30\n", .wish = { .minutes = 20 }, .left = 1,
	  .note = "--time-min" },
	{ HEAD "#SBATCH --exclusive -c 8\n", HEAD "#SBATCH --exclusive -c 8\n",
	  .wish = { .cores = 2 }, .left = 1, .note = "--exclusive" },
	{ HEAD "#SBATCH --cpus-per-gpu=8\n", HEAD "#SBATCH --cpus-per-gpu=8\n",
	  .wish = { .cores = 2 }, .left = 1, .note = "--cpus-per-gpu" },
};

static void check_notes(const struct sw_script_change *change,
			const struct change_row *row)
{
	if (!row->note) {
		ck_assert_msg(change->note_count == 0, "%s: %s", row->old,
			      change->notes[0]);
		return;
	}
	ck_assert_uint_eq(change->note_count, 1);
	ck_assert_msg(strstr(change->notes[0], row->note) != NULL, "%s",
		      change->notes[0]);
}

START_TEST(test_change)
{
	const struct change_row *row = &changes[_i];
	struct sw_script_change change;
	struct sw_script script;
	struct sw_request request;

	parse(&script, row->old);
	make_ask(&request, &row->wish);
	ck_assert_int_eq(sw_script_change(&change, &script, &request), 0);
	ck_assert_str_eq(change.text, row->new);
	ck_assert_uint_eq(change.length, strlen(row->new));
	ck_assert_uint_eq(change.left, row->left);
	check_notes(&change, row);
	sw_script_change_fini(&change);
	sw_script_fini(&script);
}
END_TEST

/* Whatever was there, the new script requests the wanted values. */
START_TEST(test_asks_for_it)
{
	const struct wish wish = { .mib = 2050, .minutes = 61, .cores = 3 };
	struct sw_script_change change;
	struct sw_script script, again;
	struct sw_run run;
	struct sw_request request;
	char text[512];

	snprintf(text, sizeof(text), "#!/bin/sh\n%s", requests[_i].text);
	parse(&script, text);
	if (sw_script_find(&script, SW_SCRIPT_EXCLUSIVE) ||
	    strstr(text, "-c -t")) {
		sw_script_fini(&script);
		return;
	}
	make_ask(&request, &wish);
	ck_assert_int_eq(sw_script_change(&change, &script, &request), 0);
	parse(&again, change.text);
	sw_script_request(&again, &run);
	/* Except for a whole node; per CPU or GPU each is rounded up. */
	if (!strstr(text, "--mem=0"))
		ck_assert_msg(run.requested_bytes >= 2050.0 * (double)SW_MIB &&
			      run.requested_bytes < 2062.0 * (double)SW_MIB,
			      "%s: memory is %.0f", change.text,
			      run.requested_bytes);
	same(change.text, "time", run.requested_seconds, 61 * 60);
	same(change.text, "CPUs of a task",
	     atof(sw_script_value(&again, SW_SCRIPT_CPUS_PER_TASK)), 3);
	sw_script_fini(&again);
	sw_script_change_fini(&change);
	sw_script_fini(&script);
}
END_TEST

static const struct {
	const char *old, *new, *diff;
} diffs[] = {
	{ "a\nb\n", "a\nb\n", "" },
	{ "", "", "" },
	{ "", "a\n", "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n" },
	{ "a\n", "", "--- f\n+++ f\n@@ -1 +0,0 @@\n-a\n" },
	{ "a\nb\nc\n", "a\nx\nc\n",
	  "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n" },
	{ "a", "a\n", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n"
	  "\\ No newline at end of file\n+a\n" },
	{ "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n5\n6\n7\n8\n9\n",
	  "--- f\n+++ f\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n" },
	/* two hunks, and one if they are close */
	{ "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "x\n1\n2\n3\n4\n5\n6\n7\ny\n",
	  "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-a\n+x\n 1\n 2\n 3\n"
	  "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+y\n" },
	{ "a\n1\n2\n3\n4\n5\n6\nb\n", "x\n1\n2\n3\n4\n5\n6\ny\n",
	  "--- f\n+++ f\n@@ -1,8 +1,8 @@\n-a\n+x\n 1\n 2\n 3\n 4\n 5\n 6\n"
	  "-b\n+y\n" },
};

static char *diff_of(const char *path, const char *old, const char *new)
{
	const struct sw_script_text before = { old, strlen(old) };
	const struct sw_script_text after = { new, strlen(new) };
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(sw_script_diff(out, path, &before, &after, false), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

START_TEST(test_diff)
{
	char *text = diff_of("f", diffs[_i].old, diffs[_i].new);

	ck_assert_str_eq(text, diffs[_i].diff);
	free(text);
}
END_TEST

START_TEST(test_diff_names)
{
	char *text = diff_of("my job.sh", "a\n", "b\n");

	ck_assert_ptr_eq(strstr(text, "--- my job.sh\t\n"), text);
	free(text);
	text = diff_of("a\n+++ b\"", "a\n", "b\n");
	ck_assert_ptr_eq(strstr(text, "--- \"a\\012+++ b\\\"\"\n"), text);
	free(text);
}
END_TEST

START_TEST(test_options)
{
	const struct sw_sbatch_option *option;

	option = sw_sbatch_find("mem", 3);
	ck_assert_ptr_nonnull(option);
	ck_assert_int_eq(option->key, SW_SCRIPT_MEM);
	/* --mem-bind, --mem-per-cpu, --mem-per-gpu */
	ck_assert_ptr_null(sw_sbatch_find("mem-", 4));
	ck_assert_ptr_nonnull(sw_sbatch_find("part", 4));
	ck_assert_ptr_nonnull(sw_sbatch_find("clusters", 8));
	ck_assert_ptr_null(sw_sbatch_find("nothing", 7));
	ck_assert_ptr_null(sw_sbatch_find_letter('\0'));
	ck_assert_int_eq(sw_sbatch_find_letter('c')->key,
			 SW_SCRIPT_CPUS_PER_TASK);
}
END_TEST

static char folder[64], path[96];

static void in_folder(void)
{
	FILE *file;

	snprintf(folder, sizeof(folder), "/tmp/check_script.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/job.sh", folder);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs("old\n", file);
	fclose(file);
	ck_assert_int_eq(chmod(path, 0751), 0);
}

static void leave_folder(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	ck_assert_int_eq(system(command), 0);
}

static void load(struct sw_script_file *file)
{
	struct sw_error error = { "" };

	ck_assert_msg(sw_script_load(file, path, &error) == 0, "%s",
		      error.text);
}

static int save(struct sw_script_file *file, const char *as, const char *text,
		struct sw_error *error)
{
	const struct sw_script_text new = { text, strlen(text) };

	return sw_script_save(file, as, &new, error);
}

START_TEST(test_save)
{
	struct sw_script_file file, again;
	struct sw_error error = { "" };
	struct stat status;

	load(&file);
	ck_assert_str_eq(file.text, "old\n");
	ck_assert_msg(save(&file, path, "new\n", &error) == 0, "%s",
		      error.text);
	ck_assert_ptr_nonnull(strstr(file.kept, "/job.sh.orig-1"));
	load(&again);
	ck_assert_str_eq(again.text, "new\n");
	ck_assert_uint_eq(again.status.st_mode & 07777, 0751);
	ck_assert_int_eq(stat(file.kept, &status), 0);
	ck_assert_uint_eq(status.st_ino, file.status.st_ino);
	/* The file has changed since it was read. */
	ck_assert_int_eq(save(&file, path, "x", &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "in the meantime"));
	ck_assert_int_eq(save(&again, path, "more\n", &error), 0);
	ck_assert_ptr_nonnull(strstr(again.kept, ".orig-2"));
	sw_script_file_fini(&file);
	sw_script_file_fini(&again);
}
END_TEST

START_TEST(test_links)
{
	struct sw_script_file file;
	struct sw_error error = { "" };
	char other[128];

	snprintf(other, sizeof(other), "%s/link.sh", folder);
	ck_assert_int_eq(symlink(path, other), 0);
	load(&file);
	ck_assert_int_eq(save(&file, other, "x", &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "symbolic link"));
	ck_assert_int_eq(unlink(other), 0);
	ck_assert_int_eq(link(path, other), 0);
	ck_assert_int_eq(save(&file, path, "x", &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "2 names"));
	sw_script_file_fini(&file);
	load(&file);
	ck_assert_str_eq(file.text, "old\n");
	sw_script_file_fini(&file);
}
END_TEST

START_TEST(test_no_file)
{
	struct sw_script_file file;
	struct sw_error error = { "" };

	ck_assert_int_eq(sw_script_load(&file, folder, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "not a regular file"));
	ck_assert_int_eq(sw_script_load(&file, "/dev/null", &error), -1);
	ck_assert_int_eq(truncate(path, 5 << 20), 0);
	ck_assert_int_eq(sw_script_load(&file, path, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "4 MiB"));
}
END_TEST

#define COUNT(rows) ((int)(sizeof(rows) / sizeof((rows)[0])))

int main(void)
{
	TCase *text = tcase_create("text"), *files = tcase_create("files");

	tcase_add_loop_test(text, test_request, 0, COUNT(requests));
	tcase_add_loop_test(text, test_refused, 0, COUNT(refused));
	tcase_add_test(text, test_nul);
	tcase_add_loop_test(text, test_change, 0, COUNT(changes));
	tcase_add_loop_test(text, test_asks_for_it, 0, COUNT(requests));
	tcase_add_loop_test(text, test_diff, 0, COUNT(diffs));
	tcase_add_test(text, test_diff_names);
	tcase_add_test(text, test_options);
	tcase_add_checked_fixture(files, in_folder, leave_folder);
	tcase_add_test(files, test_save);
	tcase_add_test(files, test_links);
	tcase_add_test(files, test_no_file);
	return run_tests("script", text, files, NULL);
}
