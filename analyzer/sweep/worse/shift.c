/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The change of a course that chance explains least. */
#include "analyzer/sweep/worse/shift.h"

#include <math.h>
#include <string.h>

#include "analyzer/sweep/worse/days.h"
#include "analyzer/sweep/worse/nights.h"

/* Less output may be missing output; less of anything else is no complaint. */
static bool is_worse(const struct sw_difference *difference)
{
	switch (difference->kind) {
	case SW_DIFFERS_STATE:
	case SW_DIFFERS_RATE:
	case SW_DIFFERS_ABSENT:
		return true;
	case SW_DIFFERS_LESS:
		return difference->program
			       ? difference->amount == SW_PROGRAM_WRITTEN_BYTES
			       : difference->amount == SW_STEP_WRITTEN_BYTES;
	case SW_DIFFERS_MORE:
		return !difference->program ||
		       difference->amount != SW_PROGRAM_COUNT;
	default:
		return false;
	}
}

static bool is_of_mount(const struct sw_difference *difference)
{
	return difference->kind == SW_DIFFERS_MORE && !difference->program &&
	       difference->amount == SW_STEP_MOUNT_USEC;
}

/* How long it took is what its user sees, whatever accounts for it. */
static bool is_time(const struct sw_difference *difference)
{
	return difference->kind == SW_DIFFERS_MORE && !difference->program &&
	       difference->amount == SW_STEP_ELAPSED_USEC;
}

/* Those that no other one accounts for come first. */
static void take(struct sw_shift *shift, const struct sw_course *course,
		 const struct sw_comparison *comparison, size_t days)
{
	double chance;
	size_t i;

	shift->p = 1;
	for (i = 0; i < comparison->count; i++) {
		const struct sw_difference *one = &comparison->differences[i];

		if (!is_worse(one) ||
		    !sw_nights_confirm(course, shift->first, one))
			continue;
		shift->is_of_mount |= is_of_mount(one);
		if (shift->count == SW_SHIFT_NAMED ||
		    (shift->count > 0 && i >= comparison->unexplained &&
		     !is_time(one)))
			continue;
		shift->worse[shift->count++] = *one;
		chance = fmax(one->p, sw_nights_chance(course, shift->first,
						       one));
		shift->p = fmin(shift->p, chance * (double)days);
	}
	memcpy(shift->environment, comparison->environment,
	       sizeof(shift->environment));
	shift->environment_count = comparison->environment_count;
}

static int compare_since(struct sw_shift *shift, const struct sw_course *course,
			 size_t first, size_t days)
{
	struct sw_comparison comparison;
	int rc = sw_compare_sets(&comparison, course->prints + first,
				 course->count - first, course->prints, first);

	*shift = (struct sw_shift){ .first = first };
	if (rc == 0)
		take(shift, course, &comparison, days);
	sw_comparison_fini(&comparison);
	return rc;
}

int sw_shift_find(struct sw_shift *shift, const struct sw_course *course,
		  bool *is_evaluated)
{
	size_t days[SW_DAYS_MAX], possible;
	int count = sw_days_find(course, days, &possible), i;
	struct sw_shift one;

	*shift = (struct sw_shift){ .p = 1 };
	*is_evaluated = possible > 0;
	for (i = 0; i < count; i++) {
		if (compare_since(&one, course, days[i], possible) < 0)
			return -1;
		if (one.count > 0 && (!shift->count || one.p < shift->p))
			*shift = one;
	}
	return count < 0 ? -1 : 0;
}
