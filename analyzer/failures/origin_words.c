/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sentence on what a failure coincides with, its counts, and a next run. */
#include "analyzer/failures/origin_words.h"

#include <math.h>
#include <time.h>

#include "common/text.h"
#include "common/units.h"

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void add_chance(char *buf, size_t size, double chance)
{
	double of = chance > 1e-6 ? 1 / chance : 1e6;

	sw_text_add(buf, size, " (%s1 in %s by chance)",
		    chance > 1e-6 ? "" : "less than ",
		    sw_count_text((uint64_t)of).s);
}

/* "2 of 2 attempts at sample S7 failed in this way, on 2 nodes" */
static void add_attempts(char *buf, size_t size, const struct sw_origin *origin,
			 const struct sw_origin_names *names)
{
	const struct sw_origin_count *attempts = &origin->attempts;

	sw_text_add(buf, size, "%s of %s attempt%s at ",
		    sw_count_text(attempts->failed).s,
		    sw_count_text(attempts->of).s, plural(attempts->of));
	if (*names->what)
		sw_text_add(buf, size, "%s %s", names->what, names->thing);
	else
		sw_text_add(buf, size, "this");
	sw_text_add(buf, size, " failed in this way");
	if (origin->attempt_nodes)
		sw_text_add(buf, size, ", on %s node%s",
			    sw_count_text(origin->attempt_nodes).s,
			    plural(origin->attempt_nodes));
}

static void add_others(char *buf, size_t size, const struct sw_origin *origin)
{
	const struct sw_origin_count *others = &origin->others;

	if (!others->of) {
		sw_text_add(buf, size,
			    "no others are known to have run since "
			    "then");
		return;
	}
	sw_text_add(buf, size, "%s of %s run%s of others since then did not",
		    sw_count_text(others->of - others->failed).s,
		    sw_count_text(others->of).s, plural(others->of));
}

static void add_input(char *buf, size_t size, const struct sw_origin *origin,
		      const struct sw_origin_names *names)
{
	add_attempts(buf, size, origin, names);
	if (!origin->attempt_nodes)
		sw_text_add(buf, size, " (on which nodes is not known)");
	sw_text_add(buf, size, ", and ");
	add_others(buf, size, origin);
	sw_text_add(buf, size, ": its input");
	add_chance(buf, size, origin->chance);
}

static void add_place(char *buf, size_t size, const struct sw_origin *origin,
		      const struct sw_origin_names *names)
{
	static const char *const before[] = {
		[SW_ORIGIN_ON_NODE] = "on node ",
		[SW_ORIGIN_ON_MOUNT] = "on other nodes, with ",
		[SW_ORIGIN_ON_KIND] = "on other nodes of kind ",
	};
	static const char *const rest[] = {
		[SW_ORIGIN_ON_NODE] = "on other nodes",
		[SW_ORIGIN_ON_MOUNT] = "with other mounts",
		[SW_ORIGIN_ON_KIND] = "on other kinds",
	};
	const struct sw_origin_count *here = &origin->here;

	sw_text_add(buf, size,
		    "%s of %s run%s of others %s%s failed in this way as well, "
		    "and %s of %s %s: its %s",
		    sw_count_text(here->failed).s, sw_count_text(here->of).s,
		    plural(here->of), before[origin->place],
		    names->place[origin->place],
		    sw_count_text(origin->elsewhere.failed).s,
		    sw_count_text(origin->elsewhere.of).s, rest[origin->place],
		    sw_origin_word(origin));
	add_chance(buf, size, origin->chance);
}

/* "since 2026-11-02 14:00 9 of 9 runs of others failed in this way" */
static void add_since(char *buf, size_t size, const struct sw_origin *origin,
		      const char *word)
{
	time_t since = (time_t)origin->since_seconds;
	char when[32] = "?";
	struct tm tm;

	if (localtime_r(&since, &tm))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &tm);
	sw_text_add(buf, size, "%s %s %s of %s run%s of others", word, when,
		    sw_count_text(origin->since.failed).s,
		    sw_count_text(origin->since.of).s,
		    plural(origin->since.of));
	sw_text_add(buf, size, " failed in this way");
	if (origin->since_nodes > 1)
		sw_text_add(buf, size, ", on %s nodes with this one",
			    sw_count_text(origin->since_nodes).s);
	sw_text_add(buf, size, ", and %s of %s before",
		    sw_count_text(origin->before.failed).s,
		    sw_count_text(origin->before.of).s);
}

static void add_program(char *buf, size_t size, const struct sw_origin *origin)
{
	add_since(buf, size, origin, "Since");
	sw_text_add(buf, size, ": the program, or what changed with it");
	add_chance(buf, size, origin->chance);
}

static void add_request(char *buf, size_t size, const struct sw_origin *origin)
{
	bool is_time = origin->answer == SW_ORIGIN_TIME;
	struct sw_units_text text;

	if (isnan(origin->requested))
		text = (struct sw_units_text){ "what was requested" };
	else if (is_time)
		text = sw_duration_text(
			(uint64_t)(origin->requested * SW_USEC_PER_SEC));
	else
		text = sw_size_text((uint64_t)origin->requested);
	sw_text_add(buf, size, "It %s %s, ",
		    is_time ? "hit its time limit of"
			    : "ran out of memory with",
		    text.s);
	if (is_time)
		sw_text_add(
			buf, size, "of which others took up to %s, ",
			sw_duration_text((uint64_t)(origin->longest_seconds *
						    SW_USEC_PER_SEC))
				.s);
	sw_text_add(buf, size, "and ");
	add_others(buf, size, origin);
	sw_text_add(buf, size, ": its request");
}

static void add_far_limit(char *buf, size_t size,
			  const struct sw_origin *origin)
{
	if (isnan(origin->longest_seconds))
		sw_text_add(buf, size,
			    "no run with that limit is known to "
			    "have succeeded");
	else
		sw_text_add(
			buf, size,
			"others took at most %s, so that it may have hung",
			sw_duration_text((uint64_t)(origin->longest_seconds *
						    SW_USEC_PER_SEC))
				.s);
}

/* Why it cannot be told, after "... cannot be told: ". */
static void add_why(char *buf, size_t size, const struct sw_origin *origin,
		    const struct sw_origin_names *names)
{
	switch (origin->why) {
	case SW_ORIGIN_NO_THING:
		sw_text_add(buf, size,
			    "it is not known what each run of the "
			    "group processed");
		break;
	case SW_ORIGIN_NO_OTHERS:
		sw_text_add(buf, size, "too few runs of others are known");
		break;
	case SW_ORIGIN_PASSED:
		add_attempts(buf, size, origin, names);
		break;
	case SW_ORIGIN_ONE_NODE:
		add_attempts(buf, size, origin, names);
		sw_text_add(buf, size, ", and no others ran there");
		break;
	case SW_ORIGIN_NO_NODES:
		add_since(buf, size, origin, "since");
		sw_text_add(buf, size, ", on nodes that are not known");
		break;
	case SW_ORIGIN_TWO:
		sw_text_add(buf, size, "more than one of them is likely");
		break;
	case SW_ORIGIN_FAR_LIMIT:
		add_far_limit(buf, size, origin);
		break;
	case SW_ORIGIN_ONE_TRY:
	case SW_ORIGIN_CHANCE:
		add_attempts(buf, size, origin, names);
		sw_text_add(buf, size, ", and ");
		add_others(buf, size, origin);
		break;
	}
}

static const char *again_words(const struct sw_origin *origin)
{
	switch (origin->again) {
	case SW_ORIGIN_AGAIN_ELSEWHERE:
		return "Run it again as it is, on another node.";
	case SW_ORIGIN_AGAIN_ONCE:
		return "Run it again once as it is, if possible on another "
		       "node: that would tell.";
	case SW_ORIGIN_AGAIN_DONE:
		return "It succeeded when it was run again.";
	default:
		break;
	}
	switch (origin->answer) {
	case SW_ORIGIN_INPUT:
		return "Do not run it again before the input was checked.";
	case SW_ORIGIN_PROGRAM:
		return "Do not run it again before what changed was found.";
	case SW_ORIGIN_MEMORY:
		return "Run it again with more memory, not as it is.";
	case SW_ORIGIN_TIME:
		return "Run it again with more time, not as it is.";
	default:
		return "Do not run it again before the cause was found.";
	}
}

char *sw_origin_words(char *buf, size_t size, const struct sw_origin *origin,
		      const struct sw_origin_names *names)
{
	buf[0] = '\0';
	switch (origin->answer) {
	case SW_ORIGIN_INPUT:
		add_input(buf, size, origin, names);
		break;
	case SW_ORIGIN_PLACE:
		add_place(buf, size, origin, names);
		break;
	case SW_ORIGIN_PROGRAM:
		add_program(buf, size, origin);
		break;
	case SW_ORIGIN_MEMORY:
	case SW_ORIGIN_TIME:
		add_request(buf, size, origin);
		break;
	case SW_ORIGIN_UNTOLD:
		sw_text_add(buf, size,
			    "Input, node or program cannot be "
			    "told: ");
		add_why(buf, size, origin, names);
		break;
	}
	sw_text_add(buf, size, ". %s", again_words(origin));
	return buf;
}

const char *sw_origin_word(const struct sw_origin *origin)
{
	static const char *const places[] = {
		[SW_ORIGIN_ON_NODE] = "node",
		[SW_ORIGIN_ON_MOUNT] = "mount",
		[SW_ORIGIN_ON_KIND] = "node kind",
	};
	static const char *const words[] = {
		[SW_ORIGIN_UNTOLD] = "not known",
		[SW_ORIGIN_INPUT] = "input",
		[SW_ORIGIN_PROGRAM] = "program",
		[SW_ORIGIN_MEMORY] = "request",
		[SW_ORIGIN_TIME] = "request",
	};

	return origin->answer == SW_ORIGIN_PLACE ? places[origin->place]
						 : words[origin->answer];
}
