/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thirty ways to fail, with retries, arrays, noise, and too little to tell. */
#include "test/unit/analyzer/failures/origin_plants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY   86400.0
#define NOW   1.8e9
#define LIMIT 14400.0
#define GB    1e9

const struct plant plants[] = {
	{ "input: of an array", SW_ORIGIN_INPUT, .things = 47, .nodes = 6,
	  .bad_things = 1, .tries = 2 },
	{ "input: tried three times", SW_ORIGIN_INPUT, .things = 24, .nodes = 4,
	  .days = 1, .bad_things = 1, .tries = 3 },
	{ "input: two of them", SW_ORIGIN_INPUT, .things = 60, .nodes = 8,
	  .days = 2, .bad_things = 2, .tries = 3 },
	{ "input: and noise", SW_ORIGIN_INPUT, .things = 200, .nodes = 8,
	  .days = 3, .bad_things = 1, .tries = 4, .noise = 0.02 },
	{ "input: retries stay on a node", SW_ORIGIN_INPUT, .things = 60,
	  .nodes = 3, .days = 1, .bad_things = 1, .tries = 3,
	  .is_sticky = true },
	{ "input: nodes are not known", SW_ORIGIN_INPUT, .things = 80,
	  .nodes = 6, .days = 1, .bad_things = 1, .tries = 4,
	  .has_no_nodes = true },
	{ "input: asked at once", SW_ORIGIN_INPUT, .things = 100, .nodes = 5,
	  .days = 1, .bad_things = 1, .tries = 3, .is_asked_early = true },
	{ "input: many of an array", SW_ORIGIN_INPUT, .things = 300,
	  .nodes = 12, .bad_things = 4, .tries = 3, .noise = 0.01 },
	{ "input: weeks of runs", SW_ORIGIN_INPUT, .things = 400, .nodes = 9,
	  .days = 21, .bad_things = 1, .tries = 3, .noise = 0.01 },
	{ "input: tried once", SW_ORIGIN_INPUT, .things = 50, .nodes = 5,
	  .days = 1, .bad_things = 1, .tries = 1 },
	{ "node: all fail", SW_ORIGIN_PLACE, .things = 90, .nodes = 6,
	  .days = 1, .tries = 2, .node_rate = 1 },
	{ "node: most fail", SW_ORIGIN_PLACE, .things = 120, .nodes = 6,
	  .days = 1, .tries = 2, .node_rate = 0.8 },
	{ "node: and noise", SW_ORIGIN_PLACE, .things = 200, .nodes = 8,
	  .days = 1, .tries = 3, .node_rate = 1, .noise = 0.02 },
	{ "node: not tried again", SW_ORIGIN_PLACE, .things = 90, .nodes = 5,
	  .days = 1, .tries = 1, .node_rate = 1 },
	{ "node: of an array", SW_ORIGIN_PLACE, .things = 96, .nodes = 8,
	  .tries = 3, .node_rate = 1 },
	{ "node: an array, tried once", SW_ORIGIN_PLACE, .things = 96,
	  .nodes = 8, .tries = 1, .node_rate = 1 },
	{ "node: its kind", SW_ORIGIN_PLACE, .things = 150, .nodes = 8,
	  .days = 1, .tries = 2, .kind_rate = 1 },
	{ "node: its mount", SW_ORIGIN_PLACE, .things = 150, .nodes = 9,
	  .days = 1, .tries = 2, .mount_rate = 1 },
	{ "node: retries stay there", SW_ORIGIN_PLACE, .things = 120,
	  .nodes = 4, .days = 1, .tries = 4, .node_rate = 1,
	  .is_sticky = true },
	{ "node: few runs", SW_ORIGIN_PLACE, .things = 20, .nodes = 5,
	  .days = 1, .tries = 2, .node_rate = 1 },
	{ "program: all fail", SW_ORIGIN_PROGRAM, .things = 120, .nodes = 6,
	  .days = 4, .tries = 1, .program_rate = 1 },
	{ "program: with retries", SW_ORIGIN_PROGRAM, .things = 120, .nodes = 6,
	  .days = 3, .tries = 3, .program_rate = 1, .noise = 0.01 },
	{ "program: most fail", SW_ORIGIN_PROGRAM, .things = 200, .nodes = 8,
	  .days = 4, .tries = 2, .program_rate = 0.9 },
	{ "program: nodes are not known", SW_ORIGIN_PROGRAM, .things = 100,
	  .nodes = 5, .days = 4, .tries = 2, .program_rate = 1,
	  .has_no_nodes = true },
	{ "request: memory", SW_ORIGIN_MEMORY, .things = 40, .nodes = 4,
	  .days = 2, .bad_things = 1, .tries = 2,
	  .request = SW_RUN_OUT_OF_MEMORY },
	{ "request: time", SW_ORIGIN_TIME, .things = 40, .nodes = 4, .days = 2,
	  .bad_things = 1, .tries = 2, .request = SW_RUN_TIMEOUT, .used = 0.8 },
	{ "two at once", SW_ORIGIN_UNTOLD, .things = 90, .nodes = 3, .days = 1,
	  .bad_things = 1, .tries = 4, .node_rate = 1, .is_sticky = true },
	{ "too little", SW_ORIGIN_UNTOLD, .things = 4, .nodes = 3, .days = 1,
	  .bad_things = 1, .tries = 1 },
	{ "noise alone", SW_ORIGIN_UNTOLD, .things = 150, .nodes = 6, .days = 2,
	  .tries = 3, .noise = 0.02 },
	{ "things are not known", SW_ORIGIN_UNTOLD, .things = 60, .nodes = 4,
	  .days = 1, .bad_things = 1, .tries = 3, .has_no_things = true },
};

const size_t plant_count = sizeof(plants) / sizeof(plants[0]);

/* splitmix64 of S. Vigna, public domain. */
static double draw(struct planted *planted)
{
	uint64_t z = planted->random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static unsigned draw_below(struct planted *planted, unsigned count)
{
	return (unsigned)(draw(planted) * count);
}

struct running {
	const struct plant *plant;
	struct planted *planted;
	double since; /* something is wrong from then on */
	unsigned thing, node;
	double at;
};

/* Does it fail by what was planted? */
static bool is_hit(const struct running *running)
{
	const struct plant *plant = running->plant;
	double rate = 0;

	if (running->thing < plant->bad_things)
		return true;
	if (running->at < running->since)
		return false;
	if (running->node == 0)
		rate = plant->node_rate;
	rate = fmax(rate, running->node % 2 == 0 ? plant->kind_rate : 0);
	rate = fmax(rate, running->node % 3 == 0 ? plant->mount_rate : 0);
	rate = fmax(rate, plant->program_rate);
	return draw(running->planted) < rate;
}

static void put_texts(const struct running *running, size_t at)
{
	struct planted *planted = running->planted;
	char(*text)[PLANT_TEXT] = planted->texts[at];
	unsigned i;

	for (i = 0; i < 1 + SW_ORIGIN_PLACES; i++)
		text[i][0] = '\0';
	if (!running->plant->has_no_things)
		snprintf(text[0], PLANT_TEXT, "S%u", running->thing);
	if (!running->plant->has_no_nodes) {
		snprintf(text[1], PLANT_TEXT, "n%u", running->node);
		snprintf(text[2], PLANT_TEXT, "/m%u", running->node % 3);
		snprintf(text[3], PLANT_TEXT, "kind %u", running->node % 2);
	}
	planted->attempts[at].thing = text[0];
	for (i = 0; i < SW_ORIGIN_PLACES; i++)
		planted->attempts[at].place[i] = text[1 + i];
}

/* Return true if it failed. */
static bool run_once(const struct running *running)
{
	const struct plant *plant = running->plant;
	struct planted *planted = running->planted;
	struct sw_origin_attempt *attempt = &planted->attempts[planted->count];
	bool is_hurt = is_hit(running);
	bool is_noise = !is_hurt && draw(planted) < plant->noise;
	double used = (plant->used > 0 ? plant->used : 0.2) * LIMIT;

	*attempt = (struct sw_origin_attempt){
		.start_seconds = running->at,
		.end_seconds = running->at + used * (0.6 + 0.4 * draw(planted)),
		.state = SW_RUN_COMPLETED,
		.requested_bytes = 4 * GB,
		.requested_seconds = LIMIT,
		.count = 1,
	};
	if (is_hurt)
		attempt->state =
			plant->request ? plant->request : SW_RUN_FAILED;
	if (is_noise)
		attempt->state = SW_RUN_FAILED;
	if (is_hurt || is_noise)
		attempt->exit_code = is_noise && draw(planted) < 0.5 ? 2 : 1;
	if (attempt->state == SW_RUN_TIMEOUT)
		attempt->end_seconds = running->at + LIMIT;
	put_texts(running, planted->count);
	/* The last failure that was planted, or else any. */
	if (is_hurt || (plant->truth == SW_ORIGIN_UNTOLD && is_noise))
		planted->own = planted->count;
	planted->count++;
	return is_hurt || is_noise;
}

static void run_thing(struct running *running)
{
	const struct plant *plant = running->plant;
	struct planted *planted = running->planted;
	bool is_again = false;
	unsigned i;

	for (i = 0; i < plant->tries && planted->count < PLANT_ATTEMPTS; i++) {
		if (!is_again || !plant->is_sticky || draw(planted) < 0.3)
			running->node = draw_below(planted, plant->nodes);
		if (!run_once(running))
			break;
		is_again = true;
		running->at =
			planted->attempts[planted->count - 1].end_seconds +
			3000 * draw(planted);
	}
}

static int by_start(const void *left, const void *right)
{
	const struct sw_origin_attempt *a = left, *b = right;

	return (a->start_seconds > b->start_seconds) -
	       (a->start_seconds < b->start_seconds);
}

/* Bad things come last but are asked about: their own failure is the last. */
static void choose_own(struct planted *planted, const struct plant *plant)
{
	struct sw_origin_attempt own = planted->attempts[planted->own];
	size_t i;

	qsort(planted->attempts, planted->count, sizeof(own), by_start);
	for (i = 0; i < planted->count; i++) {
		if (planted->attempts[i].thing == own.thing)
			planted->own = i;
	}
	if (plant->is_asked_early)
		planted->count = planted->own + 1;
}

/* Both are only at work in a run of a bad thing on the bad node. */
static bool is_of_both(const struct planted *planted, double since)
{
	const struct sw_origin_attempt *own = &planted->attempts[planted->own];
	bool is_elsewhere = false;
	size_t i;

	for (i = 0; i < planted->count; i++)
		is_elsewhere |=
			!strcmp(planted->attempts[i].thing, own->thing) &&
			strcmp(planted->attempts[i].place[0], "n0") != 0;
	return is_elsewhere && !strcmp(own->place[0], "n0") &&
	       own->start_seconds >= since;
}

bool plant_draw(struct planted *planted, const struct plant *plant,
		uint64_t seed)
{
	struct running running = { .plant = plant, .planted = planted };
	double length = plant->days * DAY; /* 0: an array */
	unsigned i;

	planted->random = seed;
	planted->count = 0;
	planted->own = PLANT_ATTEMPTS;
	running.since = NOW - (0.2 + 0.3 * draw(planted)) * length;
	for (i = plant->things; i-- > 0;) {
		running.thing = i;
		running.at = NOW + 3 * draw(planted) - draw(planted) * length;
		run_thing(&running);
	}
	if (planted->own == PLANT_ATTEMPTS)
		return false;
	choose_own(planted, plant);
	return !plant->bad_things || plant->node_rate <= 0 ||
	       is_of_both(planted, running.since);
}
