/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code shared by the rules about OOM kills. */
#include "analyzer/rules/rule_oom.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/rules/absence.h"
#include "analyzer/view/memory_words.h"
#include "common/delta.h"
#include "common/units.h"

bool sw_oom_happened(const struct sw_view *view)
{
	return !sw_is_missing(view->memory.oom_kills) &&
	       view->memory.oom_kills > 0;
}

const char *sw_oom_unseen(const struct sw_view *view)
{
	const char *reason = sw_absence_reason(view, "series.memory");

	if (!sw_is_missing(view->memory.oom_kills))
		return NULL;
	return reason ? reason
		      : "there is no record of the memory of the "
			"step's cgroup";
}

bool sw_oom_is_silent(const struct sw_view *view)
{
	return view->state == SW_STATE_COMPLETED &&
	       !sw_record_job_says(view, SW_JOB_OUT_OF_MEMORY);
}

/* First kill the recorder saw; the program is known from its exit. */
static const struct sw_view_event *first_kill(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->event_count; i++) {
		if (!strcmp(view->events[i].kind, "oom_kill"))
			return &view->events[i];
	}
	return NULL;
}

/*
 * Return the victim: as marked by the kernel if exits were seen, or else, as a
 * guess, the process that the recorder saw die at the kill.
 */
static const char *victim(const struct sw_view *view, bool *is_certain)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		*is_certain = !program->is_victim_guessed;
		if (sw_zero_if_missing(program->oom_killed) > 0)
			return program->name;
	}
	*is_certain = false;
	for (i = 0; i < view->event_count; i++) {
		if (!strcmp(view->events[i].kind, "oom_kill") &&
		    view->events[i].program)
			return view->events[i].program;
	}
	return NULL;
}

static bool is_hit(const struct sw_view_task *task)
{
	return sw_zero_if_missing(task->memory_oom_kills) > 0;
}

/*
 * Format ", task 3", ", tasks 1 and 3", ", 12 tasks from 1 on", by rank; "" for
 * a step of one task or if tasks have no cgroup of their own.
 */
static void format_tasks(char *buf, size_t size, const struct sw_view *view)
{
	unsigned long long first = 0, second = 0;
	size_t i, hit = 0;

	buf[0] = '\0';
	if (sw_zero_if_missing(view->slurm.task_count) < 2)
		return;
	for (i = 0; i < view->task_count; i++) {
		if (!is_hit(&view->tasks[i]))
			continue;
		hit++;
		if (hit == 1)
			first = view->tasks[i].rank;
		else if (hit == 2)
			second = view->tasks[i].rank;
	}
	if (hit == 1)
		snprintf(buf, size, ", task %llu", first);
	else if (hit == 2)
		snprintf(buf, size, ", tasks %llu and %llu", first, second);
	else if (hit > 2)
		snprintf(buf, size, ", %zu tasks from %llu on", hit, first);
}

/* Format " 12.3 s into the run"; "" if the time is not known. */
static void format_when(char *buf, size_t size, const struct sw_view *view,
			const struct sw_view_event *kill)
{
	char text[SW_UNITS_TEXT_SIZE];
	uint64_t after = SW_MISSING;

	if (kill)
		after = sw_delta_u64(kill->time_usec, view->start_usec);
	buf[0] = '\0';
	if (!sw_is_missing(after))
		snprintf(buf, size, " %s into the run",
			 sw_duration_format(text, sizeof(text), after));
}

static void format_limit(char *buf, size_t size,
			 const struct sw_view_memory *memory)
{
	char text[SW_UNITS_TEXT_SIZE], peak[64] = "";

	if (!sw_is_missing(memory->peak_bytes))
		snprintf(peak, sizeof(peak), ", at a peak of %s",
			 sw_size_format(text, sizeof(text),
					memory->peak_bytes));
	if (sw_is_missing(memory->limit_bytes))
		snprintf(buf, size, "because memory ran out in the machine or in "
			 "another cgroup%s", peak);
	else
		snprintf(buf, size, memory->is_limit_above ?
			 "at the limit of %s of a cgroup above its own%s" :
			 "at its limit of %s%s",
			 sw_size_format(text, sizeof(text),
					memory->limit_bytes), peak);
}

/* The victim is a guess, and others may have been killed as well. */
static bool is_guessed(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->event_count; i++) {
		if (!strcmp(view->events[i].kind, "oom_kill") &&
		    !view->events[i].detail)
			return false;
	}
	for (i = 0; i < view->program_count; i++) {
		if (view->programs[i].is_victim_guessed)
			return true;
	}
	return false;
}

int sw_oom_report(const struct sw_view *view, const char *id,
		  const char *consequence, struct sw_findings *findings)
{
	const struct sw_view_memory *memory = &view->memory;
	const struct sw_view_event *kill = first_kill(view);
	char when[64], limit[224], tasks[64], name[SW_FINDING_NAME_SIZE];
	bool is_certain;
	const char *program = victim(view, &is_certain);
	struct sw_finding *finding;
	struct sw_evidence kills = {
		"memory.events oom_kill", (double)memory->oom_kills, "count",
		0, kill ? kill->time_usec : SW_MISSING,
	};

	finding = sw_finding_add(findings, id, SW_CRITICAL,
				 is_guessed(view) ? 0.8 : 1, &kills);
	if (!finding)
		return -1;
	if (!sw_is_missing(memory->peak_bytes))
		sw_finding_evidence(finding, &(struct sw_evidence){
			sw_memory_peak_counter(memory),
			(double)memory->peak_bytes, "bytes",
			sw_real_u64(memory->limit_bytes), SW_MISSING });
	sw_finding_subject(finding, program ? "program %s" : "step%s",
			   sw_text(program));
	format_when(when, sizeof(when), view, kill);
	format_limit(limit, sizeof(limit), memory);
	format_tasks(tasks, sizeof(tasks), view);
	sw_finding_reason(finding, SW_REASON_LIKELY, kills.when_usec,
		"the kernel killed %llu process%s (%s%s%s)%s, %s%s", (unsigned long long)memory->oom_kills,
		memory->oom_kills == 1 ? "" : "es",
		program && !is_certain ? "probably " : "",
		program ? sw_finding_name(name, sizeof(name), program) :
			  "program not seen", tasks, when,
		sw_is_missing(memory->limit_bytes) ? "" : "out of memory ",
		limit);
	sw_finding_sentence(finding,
		"Out of memory: the kernel killed %llu process%s (%s%s%s)%s, "
		"%s. %s",
		(unsigned long long)memory->oom_kills,
		memory->oom_kills == 1 ? "" : "es",
		program && !is_certain ? "probably " : "",
		program ? sw_finding_name(name, sizeof(name), program) :
			  "program not seen", tasks, when, limit,
		consequence);
	return 0;
}
