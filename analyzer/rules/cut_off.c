/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that Slurm killed because their step had ended: when the last task
 * of a step ends on a node, slurmstepd kills the processes left there.  Not
 * evaluated unless the ends of the tasks are known.
 */
#include "analyzer/rules/cut_off.h"

#include <signal.h>
#include <string.h>

#include "analyzer/rules/rule_program.h"
#include "common/delta.h"
#include "common/units.h"

/* Return SW_MISSING if the end of any task is unknown. */
static uint64_t tasks_end_usec(const struct sw_view *view)
{
	uint64_t end_usec = SW_MISSING;
	size_t i;

	for (i = 0; i < view->task_count; i++) {
		if (sw_is_missing(view->tasks[i].end_usec))
			return SW_MISSING;
		end_usec = sw_max_u64(end_usec, view->tasks[i].end_usec);
	}
	return end_usec;
}

bool sw_program_is_cut_off(const struct sw_view *view,
			   const struct sw_view_program *program,
			   uint64_t killed, uint64_t kill_usec)
{
	uint64_t end_usec = tasks_end_usec(view);
	bool is_ended = view->state == SW_STATE_KILLED &&
			(view->signal == SIGTERM || view->signal == SIGKILL);

	return view->slurm.is_slurm && !sw_is_missing(end_usec) &&
	       !sw_is_missing(kill_usec) &&
	       kill_usec + (is_ended ? SW_AT_ONCE_USEC : 0) >= end_usec &&
	       sw_zero_if_missing(program->killed_by_other) >= killed;
}

int sw_cut_off_tell(const struct sw_view *view,
		    const struct sw_view_program *program, uint64_t killed,
		    uint64_t kill_usec, struct sw_findings *findings)
{
	bool is_script = !strcmp(sw_text(view->step_id), "batch");
	/* A process left behind on purpose may be a helper. */
	bool is_step = sw_program_is_messenger(program->name);
	struct sw_evidence evidence = {
		"processes killed after the end of the last task",
		(double)killed,
		"count",
		1,
		kill_usec,
	};
	char name[SW_FINDING_NAME_SIZE];
	struct sw_finding *finding;

	if (view->state != SW_STATE_COMPLETED ||
	    (is_step && view->slurm.is_told_by_step))
		return 0;
	finding = sw_finding_add(findings, "program.killed",
				 is_step ? SW_CRITICAL : SW_WARNING, 0.9,
				 &evidence);
	if (!finding)
		return -1;
	finding->title = is_script ? "The script did not wait for a program"
				   : "A task did not wait for a program";
	sw_finding_subject(finding, "program %s", program->name);
	sw_finding_name(name, sizeof(name), program->name);
	sw_finding_reason(finding, SW_REASON_LIKELY, kill_usec,
			  "Slurm ended %s with the %s, which did not wait for "
			  "it",
			  name, is_script ? "script" : "step's tasks");
	sw_finding_sentence(finding,
			    "%s still ran when the %s ended, and Slurm "
			    "ends a %s with its %s: it was cut off. Put "
			    "\"wait\" behind what %s in the background (&).",
			    name, is_script ? "batch script" : "step's tasks",
			    is_script ? "job" : "step",
			    is_script ? "script" : "tasks",
			    is_script ? "the script starts" : "a task starts");
	return 0;
}
