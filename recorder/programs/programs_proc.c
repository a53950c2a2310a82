/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs inside a step, from samples of its process tree: the last fallback.
 * A process that lives between two samples is not seen, so all counts are lower
 * bounds.  Exit statuses are known if the kernel reports failing processes
 * (exits.h), otherwise only for processes reaped by the recorder.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/exits.h"
#include "recorder/programs/programs_internal.h"

/* A running process, as last sampled */
struct tracked {
	pid_t pid;
	uint64_t start_ticks;
	unsigned program;		/* index; SW_NO_PROGRAM: free */
	uint64_t user_usec, system_usec;	/* counted so far */
	uint64_t seen;		/* round of the last sample with it */
	uint64_t start_usec;
	uint64_t lived_usec;	/* last sample in which it was not exiting */
	bool has_threads;	/* more than one, in the last sample */
	unsigned left;		/* samples with only the first thread exited */
	bool has_ended;		/* is a zombie */
	struct sw_told told;
};

struct proc {
	struct sw_programs *programs;
	struct sw_ends ends;
	uint64_t round;
	bool has_executed;	/* the command has executed its program */
	struct tracked tracked[SW_TREE_PROCESSES_MAX];
};

static void destroy(void *state)
{
	struct proc *proc = state;

	sw_ends_close(&proc->ends);
	free(proc);
}

static void *create(struct sw_programs *programs, struct sw_error *error)
{
	struct proc *proc = calloc(1, sizeof(*proc));
	size_t i;

	if (!proc || sw_ends_open(&proc->ends, programs,
				  sw_programs_feeds(programs)) < 0) {
		sw_error_set(error, "not enough memory to follow the programs");
		free(proc);
		return NULL;
	}
	proc->programs = programs;
	for (i = 0; i < SW_TREE_PROCESSES_MAX; i++)
		proc->tracked[i].program = SW_NO_PROGRAM;
	return proc;
}

static int attach(void *state, pid_t pid, struct sw_error *error)
{
	(void)state;
	(void)pid;	/* contained in the tree */
	(void)error;
	return 0;
}

static struct tracked *find_tracked(struct proc *proc, pid_t pid)
{
	size_t i;

	for (i = 0; i < SW_TREE_PROCESSES_MAX; i++) {
		if (proc->tracked[i].program != SW_NO_PROGRAM &&
		    proc->tracked[i].pid == pid)
			return &proc->tracked[i];
	}
	return NULL;
}

static struct tracked *find_free(struct proc *proc)
{
	size_t i;

	for (i = 0; i < SW_TREE_PROCESSES_MAX; i++) {
		if (proc->tracked[i].program == SW_NO_PROGRAM)
			return &proc->tracked[i];
	}
	return NULL;
}

static void end(struct proc *proc, struct tracked *tracked, uint64_t now_usec)
{
	struct sw_program *program = &proc->programs->program[tracked->program];

	program->ended++;
	program->last_end_usec = now_usec;
	program->is_changed = true;
	sw_program_count_elapsed(program, sw_excess_u64(now_usec,
							tracked->start_usec));
	tracked->has_ended = true;
}

/* The command's exit is reported by the code that waits for it. */
static bool is_waited_for(const struct proc *proc,
			  const struct tracked *tracked)
{
	const struct sw_programs_target *target = &proc->programs->target;

	return tracked->pid == target->root_pid && !target->is_late;
}

/* Handle the exit of a process that the recorder does not reap. */
static void miss(struct proc *proc, struct tracked *tracked, uint64_t now_usec)
{
	if (!is_waited_for(proc, tracked))
		sw_ends_add(&proc->ends,
			    &(struct sw_end){
				    .pid = tracked->pid,
				    .program = tracked->program,
				    .start_nsec = tracked->start_usec *
						  SW_NSEC_PER_USEC,
				    .cpu_usec = SW_MISSING,
				    .has_threads = tracked->has_threads,
				    /* A sample may hit the exit of all. */
				    .has_left = tracked->left > 1,
				    .begin_nsec = tracked->start_usec *
						  SW_NSEC_PER_USEC,
				    .since_nsec = tracked->lived_usec *
						  SW_NSEC_PER_USEC,
				    .until_nsec = now_usec * SW_NSEC_PER_USEC,
				    .told = tracked->told,
			    });
	end(proc, tracked, now_usec);
}

/* Forget a process that has disappeared. */
static void forget(struct proc *proc, struct tracked *tracked,
		   uint64_t now_usec)
{
	if (!tracked->has_ended)
		miss(proc, tracked, now_usec);
	tracked->program = SW_NO_PROGRAM;
}

/* usec was added to *from before. */
static void move(uint64_t *from, uint64_t *to, uint64_t usec)
{
	if (!usec)
		return;
	*from -= usec;
	*to = sw_sum_u64(*to, usec);
}

/* Assign a process, with all its usage, to the program it executed last. */
static void belong(struct proc *proc, struct tracked *tracked, const char *name)
{
	struct sw_program *program = proc->programs->program;
	unsigned from = tracked->program;

	sw_programs_belong(proc->programs, &tracked->program, name,
			   tracked->start_usec);
	if (from == SW_NO_PROGRAM || from == tracked->program)
		return;
	move(&program[from].user_usec, &program[tracked->program].user_usec,
	     tracked->user_usec);
	move(&program[from].system_usec, &program[tracked->program].system_usec,
	     tracked->system_usec);
}

static struct tracked *start(struct proc *proc,
			     const struct sw_process *process)
{
	struct tracked *tracked = find_free(proc);

	if (!tracked)
		return NULL;
	memset(tracked, 0, sizeof(*tracked));
	tracked->program = SW_NO_PROGRAM;
	tracked->pid = process->pid;
	tracked->start_ticks = process->start_ticks;
	/* Both clocks start at boot. */
	tracked->start_usec = sw_process_start_usec(process);
	tracked->lived_usec = tracked->start_usec;
	return tracked;
}

static void take_numbers(struct sw_program *program, struct tracked *tracked,
			 const struct sw_process *process)
{
	program->user_usec = sw_sum_u64(
		program->user_usec,
		sw_excess_u64(process->user_usec, tracked->user_usec));
	program->system_usec = sw_sum_u64(
		program->system_usec,
		sw_excess_u64(process->system_usec, tracked->system_usec));
	tracked->user_usec = process->user_usec;
	tracked->system_usec = process->system_usec;
	program->peak_bytes =
		sw_max_u64(program->peak_bytes, process->hiwater_bytes);
	if (!sw_is_missing(process->hiwater_bytes) &&
	    !sw_is_missing(process->file_max_bytes))
		program->peak_anon_bytes =
			sw_max_u64(program->peak_anon_bytes,
				   sw_excess_u64(process->hiwater_bytes,
						 process->file_max_bytes));
	program->is_changed = true;
}

/* Return whether it has exited with all its threads. */
static bool is_zombie(const struct sw_process *process)
{
	return process->state == 'Z' && process->thread_count <= 1;
}

static void see_threads(const struct proc *proc, struct tracked *tracked,
			const struct sw_process *process)
{
	tracked->left += process->state == 'Z' && process->thread_count > 1;
	if (!process->is_dying || process->thread_count > 1)
		tracked->has_threads = process->thread_count > 1;
	if (process->is_dying)
		return;
	tracked->lived_usec = sw_tree_time_usec(proc->programs->target.tree);
}

static void see(struct proc *proc, const struct sw_process *process,
		uint64_t now_usec)
{
	struct tracked *tracked = find_tracked(proc, process->pid);

	if (tracked && tracked->start_ticks != process->start_ticks) {
		forget(proc, tracked, now_usec);
		tracked = NULL;
	}
	if (!tracked)
		tracked = start(proc, process);
	if (!tracked)
		return;
	tracked->seen = proc->round;
	if (tracked->has_ended)
		return;
	belong(proc, tracked, process->comm);
	take_numbers(&proc->programs->program[tracked->program], tracked,
		     process);
	see_threads(proc, tracked, process);
	if (is_zombie(process) && !is_waited_for(proc, tracked))
		miss(proc, tracked, now_usec);
}

/* Before exec, the command is still a copy of the recorder. */
static bool is_held(struct proc *proc, const struct sw_process *process)
{
	char own[SW_COMM_SIZE] = "";

	if (proc->has_executed ||
	    process->pid != proc->programs->target.root_pid)
		return false;
	prctl(PR_GET_NAME, own);
	proc->has_executed = strcmp(own, process->comm) != 0;
	return !proc->has_executed;
}

static bool is_living(void *context, const struct sw_exit *exit)
{
	struct tracked *tracked = find_tracked(context, exit->pid);

	if (!tracked ||
	    exit->time_nsec / SW_NSEC_PER_USEC < tracked->start_usec)
		return false;
	if (tracked->has_ended)
		return false;
	sw_told_add(&tracked->told, exit);
	return true;
}

static void drain(void *state, uint64_t now_usec)
{
	struct proc *proc = state;
	const struct sw_tree *tree = proc->programs->target.tree;
	size_t i;

	if (!tree)
		return;
	proc->round++;
	for (i = 0; i < sw_tree_count(tree); i++) {
		if (!is_held(proc, sw_tree_process(tree, i)))
			see(proc, sw_tree_process(tree, i), now_usec);
	}
	for (i = 0; i < SW_TREE_PROCESSES_MAX; i++) {
		if (proc->tracked[i].program != SW_NO_PROGRAM &&
		    proc->tracked[i].seen != proc->round)
			forget(proc, &proc->tracked[i], now_usec);
	}
	sw_exits_take(&proc->ends, now_usec * SW_NSEC_PER_USEC, is_living,
		      proc);
}

static void finish(void *state)
{
	struct proc *proc = state;

	sw_exits_finish(&proc->ends, is_living, proc);
}

static void reaped(void *state, pid_t pid, int wait_status)
{
	struct proc *proc = state;
	struct tracked *tracked = find_tracked(proc, pid);
	uint64_t now_usec = sw_clock_boottime_usec();

	sw_ends_reaped(&proc->ends, pid, wait_status);
	if (!tracked)
		return;
	if (!tracked->has_ended) {
		sw_program_count_end(
			&proc->programs->program[tracked->program],
			&(struct sw_program_end){
				.wait_status = wait_status,
				.start_usec = tracked->start_usec,
				.end_usec = now_usec,
			});
		end(proc, tracked, now_usec);
	}
	tracked->program = SW_NO_PROGRAM;
}

const struct sw_programs_backend sw_programs_backend_proc = {
	.name = "proc",
	.create = create,
	.attach = attach,
	.drain = drain,
	.finish = finish,
	.reaped = reaped,
	.destroy = destroy,
};
