/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What got worse: groups whose jobs of this night took longer, or needed more
 * memory, than those of the nights before.
 *
 * Ranks are compared, as by H. B. Mann and D. R. Whitney (On a Test of Whether
 * one of Two Random Variables is Stochastically Larger than the Other, Ann.
 * Math. Stat. 18, 1947), with the normal approximation corrected for ties:
 * values of one bucket of a sketch are a tie, so that the test is exact for the
 * sketch and says less, never more, than the values would.  The chance is
 * multiplied by how many comparisons there are (Bonferroni).
 */
#ifndef SW_ANALYZER_CHANGE_H
#define SW_ANALYZER_CHANGE_H

#include "analyzer/sweep/night/night.h"

enum {
	SW_CHANGE_JOBS_MIN = 8,	/* on each side: fewer are not normal */
};

/* By less nobody is to be bothered; and of any change being chance. */
#define SW_CHANGE_RATIO_MIN 1.15
#define SW_CHANGE_CHANCE_MAX 0.001

struct sw_change {
	const struct sw_tally *now, *before;
	enum sw_tally_sketch what;	/* elapsed seconds, need in MiB */
	uint64_t now_median, before_median;
	uint64_t now_jobs, before_jobs;
	double chance;			/* after the correction */
	double core_seconds;		/* more than before, of this night */
};

struct sw_changes {
	struct sw_change *items;
	size_t count;
};

/*
 * By what they cost, the most first; they point into both nights.  0, or -1
 * (errno ENOMEM).
 */
int sw_changes_find(struct sw_changes *changes, const struct sw_night *now,
		    const struct sw_night *before);
void sw_changes_fini(struct sw_changes *changes);

/* That values of b being larger than those of a is chance; 1: no values. */
double sw_change_chance(const struct sw_quantiles *a,
			const struct sw_quantiles *b);

#endif
