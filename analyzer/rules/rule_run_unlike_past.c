/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.unlike_past: the job differs from the runs of its group before it. */
#include "analyzer/compare/compare.h"
#include "analyzer/compare/difference_words.h"
#include "analyzer/rules/rule.h"
#include "analyzer/view/view_past.h"

/* The end of a run that failed is told before all findings. */
static const struct sw_difference *
first_news(const struct sw_comparison *comparison, size_t *first)
{
	*first = comparison->count > 0 &&
		 comparison->differences[0].kind == SW_DIFFERS_STATE;
	return *first < comparison->count ? &comparison->differences[*first]
					  : NULL;
}

static enum sw_severity severity_of(const struct sw_difference *difference,
				    bool is_incomplete)
{
	bool is_sure = difference->sure >= SW_SURE_LIKELY;

	if (is_incomplete)
		return is_sure ? SW_CRITICAL : SW_WARNING;
	return is_sure ? SW_WARNING : SW_INFO;
}

static void say(struct sw_finding *finding,
		const struct sw_comparison *comparison, size_t first,
		bool is_incomplete)
{
	char words[SW_SENTENCE_SIZE];

	sw_finding_sentence(finding, "Unlike the %zu good runs before it: %s%s",
			    comparison->taught,
			    sw_differences_words(words, sizeof(words),
						 comparison, first),
			    is_incomplete
				    ? " Its results may be incomplete: look at "
				      "them before you use them."
				    : "");
	sw_finding_reason(finding, SW_REASON_POSSIBLE, SW_MISSING,
			  "unlike its past: %s",
			  sw_difference_words(words, sizeof(words),
					      &comparison->differences[first]));
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_comparison *comparison =
		view->past ? view->past->comparison : NULL;
	const struct sw_difference *worst;
	struct sw_finding *finding;
	bool is_incomplete;
	size_t first;

	(void)setting;
	if (!comparison)
		return 0;
	worst = first_news(comparison, &first);
	if (!worst)
		return 0;
	is_incomplete = sw_difference_is_incomplete(comparison, worst);
	finding = sw_finding_add(findings, SW_RULE_UNLIKE_PAST,
				 severity_of(worst, is_incomplete),
				 1 - worst->p,
				 &(struct sw_evidence){
					 "history: runs compared with",
					 (double)comparison->taught, "count",
					 SW_EXPECTED_LEAST, SW_MISSING });
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"probability under chance", worst->p, "ratio", NAN,
		SW_MISSING });
	if (!is_incomplete)
		finding->kind = SW_FINDING_HINT;
	sw_finding_subject(finding, "job");
	say(finding, comparison, first, is_incomplete);
	return 0;
}

static const char *blind_to(const struct sw_view *view)
{
	static const char *const has[SW_EXPECTED_LEAST] = {
		"needs 5 successful runs like it, has none",
		"needs 5 successful runs like it, has 1",
		"needs 5 successful runs like it, has 2",
		"needs 5 successful runs like it, has 3",
		"needs 5 successful runs like it, has 4",
	};
	_Static_assert(SW_EXPECTED_LEAST == 5, "texts have the number");

	if (!view->past)
		return "no history of past runs was read";
	if (!view->past->comparison)
		return view->state == SW_STATE_UNKNOWN ?
			       "the end of the job is not known, or nothing was measured" :
			       "only whole jobs are compared, and parts of "
			       "this one are missing";
	return view->past->comparison->taught < SW_EXPECTED_LEAST
		       ? has[view->past->comparison->taught]
		       : NULL;
}

const struct sw_rule sw_rule_run_unlike_past = {
	.id = SW_RULE_UNLIKE_PAST,
	.title = "Unlike its past",
	.kind = SW_FINDING_RESULT,
	.basis = SW_BASIS_RECORD,
	.meaning =
	"The job differs from the successful runs of its group before it by "
	"more than these differ from each other. If a program did not run, "
	"ended as in none of them, or read, computed or wrote far less, the "
	"results may be incomplete, even if the job ended with status 0. If it "
	"only took longer or needed more, something around it may have "
	"changed; what did is named beside it, which proves no cause.",
	.what_to_do =
	"Look at the results and the error file before you use them. "
	"\"stepwell diff JOB\" shows the run beside its last good one. A change "
	"that you made yourself is reported until five runs in a row were like "
	"this one.",
	.computed =
	"From the history of past runs: the newest 64 of the same group that "
	"completed, had no finding of failure and did as much as those before "
	"them; five at least. Programs, their exit statuses and signals, processes, "
	"CPU time, bytes read and written, run times, need, and shares of the "
	"time by what limited it. What only this run did is reported by the "
	"share of runs that did something alone (conformal prediction); "
	"amounts by their distance from the median in units of the spread, for "
	"inputs of this size where STEPWELL_INPUT_BYTES is known, corrected for "
	"the number of comparisons (Holm). A difference that follows from "
	"another one is not counted: fewer bytes because a program did not run "
	"is one difference. Critical if results may be incomplete and the "
	"probability under chance is at most 0.05, else a warning; where only "
	"time or resources differ, a warning, else information.",
	.needs = { { "steps", "start_usec" } },
	.is_of_job = true,
	.eval = eval,
	.blind_to = blind_to,
};
