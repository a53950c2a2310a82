/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sort kinds of nodes by cost, without a prediction. */
#include "advice/node_kinds.h"

#include <math.h>

#include "advice/text.h"

static const double hour = 3600;

double sw_node_share(const struct sw_node_kind *kind,
		     const struct sw_node_need *need)
{
	double share =
		fmax(need->cpus / kind->cpus, need->bytes / kind->memory_bytes);

	if (need->gpus > 0)
		share = fmax(share, kind->gpus > 0 ? need->gpus / kind->gpus
						   : INFINITY);
	return share;
}

/* Describe why the work does not fit; "" if it does. */
static void find_obstacle(const struct sw_node_need *need,
			  const struct sw_node_kind *kind, char *why)
{
	const size_t size = SW_NODE_WHY_SIZE;

	*why = '\0';
	if (need->bytes > kind->memory_bytes)
		sw_text_add(why, size, "needs %s of memory, has %s",
			    sw_text_bytes(need->bytes).s,
			    sw_text_bytes(kind->memory_bytes).s);
	else if (need->cpus > kind->cpus)
		sw_text_add(why, size, "needs %.0f CPUs, has %.0f", need->cpus,
			    kind->cpus);
	else if (need->gpus > 0 && !(kind->gpus > 0))
		sw_text_add(why, size, "needs %.0f GPUs, has none", need->gpus);
	else if (need->gpus > kind->gpus)
		sw_text_add(why, size, "needs %.0f GPUs, has %.0f", need->gpus,
			    kind->gpus);
}

static struct sw_kind_choice choice_of(const struct sw_kind_question *question,
				       size_t i)
{
	const struct sw_node_kind *kind = &question->kinds[i];
	double nodes = question->nodes >= 1 ? question->nodes : 1;
	struct sw_kind_choice choice = {
		.kind = i,
		.share = NAN,
		.hour_cost = NAN,
		.runs = question->seen ? question->seen[i].runs : 0,
		.seconds = NAN,
		.run_cost = NAN,
	};

	find_obstacle(&question->need, kind, choice.obstacle);
	choice.fits = !*choice.obstacle;
	if (choice.runs >= SW_KIND_RUNS_MIN)
		choice.seconds = question->seen[i].median_seconds;
	if (!choice.fits)
		return choice;
	choice.share =
		question->is_whole ? 1 : sw_node_share(kind, &question->need);
	choice.hour_cost = kind->hour_price * choice.share * nodes;
	choice.run_cost = choice.hour_cost * choice.seconds / hour;
	return choice;
}

/* Sorts NAN after all numbers. */
static bool is_less(double one, double other)
{
	return isnan(other) ? !isnan(one) : one < other;
}

static bool is_before(const struct sw_kind_choice *one,
		      const struct sw_kind_choice *other)
{
	if (one->fits != other->fits)
		return one->fits;
	return is_less(one->hour_cost, other->hour_cost);
}

/* Insertion sort: a site has few kinds, and equals keep their order. */
void sw_node_kinds_choose(const struct sw_kind_question *question,
			  struct sw_kind_choice *choices)
{
	for (size_t i = 0; i < question->count; i++) {
		struct sw_kind_choice choice = choice_of(question, i);
		size_t at = i;

		for (; at > 0 && is_before(&choice, &choices[at - 1]); at--)
			choices[at] = choices[at - 1];
		choices[at] = choice;
	}
}

const struct sw_kind_choice *
sw_node_kinds_best(const struct sw_kind_choice *choices, size_t count)
{
	const struct sw_kind_choice *best = NULL;
	size_t compared = 0;

	for (size_t i = 0; i < count; i++) {
		const struct sw_kind_choice *choice = &choices[i];

		if (!choice->fits || isnan(choice->seconds))
			continue;
		compared++;
		if (!best || is_less(choice->run_cost, best->run_cost) ||
		    (isnan(choice->run_cost) && isnan(best->run_cost) &&
		     choice->seconds < best->seconds))
			best = choice;
	}
	return compared > 1 ? best : NULL;
}
