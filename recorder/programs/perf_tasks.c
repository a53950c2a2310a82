/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Track processes by perf's records, and count them for their programs. */
#include "recorder/programs/perf_tasks.h"

#include <string.h>
#include <unistd.h>

#include "common/delta.h"
#include "common/units.h"

enum {
	PROCESS_SLOTS = 8192,
	ENDED_SLOTS = 1024,
	/*
	 * When a process executes a program with other privileges, or one that
	 * it may not read, the kernel ends all its events at once, with a
	 * record as for an exit.  A true exit does not follow so soon: page
	 * faults and the return from the kernel come first.
	 */
	CUT_OFF_NSEC = 20000,
	/* Two ticks: start times in /proc are rounded down. */
	START_SLACK_NSEC = 20000000,
};

int sw_perf_tasks_open(struct sw_perf_tasks *tasks,
		       struct sw_programs *programs,
		       const struct sw_exit_feeds *feeds)
{
	memset(tasks, 0, sizeof(*tasks));
	tasks->programs = programs;
	tasks->is_privileged = geteuid() == 0;
	if (sw_ends_open(&tasks->ends, programs, feeds) < 0 ||
	    sw_pid_map_open(&tasks->processes, PROCESS_SLOTS,
			    sizeof(struct sw_perf_process)) < 0)
		return -1;
	return sw_pid_map_open(&tasks->ended, ENDED_SLOTS,
			       sizeof(struct sw_perf_process));
}

void sw_perf_tasks_close(struct sw_perf_tasks *tasks)
{
	sw_pid_map_close(&tasks->processes);
	sw_pid_map_close(&tasks->ended);
	sw_ends_close(&tasks->ends);
}

static struct sw_perf_process *find(struct sw_perf_tasks *tasks, pid_t pid)
{
	return sw_pid_map_find(&tasks->processes, pid);
}

static struct sw_program *program_of(struct sw_perf_tasks *tasks,
				     const struct sw_perf_process *process)
{
	return process->program == SW_NO_PROGRAM
		       ? NULL
		       : &tasks->programs->program[process->program];
}

/* Add what is not yet in the program's row. */
static void count_cpu(struct sw_perf_tasks *tasks,
		      struct sw_perf_process *process)
{
	struct sw_program *program = program_of(tasks, process);
	uint64_t usec = process->cpu_nsec / SW_NSEC_PER_USEC;

	if (!program || usec <= process->counted_usec)
		return;
	if (sw_is_missing(program->cpu_usec))
		program->cpu_usec = 0;
	program->cpu_usec += usec - process->counted_usec;
	program->is_changed = true;
	process->counted_usec = usec;
}

static void add_cpu(struct sw_perf_tasks *tasks,
		    struct sw_perf_process *process, uint64_t from_nsec,
		    uint64_t to_nsec)
{
	if (to_nsec <= from_nsec)
		return;
	process->cpu_nsec += to_nsec - from_nsec;
	count_cpu(tasks, process);
}

/* Assign a process, with all its usage, to the program it executed last. */
static void belong(struct sw_perf_tasks *tasks,
		   struct sw_perf_process *process, const char *program)
{
	struct sw_program *from = program_of(tasks, process), *to;

	sw_programs_belong(tasks->programs, &process->program, program,
			   process->start_nsec / SW_NSEC_PER_USEC);
	to = program_of(tasks, process);
	/* The division into user and system time is unknown here. */
	to->user_usec = to->system_usec = SW_MISSING;
	if (sw_is_missing(to->cpu_usec) && tasks->has_all_switches)
		to->cpu_usec = 0;
	if (from && from != to && !sw_is_missing(from->cpu_usec))
		from->cpu_usec -= process->counted_usec;
	if (from != to)
		process->counted_usec = 0;
	count_cpu(tasks, process);
}

static struct sw_perf_process *add(struct sw_perf_tasks *tasks, pid_t pid,
				   uint64_t start_nsec)
{
	struct sw_perf_process *process = sw_pid_map_add(&tasks->processes,
							 pid);

	if (!process) {
		tasks->lost++;
		return NULL;
	}
	process->program = SW_NO_PROGRAM;
	process->start_nsec = start_nsec;
	return process;
}

static void begin_sampling(struct sw_perf_tasks *tasks,
			   struct sw_perf_process *process)
{
	process->is_sampled = true;
	process->round = tasks->round;
	tasks->sampled_count++;
	tasks->has_unseen = true;
}

/* Before 5.7, exit records do not contain the parent. */
static bool is_waited_for(const struct sw_perf_tasks *tasks, pid_t pid,
			  pid_t parent)
{
	return parent == getpid() || pid == tasks->programs->target.root_pid;
}

/* Return since when it is this process and this program. */
static uint64_t begin_of(const struct sw_perf_process *process)
{
	return sw_max_u64(process->start_nsec, process->exec_nsec);
}

/* For sampled processes there are no exec records. */
static enum sw_executed executed(const struct sw_perf_process *process)
{
	if (process->exec_nsec)
		return SW_EXECUTED;
	return process->is_sampled ? SW_EXECUTED_UNKNOWN : SW_ONLY_FORKED;
}

/* Report the exit of a process that the recorder does not wait for. */
static void tell_end(struct sw_perf_tasks *tasks,
		     const struct sw_perf_process *process, uint64_t time_nsec)
{
	/* False if the exits of its threads were not all recorded. */
	bool is_told = process->last_tid && !process->is_sampled;

	if (process->is_counted)
		return;
	sw_ends_add(&tasks->ends,
		    &(struct sw_end){
			    .pid = process->pid,
			    .program = process->program,
			    .executed = executed(process),
			    .start_nsec = process->start_nsec,
			    .cpu_usec = tasks->has_all_switches ?
					process->cpu_nsec / SW_NSEC_PER_USEC :
					SW_MISSING,
			    .last_tid = is_told ? process->last_tid : 0,
			    .has_threads = process->other_threads > 0,
			    .begin_nsec = begin_of(process),
			    .since_nsec = is_told ? process->left_nsec :
						    begin_of(process),
			    .until_nsec = time_nsec,
			    .told = process->told,
		    });
}

/* parent is the process that waits for it, as far as known. */
static void end(struct sw_perf_tasks *tasks, struct sw_perf_process *process,
		pid_t parent, uint64_t time_nsec)
{
	struct sw_program *program = program_of(tasks, process);
	struct sw_perf_process *ended;

	tasks->sampled_count -= process->is_sampled;
	if (program) {
		program->ended++;
		program->last_end_usec = time_nsec / SW_NSEC_PER_USEC;
		program->is_changed = true;
		sw_program_count_elapsed(
			program, sw_excess_u64(time_nsec, process->start_nsec) /
					 SW_NSEC_PER_USEC);
	}
	if (program && is_waited_for(tasks, process->pid, parent)) {
		ended = sw_pid_map_add(&tasks->ended, process->pid);
		if (ended) {
			ended->program = process->program;
			ended->start_nsec = process->start_nsec;
			ended->exec_nsec = process->exec_nsec;
			ended->left_nsec = time_nsec;
		}
	} else if (program) {
		tell_end(tasks, process, time_nsec);
	}
	sw_pid_map_remove(&tasks->processes, process->pid);
}

void sw_perf_tasks_begin(struct sw_perf_tasks *tasks, pid_t pid,
			 uint64_t time_nsec)
{
	add(tasks, pid, time_nsec);
}

static void take_fork(struct sw_perf_tasks *tasks,
		      const struct sw_perf_record *record)
{
	struct sw_perf_process *process = find(tasks, record->pid), *parent;
	const struct sw_program *program;

	if (record->tid != record->pid) {
		if (process)
			process->other_threads++;
		return;
	}
	/* Its exit was not recorded. */
	if (process) {
		tasks->has_unseen = true;
		end(tasks, process, 0, record->time_nsec);
	}
	process = add(tasks, record->pid, record->time_nsec);
	parent = find(tasks, record->parent);
	program = parent ? program_of(tasks, parent) : NULL;
	/* Until exec it runs its parent's program. */
	if (process && program)
		belong(tasks, process, program->name);
}

static void take_exec(struct sw_perf_tasks *tasks,
		      const struct sw_perf_record *record)
{
	struct sw_perf_process *process = find(tasks, record->pid);

	/* Its fork was not recorded. */
	if (!process) {
		tasks->has_unseen = true;
		process = add(tasks, record->pid, record->time_nsec);
	}
	if (!process)
		return;
	/* The command was held until now. */
	if (!process->exec_nsec &&
	    process->pid == tasks->programs->target.root_pid)
		process->start_nsec = record->time_nsec;
	process->exec_nsec = record->time_nsec;
	/* The thread that called exec is now the first and only one. */
	process->other_threads = 0;
	process->has_left = false;
	memset(&process->told, 0, sizeof(process->told));
	belong(tasks, process, record->comm[0] ? record->comm : "?");
}

static void take_switch(struct sw_perf_tasks *tasks, unsigned cpu,
			const struct sw_perf_record *record)
{
	struct sw_perf_running *running = &tasks->running[cpu];
	struct sw_perf_process *process;

	if (record->is_out || record->kind == SW_PERF_EXIT) {
		process = find(tasks, record->pid);
		if (process && running->pid == record->pid)
			add_cpu(tasks, process, running->since_nsec,
				record->time_nsec);
		running->pid = 0;
		return;
	}
	running->pid = record->pid;
	running->since_nsec = record->time_nsec;
}

static bool is_cut_off(const struct sw_perf_tasks *tasks,
		       const struct sw_perf_process *process,
		       const struct sw_perf_record *record)
{
	return !tasks->is_privileged && process->exec_nsec &&
	       record->time_nsec - process->exec_nsec < CUT_OFF_NSEC;
}

static void take_exit(struct sw_perf_tasks *tasks, unsigned cpu,
		      const struct sw_perf_record *record)
{
	struct sw_perf_process *process = find(tasks, record->pid);

	take_switch(tasks, cpu, record);
	if (!process)
		return;
	if (record->tid == record->pid) {
		process->has_left = true;
		process->left_nsec = record->time_nsec;
	} else if (process->other_threads) {
		process->other_threads--;
	}
	if (!process->has_left || process->other_threads)
		return;
	process->last_tid = record->tid;
	if (is_cut_off(tasks, process, record))
		begin_sampling(tasks, process);
	else
		end(tasks, process, record->parent, record->time_nsec);
}

void sw_perf_tasks_take(struct sw_perf_tasks *tasks, unsigned cpu,
			const struct sw_perf_record *record)
{
	switch (record->kind) {
	case SW_PERF_FORK:
		take_fork(tasks, record);
		break;
	case SW_PERF_COMM:
		if (record->is_exec)
			take_exec(tasks, record);
		break;
	case SW_PERF_EXIT:
		take_exit(tasks, cpu, record);
		break;
	case SW_PERF_SWITCH:
		take_switch(tasks, cpu, record);
		break;
	case SW_PERF_LOST:
		/* The caller handles the loss; it is unknown what runs now. */
		tasks->running[cpu].pid = 0;
		break;
	}
}

void sw_perf_tasks_advance(struct sw_perf_tasks *tasks, uint64_t time_nsec)
{
	struct sw_perf_running *running;
	struct sw_perf_process *process;
	unsigned cpu;

	for (cpu = 0; cpu < SW_PERF_EVENTS_MAX; cpu++) {
		running = &tasks->running[cpu];
		process = find(tasks, running->pid);
		if (!process || time_nsec <= running->since_nsec)
			continue;
		add_cpu(tasks, process, running->since_nsec, time_nsec);
		running->since_nsec = time_nsec;
	}
}

static uint64_t start_of(const struct sw_process *seen)
{
	return sw_process_start_usec(seen) * SW_NSEC_PER_USEC;
}

/* Add a process without records: a child of one whose events were ended. */
static struct sw_perf_process *adopt(struct sw_perf_tasks *tasks,
				     const struct sw_process *seen,
				     uint64_t known_nsec)
{
	struct sw_perf_process *process;

	if (seen->is_dying || start_of(seen) + START_SLACK_NSEC >= known_nsec)
		return NULL;
	process = add(tasks, seen->pid, start_of(seen));
	if (process)
		begin_sampling(tasks, process);
	return process;
}

static void take_peak(struct sw_program *program, const struct sw_process *seen)
{
	program->is_changed = true;
	program->peak_bytes =
		sw_max_u64(program->peak_bytes, seen->hiwater_bytes);
	if (!sw_is_missing(seen->hiwater_bytes) &&
	    !sw_is_missing(seen->file_max_bytes))
		program->peak_anon_bytes =
			sw_max_u64(program->peak_anon_bytes,
				   sw_excess_u64(seen->hiwater_bytes,
						 seen->file_max_bytes));
}

void sw_perf_tasks_sample(struct sw_perf_tasks *tasks,
			  const struct sw_tree *tree, uint64_t known_nsec)
{
	const struct sw_process *seen;
	struct sw_perf_process *process;
	struct sw_program *program;
	size_t i;

	tasks->round++;
	for (i = 0; i < sw_tree_count(tree); i++) {
		seen = sw_tree_process(tree, i);
		process = find(tasks, seen->pid);
		if (!process)
			process = adopt(tasks, seen, known_nsec);
		if (!process)
			continue;
		process->round = tasks->round;
		if (process->is_sampled) {
			belong(tasks, process, seen->comm);
			process->other_threads =
				(unsigned)sw_excess_u64(seen->thread_count, 1);
		}
		program = program_of(tasks, process);
		if (program)
			take_peak(program, seen);
	}
}

/* CPU time from samples is better than none. */
static void take_cpu(struct sw_perf_tasks *tasks,
		     const struct sw_process *seen)
{
	struct sw_perf_process *process = find(tasks, seen->pid);
	uint64_t usec = sw_add_u64(seen->user_usec, seen->system_usec);

	if (!process || sw_is_missing(usec) ||
	    (tasks->has_all_switches && !process->is_sampled))
		return;
	add_cpu(tasks, process, process->cpu_nsec, usec * SW_NSEC_PER_USEC);
}

void sw_perf_tasks_sampled(struct sw_perf_tasks *tasks,
			   const struct sw_tree *tree, uint64_t now_nsec)
{
	struct sw_perf_process *process;
	size_t i, slot = 0, here;

	for (i = 0; i < sw_tree_count(tree); i++)
		take_cpu(tasks, sw_tree_process(tree, i));
	while (tasks->sampled_count > 0) {
		here = slot;
		process = sw_pid_map_next(&tasks->processes, &slot);
		if (!process)
			break;
		if (!process->is_sampled || process->round == tasks->round)
			continue;
		end(tasks, process, 0, now_nsec);
		slot = here;
	}
}

bool sw_perf_tasks_is_living(void *context, const struct sw_exit *exit)
{
	struct sw_perf_process *process = find(context, exit->pid);

	if (!process || exit->time_nsec < process->start_nsec)
		return false;
	/* The thread that called exec is now the first one. */
	if (exit->time_nsec >= process->exec_nsec)
		sw_told_add(&process->told, exit);
	return true;
}

/* Count the exit status of a process that the recorder has reaped. */
static void count_reaped(struct sw_perf_tasks *tasks,
			 const struct sw_perf_process *process,
			 int wait_status, uint64_t end_nsec)
{
	sw_program_count_end(
		program_of(tasks, process),
		&(struct sw_program_end){
			.wait_status = wait_status,
			.executed = executed(process),
			.start_usec = process->start_nsec / SW_NSEC_PER_USEC,
			.end_usec = end_nsec / SW_NSEC_PER_USEC,
		});
}

void sw_perf_tasks_reaped(struct sw_perf_tasks *tasks, pid_t pid,
			  int wait_status, uint64_t now_nsec)
{
	struct sw_perf_process *ended = sw_pid_map_find(&tasks->ended, pid);
	struct sw_perf_process *process = find(tasks, pid);

	if (ended)
		count_reaped(tasks, ended, wait_status, ended->left_nsec);
	else if (process && program_of(tasks, process))
		count_reaped(tasks, process, wait_status, now_nsec);
	sw_pid_map_remove(&tasks->ended, pid);
	sw_ends_reaped(&tasks->ends, pid, wait_status);
	/* Its exit was not recorded, or its events had been ended. */
	if (process) {
		tasks->has_unseen = process->is_counted = true;
		end(tasks, process, 0, now_nsec);
		sw_pid_map_remove(&tasks->ended, pid);
	}
}
