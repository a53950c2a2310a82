/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What got worse: groups whose runs are unlike those before, everywhere or on
 * one node only, with the night in which that began; one row for each cause.
 *
 * The false discovery rate over all comparisons of the night is limited (Y.
 * Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. Royal
 * Statistical Society B 57 (1995)).
 */
#ifndef SW_ANALYZER_SWEEP_WORSE_WORSE_H
#define SW_ANALYZER_SWEEP_WORSE_WORSE_H

#include "analyzer/compare/difference_words.h"
#include "analyzer/sweep/night/store.h"

enum { SW_WORSE_NAMED = 3, SW_WORSE_BESIDE = 2, SW_WORSE_TEXT = 256 };

struct sw_worse {
	/* The groups, most core-hours first; the first ones are named. */
	const struct sw_tally *groups[SW_WORSE_NAMED];
	size_t count;
	uint64_t jobs; /* of this night; on one node: of the runs compared */
	double core_seconds;
	uint64_t since_seconds;
	/* Of the first group.  Only on this node; "": everywhere. */
	char node[SW_FINGERPRINT_TEXT];
	/* Its largest difference, with its program. */
	struct sw_difference difference;
	char program[SW_FINGERPRINT_NAME];
	char words[SW_DIFFERENCE_TEXT]; /* all of its differences */
	/* Words for what it coincides with. */
	char beside[SW_WORSE_BESIDE][SW_WORSE_TEXT];
	size_t beside_count;
	/* The same for all groups of the row: a node, mount or kernel. */
	char place[SW_WORSE_TEXT];
	size_t past_runs, past_nights;
	double p; /* under chance, corrected for the group's comparisons */
};

struct sw_worses {
	struct sw_worse *items;
	size_t count;
	size_t evaluated, evaluated_nodes; /* groups; groups on a node */
};

/*
 * List what got worse, in each group by itself; rows point into the night.
 * Return 0, or -1 (errno ENOMEM).
 */
int sw_worse_find(struct sw_worses *worses, const struct sw_night *night,
		  const struct sw_keyed *trails);

/*
 * Join rows that began in the same night, in the same way, in the same place,
 * and sort them by core-hours.
 */
void sw_worses_fold(struct sw_worses *worses);
void sw_worses_fini(struct sw_worses *worses);

#endif
