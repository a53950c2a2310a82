/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a step or job did not succeed, for the first line of its report. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "analyzer/job/job_record.h"
#include "analyzer/job/script_steps.h"
#include "analyzer/report/words.h"
#include "analyzer/rules/rule_program.h"
#include "common/delta.h"
#include "common/text.h"
#include "common/units.h"

/* A failure this close to the end of a killed step may follow from that. */
#define ENDED_USEC (5 * SW_USEC_PER_SEC)

/* Return true if a process of the job sent that signal. */
static bool has_killed_itself(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		if (view->programs[i].last_signal == view->signal &&
		    sw_zero_if_missing(view->programs[i].killed_by_job) > 0)
			return true;
	}
	return false;
}

/* Slurm ends jobs in this way; used if its record was not read. */
static bool was_ended_by_signal(const struct sw_view *view)
{
	return view->slurm.is_slurm && view->state == SW_STATE_KILLED &&
	       (view->signal == SIGTERM || view->signal == SIGKILL) &&
	       !view->end_oom_kills && !has_killed_itself(view);
}

/* Ended by Slurm, its user or the node, not by one of its programs. */
static bool was_ended(const struct sw_view *view)
{
	enum sw_job_state state = sw_record_state(view);

	if (!state)
		return sw_view_is_past_limit(view) || was_ended_by_signal(view);
	return sw_job_state_is_ended_from_outside(state);
}

bool sw_has_no_success(const struct sw_view *view)
{
	return sw_record_has_failed(view) || view->end_oom_kills > 0 ||
	       was_ended(view);
}

/* Also without Slurm. */
static bool has_hit_limit(const struct sw_findings *findings)
{
	size_t i;

	for (i = 0; i < findings->count; i++) {
		if (!strcmp(findings->items[i].id, "time.limit_hit"))
			return true;
	}
	return false;
}

/* Exclude what ended together with the step, or as a consequence. */
static bool is_before_end(const struct sw_finding *finding,
			  const struct sw_view *view)
{
	uint64_t end_usec = sw_view_realtime_usec(view, view->end_usec);
	uint64_t before = sw_delta_u64(end_usec, finding->reason_usec);

	return !sw_is_missing(before) && before > ENDED_USEC;
}

const struct sw_finding *sw_find_reason(const struct sw_result *result)
{
	const struct sw_findings *findings = &result->findings;
	const struct sw_view *view = result->view;
	const struct sw_finding *best = NULL;
	bool is_ended = was_ended(view) || has_hit_limit(findings);
	size_t i;

	for (i = 0; i < findings->count; i++) {
		const struct sw_finding *finding = &findings->items[i];

		if (finding->severity == SW_INFO ||
		    finding->reason == SW_REASON_NONE ||
		    (is_ended && strncmp(finding->id, "oom.", 4) != 0 &&
		     !is_before_end(finding, view)))
			continue;
		if (!best || finding->reason > best->reason)
			best = finding;
	}
	return best;
}

/* The first task to fail; tasks that were ended because of it come later. */
static const struct sw_view_task *first_failed_task(const struct sw_view *view)
{
	const struct sw_view_task *first = NULL;
	size_t i;

	for (i = 0; i < view->task_count; i++) {
		const struct sw_view_task *task = &view->tasks[i];

		if (sw_is_missing(task->wait_status) || !task->wait_status)
			continue;
		if (!first || task->end_usec < first->end_usec)
			first = task;
	}
	return first;
}

/* ", task 3" if the step has several */
static void add_task(char *buf, size_t size, const struct sw_view *view)
{
	const struct sw_view_task *task = first_failed_task(view);

	if (task && sw_zero_if_missing(view->slurm.task_count) > 1)
		sw_text_add(buf, size, ", task %llu",
			    (unsigned long long)task->rank);
}

/* " (step 0 on n1, task 3)" */
static void add_where(char *buf, size_t size, const struct sw_result *result,
		      const struct sw_finding *finding)
{
	char where[512];

	if (!*sw_where_words(where, sizeof(where), result, finding))
		return;
	if (strncmp(finding->id, "oom.", 4) != 0)
		add_task(where, sizeof(where), finding->view);
	sw_text_add(buf, size, " (%s)", where);
}

/* For steps of which only the ends of tasks are known. */
static bool add_task_end(char *buf, size_t size, const struct sw_view *view)
{
	const struct sw_view_task *task = first_failed_task(view);
	char end[32];

	if (!task || sw_zero_if_missing(view->slurm.task_count) < 2)
		return false;
	sw_task_end_words(end, sizeof(end), task->wait_status);
	sw_text_add(buf, size, "task %llu ended first (%s)",
		    (unsigned long long)task->rank, end);
	return true;
}

static bool has_unknown_ends(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		if (!view->programs[i].is_complete ||
		    sw_zero_if_missing(sw_unseen_ends(&view->programs[i])) > 0)
			return true;
	}
	return view->program_count == 0;
}

/* The last program to fail other than the step itself, or NULL. */
static const struct sw_view_program *last_to_fail(const struct sw_view *view)
{
	const struct sw_view_program *last = NULL;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (!sw_program_is_shell(program->name) &&
		    !sw_step_is_command(view, program) &&
		    sw_program_has_failed(program) &&
		    !sw_is_missing(program->first_failed_usec) &&
		    (!last ||
		     program->first_failed_usec > last->first_failed_usec))
			last = program;
	}
	return last;
}

/* The first program executed by the tasks of a step; NULL if unknown. */
static const struct sw_view_program *command_of(const struct sw_view *step)
{
	const struct sw_view_program *command = NULL;
	size_t i;

	for (i = 0; i < step->program_count; i++) {
		const struct sw_view_program *program = &step->programs[i];

		if (!program->started_by &&
		    strcmp(program->name, "slurmstepd") != 0 &&
		    (!command ||
		     program->first_start_usec < command->first_start_usec))
			command = program;
	}
	return command;
}

/* "sh exited with 7 (step 0 on n1, task 3)" */
static void add_step_end(char *buf, size_t size, const struct sw_result *result,
			 const struct sw_view *step)
{
	const struct sw_view_program *command = command_of(step);
	const struct sw_finding at = { .id = "", .view = step };
	char name[SW_FINDING_NAME_SIZE] = "a task", end[32];

	if (command)
		sw_finding_name(name, sizeof(name), command->name);
	if (step->state == SW_STATE_KILLED)
		sw_text_add(buf, size, "%s was killed by %s", name,
			    sw_task_end_words(end, sizeof(end), step->signal));
	else
		sw_text_add(buf, size, "%s exited with %llu", name,
			    (unsigned long long)step->exit_code);
	add_where(buf, size, result, &at);
}

/* No program started by the shell failed, or the script continued. */
static void add_own_status(char *buf, size_t size, const struct sw_view *view)
{
	const struct sw_view_program *last = last_to_fail(view);
	bool is_script = view->slurm.is_slurm && view->is_state_of_script;
	char name[SW_FINDING_NAME_SIZE];

	if (view->state != SW_STATE_FAILED || (!view->program && !is_script) ||
	    has_unknown_ends(view))
		return;
	if (is_script || sw_program_is_shell(view->program))
		sw_text_add(buf, size, "the script");
	else
		sw_text_add(buf, size, "%s", sw_finding_name(name,
					sizeof(name), view->program));
	sw_text_add(buf, size, " itself ended with this status, and no program "
		    "that it started failed");
	if (last)
		sw_text_add(buf, size, " later than %s, %s before",
			    sw_finding_name(name, sizeof(name), last->name),
			    sw_duration_text(sw_excess_u64(view->end_usec,
					last->first_failed_usec)).s);
}

/* slurmstepd exits with errno if it cannot execute: errno(3). */
static const char *unexecuted_words(const struct sw_view *view)
{
	enum { NO_SUCH_FILE = 2, WRONG_FORMAT = 8, NO_PERMISSION = 13 };

	if (!view->slurm.is_slurm || view->program_count > 0 ||
	    view->state != SW_STATE_FAILED ||
	    strcmp(sw_text(view->recording.programs_source), "bpf") != 0)
		return NULL;
	switch (view->exit_code) {
	case NO_SUCH_FILE:
		return "nothing was executed: the program, or the interpreter "
		       "in the first line of the script, does not exist";
	case WRONG_FORMAT:
		return "nothing was executed: it is not a program for this "
		       "machine, or a script without \"#!\" in its first line";
	case NO_PERMISSION:
		return "nothing was executed: permission to execute the "
		       "program or its interpreter was denied";
	}
	return NULL;
}

/* Without a record, TIMEOUT, CANCELLED and PREEMPTED look like this. */
static void add_ended(char *buf, size_t size, const struct sw_result *result)
{
	const struct sw_view *view = result->view;
	bool is_step = result->job && result->job->is_one_step;

	if (view->slurm.record || !was_ended_by_signal(view))
		return;
	sw_text_add(buf, size,
		    "Slurm ends a %s so %swhen it is cancelled, "
		    "preempted or loses a node",
		    is_step ? "step" : "job",
		    sw_is_missing(view->slurm.limit_realtime_usec)
			    ? "at its time limit, or "
			    : "");
}

/* The failed step, unless a finding explains more than that. */
static const struct sw_view *failed_step(const struct sw_result *result,
					 const struct sw_finding *finding)
{
	if (!result->job || result->job->is_one_step ||
	    (finding && finding->reason > SW_REASON_STARTER))
		return NULL;
	return sw_job_failed_step(result->job);
}

char *sw_reason_words(char *buf, size_t size, const struct sw_result *result,
		      const struct sw_finding *finding)
{
	const struct sw_view *view = result->view;
	const struct sw_job_record *row = view->slurm.record;
	const char *unexecuted = unexecuted_words(view);
	const struct sw_view *step = failed_step(result, finding);

	buf[0] = '\0';
	if (row && sw_slurm_has_no_output(row)) {
		sw_text_add(buf, size, "its output or error file could not be "
			    "opened (Slurm's exit code 0:53)");
	} else if (step) {
		add_step_end(buf, size, result, step);
	} else if (finding) {
		sw_text_add(buf, size, "%s", finding->reason_words);
		add_where(buf, size, result, finding);
	} else if (was_ended(view)) {
		if (!sw_view_is_past_limit(view))
			add_ended(buf, size, result);
	} else if (unexecuted) {
		sw_text_add(buf, size, "%s", unexecuted);
	} else if (!add_task_end(buf, size, view)) {
		add_own_status(buf, size, view);
	}
	return buf;
}
