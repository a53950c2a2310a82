/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find why a process failed, from what BPF kept until its exit. */
#include "recorder/programs/why.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/units.h"
#include "recorder/bpf/failures.h"
#include "recorder/processes/visits.h"
#include "recorder/programs/killed_event.h"

void sw_why_take(struct sw_cause *cause, const struct sw_record_exit *record)
{
	const struct sw_record_end *end = &record->end;
	struct sw_failures failures;

	*cause = (struct sw_cause){ .call = NULL };
	/* Nothing is kept for successful processes. */
	if (end->wait_status != 0 &&
	    sw_failures_take(record->head.pid, end->start_nsec, &failures))
		sw_cause_find(cause, &failures, end->wait_status,
			      end->time_nsec);
}

/* Prepend the mount point of the file system, as seen by the step. */
static void add_mount(struct sw_cause_path *path,
		      const struct sw_programs_target *target)
{
	struct sw_mount mount = { .device = path->device };
	char below[SW_CAUSE_BELOW_SIZE];

	if (!mount.device || !path->text[0] ||
	    (!sw_visit_mount(target->proc_fd, target->root_pid, &mount) &&
	     !sw_visit_mount(target->proc_fd, getpid(), &mount)))
		return;
	snprintf(below, sizeof(below), "%.*s", (int)sizeof(below) - 1,
		 path->text);
	snprintf(path->text, sizeof(path->text), "%s%s%s", mount.point,
		 strcmp(mount.point, "/") != 0 ? "/" : "", below);
}

void sw_why_tell(struct sw_program *program, struct sw_cause *cause,
		 const struct sw_programs_target *target)
{
	if (!cause->call && !cause->read.text[0])
		return;
	add_mount(&cause->object, target);
	add_mount(&cause->read, target);
	sw_program_put_cause(program, cause);
}

void sw_why_tell_killed(const struct sw_program *program,
			const struct sw_record_exit *record,
			const struct sw_programs_target *target, size_t *count)
{
	if ((record->end.wait_status & 0x7f) == 0)
		return;
	sw_killed_event_add(
		&(struct sw_killed){
			.program = program->name,
			.pid = record->head.pid,
			.signal = record->end.wait_status & 0x7f,
			.is_oom_victim = record->end.is_oom_victim,
			.time_usec = record->head.time_nsec / SW_NSEC_PER_USEC,
		},
		target, count);
}
