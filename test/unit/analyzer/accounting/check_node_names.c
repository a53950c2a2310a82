/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folding of node names. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/accounting/node_names.h"
#include "test/run_tests.h"

/* Names separated by blanks, and the folded list. */
static const struct {
	const char *names, *folded;
} cases[] = {
	{ "", "" },
	{ "n1", "n1" },
	{ "login", "login" },
	{ "n3 n1 n2", "n[1-3]" },
	{ "n1 n2 n3 n4 n7", "n[1-4,7]" },
	{ "n9 n10 n11", "n[9-11]" },
	{ "n08 n09 n10", "n[08-10]" },
	{ "n098 n099 n100 n101", "n[098-101]" },
	/* Slurm expands [9-10] to "9,10" and [09-10] to "09,10". */
	{ "n9 n09 n10", "n9,n[09-10]" },
	{ "n1 n1 n1 n2", "n[1-2]" },
	{ "b1 a2 a1 b2 login", "a[1-2],b[1-2],login" },
	{ "n1.site n2.site n2", "n2,n[1-2].site" },
	{ "r1-n1 r1-n2 r2-n1", "r1-n[1-2],r2-n1" },
	{ "7 8 9", "[7-9]" },
	{ "n99999999999999999999 n1", "n1,n99999999999999999999" },
	{ "n123456789012345678901 n123456789012345678902",
	  "n123[456789012345678901-456789012345678902]" },
};

static char *fold(const char *words)
{
	struct sw_node_names names = { NULL, 0 };
	char *copy = strdup(words), *next, *word, *text;

	for (word = strtok_r(copy, " ", &next); word;
	     word = strtok_r(NULL, " ", &next))
		ck_assert_int_eq(sw_node_names_add(&names, word), 0);
	text = sw_node_names_fold(&names);
	sw_node_names_fini(&names);
	free(copy);
	return text;
}

START_TEST(names_fold)
{
	char *text = fold(cases[_i].names);

	ck_assert_str_eq(text, cases[_i].folded);
	free(text);
}
END_TEST

START_TEST(names_that_are_none)
{
	struct sw_node_names names = { NULL, 0 };
	char name[SW_NODE_NAME_SIZE_MAX + 1];

	memset(name, 'n', sizeof(name));
	name[SW_NODE_NAME_SIZE_MAX] = '\0';
	ck_assert_int_eq(sw_node_names_add(&names, ""), -1);
	ck_assert_int_eq(sw_node_names_add(&names, name), -1);
	name[SW_NODE_NAME_SIZE_MAX - 1] = '\0';
	ck_assert_int_eq(sw_node_names_add(&names, name), 0);
	sw_node_names_fini(&names);
	ck_assert_uint_eq(names.count, 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("fold");

	tcase_add_loop_test(tests, names_fold, 0,
			    (int)(sizeof(cases) / sizeof(*cases)));
	tcase_add_test(tests, names_that_are_none);
	return run_tests("node names", tests, NULL);
}
