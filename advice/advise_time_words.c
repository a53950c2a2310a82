/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences of the advice on time. */
#include "advice/advise_time.h"

#include <math.h>

#include "advice/text.h"
#include "common/units.h"

void sw_time_withhold_few(const struct sw_time_question *question,
			  struct sw_suggestion *suggestion)
{
	const struct sw_time_runs *times = &question->times;
	size_t all = times->count + times->left_out + times->hung;

	sw_suggestion_withhold_few(suggestion, times->ends, all,
				   question->policy->min_runs,
				   "runs that finish by themselves");
}

void sw_time_withhold_hung(const struct sw_time_question *question,
			   struct sw_suggestion *suggestion)
{
	size_t hung = question->times.hung;

	sw_suggestion_withhold(
		suggestion, "finding out what it waited for: see \"stepwell "
		"report\"",
		"%zu run%s did next to no work until %s ended: more time would "
		"not help", hung, hung == 1 ? "" : "s",
		hung == 1 ? "it was" : "they were");
}

void sw_time_withhold_drift(const struct sw_time_question *question,
			    struct sw_suggestion *suggestion)
{
	const struct sw_drift *drift = &question->drift;

	sw_suggestion_withhold(
		suggestion,
		question->policy->uses_input && !question->times.has_inputs
			? SW_REMEDY_OF_DRIFT SW_REMEDY_BY_INPUT
			: SW_REMEDY_OF_DRIFT,
		"the runs drift: their median time is %.2f times "
		"what it was, and has not settled (%s: p = %.1g)",
		drift->ratio, drift->test, drift->p);
}

void sw_time_say_statistic(const struct sw_time_question *question,
			   const struct sw_time_limit *limit,
			   struct sw_suggestion *suggestion)
{
	if (limit->is_of_alike) {
		sw_text_add(suggestion->statistic,
			    sizeof(suggestion->statistic),
			    "longest of %zu runs that hardly differ + %s",
			    suggestion->runs,
			    sw_text_percent(suggestion->margin - 1).s);
		return;
	}
	sw_text_add(suggestion->statistic, sizeof(suggestion->statistic),
		    "%s quantile %s of %zu runs%s",
		    sw_text_percent(1 - question->risk).s,
		    limit->is_fitted ? "of a tail fitted to the longest quarter" :
		    "by rank", suggestion->runs,
		    limit->is_by_input ? ", by input size" : "");
}

/* State usual and longest run times, and what the site's scheduling gains. */
void sw_time_say_why(const struct sw_time_question *question,
		     struct sw_suggestion *suggestion)
{
	char *const why = suggestion->why;
	const size_t size = sizeof(suggestion->why);
	double gain = suggestion->current / suggestion->suggested;

	sw_text_add(why, size, "half of %zu runs took %s or less, the longest "
		    "%s", suggestion->runs,
		    sw_text_seconds(question->median_seconds).s,
		    sw_text_seconds(question->largest_seconds).s);
	sw_text_add(why, size, "; the next one takes longer than %s with a "
		    "probability %s",
		    sw_text_seconds(suggestion->suggested).s,
		    sw_text_chance(suggestion->risk).s);
	if (suggestion->margin < 1)
		sw_text_add(why, size, "; this is below the longest run seen, "
			    "as the chosen risk allows");
	if (gain > 1)
		sw_text_add(why, size, "; backfill can start it in gaps %.1f "
			    "times as short", gain);
	if (question->unused_before > 0 && gain > 1)
		sw_text_add(why, size, "; %s of the unused core-hours would "
			    "remain",
			    sw_text_percent(question->unused_after /
					    question->unused_before).s);
	if (question->from > 0)
		sw_text_add(why, size, "; %zu older runs were ignored: since "
			    "then, runs take %.2f times as long",
			    question->from, question->drift.ratio);
}

void sw_time_withhold_input(const struct sw_time_question *question,
			    double largest_bytes,
			    struct sw_suggestion *suggestion)
{
	sw_suggestion_withhold(
		suggestion, "runs with inputs of that size",
		"the input is %s and the largest of these runs "
		"had %s, so none of them shows how long it takes",
		sw_text_bytes(question->query->input_bytes).s,
		sw_text_bytes(largest_bytes).s);
}

/* Report that more than the current limit would be needed, if known. */
void sw_time_withhold_risk(const struct sw_time_question *question,
			   double seconds, struct sw_suggestion *suggestion)
{
	struct sw_units_text risk = sw_text_percent(question->risk);
	double now = sw_time_model_above(&question->model, suggestion->current,
					 question->query->input_bytes);

	if (isnan(suggestion->current) || isnan(seconds))
		sw_suggestion_withhold(suggestion, "more runs, or another risk",
				       "%zu runs are too few, or their times "
				       "differ too much, for a risk of %s",
				       suggestion->runs, risk.s);
	else
		sw_suggestion_withhold(
			suggestion, "more runs, or another risk",
			"for a risk of %s, these %zu runs suggest "
			"%s, more than the current request, which "
			"has been enough; its risk is %s, as far "
			"as known",
			risk.s, suggestion->runs, sw_text_seconds(seconds).s,
			sw_text_percent(now).s);
}
