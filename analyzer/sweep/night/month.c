/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nights of groups, separately. */
#include "analyzer/sweep/night/month.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"

#define MIB_SECONDS_PER_GIB_HOUR (3600.0 * 1024)

/* Requests that differ by less are equal. */
#define SAME_RATIO 1.1

static struct sw_month_group *group_of(const struct sw_keyed_entry *entry)
{
	return (struct sw_month_group *)entry; /* its first member */
}

/* Texts of the key are at the same offsets as in the tally. */
static struct sw_month_group *find_or_add(struct sw_month *month,
					  const struct sw_tally *tally)
{
	size_t size = tally->entry.key_size;
	struct sw_month_group *group =
		sw_keyed_need(&month->groups, tally->key, size, sizeof(*group),
			      offsetof(struct sw_month_group, key));

	if (!group)
		return NULL;
	group->user = group->key + (tally->user - tally->key);
	group->label = group->key + (tally->label - tally->key);
	return group;
}

static struct sw_month_night night_of(const struct sw_tally *tally,
				      uint64_t from_seconds)
{
	const struct sw_quantiles *requests =
		&tally->sketch[SW_TALLY_REQUEST_MIB];
	struct sw_month_night night = {
		.from_seconds = from_seconds,
		.jobs = tally->n[SW_TALLY_JOBS],
		.out_of_memory = tally->n[SW_TALLY_OUT_OF_MEMORY],
		.mib_seconds = tally->n[SW_TALLY_MIB_SECONDS],
		.core_usec = tally->n[SW_TALLY_CORE_USEC],
		.out_of_memory_mib_seconds =
			tally->n[SW_TALLY_OUT_OF_MEMORY_MIB_SECONDS],
	};

	if (!requests->count)
		return night;
	night.least_mib = sw_quantiles_at(requests, 1, 20);
	night.median_mib = sw_quantiles_at(requests, 1, 2);
	night.most_mib = sw_quantiles_at(requests, 19, 20);
	return night;
}

int sw_month_add(struct sw_month *month, const struct sw_night *night)
{
	struct sw_month_group *group;
	size_t i;

	for (i = 0; i < night->tallies.room; i++) {
		const struct sw_tally *tally =
			(const struct sw_tally *)night->tallies.slots[i];

		if (!tally || tally->of != SW_TALLY_GROUP)
			continue;
		group = find_or_add(month, tally);
		if (!group || sw_grow(&group->nights, group->count,
				      sizeof(*group->nights)) < 0)
			return -1;
		group->nights[group->count++] =
			night_of(tally, night->from_seconds);
	}
	month->nights++;
	return 0;
}

static int compare_nights(const void *a, const void *b)
{
	const struct sw_month_night *one = a, *two = b;

	return (one->from_seconds > two->from_seconds) -
	       (one->from_seconds < two->from_seconds);
}

void sw_month_settle(struct sw_month *month)
{
	size_t i;

	for (i = 0; i < month->groups.room; i++) {
		struct sw_month_group *group;

		if (!month->groups.slots[i])
			continue;
		group = group_of(month->groups.slots[i]);
		qsort(group->nights, group->count, sizeof(*group->nights),
		      compare_nights);
	}
}

static void free_group(struct sw_keyed_entry *entry)
{
	free(group_of(entry)->nights);
	free(entry);
}

void sw_month_fini(struct sw_month *month)
{
	sw_keyed_fini(&month->groups, free_group);
	month->nights = 0;
}

const struct sw_month_group *sw_month_find(const struct sw_month *month,
					   const struct sw_tally *tally)
{
	struct sw_keyed_entry *entry = sw_keyed_find(&month->groups, tally->key,
						     tally->entry.key_size);

	return entry ? group_of(entry) : NULL;
}

static bool is_same(uint64_t one, uint64_t other)
{
	return (double)one <= SAME_RATIO * (double)other &&
	       (double)other <= SAME_RATIO * (double)one;
}

/* All of its jobs had the same, known request. */
static bool is_plain(const struct sw_month_night *night)
{
	return night->median_mib && is_same(night->least_mib, night->most_mib);
}

/*
 * Go backwards from *at through nights with the same request, skipping those
 * with several.  Return the request, or 0 at the end.
 */
static uint64_t go_back(const struct sw_month_group *group, size_t *at,
			void (*see)(struct sw_taken *taken,
				    const struct sw_month_night *night),
			struct sw_taken *taken)
{
	uint64_t request = 0;

	for (; *at > 0; --*at) {
		const struct sw_month_night *night = &group->nights[*at - 1];

		if (!is_plain(night))
			continue;
		if (request && !is_same(request, night->median_mib))
			break;
		request = night->median_mib;
		see(taken, night);
	}
	return request;
}

static void see_now(struct sw_taken *taken, const struct sw_month_night *night)
{
	taken->since_seconds = night->from_seconds;
	taken->now_jobs += night->jobs;
	taken->now_out_of_memory += night->out_of_memory;
	/* The factor for these is only known with the previous request. */
	taken->gib_hours += (double)night->mib_seconds -
			    (double)night->out_of_memory_mib_seconds;
}

static void see_before(struct sw_taken *taken,
		       const struct sw_month_night *night)
{
	taken->before_jobs += night->jobs;
	taken->before_out_of_memory += night->out_of_memory;
}

static double lost_since(const struct sw_month_group *group, uint64_t since)
{
	double lost = 0;
	size_t i;

	for (i = 0; i < group->count; i++) {
		if (group->nights[i].from_seconds >= since)
			lost += (double)group->nights[i]
					.out_of_memory_mib_seconds;
	}
	return lost;
}

/* True for a smaller request, with enough jobs before and after. */
static bool find_taken(const struct sw_month_group *group,
		       struct sw_taken *taken)
{
	size_t at = group->count;

	*taken = (struct sw_taken){ .group = group };
	taken->now_mib = go_back(group, &at, see_now, taken);
	taken->before_mib = go_back(group, &at, see_before, taken);
	if (!taken->now_mib || taken->before_mib <= taken->now_mib ||
	    taken->now_jobs < SW_MONTH_JOBS_MIN ||
	    taken->before_jobs < SW_MONTH_JOBS_MIN)
		return false;
	taken->gib_hours *=
		(double)taken->before_mib / (double)taken->now_mib - 1;
	taken->gib_hours -= lost_since(group, taken->since_seconds);
	taken->gib_hours /= MIB_SECONDS_PER_GIB_HOUR;
	return true;
}

static int compare_takens(const void *a, const void *b)
{
	const struct sw_taken *one = a, *two = b;
	int order = (one->gib_hours < two->gib_hours) -
		    (one->gib_hours > two->gib_hours);

	return order ? order
		     : sw_keyed_compare(&one->group->entry, &two->group->entry);
}

int sw_month_taken(const struct sw_month *month, struct sw_takens *takens)
{
	struct sw_taken taken;
	size_t i;

	*takens = (struct sw_takens){ NULL, 0 };
	for (i = 0; i < month->groups.room; i++) {
		if (!month->groups.slots[i] ||
		    !find_taken(group_of(month->groups.slots[i]), &taken))
			continue;
		if (sw_grow(&takens->items, takens->count,
			    sizeof(*takens->items)) < 0) {
			free(takens->items);
			*takens = (struct sw_takens){ NULL, 0 };
			return -1;
		}
		takens->items[takens->count++] = taken;
	}
	if (takens->count)
		qsort(takens->items, takens->count, sizeof(*takens->items),
		      compare_takens);
	return 0;
}
