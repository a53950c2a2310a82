/* SPDX-License-Identifier: GPL-2.0-or-later */
/* time.near_limit: the run was close to its time limit. */
#include <math.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_time.h"
#include "common/units.h"

enum { MIN_USED_RATIO };

static int tell(const struct sw_time_use *use, double threshold,
		struct sw_findings *findings)
{
	struct sw_evidence evidence = { "elapsed / time limit", use->ratio,
					"ratio", threshold, SW_MISSING };
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "time.near_limit", SW_WARNING, 0.9,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	sw_finding_sentence(finding,
		"The run took %s of the %s requested and ended %s before its "
		"time limit. A somewhat longer run, of a larger input or on a "
		"busy node, is killed: request more time before the next one, "
		"or write checkpoints.", sw_duration_text(use->used_usec).s,
		sw_duration_text(use->limit_usec).s,
		sw_duration_text(use->limit_usec - use->used_usec).s);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct sw_time_use use;

	if (!sw_time_use_find(&use, view) || use.used_usec > use.limit_usec ||
	    use.ratio < setting[MIN_USED_RATIO])
		return 0;
	return tell(&use, setting[MIN_USED_RATIO], findings);
}

const struct sw_rule sw_rule_time_near_limit = {
	.id = "time.near_limit",
	.title = "Close to the time limit",
	.kind = SW_FINDING_FAILURE,
	.basis = SW_BASIS_RECORD,
	.meaning =
	"The job finished close to its time limit. At the limit Slurm sends "
	"SIGTERM and then SIGKILL (KillWait of slurm.conf), and results not "
	"yet written are lost.",
	.what_to_do =
	"Request more time, or let the program write checkpoints (sbatch "
	"--signal warns it before the limit).",
	.computed =
	"The elapsed time over the time limit (Slurm's record, or --time); "
	"reported from min_used_ratio on. A run that failed or reached its "
	"limit is not evaluated. Example: 55 minutes of an hour.",
	.needs = { { "steps", "start_usec" } },
	.is_of_request = true,
	.settings = {
		{ "min_used_ratio", 0.9, 0.1, 1,
		  "smallest share of the time limit that was used" },
	},
	.eval = eval,
	.blind_to = sw_time_use_unknown,
};
