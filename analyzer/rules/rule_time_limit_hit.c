/* SPDX-License-Identifier: GPL-2.0-or-later */
/* time.limit_hit: Slurm ended the run at its time limit. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_time.h"
#include "analyzer/view/bottleneck.h"
#include "common/units.h"

enum { MIN_IDLE_RATIO };

/* Source of the conclusion. */
enum proof { NO_PROOF, BY_TIME, BY_RECORD };

/* Return true if ended by one of the signals that Slurm sends at the limit. */
static bool was_ended(const struct sw_view *view)
{
	return view->state == SW_STATE_KILLED &&
	       (view->signal == SIGTERM || view->signal == SIGKILL);
}

static enum proof find_proof(const struct sw_view *view)
{
	uint64_t limit = sw_time_limit_usec(view);
	enum sw_job_state state = sw_record_state(view);

	/* Slurm's word, for or against. */
	if (sw_record_job_says(view, SW_JOB_TIMEOUT))
		return BY_RECORD;
	if (state)
		return state == SW_JOB_TIMEOUT ? BY_RECORD : NO_PROOF;
	if (!was_ended(view) || view->end_oom_kills > 0)
		return NO_PROOF;
	if (sw_view_is_past_limit(view))
		return BY_TIME;
	return !sw_is_missing(limit) && limit > 0 &&
			       !sw_is_missing(view->elapsed_usec) &&
			       view->elapsed_usec >= limit ? BY_TIME :
							     NO_PROOF;
}

/* Return the share of time spent on waits that more time does not help. */
static double waited(const struct sw_view *view)
{
	return fmax(0, sw_limits_ratio(&view->limits, SW_LIMITED_BY_WAITING)) +
	       fmax(0, sw_limits_ratio(&view->limits, SW_LIMITED_BY_LOCK));
}

static void say(struct sw_finding *finding, const struct sw_view *view,
		double idle, bool is_idle)
{
	uint64_t limit = sw_time_limit_usec(view);
	char at[64 + SW_UNITS_TEXT_SIZE] = "its time limit";

	if (!sw_is_missing(limit) && limit > 0)
		snprintf(at, sizeof(at), "its time limit of %s",
			 sw_duration_text(limit).s);
	if (is_idle)
		sw_finding_sentence(finding,
			"Slurm ended the run at %s; what it had not written is "
			"lost. It was idle for %.0f %% of the time: find out "
			"what it waited for before you request more time.",
			at, idle * 100);
	else
		sw_finding_sentence(finding,
			"Slurm ended the run at %s; what it had not written is "
			"lost. Request more time, or let the program write "
			"checkpoints and continue from the last one (sbatch "
			"--signal warns it before the limit).", at);
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	enum proof proof = find_proof(view);
	struct sw_finding *finding;
	double idle;

	if (proof == NO_PROOF)
		return 0;
	finding = sw_finding_add(findings, "time.limit_hit", SW_CRITICAL,
				 proof == BY_RECORD ? 1 : 0.8,
				 &(struct sw_evidence){
		"elapsed", sw_real_u64(view->elapsed_usec) / SW_USEC_PER_SEC,
		"seconds", sw_real_u64(sw_time_limit_usec(view)) /
		SW_USEC_PER_SEC, SW_MISSING });
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	idle = waited(view);
	say(finding, view, idle, idle >= setting[MIN_IDLE_RATIO]);
	return 0;
}

/* Irrelevant unless the run was killed. */
static const char *blind_to(const struct sw_view *view)
{
	if (was_ended(view) && !view->slurm.record &&
	    !view->slurm.job_record &&
	    sw_is_missing(sw_time_limit_usec(view)) &&
	    sw_is_missing(view->slurm.limit_realtime_usec))
		return "the time limit is not known";
	return NULL;
}

const struct sw_rule sw_rule_time_limit_hit = {
	.id = "time.limit_hit",
	.title = "Ended at the time limit",
	.kind = SW_FINDING_FAILURE,
	.basis = SW_BASIS_RECORD,
	.meaning =
	"The run needed more time than it had requested: at the time limit "
	"Slurm sends SIGTERM and, KillWait seconds later (slurm.conf), "
	"SIGKILL. Results not yet written are lost, with all the time they "
	"took.",
	.what_to_do =
	"Request more time; write checkpoints and continue from them (sbatch "
	"--signal=B:USR1@120 sends a signal two minutes before the limit); or "
	"see what limited the run.",
	.computed =
	"From the state in Slurm's record (TIMEOUT); where no record was read, "
	"from a run that one of these signals ended, without an OOM kill, when "
	"its time limit expired. Where no thread of the step ran for "
	"min_idle_ratio of the time, because it waited for a lock, a peer or a "
	"timer, more time would not help, and the finding says so. Example: "
	"SIGTERM after 10 min 00 s of 10 minutes.",
	.needs = { { "steps", "start_usec" } },
	.is_of_request = true,
	.settings = {
		{ "min_idle_ratio", 0.5, 0.1, 1,
		  "from this share of idle time on, more time is no advice" },
	},
	.eval = eval,
	.blind_to = blind_to,
};
