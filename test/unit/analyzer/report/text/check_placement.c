/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of CPUs, and the binding of a step's tasks: from the tables to the
 * words, on machines of several shapes.
 */
#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/report/text/placement_words.h"
#include "analyzer/view/view.h"
#include "test/run_tests.h"
#include "test/text_profile.h"

static const struct {
	const char *text;
	size_t count;
	uint64_t first;
	bool is_bad;
} lists[] = {
	{ "", 0, SW_MISSING, false },
	{ "\n", 0, SW_MISSING, false },
	{ "0\n", 1, 0, false },
	{ "0-3,8", 5, 0, false },
	{ "63-64", 2, 63, false },
	{ "4095", 1, 4095, false },
	{ "0-4095\n", 4096, 0, false },
	{ "4096", 0, 0, true },
	{ "0-3,", 0, 0, true },	/* truncated */
	{ ",1", 0, 0, true },
	{ "1-", 0, 0, true },
	{ "3-1", 0, 0, true },
	{ "1 2", 0, 0, true },
	{ "1\n2", 0, 0, true },
	{ "99999999999999999999", 0, 0, true },
	{ "a", 0, 0, true },
};

START_TEST(cpu_list)
{
	struct sw_cpus cpus;
	int rc = sw_cpus_parse(&cpus, lists[_i].text);

	ck_assert_int_eq(rc, lists[_i].is_bad ? -1 : 0);
	if (rc < 0)
		return;
	ck_assert_uint_eq(sw_cpus_count(&cpus), lists[_i].count);
	ck_assert_uint_eq(sw_cpus_first(&cpus), lists[_i].first);
}
END_TEST

START_TEST(cpu_sets)
{
	struct sw_cpus one, two;

	ck_assert_int_eq(sw_cpus_parse(&one, "0-3,70"), 0);
	ck_assert_int_eq(sw_cpus_parse(&two, "0-7,64-127"), 0);
	ck_assert(sw_cpus_is_within(&one, &two));
	ck_assert(!sw_cpus_is_within(&two, &one));
	ck_assert(sw_cpus_has(&one, 70));
	ck_assert(!sw_cpus_has(&one, 4));
	ck_assert(!sw_cpus_has(&one, UINT64_MAX));
	sw_cpus_add(&one, &two);
	ck_assert(sw_cpus_is_within(&two, &one));
	ck_assert_uint_eq(sw_cpus_count(&one), 72);
}
END_TEST

/* hwloc's names of parts; none if one of the units belongs to no part. */
START_TEST(names)
{
	struct sw_place_pu pus[] = {
		{ 0, 0, 0, 0, 0 }, { 1, 4, 1, 1, 1 }, { 2, 1, 0, 0, 0 },
		{ 3, 5, SW_MISSING, 1, 1 },
	};
	const struct sw_placement placement = { .pus = pus, .pu_count = 4 };
	static const char *const expected[SW_PLACE_NAMES] = {
		"Package L#0-1", "NUMANode P#0-1", "L3Cache L#0-1",
		"Core L#0-1,4", "PU P#0-2",
	};
	struct sw_cpus cpus;
	char name[64];
	size_t i;

	ck_assert_int_eq(sw_cpus_parse(&cpus, "0-2"), 0);
	for (i = 0; i < SW_PLACE_NAMES; i++)
		ck_assert_str_eq(sw_place_name(name, sizeof(name), &placement,
					       &cpus, i), expected[i]);
	ck_assert_int_eq(sw_cpus_parse(&cpus, "3"), 0);
	ck_assert_str_eq(sw_place_name(name, sizeof(name), &placement, &cpus,
				       2), "");
	ck_assert_str_eq(sw_place_name(name, sizeof(name), &placement, &cpus,
				       3), "Core L#5");
}
END_TEST

/* A profile that grows line by line, and its view. */
static char profile[] = "/tmp/check_placement.XXXXXX";
static char *lines;
static size_t lines_size;
static FILE *text;

__attribute__((format(printf, 1, 2)))
static void put(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vfprintf(text, format, list);
	va_end(list);
}

static void begin(void)
{
	text = open_memstream(&lines, &lines_size);
	ck_assert_ptr_nonnull(text);
	put("table steps step recorder\ncolumns step start_usec\n"
	    "row 0 1000000000\n"
	    "table summary step recorder\ncolumns step end_usec exit_code\n"
	    "row 0 1010000000 0\n");
}

/* A machine with this many sockets, NUMA nodes in each, and so on. */
static void put_machine(unsigned sockets, unsigned nodes, unsigned cores,
			unsigned threads)
{
	unsigned count = sockets * nodes * cores * threads, i;

	put("table topology node hwloc\ncolumns pu core\ncolumn l3 - state\n"
	    "columns numa package\n");
	for (i = 0; i < count; i++)
		put("row %u %u - %u %u\n", i, i / threads,
		    i / threads / cores, i / threads / cores / nodes);
}

/* Lists in the order of ranks, NULL-terminated. */
static void put_bindings(const char *const *cpus)
{
	size_t i;

	put("table subjects step recorder\n"
	    "columns time_usec step source subject kind name detail\n");
	for (i = 0; cpus[i]; i++)
		put("row 1000000000 0 binding %zu task %zu \"cpus=%s "
		    "mems=0\"\n", i, i, cpus[i]);
	put("table series.binding task proc\n"
	    "columns time_usec step subject cpu_usec\n");
	for (i = 0; cpus[i]; i++)
		put("row 1000000000 0 %zu 0\n", i);
	for (i = 0; cpus[i]; i++)
		put("row 1010000000 0 %zu 5000000\n", i);
}

static struct sw_view end(void)
{
	struct sw_reader *reader;
	struct sw_error error;
	struct sw_view view;

	fclose(text);
	ck_assert_msg(text_profile_write_text(lines, profile, true,
					      &error) == 0, "%s", error.text);
	free(lines);
	reader = sw_reader_open(profile, &error);
	ck_assert_msg(reader != NULL, "%s", error.text);
	ck_assert_msg(sw_view_init(&view, reader, 0, &error) == 0, "%s",
		      error.text);
	return view;
}

static void drop(struct sw_view *view)
{
	struct sw_reader *reader = (struct sw_reader *)(uintptr_t)view->reader;

	sw_view_fini(view);
	sw_reader_close(reader);
}

static const struct {
	unsigned sockets, nodes, cores, threads;
	const char *cpus[6];
	const char *words, *sharing;
} shapes[] = {
	{ 2, 1, 4, 1, { "0-7" },
	  "1 task on any of the node's 8 CPUs: on several sockets", "" },
	{ 2, 1, 4, 1, { "5" },
	  "1 task on 1 of the node's 8 CPUs: on socket 1", "" },
	{ 2, 1, 4, 1, { "0-1", "2-3", "4-5", "6-7" },
	  "4 tasks, each on 2 of the node's 8 CPUs: 2 on socket 0, 2 on "
	  "socket 1", "" },
	{ 2, 2, 16, 2, { "0-31", "32-63", "64-95", "96-127" },
	  "4 tasks, each on 32 of the node's 128 CPUs: 1 on NUMA node 0, 1 "
	  "on NUMA node 1, 1 on NUMA node 2, 1 on NUMA node 3", "" },
	{ 2, 1, 4, 2, { "0", "1", "0-1", "4-5" },
	  "4 tasks, each on 1 to 2 of the node's 16 CPUs: 4 on socket 0",
	  "3 of 4 tasks share core 0" },
	{ 1, 1, 2, 1, { "0", "0" },
	  "2 tasks, each on 1 of the node's 2 CPUs",
	  "all 2 tasks share core 0" },
	{ 2, 1, 4, 1, { "0-7", "4-7", "0-1,6-7" },
	  "3 tasks, each on 4 to 8 of the node's 8 CPUs: 1 on socket 1, 2 on "
	  "several sockets", "" },
	{ 0, 0, 0, 0, { "0-7", "4-7" },
	  "2 tasks, each on 4 to 8 of the node's CPUs", "" },
	/* A truncated list. */
	{ 2, 1, 4, 1, { "0-7", "0,2," }, "", "" },
	{ 2, 1, 4, 1, { NULL }, "", "" },
};

START_TEST(words)
{
	char words_text[512], sharing_text[128];
	struct sw_view view;

	begin();
	if (shapes[_i].sockets)
		put_machine(shapes[_i].sockets, shapes[_i].nodes,
			    shapes[_i].cores, shapes[_i].threads);
	put_bindings(shapes[_i].cpus);
	view = end();
	ck_assert_str_eq(sw_placement_words(words_text, sizeof(words_text),
					    &view.placement),
			 shapes[_i].words);
	ck_assert_str_eq(sw_sharing_words(sharing_text, sizeof(sharing_text),
					  &view.placement),
			 shapes[_i].sharing);
	drop(&view);
}
END_TEST

/* Time before a new binding is not counted under it. */
START_TEST(changed_binding)
{
	const struct sw_place_task *task;
	struct sw_view view;

	begin();
	put_machine(2, 1, 4, 1);
	put("table subjects step recorder\n"
	    "columns time_usec step source subject kind name detail\n"
	    "row 1000000000 0 binding 0 task command \"cpus=0-7 mems=0-1\"\n"
	    "row 1000000001 0 binding 255 step cgroup \"cpus=0-3 mems=0\"\n"
	    "row 1000000002 0 numa 0 numa_node 0 \"cpus=0\"\n"
	    "row 1004000000 0 binding 0 task command \"cpus=2 mems=0-1\"\n"
	    "table series.binding task proc\n"
	    "columns time_usec step subject cpu_usec run_queue_wait_usec\n"
	    "row 1000000000 0 0 1000 7\nrow 1000000000 0 255 - -\n"
	    "row 1004000001 0 0 3000000 1000000\n"
	    "row 1010000001 0 0 6000000 4000000\n");
	view = end();
	ck_assert_uint_eq(view.placement.task_count, 1);
	task = &view.placement.tasks[0];
	ck_assert(sw_is_missing(task->rank));
	ck_assert_uint_eq(task->changes, 1);
	ck_assert_str_eq(task->cpus_text, "2");
	ck_assert_uint_eq(task->seen_usec, 6000000);
	ck_assert_uint_eq(task->cpu_usec, 3000000);
	ck_assert_uint_eq(task->run_queue_wait_usec, 3000000);
	ck_assert(fabs(sw_place_rate(task) - 0.5) < 1e-9);
	ck_assert(view.placement.has_step_cpus);
	ck_assert_uint_eq(sw_cpus_count(&view.placement.step_cpus), 4);
	drop(&view);
}
END_TEST

/* The sample with the most memory; rows of one read belong together. */
START_TEST(memory_by_node)
{
	struct sw_view view;

	begin();
	put_machine(2, 1, 4, 1);
	put("table series.numa step cgroup.v2\n"
	    "columns time_usec step subject anon file\n"
	    "row 1001000000 0 0 100 1\nrow 1001000003 0 1 200 2\n"
	    "row 1002000000 0 0 300 3\nrow 1002000003 0 1 150 4\n"
	    "row 1003000000 0 0 50 5\nrow 1003000003 0 1 60 6\n");
	view = end();
	ck_assert_uint_eq(view.placement.memory_count, 2);
	ck_assert_uint_eq(view.placement.memory[0].anon_bytes, 300);
	ck_assert_uint_eq(view.placement.memory[1].numa, 1);
	ck_assert_uint_eq(view.placement.memory[1].anon_bytes, 150);
	ck_assert_uint_eq(view.placement.memory[1].file_bytes, 4);
	drop(&view);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("placement");
	int status;

	close(mkstemp(profile));
	tcase_add_loop_test(tests, cpu_list, 0,
			    sizeof(lists) / sizeof(lists[0]));
	tcase_add_test(tests, cpu_sets);
	tcase_add_test(tests, names);
	tcase_add_loop_test(tests, words, 0,
			    sizeof(shapes) / sizeof(shapes[0]));
	tcase_add_test(tests, changed_binding);
	tcase_add_test(tests, memory_by_node);
	status = run_tests("placement", tests, NULL);
	unlink(profile);
	return status;
}
