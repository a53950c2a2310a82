/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules that were not evaluated, by reason; nodes, by their limit. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/report/text/report_text.h"
#include "analyzer/report/words.h"
#include "analyzer/rules/rule.h"
#include "test/run_tests.h"

#define GPUS "there are no GPUs"

static struct sw_not_evaluated notes[] = {
	{ "cpu.idle_start", "no waits" }, { "cpu.idle_middle", "no waits" },
	{ "cpu.idle_tail", "no waits" },  { "cpu.throttled", "no quota" },
	{ "gpu.errors", GPUS },		  { "gpu.idle", GPUS },
	{ "gpu.starved", GPUS },	  { "gpu.throttled", GPUS },
	{ "gpu.memory_over", GPUS },	  { "io.tiny", "no calls" },
	{ "hw.low_ipc", "no counters" },
};

static bool is_beside = true;

static void check_view(const struct sw_view *view, size_t first, size_t count,
		       const char *expected)
{
	const struct sw_report_style style = { .width = 500,
					       .is_beside_slurm = is_beside };
	struct sw_result result = {
		.not_evaluated = notes + first, .not_evaluated_count = count,
		.view = view,
	};
	char *text = NULL;
	size_t size;
	struct sw_page page = { open_memstream(&text, &size), &result, &style,
				NULL };

	sw_text_report_not_evaluated(&page);
	fclose(page.out);
	ck_assert_str_eq(text, expected);
	free(text);
}

static void check_line(size_t first, size_t count, const char *expected)
{
	check_view(NULL, first, count, expected);
}

START_TEST(says_what_was_missing)
{
	check_line(0, 0, "");
	check_line(0, 10, "\nNot evaluated: cpu.idle_* (no waits); "
		   "cpu.throttled (no quota); gpu.* (" GPUS "); "
		   "io.tiny (no calls)\n");
	check_line(1, 4, "\nNot evaluated: cpu.idle_middle, cpu.idle_tail "
		   "(no waits); cpu.throttled (no quota); gpu.errors "
		   "(" GPUS ")\n");
}
END_TEST

START_TEST(leaves_many_reasons_to_json)
{
	check_line(0, 11, "\nNot evaluated: cpu.idle_*, cpu.throttled, gpu.*, "
		   "io.tiny, hw.low_ipc (--json says why)\n");
}
END_TEST

/* Only for a user's own recording, and not for data that it has. */
START_TEST(says_what_the_plugin_records)
{
	const char *const quota = "\nNot evaluated: cpu.throttled (no quota)\n";
	struct sw_view view = { .job.job_id = SW_MISSING,
				.recording = { .backend = "process.tree",
					       .programs_source = "bpf" } };

	check_view(&view, 3, 1, "\nNot evaluated: cpu.throttled (no quota)\n"
		   "The plugin for Slurm, which administrators install, "
		   "would also record the cgroup that Slurm makes for a step "
		   "(cpu.throttled)\n");
	is_beside = false;
	check_view(&view, 3, 1, quota);
	is_beside = true;
	check_view(&view, 9, 1, "\nNot evaluated: io.tiny (no calls)\n");
	view.slurm.is_slurm = true;
	check_view(&view, 3, 1, quota);
	view.slurm.is_slurm = false;
	view.recording.backend = "cgroup.v2";
	check_view(&view, 3, 1, quota);
}
END_TEST

static void check_nodes(const enum sw_limit *limit, size_t count,
			const char *expected)
{
	static const char *const names[] = { "n1", "n2", "n3" };
	struct sw_node nodes[3];
	struct sw_job job = { .nodes = nodes, .node_count = count };
	char text[384];
	size_t i;

	memset(nodes, 0, sizeof(nodes));
	for (i = 0; i < count; i++) {
		nodes[i].total.node = names[i];
		nodes[i].total.limits.usec[limit[i]] = 60 * 1000000;
	}
	ck_assert_str_eq(sw_nodes_differ_words(text, sizeof(text), &job),
			 expected);
}

/* A node computes, and others wait for it. */
START_TEST(says_where_nodes_differ)
{
	static const enum sw_limit same[] = { SW_LIMIT_CPU, SW_LIMIT_QUOTA };
	static const enum sw_limit differ[] = { SW_LIMIT_SOCKET, SW_LIMIT_CPU,
						SW_LIMIT_SOCKET };
	char text[16];

	check_nodes(same, 2, "");
	check_nodes(differ, 1, "");
	check_nodes(differ, 3, " Nodes differ: waiting 100 % on n1 and 1 more, "
		    "CPU 100 % on n2.");
	ck_assert_str_eq(sw_nodes_differ_words(text, sizeof(text), NULL), "");
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("notes");

	tcase_add_test(tcase, says_what_was_missing);
	tcase_add_test(tcase, leaves_many_reasons_to_json);
	tcase_add_test(tcase, says_what_the_plugin_records);
	tcase_add_test(tcase, says_where_nodes_differ);
	return run_tests("notes", tcase, NULL);
}
