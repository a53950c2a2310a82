/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggestions for mistyped words. */
#include <check.h>
#include <string.h>

#include "analyzer/print/similar.h"
#include "test/run_tests.h"
#include "test/unit/advice/draw_kit.h"

static const char *const verbs[] = {
	"run",	  "list",    "report", "suggest", "backtest",
	"import", "explain", "dump",   "verify",  "doctor",
};

enum { VERBS = sizeof(verbs) / sizeof(verbs[0]) };

struct slip {
	const char *word, *meant; /* NULL: none */
};

static const struct slip slips[] = {
	{ "reprot", "report" },  /* swapped */
	{ "reportt", "report" }, /* one too many */
	{ "sugest", "suggest" }, /* missing */
	{ "dunp", "dump" },      /* wrong */
	{ "Report", "report" },  /* case */
	{ "expl", "explain" },   /* begun */
	{ "back", "backtest" },
	{ "lsit", "list" },
	{ "ru", "run" },
	{ "frobnicate", NULL },
	{ "x", NULL },
	{ "", NULL },
	{ "\xc3\xa4\xc3\xb6\xff", NULL },
};

START_TEST(test_meant)
{
	const char *found = sw_similar(slips[_i].word, verbs, VERBS);

	if (slips[_i].meant)
		ck_assert_ptr_nonnull(found);
	ck_assert_msg((found && slips[_i].meant)
			      ? !strcmp(found, slips[_i].meant)
			      : !found && !slips[_i].meant,
		      "%s: %s", slips[_i].word, found ? found : "none");
}
END_TEST

START_TEST(test_none)
{
	ck_assert_ptr_null(sw_similar("report", NULL, 0));
}
END_TEST

/* The first of equally near ones; an exact match wins. */
START_TEST(test_order)
{
	static const char *const near[] = { "cat", "bat", "hat" };

	ck_assert_str_eq(sw_similar("rat", near, 3), "cat");
	ck_assert_str_eq(sw_similar("hat", near, 3), "hat");
}
END_TEST

/* Longer than is compared, and any bytes: harmless. */
START_TEST(test_long)
{
	char word[2048], other[2048];
	const char *words[] = { other };
	size_t i, round;

	draw_seed = 12;
	for (round = 0; round < 50; round++) {
		for (i = 0; i < sizeof(word) - 1; i++) {
			word[i] = (char)(int)(1 + 255 * draw_uniform());
			other[i] = (char)(int)(1 + 255 * draw_uniform());
		}
		word[sizeof(word) - 1] = other[sizeof(other) - 1] = '\0';
		sw_similar(word, words, 1);
		memcpy(other, word, sizeof(other));
		other[100] = word[100] == 'a' ? 'b' : 'a';
		ck_assert_ptr_eq(sw_similar(word, words, 1), other);
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("words");

	tcase_add_loop_test(tests, test_meant, 0,
			    (int)(sizeof(slips) / sizeof(slips[0])));
	tcase_add_test(tests, test_none);
	tcase_add_test(tests, test_order);
	tcase_add_test(tests, test_long);
	return run_tests("similar", tests, NULL);
}
