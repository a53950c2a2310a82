/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences of the advice on memory. */
#include "advice/advise_memory.h"

#include <math.h>

#include "advice/text.h"
#include "common/units.h"

/* A smaller ratio to the largest error counts as equal to it. */
static const double least_above = 1.005;

/* Up to this ratio an input counts as no larger than the largest seen. */
static const double beyond_input = 1.05;

void sw_memory_withhold_few(const struct sw_memory_question *question,
			    struct sw_suggestion *suggestion)
{
	sw_suggestion_withhold_few(
		suggestion, question->ended, question->runs.count,
		question->policy->min_runs, "successful runs");
}

/* Input sizes are no remedy if they are known already, or not to be used. */
static bool would_inputs_help(const struct sw_memory_question *question)
{
	return question->policy->uses_input &&
	       !sw_runs_have_inputs(&question->runs);
}

void sw_memory_withhold_drift(const struct sw_memory_question *question,
			      struct sw_suggestion *suggestion)
{
	const struct sw_drift *drift = &question->drift;

	sw_suggestion_withhold(
		suggestion,
		would_inputs_help(question)
			? SW_REMEDY_OF_DRIFT SW_REMEDY_BY_INPUT
			: SW_REMEDY_OF_DRIFT,
		"the runs drift: they need %.2f times as much "
		"memory as before, and this has not settled (%s: "
		"p = %.1g)",
		drift->ratio, drift->test, drift->p);
}

void sw_memory_withhold_spread(const struct sw_memory_question *question,
			       struct sw_suggestion *suggestion)
{
	sw_suggestion_withhold(
		suggestion,
		would_inputs_help(question)
			? "input sizes, or job names that tell kinds of work "
			  "apart"
			: "job names that tell kinds of work apart",
		"nine in ten of the runs still differ by a factor "
		"of %.0f in the memory they need, and nothing "
		"known about them explains it",
		question->reason.spread);
}

static void say_statistic(const struct sw_memory_question *question,
			  double had, struct sw_suggestion *suggestion)
{
	char *const text = suggestion->statistic;
	const size_t size = sizeof(suggestion->statistic);

	if (suggestion->suggested == suggestion->current)
		sw_text_add(text, size, "the request as it is");
	else if (suggestion->suggested == question->bounds.proven_bytes)
		sw_text_add(text, size, "least request above it that was "
			    "enough");
	else
		sw_text_add(text, size, "%.1f times what was not enough",
			    suggestion->suggested / had);
}

/* Explain why the measured needs are not conclusive. */
static void say_unseen(const struct sw_memory_question *question,
		       struct sw_suggestion *suggestion)
{
	const struct sw_memory_bounds *bounds = &question->bounds;
	char *const why = suggestion->why;
	const size_t size = sizeof(suggestion->why);

	sw_text_add(why, size, ", although the largest need measured in any "
		    "other run is %s: brief peaks and shared memory (/dev/shm) "
		    "can escape the measurement, so advice rests on what runs "
		    "were given", sw_text_bytes(question->largest_bytes).s);
	if (bounds->proven_bytes > 0)
		sw_text_add(why, size, "; %s was enough for another run",
			    sw_text_bytes(bounds->proven_bytes).s);
}

static void say_others(const struct sw_memory_question *question, double had,
		       struct sw_suggestion *suggestion)
{
	struct sw_units_text largest = sw_text_bytes(question->largest_bytes);
	char *const why = suggestion->why;
	const size_t size = sizeof(suggestion->why);

	sw_text_add(why, size, ", so it %s more; how much is not known",
		    question->last->state == SW_RUN_OUT_OF_MEMORY ? "needs" :
		    "may need");
	if (question->largest_bytes > had)
		sw_text_add(why, size, "; others of this kind needed up to %s",
			    largest.s);
	else if (question->ended > 0)
		sw_text_add(why, size, "; the largest need of any other run "
			    "is %s", largest.s);
}

void sw_memory_say_killed(const struct sw_memory_question *question,
			  struct sw_suggestion *suggestion)
{
	bool is_last = sw_run_had_too_little(question->last);
	double had = is_last ? question->last->need_bytes :
		question->bounds.unseen_bytes;
	bool is_held = is_last &&
		question->last->state != SW_RUN_OUT_OF_MEMORY;

	say_statistic(question, had, suggestion);
	sw_text_add(suggestion->why, sizeof(suggestion->why),
		    is_held ? "%s was held at its limit with %s" :
		    "%s was killed when it had %s",
		    is_last ? "the last run" : "a run", sw_text_bytes(had).s);
	if (question->bounds.unseen_bytes > 0 && question->ended > 0)
		say_unseen(question, suggestion);
	else
		say_others(question, had, suggestion);
}

/* Append "+ 6 %" or "- 3 %"; nothing near 0. */
static void add_ratio(struct sw_suggestion *suggestion, double ratio)
{
	if (ratio < least_above && ratio > 1 / least_above)
		return;
	sw_text_add(suggestion->statistic, sizeof(suggestion->statistic),
		    " %c %s", ratio > 1 ? '+' : '-',
		    sw_text_percent(fabs(ratio - 1)).s);
}

void sw_memory_say_statistic(const struct sw_memory_question *question,
			     struct sw_suggestion *suggestion)
{
	const struct sw_memory_reason *reason = &question->reason;
	char *const text = suggestion->statistic;
	const size_t size = sizeof(suggestion->statistic);
	double share = 100 * (double)reason->fits / (double)reason->errors;

	bool is_of_needs = !reason->expert || reason->is_held ||
		reason->expert == &sw_memory_experts[SW_MEMORY_LARGEST] ||
		reason->expert == &sw_memory_experts[SW_MEMORY_LEVEL];
	bool is_above_all = reason->fits == reason->errors;

	if (is_of_needs && (is_above_all || suggestion->margin >= 1)) {
		sw_text_add(text, size, "largest of %zu runs",
			    suggestion->runs);
		add_ratio(suggestion, suggestion->margin);
	} else if (is_of_needs) {
		sw_text_add(text, size, "%.0f %% of %zu runs needed no more",
			    share, reason->errors);
	} else if (!is_above_all) {
		sw_text_add(text, size, "%s, plus its error in %.0f %% of %zu "
			    "runs", reason->expert->words, share,
			    reason->errors);
	} else {
		sw_text_add(text, size,
			    "%s, plus its largest error in %zu runs",
			    reason->expert->words, reason->errors);
		add_ratio(suggestion, reason->above_largest);
	}
}

/* Name the past runs behind the number, and its risk. */
void sw_memory_say_why(const struct sw_memory_question *question,
		       struct sw_suggestion *suggestion)
{
	const struct sw_memory_reason *reason = &question->reason;
	char *const why = suggestion->why;
	const size_t size = sizeof(suggestion->why);
	bool is_by_input = reason->expert && reason->expert->is_by_input;

	sw_text_add(why, size, "the largest need of %zu runs is %s",
		    suggestion->runs,
		    sw_text_bytes(question->largest_bytes).s);
	if (is_by_input)
		sw_text_add(why, size, reason->grows ?
			    "; memory grows with the input, which is %s now" :
			    "; the input is %s now, and memory hardly depends "
			    "on it",
			    sw_text_bytes(question->query->input_bytes).s);
	if (reason->beyond_input > beyond_input)
		sw_text_add(why, size, "; this input, %s, is %.1f times the "
			    "largest seen: an extrapolation that no run "
			    "confirms",
			    sw_text_bytes(question->query->input_bytes).s,
			    reason->beyond_input);
	sw_text_add(why, size, "; the next run%s needs more than %s with a "
		    "probability %s", is_by_input ? " of that input" : "",
		    sw_text_bytes(suggestion->suggested).s,
		    sw_text_chance(suggestion->risk).s);
	if (suggestion->margin < 1)
		sw_text_add(why, size, "; this is below the largest need seen, "
			    "because %s", is_by_input ?
			    "that run had a different input" :
			    "an occasional failure wastes less than a larger "
			    "request for all");
	if (question->from > 0)
		sw_text_add(why, size, "; older runs were ignored: since then, "
			    "runs need %.2f times as much",
			    question->drift.ratio);
}
