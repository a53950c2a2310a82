/* SPDX-License-Identifier: GPL-2.0-or-later */
/* retry.futile: the previous run had this request and ended in the same way. */
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "analyzer/view/view_past.h"
#include "common/text.h"

enum { MIN_REPEATS };

/* Format "ended with exit status 3", "ran out of memory". */
static void end_words(char *buf, size_t size, const struct sw_view *view)
{
	if (view->past->is_out_of_memory)
		snprintf(buf, size, "ran out of memory");
	else if (!sw_is_missing(view->signal) && view->signal)
		snprintf(buf, size, "was killed by signal %llu",
			 (unsigned long long)view->signal);
	else if (!sw_is_missing(view->exit_code))
		snprintf(buf, size, "ended with exit status %llu",
			 (unsigned long long)view->exit_code);
	else
		snprintf(buf, size, "failed");
}

static void retry_words(char *buf, size_t size, const struct sw_view_past *past)
{
	char job[SW_FINDING_NAME_SIZE];

	if (past->is_requeued)
		snprintf(buf, size, "as it had before it was requeued");
	else
		snprintf(buf, size,
			 "as job %s had, with the same request and "
			 "submitted %llu s after its end",
			 sw_finding_name(job, sizeof(job), past->job_before),
			 (unsigned long long)past->pause_seconds);
}

static void say(struct sw_finding *finding, const struct sw_view *view)
{
	const struct sw_view_past *past = view->past;
	char end[64], retry[SW_FINDING_NAME_SIZE + 128], waste[64];

	end_words(end, sizeof(end), view);
	retry_words(retry, sizeof(retry), past);
	sw_finding_sentence(finding, "This run %s, %s.", end, retry);
	if (past->repeats > 2)
		sw_text_add(finding->sentence, sizeof(finding->sentence),
			    " %zu runs in a row ended so.", past->repeats);
	if (!isnan(finding->wasted_core_hours))
		sw_text_add(finding->sentence, sizeof(finding->sentence),
			    " The ones before had %s.",
			    sw_waste_words(waste, sizeof(waste),
					   finding->wasted_core_hours, "core"));
	sw_text_add(finding->sentence, sizeof(finding->sentence),
		    " Find the cause before it is tried again.");
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_past *past = view->past;
	struct sw_finding *finding;

	if (!past || !past->is_repeat ||
	    (double)past->repeats - 1 < setting[MIN_REPEATS])
		return 0;
	finding = sw_finding_add(
		findings, "retry.futile", SW_WARNING, 0.8,
		&(struct sw_evidence){ "history: runs with the same end",
				       (double)past->repeats - 1, "count",
				       setting[MIN_REPEATS], SW_MISSING });
	if (!finding)
		return -1;
	sw_finding_subject(finding, "job");
	sw_finding_waste_past(finding, past);
	say(finding, view);
	return 0;
}

/* Irrelevant unless the run failed. */
static const char *blind_to(const struct sw_view *view)
{
	return !view->past && (view->state == SW_STATE_FAILED ||
			       view->state == SW_STATE_KILLED) ?
		"no history of past runs was read" : NULL;
}

const struct sw_rule sw_rule_retry_futile = {
	.id = "retry.futile",
	.title = "A retry that repeats a failure",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_RECORD,
	.meaning =
	"The run before this one failed in the same way, with the same "
	"request, and this one was submitted as soon as that one had ended: "
	"too soon for a user to have changed much. Such retries keep failing "
	"until the cause is found.",
	.what_to_do =
	"Read the other findings and the job's error file for the cause. Let "
	"the workflow system retry only where it can help: with more memory "
	"after exit status 137, more time after a time limit, another node "
	"after a node's failure.",
	.computed =
	"From the history of past runs: those of the same user, group, job "
	"name and array element, with the same partition, CPUs, memory and "
	"time limit, of which one failed, and the next, a requeue of it or "
	"submitted within 30 s (at_once_seconds of the section retries in "
	"stepwell.yaml(5)), ended with the same exit status, or ran out of "
	"memory as well. Reported from min_repeats repeats on. The time of "
	"submission is known where Slurm's accounting was imported with the "
	"column Submit (stepwell-import(1)); otherwise only requeues count, of "
	"runs that failed by Slurm's record. Nothing is reported where several "
	"jobs of that name existed at the same time, or where a run used 80 % "
	"of its time limit and the next one may have continued from a "
	"checkpoint. It is unknown whether the script was changed.",
	.needs = { { "steps", "start_usec" } },
	.is_of_request = true,
	.settings = {
		{ "min_repeats", 1, 1, 100,
		  "repeats of the same end from which on it fires" },
	},
	.eval = eval,
	.blind_to = blind_to,
};
