/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tovar's first allocation of least waste: the need a of those seen that
 * minimizes a * E[T] + largest * E[T; need > a], that is, the first allocation
 * and the second one of runs that did not fit.  Then the largest need and all
 * of the node; or doubling, in the variant with _x2.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/methods.h"
#include "advice/numbers.h"

struct group {
	struct sw_numbers needs, seconds;	/* sorted by need */
	double total_seconds;
	double first_bytes;		/* NAN: must be computed again */
	size_t first_count;		/* needs it was computed from */
};

static void fini(void *opaque)
{
	struct group *group = opaque;

	free(group->needs.items);
	free(group->seconds.items);
}

static int learn(void *opaque, struct sw_memory_site *site,
		 const struct sw_run *run)
{
	struct group *group = opaque;
	double seconds = run->elapsed_seconds > 0 ? run->elapsed_seconds : 0;
	long place;

	(void)site;
	place = sw_numbers_insert(&group->needs, run->need_bytes);
	if (place < 0 || sw_numbers_add(&group->seconds, seconds) < 0)
		return -1;
	memmove(&group->seconds.items[place + 1],
		&group->seconds.items[place],
		(group->seconds.count - 1 - (size_t)place) *
		sizeof(*group->seconds.items));
	group->seconds.items[place] = seconds;
	group->total_seconds += seconds;
	return 0;
}

/* If no run has a time, no allocation has the least waste: use the largest. */
static double find_first(const struct group *group)
{
	size_t count = group->needs.count, i;
	double total = group->total_seconds;
	double largest = group->needs.items[count - 1];
	double first = largest, least = largest * total, above = 0;

	for (i = count; i-- > 0;) {
		double need = group->needs.items[i];
		double waste = need * total + largest * above;

		/* An allocation of that size holds all equal needs. */
		if ((i + 1 == count || group->needs.items[i + 1] > need) &&
		    waste < least) {
			least = waste;
			first = need;
		}
		above += group->seconds.items[i];
	}
	return first;
}

/*
 * Examining all needs for each run would be quadratic: from 256 on, compute
 * again only when one in 256 is new.
 */
static double ask(void *opaque, const struct sw_asking *asking)
{
	struct group *group = opaque;

	(void)asking;
	if (!group->needs.count)
		return NAN;
	if (group->needs.count >
	    group->first_count + group->first_count / 256) {
		group->first_bytes = find_first(group);
		group->first_count = group->needs.count;
	}
	return group->first_bytes;
}

static double again(void *opaque, const struct sw_asking *asking)
{
	const struct group *group = opaque;
	double largest = 0;

	if (group->needs.count)
		largest = group->needs.items[group->needs.count - 1];
	return largest > asking->failed_bytes ? largest :
						asking->site->policy->cap_bytes;
}

const struct sw_method sw_method_tovar = {
	.name = "tovar",
	.title = "Tovar: least expected waste, then the largest seen",
	.source = "Tovar et al.: A job sizing strategy for high-throughput "
		  "scientific workflows, IEEE TPDS 29(2), 2018, equation 1",
	.group_size = sizeof(struct group),
	.fini = fini,
	.learn = learn,
	.ask = ask,
	.again = again,
};

const struct sw_method sw_method_tovar_x2 = {
	.name = "tovar_x2",
	.title = "Tovar: least expected waste, then doubled",
	.source = "as tovar, with the retries of Witt et al., HPCS 2019",
	.group_size = sizeof(struct group),
	.fini = fini,
	.learn = learn,
	.ask = ask,
};
