/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compare groups between two times. */
#include "analyzer/sweep/night/change.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"
#include "common/units.h"

/* Buckets of two sketches in parallel, by number. */
struct walk {
	const struct sw_quantiles *a, *b;
	size_t i, j;
};

static bool next(struct walk *walk, double *of_a, double *of_b)
{
	const struct sw_quantiles *a = walk->a, *b = walk->b;
	bool has_a = walk->i < a->used, has_b = walk->j < b->used;

	*of_a = *of_b = 0;
	if (!has_a && !has_b)
		return false;
	if (has_a && (!has_b || a->bucket[walk->i].number <=
				b->bucket[walk->j].number))
		*of_a = (double)a->bucket[walk->i].count;
	if (has_b && (!has_a || b->bucket[walk->j].number <=
				a->bucket[walk->i].number))
		*of_b = (double)b->bucket[walk->j].count;
	walk->i += *of_a > 0;
	walk->j += *of_b > 0;
	return true;
}

double sw_change_chance(const struct sw_quantiles *a,
			const struct sw_quantiles *b)
{
	struct walk walk = { a, b, 0, 0 };
	double m = (double)a->count, n = (double)b->count, all = m + n;
	double larger = 0, below = 0, ties = 0, of_a, of_b, variance;

	if (m < 1 || n < 1)
		return 1;
	/* For each value of b count the smaller ones of a; a tie is a half. */
	while (next(&walk, &of_a, &of_b)) {
		double tied = of_a + of_b;

		larger += of_b * (below + of_a / 2);
		below += of_a;
		ties += tied * (tied * tied - 1);
	}
	variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
	if (!(variance > 0))
		return 1;
	/* Continuity correction: the values are integers. */
	return erfc((larger - m * n / 2 - 0.5) / sqrt(2 * variance)) / 2;
}

static int compare_costs(const void *a, const void *b)
{
	const struct sw_change *one = a, *two = b;
	int order = (one->core_seconds < two->core_seconds) -
		    (one->core_seconds > two->core_seconds);

	return order ? order :
		       sw_keyed_compare(&one->now->entry, &two->now->entry);
}

/* Cost of the change: the additional time; unknown for memory. */
static double cost_of(const struct sw_change *change)
{
	double ratio = (double)change->before_median /
		       (double)change->now_median;
	double cores = (double)change->now->n[SW_TALLY_CORE_USEC] /
		       (double)SW_USEC_PER_SEC;

	return change->what == SW_TALLY_ELAPSED_SECONDS ? cores * (1 - ratio) :
							  0;
}

static int add(struct sw_changes *changes, const struct sw_tally *now,
	       const struct sw_tally *before, enum sw_tally_sketch what)
{
	const struct sw_quantiles *one = &before->sketch[what];
	const struct sw_quantiles *two = &now->sketch[what];
	struct sw_change *change;

	if (one->count < SW_CHANGE_JOBS_MIN || two->count < SW_CHANGE_JOBS_MIN)
		return 0;
	if (sw_grow(&changes->items, changes->count, sizeof(*change)) < 0)
		return -1;
	change = &changes->items[changes->count++];
	*change = (struct sw_change){
		.now = now, .before = before, .what = what,
		.now_median = sw_quantiles_at(two, 1, 2),
		.before_median = sw_quantiles_at(one, 1, 2),
		.now_jobs = two->count, .before_jobs = one->count,
		.chance = sw_change_chance(one, two),
	};
	change->core_seconds = cost_of(change);
	return 0;
}

static const struct sw_tally *same_of(const struct sw_night *night,
				      const struct sw_tally *tally)
{
	return (const struct sw_tally *)sw_keyed_find(
		&night->tallies, tally->key, tally->entry.key_size);
}

static int compare_all(struct sw_changes *changes,
		       struct sw_tally *const *tallies, size_t count,
		       const struct sw_night *before)
{
	static const enum sw_tally_sketch compared[] = {
		SW_TALLY_ELAPSED_SECONDS, SW_TALLY_NEED_MIB,
	};
	const struct sw_tally *then;
	size_t i, j;

	for (i = 0; i < count; i++) {
		then = tallies[i]->of == SW_TALLY_GROUP ?
		       same_of(before, tallies[i]) : NULL;
		for (j = 0; then && j < 2; j++) {
			if (add(changes, tallies[i], then, compared[j]) < 0)
				return -1;
		}
	}
	return 0;
}

/* Keep changes that are neither small nor chance, for the number compared. */
static void keep_certain(struct sw_changes *changes)
{
	double compared = (double)changes->count;
	size_t i, kept = 0;

	for (i = 0; i < changes->count; i++) {
		struct sw_change *change = &changes->items[i];

		change->chance *= compared;
		if (change->chance <= SW_CHANGE_CHANCE_MAX &&
		    (double)change->now_median >=
			    SW_CHANGE_RATIO_MIN *
				    (double)change->before_median &&
		    change->before_median)
			changes->items[kept++] = *change;
	}
	changes->count = kept;
	if (kept)
		qsort(changes->items, kept, sizeof(*changes->items),
		      compare_costs);
}

int sw_changes_find(struct sw_changes *changes, const struct sw_night *now,
		    const struct sw_night *before)
{
	struct sw_tally **tallies = sw_tallies_sorted(&now->tallies);
	int rc;

	*changes = (struct sw_changes){ 0 };
	if (!tallies)
		return -1;
	rc = compare_all(changes, tallies, now->tallies.count, before);
	free(tallies);
	if (rc == 0)
		keep_certain(changes);
	else
		sw_changes_fini(changes);
	return rc;
}

void sw_changes_fini(struct sw_changes *changes)
{
	free(changes->items);
	*changes = (struct sw_changes){ 0 };
}
