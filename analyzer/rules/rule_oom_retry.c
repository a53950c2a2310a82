/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oom.retry: earlier runs of the job ran out of their requested memory. */
#include <math.h>
#include <stdio.h>

#include "advice/suggestion.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_oom.h"
#include "analyzer/view/view_past.h"
#include "common/text.h"
#include "common/units.h"

enum { MIN_RETRIES };

/* Format "4.0 GiB, 8.0 GiB and 16.0 GiB". */
static char *requests(char *buf, size_t size, const struct sw_view_past *past)
{
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < past->request_count; i++)
		sw_text_add(buf, size, "%s%s",
			    i == 0 ? "" : i + 1 < past->request_count ? ", " :
			    " and ",
			    sw_size_text(past->requested_bytes[i]).s);
	return buf;
}

static const char *end_words(const struct sw_view_past *past)
{
	return past->is_out_of_memory ? "ran out of it, too"
	       : past->has_completed  ? "completed"
				      : "did not complete either";
}

/* Return true if it completed and no run with as much memory failed. */
static bool was_enough(const struct sw_view_past *past)
{
	size_t i;

	for (i = 0; i < past->request_count; i++) {
		if (past->requested_bytes[i] >= past->memory_bytes)
			return false;
	}
	return past->has_completed;
}

static void say(struct sw_finding *finding, const struct sw_view_past *past)
{
	char before[SW_PAST_REQUESTS * SW_UNITS_TEXT_SIZE], waste[64];
	const char *runs = past->request_count == 1 ? "run" : "runs";

	sw_finding_sentence(
		finding,
		"The %s before this one ran out of memory with %s; this one "
		"had %s and %s.",
		runs, requests(before, sizeof(before), past),
		sw_size_text(past->memory_bytes).s, end_words(past));
	if (!isnan(finding->wasted_core_hours))
		sw_text_add(finding->sentence, sizeof(finding->sentence),
			    " The runs that did not complete used %s.",
			    sw_waste_words(waste, sizeof(waste),
					   finding->wasted_core_hours, "core"));
	if (was_enough(past))
		sw_finding_remedy(finding, SW_RESOURCE_MEMORY,
				  " %s from the start would have been enough.",
				  sw_size_text(past->memory_bytes).s);
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_past *past = view->past;
	struct sw_finding *finding;

	if (!past || !past->has_more_memory ||
	    (double)past->request_count < setting[MIN_RETRIES])
		return 0;
	finding = sw_finding_add(
		findings, "oom.retry", SW_WARNING, 0.8,
		&(struct sw_evidence){ "history: out of memory",
				       (double)past->request_count, "count",
				       setting[MIN_RETRIES], SW_MISSING });
	if (!finding)
		return -1;
	sw_finding_evidence(
		finding,
		&(struct sw_evidence){
			"memory requested before",
			(double)past->requested_bytes[past->request_count - 1],
			"bytes", (double)past->memory_bytes, SW_MISSING });
	sw_finding_subject(finding, "job");
	sw_finding_waste_past(finding, past);
	say(finding, past);
	return 0;
}

/* Irrelevant for a run that is known not to have run out of memory. */
static const char *blind_to(const struct sw_view *view)
{
	return !view->past && (sw_oom_happened(view) ||
			       sw_is_missing(view->memory.oom_kills)) ?
		"no history of past runs was read" : NULL;
}

const struct sw_rule sw_rule_oom_retry = {
	.id = "oom.retry",
	.title = "Tried again with more memory",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_RECORD,
	.meaning =
	"Earlier runs of this job ran out of memory, and each was retried with "
	"a larger request. The work of the killed runs was lost.",
	.what_to_do =
	"Request from the start what was enough in the end, as \"stepwell "
	"suggest\" does from all past runs. If only few of many tasks need "
	"that much, let the workflow system raise the request of a retry in "
	"larger steps, so that fewer retries are needed.",
	.computed =
	"From the history of past runs: those of the same user, group, job "
	"name and array element, of which one ran out of memory, and the next, "
	"submitted at most three days later, requested more. Nothing is "
	"reported where several jobs of that name existed at the same time, "
	"since it is then unknown which run is a retry of which. Reported from "
	"min_retries such runs on. It is unknown whether they had the same "
	"input and the same script. The section retries of stepwell.yaml(5) "
	"defines a retry.",
	.needs = { { "steps", "start_usec" } },
	.is_of_request = true,
	.settings = {
		{ "min_retries", 1, 1, 100,
		  "runs that ran out of memory before, from which on it fires" },
	},
	.eval = eval,
	.blind_to = blind_to,
};
