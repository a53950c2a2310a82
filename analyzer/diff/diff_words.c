/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first line of a comparison: what changed, and whether it matters. */
#include <stdio.h>

#include "analyzer/compare/difference_words.h"
#include "analyzer/diff/diff.h"
#include "common/text.h"

enum { BODY_SIZE = 8 * SW_DIFFERENCE_TEXT };

/* ": X; Y." */
static void add_body(char *buf, size_t size,
		     const struct sw_comparison *comparison)
{
	char body[BODY_SIZE];

	sw_text_add(buf, size, ": %s",
		    sw_differences_line(body, sizeof(body), comparison));
}

static void add_sets(char *buf, size_t size, const struct sw_diff *diff)
{
	const struct sw_comparison *comparison = &diff->comparison;

	if (comparison->taught < SW_EXPECTED_LEAST ||
	    diff->b.runs < SW_EXPECTED_LEAST) {
		sw_text_add(buf, size,
			    "Not compared: needs %d successful runs in each "
			    "period, has %zu before it and %zu in it.",
			    SW_EXPECTED_LEAST, comparison->taught,
			    diff->b.runs);
		return;
	}
	sw_text_add(buf, size, "The %zu runs of this period are %s %zu before",
		    diff->b.runs, comparison->count ? "unlike the" : "like the",
		    comparison->taught);
	if (comparison->count)
		add_body(buf, size, comparison);
	else
		sw_text_add(buf, size, ".");
}

/* What is only there, and decides nothing, is left out. */
static bool is_worth_naming(const struct sw_difference *difference)
{
	return difference->kind == SW_DIFFERS_CPUS ||
	       difference->kind == SW_DIFFERS_BINDING ||
	       difference->kind == SW_DIFFERS_NODE_KIND ||
	       difference->kind == SW_DIFFERS_MOUNT;
}

/* ", with 1 CPU instead of 2." */
static void add_environment(char *buf, size_t size,
			    const struct sw_comparison *comparison)
{
	char words[SW_DIFFERENCE_TEXT];
	size_t i, named = 0;

	for (i = 0; i < comparison->environment_count; i++) {
		const struct sw_difference *one = &comparison->environment[i];

		if (is_worth_naming(one))
			sw_text_add(buf, size, "%s%s",
				    named++ ? " and " : ", with ",
				    sw_difference_words(words, sizeof(words),
							one));
	}
	sw_text_add(buf, size, ".");
}

static void add_lack(char *buf, size_t size, const struct sw_comparison *past)
{
	if (past && past->taught > 0 && past->taught < SW_EXPECTED_LEAST)
		sw_text_add(buf, size,
			    " 2 runs, %zu before: too few to judge by (needs "
			    "%d).",
			    past->taught, SW_EXPECTED_LEAST);
	else
		sw_text_add(buf, size, " 2 runs: no past to judge by.");
}

/* Without a past only the sizes of differences can be told. */
static void add_pair(char *buf, size_t size, const struct sw_diff *diff)
{
	if (diff->comparison.count) {
		sw_text_add(buf, size, "B is unlike A");
		add_body(buf, size, &diff->comparison);
	} else {
		sw_text_add(buf, size, "B is like A");
		add_environment(buf, size, &diff->comparison);
	}
	add_lack(buf, size, diff->b.loaded->past.comparison);
}

static bool is_unlike(const struct sw_comparison *past)
{
	return past && past->count > 0;
}

/* "B is unlike 12 past runs, A is like them: align did not run, ..." */
static void add_judged(char *buf, size_t size, const struct sw_diff *diff)
{
	const struct sw_comparison *of_a = diff->a.past, *of_b = diff->b.past;
	const char *also = of_a ? ", and A like those before it" : "";

	if (!is_unlike(of_a) && !is_unlike(of_b)) {
		sw_text_add(buf, size,
			    "Nothing that matters: B is like %zu past runs%s",
			    of_b->taught, also);
		add_environment(buf, size, of_b);
		return;
	}
	if (is_unlike(of_b))
		sw_text_add(buf, size, "B is unlike %zu past runs%s",
			    of_b->taught,
			    is_unlike(of_a) ? ", and A unlike those before it"
					    : also);
	else
		sw_text_add(buf, size,
			    "A is unlike %zu past runs, and B like those "
			    "before it",
			    of_a->taught);
	add_body(buf, size, is_unlike(of_b) ? of_b : of_a);
}

static void add_partial(char *buf, size_t size, const struct sw_diff *diff)
{
	bool is_both = diff->a.is_partial && diff->b.is_partial;

	if (!diff->a.is_partial && !diff->b.is_partial)
		return;
	sw_text_add(buf, size,
		    " %s incomplete or %s not ended: what %s not show may "
		    "still have happened.",
		    is_both		? "Both recordings are"
		    : diff->a.is_partial ? "The recording of A is"
					 : "The recording of B is",
		    is_both ? "have" : "has", is_both ? "they do" : "it does");
}

char *sw_diff_words(char *buf, size_t size, const struct sw_diff *diff)
{
	*buf = '\0';
	if (diff->is_of_sets) {
		add_sets(buf, size, diff);
		return buf;
	}
	if (diff->b.past)
		add_judged(buf, size, diff);
	else
		add_pair(buf, size, diff);
	add_partial(buf, size, diff);
	return buf;
}
