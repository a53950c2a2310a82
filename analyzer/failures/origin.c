/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choose an answer from the tests, or say why there is none. */
#include "analyzer/failures/origin.h"

#include <errno.h>
#include <math.h>

#include "analyzer/failures/origin_tests.h"

enum { OTHERS_MIN = 5, MANY_TRIES = 3 };

/* Below this share of the limit, more time is not what was missing. */
#define NEAR_LIMIT 0.5

enum { INPUT, PROGRAM, NODE, TESTS = NODE + SW_ORIGIN_PLACES };

struct asking {
	const struct sw_origin_attempt *own;
	struct sw_origin_units units;
	struct sw_origin_streak streak;
	struct sw_origin_test tests[TESTS];
	/* Counts of each place; those of the answer are copied. */
	struct sw_origin places[SW_ORIGIN_PLACES];
	bool is_shown[TESTS];
	size_t shown;
};

static int ask(struct asking *asking, struct sw_origin *origin)
{
	size_t i;

	asking->streak = sw_origin_streak(&asking->units);
	asking->tests[INPUT] =
		sw_origin_test_input(&asking->units, &asking->streak, origin);
	asking->tests[PROGRAM] = sw_origin_test_program(&asking->units, origin);
	for (i = 0; i < SW_ORIGIN_PLACES; i++) {
		if (sw_origin_test_place(&asking->tests[NODE + i],
					 &asking->units, &asking->streak,
					 (enum sw_origin_place)i,
					 &asking->places[i]) < 0)
			return -1;
	}
	return 0;
}

static void correct(struct asking *asking)
{
	size_t i, possible = 0;

	for (i = 0; i < TESTS; i++)
		possible += asking->tests[i].is_possible;
	for (i = 0; i < TESTS; i++) {
		struct sw_origin_test *test = &asking->tests[i];

		test->p = fmin(1, test->p * (double)possible);
		asking->is_shown[i] = test->is_possible && test->is_met &&
				      test->p <= SW_ORIGIN_CHANCE_MAX;
	}
	/*
	 * A mount, or a kind, of which other nodes fail explains the node, and
	 * attempts that all were there.
	 */
	for (i = SW_ORIGIN_ON_MOUNT; i < SW_ORIGIN_PLACES; i++) {
		if (!asking->is_shown[NODE + i])
			continue;
		asking->is_shown[NODE] = false;
		if (!asking->streak.again_at_other[i])
			asking->is_shown[INPUT] = false;
	}
	for (i = 0; i < TESTS; i++)
		asking->shown += asking->is_shown[i];
}

static size_t first_shown(const struct asking *asking)
{
	size_t i = 0;

	while (!asking->is_shown[i])
		i++;
	return i;
}

/* True if another answer is likely as well, which would not be seen. */
static bool is_doubtful(const struct asking *asking, size_t shown)
{
	if (shown == INPUT)
		return asking->tests[NODE].is_likely ||
		       asking->tests[PROGRAM].is_likely;
	if (shown >= NODE)
		return asking->streak.again_at_other[shown - NODE] ||
		       asking->tests[PROGRAM].is_likely;
	return asking->streak.recovery != NULL;
}

static void put_place(struct sw_origin *origin, const struct asking *asking,
		      size_t place)
{
	origin->place = (enum sw_origin_place)place;
	origin->here = asking->places[place].here;
	origin->elsewhere = asking->places[place].elsewhere;
}

static void answer(struct sw_origin *origin, const struct asking *asking)
{
	size_t shown = first_shown(asking);

	origin->chance = asking->tests[shown].p;
	origin->again = SW_ORIGIN_AGAIN_NOT;
	if (shown == INPUT)
		origin->answer = SW_ORIGIN_INPUT;
	else if (shown == PROGRAM)
		origin->answer = SW_ORIGIN_PROGRAM;
	else
		origin->answer = SW_ORIGIN_PLACE;
	if (shown < NODE)
		return;
	put_place(origin, asking, shown - NODE);
	origin->again = asking->streak.recovery ? SW_ORIGIN_AGAIN_DONE
						: SW_ORIGIN_AGAIN_ELSEWHERE;
}

static void untold(struct sw_origin *origin, enum sw_origin_why why,
		   enum sw_origin_again again)
{
	origin->answer = SW_ORIGIN_UNTOLD;
	origin->why = why;
	origin->again = again;
}

static bool is_one_node(const struct asking *asking)
{
	return asking->streak.again && asking->streak.nodes == 1 &&
	       asking->places[SW_ORIGIN_ON_NODE].here.of == 0;
}

/* Why nothing is shown, and whether another attempt would show it. */
static void explain(struct sw_origin *origin, const struct asking *asking)
{
	const struct sw_origin_streak *streak = &asking->streak;

	if (streak->recovery)
		untold(origin, SW_ORIGIN_PASSED, SW_ORIGIN_AGAIN_DONE);
	else if (asking->tests[PROGRAM].is_likely && origin->since_nodes < 2 &&
		 asking->tests[PROGRAM].p <= SW_ORIGIN_CHANCE_MAX)
		untold(origin, SW_ORIGIN_NO_NODES, SW_ORIGIN_AGAIN_NOT);
	else if (sw_is_missing(asking->units.own.thing))
		untold(origin, SW_ORIGIN_NO_THING, SW_ORIGIN_AGAIN_ONCE);
	else if (asking->units.other_count < OTHERS_MIN)
		untold(origin, SW_ORIGIN_NO_OTHERS, SW_ORIGIN_AGAIN_ONCE);
	else if (is_one_node(asking))
		untold(origin, SW_ORIGIN_ONE_NODE, SW_ORIGIN_AGAIN_ELSEWHERE);
	else if (!streak->again)
		untold(origin, SW_ORIGIN_ONE_TRY, SW_ORIGIN_AGAIN_ONCE);
	else
		untold(origin, SW_ORIGIN_CHANCE,
		       streak->again + 1 < MANY_TRIES ? SW_ORIGIN_AGAIN_ONCE
						      : SW_ORIGIN_AGAIN_NOT);
}

/* The longest successful run with a limit that is no longer. */
static double longest(const struct sw_origin_attempt *attempts, size_t count,
		      double limit)
{
	double longest = NAN, elapsed;
	size_t i;

	for (i = 0; i < count; i++) {
		elapsed = attempts[i].end_seconds - attempts[i].start_seconds;
		if (attempts[i].state == SW_RUN_COMPLETED && elapsed >= 0 &&
		    !(attempts[i].requested_seconds > limit))
			longest = fmax(longest, elapsed);
	}
	return longest;
}

/* What ran out of its request, unless something else is shown. */
static void judge_request(struct sw_origin *origin, const struct asking *asking,
			  const struct sw_origin_attempt *attempts,
			  size_t count)
{
	bool is_time = asking->own->state == SW_RUN_TIMEOUT;
	size_t other = asking->shown - asking->is_shown[INPUT];

	origin->requested = is_time ? asking->own->requested_seconds
				    : asking->own->requested_bytes;
	if (other) {
		untold(origin, SW_ORIGIN_TWO, SW_ORIGIN_AGAIN_NOT);
		return;
	}
	if (is_time)
		origin->longest_seconds =
			longest(attempts, count, origin->requested);
	if (is_time &&
	    !(origin->longest_seconds >= NEAR_LIMIT * origin->requested)) {
		untold(origin, SW_ORIGIN_FAR_LIMIT, SW_ORIGIN_AGAIN_NOT);
		return;
	}
	origin->answer = is_time ? SW_ORIGIN_TIME : SW_ORIGIN_MEMORY;
	origin->again = SW_ORIGIN_AGAIN_NOT;
}

static void judge(struct sw_origin *origin, const struct asking *asking,
		  const struct sw_origin_attempt *attempts, size_t count)
{
	put_place(origin, asking, SW_ORIGIN_ON_NODE);
	if (asking->own->state != SW_RUN_FAILED)
		judge_request(origin, asking, attempts, count);
	else if (asking->shown == 0)
		explain(origin, asking);
	else if (asking->shown > 1 || is_doubtful(asking, first_shown(asking)))
		untold(origin, SW_ORIGIN_TWO, SW_ORIGIN_AGAIN_NOT);
	else
		answer(origin, asking);
}

int sw_origin_find(struct sw_origin *origin,
		   const struct sw_origin_attempt *attempts, size_t count,
		   size_t own)
{
	struct asking asking = { .own = &attempts[own] };
	int rc;

	*origin = (struct sw_origin){
		.since_seconds = NAN,
		.requested = NAN,
		.longest_seconds = NAN,
		.chance = NAN,
	};
	rc = sw_origin_units_init(&asking.units, attempts, count, own);
	if (rc == 0)
		rc = ask(&asking, origin);
	if (rc == 0) {
		correct(&asking);
		judge(origin, &asking, attempts, count);
	}
	sw_origin_units_fini(&asking.units);
	errno = rc < 0 ? ENOMEM : errno;
	return rc;
}
