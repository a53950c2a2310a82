/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe a thread that hangs in I/O. */
#include "recorder/programs/stall_event.h"

#include <stdio.h>

#include "recorder/bpf/waits.h"
#include "recorder/processes/visits.h"
#include "recorder/tables/events.h"
#include "recorder/tables/privacy.h"

static void find_path(const struct sw_waiter *waiter, int proc_fd, char *path,
		      size_t size)
{
	path[0] = '\0';
	if (waiter->fd < 0)
		sw_waits_path(waiter->tid, path, size);
	else
		sw_visit_path(proc_fd, waiter->pid, waiter->fd, path, size);
}

static void describe(const struct sw_stall *stall, int proc_fd, char *text,
		     size_t size)
{
	const struct sw_waiter *waiter = &stall->waiter;
	const char *call = sw_wait_call_name(waiter->call);
	const char *function = sw_wait_function_name(waiter->function);
	char number[32], path[SW_VISIT_PATH_SIZE] = "";

	snprintf(number, sizeof(number), "system call %d", waiter->call);
	if (waiter->call < 0)
		call = "page fault";
	/* After the stall, the descriptor may be another file. */
	if (!stall->is_over && sw_privacy_has_paths())
		find_path(waiter, proc_fd, path, sizeof(path));
	snprintf(text, size, "%s%s%s%s%s (%s)",
		 call ? call : number, path[0] ? " of " : "", path,
		 function ? ", in " : "", sw_text(function),
		 sw_wait_fs_name(stall->reason.fs));
}

void sw_stall_event_add(const struct sw_stall *stall,
			const struct sw_programs_target *target,
			const char *program)
{
	char detail[512];

	describe(stall, target->proc_fd, detail, sizeof(detail));
	target->event(target->context, &(struct sw_event){
		.kind = stall->is_over ? "stall_end" : "stall",
		.program = program, .pid = (uint64_t)stall->waiter.pid,
		.value = stall->usec, .detail = detail });
}
