/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scheduling of stack captures. */
#include "recorder/stacks/turns.h"

#include "common/delta.h"

enum { PERMILLE = 1000 };

/* CPU time owed by all, by a user and by a job, and their child processes. */
struct sums {
	uint64_t usec, user_usec, job_usec;
	unsigned children, user_children, user_jobs;
};

static uint64_t held_usec(const struct sw_turns_owing *owing)
{
	return owing->usec + owing->children * SW_TURNS_CHILD_USEC;
}

static struct sums add_up(const struct sw_turns *turns, uint32_t uid,
			  uint32_t job)
{
	struct sums sums = { 0 };
	size_t i;

	for (i = 0; i < turns->count; i++) {
		const struct sw_turns_owing *owing = &turns->owing[i];

		sums.usec += held_usec(owing);
		sums.children += owing->children;
		if (owing->uid != uid)
			continue;
		sums.user_usec += held_usec(owing);
		sums.user_children += owing->children + owing->stuck;
		sums.user_jobs++;
		if (owing->job == job)
			sums.job_usec = held_usec(owing);
	}
	return sums;
}

/* Return the entry of the job, or any of a user with many jobs.  NULL: full. */
static struct sw_turns_owing *need(struct sw_turns *turns, uint32_t uid,
				   uint32_t job)
{
	struct sw_turns_owing *other = NULL;
	unsigned jobs = 0;
	size_t i;

	for (i = 0; i < turns->count; i++) {
		if (turns->owing[i].uid != uid)
			continue;
		if (turns->owing[i].job == job)
			return &turns->owing[i];
		other = &turns->owing[i];
		jobs++;
	}
	if (turns->count == SW_TURNS_OWING_MAX || jobs >= SW_TURNS_JOBS_MAX)
		return other;
	other = &turns->owing[turns->count++];
	*other = (struct sw_turns_owing){ .uid = uid, .job = job };
	return other;
}

static void forget_settled(struct sw_turns *turns)
{
	size_t i = 0;

	while (i < turns->count) {
		const struct sw_turns_owing *owing = &turns->owing[i];

		if (owing->usec || owing->children || owing->stuck)
			i++;
		else
			turns->owing[i] = turns->owing[--turns->count];
	}
}

static size_t count_owing(const struct sw_turns *turns)
{
	size_t i, count = 0;

	for (i = 0; i < turns->count; i++)
		count += turns->owing[i].usec > 0;
	return count;
}

/* Pay equal parts, as long as there is enough for each. */
static void pay(struct sw_turns *turns, uint64_t usec)
{
	size_t count, i;
	uint64_t part;

	while ((count = count_owing(turns)) > 0 && usec >= count) {
		part = usec / count;
		usec -= part * count;
		for (i = 0; i < turns->count; i++) {
			struct sw_turns_owing *owing = &turns->owing[i];

			if (!owing->usec)
				continue;
			/* Distribute the excess to the others. */
			usec += sw_excess_u64(part, owing->usec);
			owing->usec = sw_excess_u64(owing->usec, part);
		}
	}
	forget_settled(turns);
}

static void pay_until(struct sw_turns *turns, uint64_t now_usec)
{
	uint64_t income = sw_excess_u64(now_usec, turns->now_usec) *
				  turns->rate_permille + turns->rest;

	turns->rest = income % PERMILLE;
	turns->now_usec = now_usec;
	pay(turns, income / PERMILLE);
}

bool sw_turns_take(struct sw_turns *turns, uint32_t uid, uint32_t job,
		   uint64_t now_usec)
{
	struct sw_turns_owing *owing;
	struct sums sums;
	uint64_t left;

	pay_until(turns, now_usec);
	sums = add_up(turns, uid, job);
	if (sums.children == SW_TURNS_AT_ONCE ||
	    sums.user_children >= SW_TURNS_OF_USER ||
	    (sums.user_children && sums.children == SW_TURNS_AT_ONCE - 1))
		return false;
	left = sw_excess_u64(SW_TURNS_USEC, sums.usec);
	if (sums.user_usec + sums.job_usec + SW_TURNS_CHILD_USEC > left)
		return false;
	owing = need(turns, uid, job);
	if (!owing)
		return false;
	owing->children++;
	return true;
}

/* Return the job with such a child, or another of its user, see need(). */
static struct sw_turns_owing *find(struct sw_turns *turns, uint32_t uid,
				   uint32_t job, bool is_stuck)
{
	struct sw_turns_owing *found = NULL;
	size_t i;

	for (i = 0; i < turns->count; i++) {
		struct sw_turns_owing *owing = &turns->owing[i];

		if (owing->uid != uid ||
		    !(is_stuck ? owing->stuck : owing->children))
			continue;
		if (owing->job == job)
			return owing;
		found = owing;
	}
	return found;
}

void sw_turns_give(struct sw_turns *turns, uint32_t uid, uint32_t job,
		   uint64_t used_usec)
{
	struct sw_turns_owing *owing = find(turns, uid, job, false);

	if (!owing)
		return;
	owing->children--;
	owing->usec += used_usec;
}

void sw_turns_set_stuck(struct sw_turns *turns, uint32_t uid, uint32_t job)
{
	struct sw_turns_owing *owing = find(turns, uid, job, false);

	if (!owing)
		return;
	owing->children--;
	owing->stuck++;
}

void sw_turns_end_stuck(struct sw_turns *turns, uint32_t uid, uint32_t job,
			uint64_t used_usec)
{
	struct sw_turns_owing *owing = find(turns, uid, job, true);

	if (!owing)
		return;
	owing->stuck--;
	owing->usec += used_usec;
}

uint64_t sw_turns_owed_usec(struct sw_turns *turns, uint64_t now_usec)
{
	uint64_t usec = 0;
	size_t i;

	pay_until(turns, now_usec);
	for (i = 0; i < turns->count; i++)
		usec += turns->owing[i].usec;
	return usec;
}
