/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summarizes the tables: stepwell versus the best other method, set by set. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/advice_tables.h"

enum { OURS = 3 };	/* low, medium, high */

/* A comparison: stepwell's wastage, with or without input sizes, to others'. */
struct question {
	const char *title;
	const char *const *others;	/* NULL: all published methods */
	bool is_without_input;
	bool is_to_safest;		/* else to the least wasteful */
	size_t ours_count;		/* from low on */
};

static const char *const margins[] = { "max", "krr", "vpa", NULL };
static const char *const ponder[] = { "ponder", NULL };

static const struct question questions[] = {
	{ "with what is known of inputs, to the published method of least "
	  "wastage", NULL, false, false, OURS },
	{ "without input sizes, to the best of max, krr and vpa", margins,
	  true, false, OURS },
	{ "--risk low to ponder", ponder, false, false, 1 },
	{ "--risk low to the published method of fewest failures", NULL,
	  false, true, 1 },
};

/* Mean over some of the sets. */
struct mean {
	double log_sum;
	size_t sets, no_more_failures;
};

static bool is_asked(const struct question *question,
		     const struct advice_side *side)
{
	const char *const *name;

	if (!side->is_published)
		return false;
	for (name = question->others; name && *name; name++) {
		if (!strcmp(*name, side->method->name))
			return true;
	}
	return !question->others;
}

static const struct advice_row *total_of(const struct advice_results *results,
					 size_t set, size_t side, size_t time)
{
	return &results->items[set * results->sides->count + side].rows[time]
			[results->sets->items[set].trace.workflow_count];
}

/* Return the best side among those compared, or -1. */
static long find_best(const struct advice_results *results,
		      const struct question *question, size_t set, size_t time)
{
	double least = INFINITY;
	long best = -1;
	size_t i;

	for (i = 0; i < results->sides->count; i++) {
		const struct advice_row *row = total_of(results, set, i, time);
		double badness = question->is_to_safest ?
			row->failures : row->wasted_gib_hours;

		if (is_asked(question, &results->sides->items[i]) &&
		    badness < least) {
			least = badness;
			best = (long)i;
		}
	}
	return best;
}

static void add(struct mean *mean, const struct advice_row *ours,
		const struct advice_row *other)
{
	mean->log_sum += log(ours->wasted_gib_hours /
			     other->wasted_gib_hours);
	mean->no_more_failures += ours->failures <= other->failures;
	mean->sets++;
}

static void print_means(const char *name, const struct mean *means,
			size_t count)
{
	size_t i;

	if (!means[0].sets)
		return;
	printf("  %-20s %-16s %12s %9s", name, "geometric mean", "", "");
	for (i = 0; i < count; i++)
		printf(" %8.3f %5zu of %-2zu",
		       exp(means[i].log_sum / (double)means[i].sets),
		       means[i].no_more_failures, means[i].sets);
	putchar('\n');
}

/*
 * Means over sets that the settings were chosen with, and over the others,
 * which are better evidence.
 */
struct means {
	struct mean all[OURS], fixed_on[OURS], apart[OURS];
};

static void print_set(const struct advice_results *results,
		      const struct question *question, size_t set, size_t time,
		      struct means *means)
{
	const struct advice_set *items = &results->sets->items[set];
	long best = find_best(results, question, set, time);
	const struct advice_row *other;
	size_t i, place = 0;

	if (best < 0)
		return;
	other = total_of(results, set, (size_t)best, time);
	if (!(other->tasks > 0 && other->wasted_gib_hours > 0))
		return;
	printf("  %-20s %-16s %12.4g %9.6g", items->name,
	       results->sides->items[best].label, other->wasted_gib_hours,
	       other->failures);
	for (i = 0; i < results->sides->count; i++) {
		const struct advice_side *side = &results->sides->items[i];
		const struct advice_row *ours = total_of(results, set, i,
							 time);

		if (!side->is_ours || place == question->ours_count ||
		    side->is_without_input != question->is_without_input)
			continue;
		add(&means->all[place], ours, other);
		add(items->is_fixed_on ? &means->fixed_on[place] :
					 &means->apart[place], ours, other);
		printf(" %8.3f %10.6g", ours->wasted_gib_hours /
		       other->wasted_gib_hours, ours->failures);
		place++;
	}
	printf("%s\n", items->is_fixed_on ? "  *" : "");
}

static void print_question(const struct advice_results *results,
			   const struct question *question, size_t time)
{
	static const char *const risks[OURS] = { "low", "medium", "high" };
	struct means means = { 0 };
	size_t i;

	printf("stepwell %s; time to failure %.1f\n", question->title,
	       advice_times[time]);
	printf("  %-20s %-16s %12s %9s", "set", "method", "GiBh", "failures");
	for (i = 0; i < question->ours_count; i++)
		printf(" %8s %10s", risks[i], "failures");
	putchar('\n');
	for (i = 0; i < results->sets->count; i++)
		print_set(results, question, i, time, &means);
	print_means("all", means.all, question->ours_count);
	print_means("settings fixed on *", means.fixed_on,
		    question->ours_count);
	print_means("the rest", means.apart, question->ours_count);
	putchar('\n');
}

void advice_print_summary(const struct advice_results *results)
{
	size_t i, time;

	if (!results->sides->count || !results->sides->items[0].is_ours) {
		printf("== summary: none, this stepwell has no method of its "
		       "own\n\n");
		return;
	}
	printf("== summary: our wastage to the other's (1 is the same), our "
	       "failures; in the means\n   the sets of all where we failed no "
	       "more often; the prices of low and high risk were\n   chosen "
	       "with a look at cws and mgnify_metaspades, too\n\n");
	for (i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		for (time = 0; time < ADVICE_TIMES; time++)
			print_question(results, &questions[i], time);
	}
}
