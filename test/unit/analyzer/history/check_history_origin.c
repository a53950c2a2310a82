/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attempts from rows of the history, with nodes from their fingerprints. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history_origin.h"
#include "test/unit/analyzer/history/history_kit.h"

#define NOW 1.78e9

/* Add a run of this array index; node NULL: without a fingerprint. */
static void add(struct sw_history *history, unsigned job, unsigned index,
		const char *node, double ago, bool has_failed)
{
	uint8_t bytes[SW_FINGERPRINT_BYTES];
	struct sw_fingerprint print;
	struct sw_history_run run;
	char id[32];

	snprintf(id, sizeof(id), "%u_%u", job, index);
	run = kit_run_of(id, NOW - ago);
	run.run.exit_code = has_failed;
	run.run.state = has_failed ? SW_RUN_FAILED : SW_RUN_COMPLETED;
	sw_fingerprint_init(&print);
	snprintf(print.environment.node, sizeof(print.environment.node), "%s",
		 node ? node : "");
	if (node) {
		run.fingerprint = bytes;
		run.fingerprint_size = sw_fingerprint_encode(&print, bytes);
	}
	kit_add(history, &run);
}

/* Ask about 900_7, which failed on n1 now. */
static int ask(struct sw_history *history, struct sw_origin_told *told)
{
	struct sw_history_run own = kit_run_of("900_7", NOW);
	struct sw_fingerprint print;
	struct sw_error error = { "" };
	int rc;

	own.run.state = SW_RUN_FAILED;
	own.run.exit_code = 1;
	sw_fingerprint_init(&print);
	strcpy(print.environment.node, "n1");
	rc = sw_history_origin(history, &own, &print, told, &error);
	ck_assert_msg(rc >= 0, "%s", error.text);
	return rc;
}

static void add_others(struct sw_history *history)
{
	unsigned i;

	for (i = 0; i < 46; i++)
		add(history, 100, 100 + i, i % 2 ? "n2" : "n3", 3000 + i, false);
}

START_TEST(an_index_that_failed_on_another_node_is_the_input)
{
	struct sw_history *history = kit_open();
	struct sw_origin_told told;

	add_others(history);
	add(history, 100, 7, "n2", 3100, true);
	ck_assert_int_eq(ask(history, &told), 1);
	ck_assert_int_eq(told.origin.answer, SW_ORIGIN_INPUT);
	ck_assert_uint_eq(told.origin.attempts.failed, 2);
	ck_assert_uint_eq(told.origin.attempt_nodes, 2);
	ck_assert_uint_eq(told.origin.others.of, 46);
	ck_assert_str_eq(told.what, "array index");
	ck_assert_str_eq(told.thing, "7");
	sw_history_close(history);
}
END_TEST

START_TEST(others_that_failed_there_are_the_node)
{
	struct sw_history *history = kit_open();
	struct sw_origin_told told;
	unsigned i;

	add_others(history);
	for (i = 0; i < 4; i++)
		add(history, 200, 20 + i, "n1", 2900 - 700 * i, true);
	for (i = 0; i < 20; i++)
		add(history, 300, 300 + i, "n2", 2900 - 140 * i, false);
	ck_assert_int_eq(ask(history, &told), 1);
	ck_assert_int_eq(told.origin.answer, SW_ORIGIN_PLACE);
	ck_assert_int_eq(told.origin.place, SW_ORIGIN_ON_NODE);
	ck_assert_uint_eq(told.origin.here.failed, 4);
	ck_assert_str_eq(told.place[SW_ORIGIN_ON_NODE], "n1");
	ck_assert_int_eq(told.origin.again, SW_ORIGIN_AGAIN_ELSEWHERE);
	sw_history_close(history);
}
END_TEST

START_TEST(nodes_that_are_not_known_are_no_other_nodes)
{
	struct sw_history *history = kit_open();
	struct sw_origin_told told;

	add_others(history);
	add(history, 100, 7, NULL, 3100, true);
	ck_assert_int_eq(ask(history, &told), 1);
	ck_assert_int_eq(told.origin.answer, SW_ORIGIN_UNTOLD);
	ck_assert_uint_eq(told.origin.attempt_nodes, 0);
	sw_history_close(history);
}
END_TEST

START_TEST(a_success_is_not_asked_about)
{
	struct sw_history *history = kit_open();
	struct sw_history_run run = kit_run_of("900_7", NOW);
	struct sw_origin_told told;

	/* By Slurm's record it completed. */
	run.source = SW_HISTORY_SACCT;
	kit_add(history, &run);
	ck_assert_int_eq(ask(history, &told), 0);
	sw_history_close(history);
}
END_TEST

START_TEST(a_row_that_cannot_be_read_has_no_node)
{
	struct sw_history *history = kit_open();
	struct sw_history_run run = kit_run_of("100_7", NOW - 3100);
	struct sw_origin_told told;

	add_others(history);
	run.run.state = SW_RUN_FAILED;
	run.run.exit_code = 1;
	run.fingerprint = "\377\377\377\377";
	run.fingerprint_size = 4;
	kit_add(history, &run);
	ck_assert_int_eq(ask(history, &told), 1);
	ck_assert_uint_eq(told.origin.attempts.failed, 2);
	ck_assert_uint_eq(told.origin.attempt_nodes, 0);
	sw_history_close(history);
}
END_TEST

int main(void)
{
	TCase *tests = kit_case("origin");

	tcase_add_test(tests,
		       an_index_that_failed_on_another_node_is_the_input);
	tcase_add_test(tests, others_that_failed_there_are_the_node);
	tcase_add_test(tests, nodes_that_are_not_known_are_no_other_nodes);
	tcase_add_test(tests, a_success_is_not_asked_about);
	tcase_add_test(tests, a_row_that_cannot_be_read_has_no_node);
	return kit_run(tests);
}
