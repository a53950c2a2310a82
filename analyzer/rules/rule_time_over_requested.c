/* SPDX-License-Identifier: GPL-2.0-or-later */
/* time.over_requested: the run took a small part of the time requested. */
#include <math.h>

#include "advice/suggestion.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_time.h"
#include "common/units.h"

enum { MAX_USED_RATIO, MIN_UNUSED_MINUTES };

static int tell(const struct sw_time_use *use, double threshold,
		struct sw_findings *findings)
{
	struct sw_evidence evidence = { "elapsed / time limit", use->ratio,
					"ratio", threshold, SW_MISSING };
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "time.over_requested", SW_INFO, 0.9,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	sw_finding_sentence(finding,
		"The run took %s of the %s requested. Jobs with a shorter "
		"limit can start earlier, in gaps before other jobs",
		sw_duration_text(use->used_usec).s,
		sw_duration_text(use->limit_usec).s);
	sw_finding_remedy(finding, SW_RESOURCE_TIME,
			  "; --time=%.0f would have been enough for this run.",
			  floor((double)use->used_usec / SW_USEC_PER_SEC /
				60) + 1);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct sw_time_use use;

	if (!sw_time_use_find(&use, view) || use.used_usec > use.limit_usec ||
	    use.ratio > setting[MAX_USED_RATIO] ||
	    (double)(use.limit_usec - use.used_usec) <
		    setting[MIN_UNUSED_MINUTES] * 60 * SW_USEC_PER_SEC)
		return 0;
	return tell(&use, setting[MAX_USED_RATIO], findings);
}

const struct sw_rule sw_rule_time_over_requested = {
	.id = "time.over_requested",
	.title = "Time requested and not used",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_RECORD,
	.meaning =
	"The job ended long before its time limit. That costs no CPU time, but "
	"jobs with a long limit start later: the scheduler fills gaps before "
	"the start of other jobs with those that promise to end in time "
	"(backfill; A. W. Mu'alem and D. G. Feitelson, IEEE Transactions on "
	"Parallel and Distributed Systems 12 (2001) 529-543).",
	.what_to_do =
	"Request what such runs take, with a margin; stepwell suggest computes "
	"it from past runs.",
	.computed =
	"The elapsed time over the time limit (Slurm's record, or --time). "
	"Reported at max_used_ratio or less if min_unused_minutes were left. A "
	"run that failed or was killed says nothing about the time that it "
	"needs and is not evaluated. Example: 10 minutes of 12 hours.",
	.needs = { { "steps", "start_usec" } },
	.is_of_request = true,
	.settings = {
		{ "max_used_ratio", 0.5, 0.01, 1,
		  "largest share of the time limit that was used" },
		{ "min_unused_minutes", 10, 0, 1e6,
		  "with less left it is not reported" },
	},
	.eval = eval,
	.blind_to = sw_time_use_unknown,
};
