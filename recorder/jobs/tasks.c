/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write the table "tasks". */
#include "recorder/jobs/tasks.h"

#include "common/missing.h"
#include "recorder/tables/tables.h"

enum column {
	TIME, STEP, TASK, LOCAL_TASK, PID, START, END, CGROUP_KIND,
	WAIT_STATUS, MEMORY_PEAK, MEMORY_OOM_KILLS, MEMORY_MAX_EVENTS,
	CPU_USAGE, CPU_USER, CPU_SYSTEM, FINAL_SOURCE, COLUMN_COUNT
};

static const struct sw_column columns[COLUMN_COUNT] = {
	[TIME] = { "time_usec", "usec", SW_KIND_TIME,
		  "When it was written; the last row of a task counts." },
	[STEP] = { "step", "", SW_KIND_STATE, "The step." },
	[TASK] = { "task", "", SW_KIND_KEY,
		   "Its rank in the step, over all nodes." },
	[LOCAL_TASK] = { "local_task", "", SW_KIND_STATE,
			 "Its index on this node." },
	[PID] = { "pid", "", SW_KIND_STATE, "Its first process." },
	[START] = { "start_usec", "usec", SW_KIND_TIME,
		   "When it was announced." },
	[END] = { "end_usec", "usec", SW_KIND_TIME, "When it ended." },
	[CGROUP_KIND] = { "cgroup_kind", "", SW_KIND_TEXT,
			  "task: its own cgroup; shared: shared with other "
			  "tasks; none." },
	[WAIT_STATUS] = { "wait_status", "", SW_KIND_STATE,
			  "The wait status, as in wait(2)." },
	[MEMORY_PEAK] = { "memory_peak_bytes", "bytes", SW_KIND_PEAK,
			  "memory.peak of its cgroup." },
	[MEMORY_OOM_KILLS] = { "memory_oom_kills", "count", SW_KIND_COUNTER,
			       "oom_kill in memory.events of its cgroup." },
	[MEMORY_MAX_EVENTS] = { "memory_max_events", "count", SW_KIND_COUNTER,
				"max in memory.events of its cgroup." },
	[CPU_USAGE] = { "cpu_usage_usec", "usec", SW_KIND_COUNTER,
		       "CPU time of its cgroup." },
	[CPU_USER] = { "cpu_user_usec", "usec", SW_KIND_COUNTER,
		      "User CPU time, likewise." },
	[CPU_SYSTEM] = { "cpu_system_usec", "usec", SW_KIND_COUNTER,
			"System CPU time, likewise." },
	[FINAL_SOURCE] = { "final_source", "", SW_KIND_TEXT,
			   "hook: read by the plugin when the task ended; "
			   "drop: likewise, while no recorder was running." },
};

const struct sw_table sw_tasks_table = {
	.name = "tasks", .scope = SW_SCOPE_TASK, .source = "slurm",
	.columns = columns, .column_count = COLUMN_COUNT,
};

static const char *const cgroup_kinds[] = {
	[SW_TASK_CGROUP_NONE] = "none",
	[SW_TASK_CGROUP_SHARED] = "shared",
	[SW_TASK_CGROUP_OWN] = "task",
};

static const struct sw_final_values nothing = {
	SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING,
	SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING,
};

void sw_task_write(const struct sw_task_row *row, struct sw_writer *writer,
		   uint64_t now_usec)
{
	const struct sw_final_values *final_values =
		row->final_values ? row->final_values : &nothing;
	const struct sw_message_task *task = row->task;
	union sw_value values[COLUMN_COUNT] = {
		[TIME].number = now_usec,
		[STEP].number = row->step,
		[TASK].number = sw_message_number(task->rank),
		[LOCAL_TASK].number = sw_message_number(task->local_rank),
		[PID].number = task->pid,
		[START].number = row->start_usec,
		[END].number = row->end_usec,
		[CGROUP_KIND].text = cgroup_kinds[task->cgroup_kind],
		[WAIT_STATUS].number = row->wait_status,
		[MEMORY_PEAK].number = final_values->memory_peak_bytes,
		[MEMORY_OOM_KILLS].number = final_values->events_oom_kill,
		[MEMORY_MAX_EVENTS].number = final_values->events_max,
		[CPU_USAGE].number = final_values->usage_usec,
		[CPU_USER].number = final_values->user_usec,
		[CPU_SYSTEM].number = final_values->system_usec,
		[FINAL_SOURCE].text = row->final_source,
	};
	int number = sw_writer_table(writer, &sw_tasks_table, NULL);

	if (number >= 0)
		sw_writer_row(writer, number, values, now_usec);
}
