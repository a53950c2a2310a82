/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find regressions: groups whose jobs of this night took longer, or needed more
 * memory, than those of earlier nights.
 *
 * Ranks are compared, as by H. B. Mann and D. R. Whitney (On a Test of Whether
 * one of Two Random Variables is Stochastically Larger than the Other, Ann.
 * Math.  Stat. 18, 1947), with the normal approximation corrected for ties.
 * Values in one bucket of a sketch are ties, so the test is exact for the
 * sketch and never more significant than for the values.  The chance is
 * multiplied by the number of comparisons (Bonferroni).
 */
#ifndef SW_ANALYZER_CHANGE_H
#define SW_ANALYZER_CHANGE_H

#include "analyzer/sweep/night/night.h"

enum {
	SW_CHANGE_JOBS_MIN = 8,	/* per side: fewer are not normal */
};

/* Smaller changes are not reported; maximum probability of chance. */
#define SW_CHANGE_RATIO_MIN 1.15
#define SW_CHANGE_CHANCE_MAX 0.001

struct sw_change {
	const struct sw_tally *now, *before;
	enum sw_tally_sketch what;	/* elapsed seconds, or need in MiB */
	uint64_t now_median, before_median;
	uint64_t now_jobs, before_jobs;
	double chance;			/* after Bonferroni correction */
	double core_seconds;		/* additional ones, this night */
};

struct sw_changes {
	struct sw_change *items;
	size_t count;
};

/*
 * List changes by cost, largest first; they point into both nights.  Return 0,
 * or -1 (errno ENOMEM).
 */
int sw_changes_find(struct sw_changes *changes, const struct sw_night *now,
		    const struct sw_night *before);
void sw_changes_fini(struct sw_changes *changes);

/* Probability that values of b are larger by chance; 1 without values. */
double sw_change_chance(const struct sw_quantiles *a,
			const struct sw_quantiles *b);

#endif
