/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Update the programs of steps from BPF's records of forks, execs and exits. */
#include "recorder/programs/bpf_records.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/delta.h"
#include "common/path.h"
#include "common/units.h"
#include "recorder/bpf/exec_record.h"
#include "recorder/bpf/failures.h"
#include "recorder/programs/bpf_step.h"
#include "recorder/programs/spinning.h"
#include "recorder/programs/why.h"

/* Find the process of a record, unless the process is newer (pid reused). */
static struct sw_followed *find_told(pid_t pid, uint64_t time_nsec)
{
	struct sw_followed *live = sw_followed_find(sw_bpf_followed(), pid);

	return live && time_nsec >= live->since_nsec ? live : NULL;
}

static void take_fork(const struct sw_record_fork *record)
{
	struct sw_followed *parent = find_told(record->parent,
					       record->head.time_nsec),
			   *child;
	struct sw_bpf_step *step;
	unsigned program;

	/* The child may have been added before its fork record. */
	if (!parent || sw_followed_find(sw_bpf_followed(), record->head.pid))
		return;
	step = sw_bpf_step_of(parent);
	program = parent->program;
	child = sw_bpf_step_add(step, record->head.pid,
				parent->account ? (int)parent->task : -1);
	step->has_gaps |= !child;
	if (child)
		child->is_fork = true;
	/* Until exec it runs its parent's program. */
	if (child && program != SW_NO_PROGRAM)
		sw_programs_belong(step->programs, &child->program,
				   step->programs->program[program].name,
				   record->head.time_nsec / SW_NSEC_PER_USEC);
}

static void take_exec(const struct sw_record_exec *record)
{
	struct sw_followed *live =
		find_told(record->head.pid, record->head.time_nsec);
	const char *name = sw_path_name(record->path);
	char program[SW_PROGRAM_SIZE];
	struct sw_bpf_step *step;
	size_t length;

	if (!live)
		return;
	/* It was held until now; any later program is still this process's. */
	if (live->since_nsec && live->program == SW_NO_PROGRAM)
		live->since_nsec = record->head.time_nsec;
	live->is_fork = false;
	step = sw_bpf_step_of(live);
	length = strnlen(name, sizeof(program) - 1);
	memcpy(program, name, length);
	program[length] = '\0';
	sw_programs_belong(step->programs, &live->program,
			   length ? program : "?",
			   record->head.time_nsec / SW_NSEC_PER_USEC);
	sw_polling_exec(&step->polling, live, program,
			step->account.task_count > 1);
}

/*
 * The runtime is exact to a tick of the last thread; user and system time are
 * counted in ticks, so use them only as proportions.
 */
static void add_cpu(struct sw_program *program,
		    const struct sw_record_sums *sums)
{
	uint64_t runtime_usec = sums->runtime_nsec / SW_NSEC_PER_USEC;
	uint64_t ticked = sums->user_nsec + sums->system_nsec;
	uint64_t system_usec = 0;

	if (ticked)
		system_usec =
			(uint64_t)((double)runtime_usec *
				   (double)sums->system_nsec / (double)ticked);
	program->system_usec = sw_sum_u64(program->system_usec, system_usec);
	program->user_usec = sw_sum_u64(program->user_usec,
					runtime_usec - system_usec);
}

/* Add the usage of an exited process to the program it ran. */
static void add_sums(struct sw_program *program, const struct sw_followed *live,
		     const struct sw_record_exit *record)
{
	const struct sw_record_sums *sums = &record->sums;

	add_cpu(program, sums);
	program->run_queue_wait_usec = sw_sum_u64(
		program->run_queue_wait_usec,
		sw_account_run_delay_nsec(live, sums->run_delay_nsec,
					  record->head.time_nsec) /
			SW_NSEC_PER_USEC);
	program->io_wait_usec = sw_sum_u64(
		program->io_wait_usec,
		sw_bpf_step_waits_backend(sw_bpf_step_of(live)) ? 0 :
								  SW_MISSING);
	program->rchar = sw_sum_u64(program->rchar, sums->rchar);
	program->wchar = sw_sum_u64(program->wchar, sums->wchar);
	program->opens = sw_sum_u64(program->opens, sw_failures_counts_opens() ?
				    sums->opens : SW_MISSING);
	program->read_bytes = sw_sum_u64(program->read_bytes, sums->read_bytes);
	program->written_bytes =
		sw_sum_u64(program->written_bytes, sums->write_bytes);
	program->peak_bytes = sw_max_u64(
		program->peak_bytes,
		record->end.maxrss_pages * (uint64_t)sysconf(_SC_PAGESIZE));
	program->oom_killed =
		sw_sum_u64(program->oom_killed, record->end.is_oom_victim != 0);
}

static void count_end(struct sw_program *program, const struct sw_followed *live,
		   const struct sw_record_exit *record)
{
	const struct sw_bpf_step *step = sw_bpf_step_of(live);
	uint64_t end_usec = record->head.time_nsec / SW_NSEC_PER_USEC;
	uint64_t start_nsec = record->end.start_nsec;

	program->ended++;
	program->last_end_usec = end_usec;
	/* It was held until since_nsec, so its run time begins there. */
	if (!step->programs->target.is_late && live->since_nsec > start_nsec)
		start_nsec = live->since_nsec;
	sw_program_count_elapsed(
		program, sw_excess_u64(end_usec, start_nsec / SW_NSEC_PER_USEC));
	sw_program_count_end(program,
			     &(struct sw_program_end){
				     .wait_status = record->end.wait_status,
				     .executed = live->is_fork ?
					SW_ONLY_FORKED : SW_EXECUTED,
				     .start_usec = start_nsec / SW_NSEC_PER_USEC,
				     .end_usec = end_usec,
			     });
}

static enum sw_killer killer_of(const struct sw_record_exit *record)
{
	const struct sw_record_signal *signal = &record->signal;

	if (signal->number < 0)
		return SW_KILLER_UNKNOWN;
	/* Signals to itself and faults are not recorded. */
	if (signal->number != (record->end.wait_status & 0x7f))
		return SW_KILLER_NONE;
	if (!signal->sender)
		return SW_KILLER_KERNEL;
	return signal->is_of_job ? SW_KILLER_JOB : SW_KILLER_OTHER;
}

/* Return the sender's program if it still runs it, or else its comm. */
static const char *sender_name(const struct sw_bpf_step *step,
			       const struct sw_record_signal *signal)
{
	const struct sw_followed *sender =
		sw_followed_find(sw_bpf_followed(), signal->sender);

	return sender && sender->owner == step &&
			       sender->program != SW_NO_PROGRAM
		       ? step->programs->program[sender->program].name
		       : signal->name;
}

/* Count the work that may be lost by the exit, and the sender of the signal. */
static void count_loss(struct sw_program *program,
		       const struct sw_bpf_step *step,
		       const struct sw_record_exit *record)
{
	const struct sw_record_sums *sums = &record->sums;
	enum sw_killer killer = killer_of(record);

	sw_program_count_loss(
		program,
		&(struct sw_program_loss){
			.wait_status = record->end.wait_status,
			.start_usec = record->end.start_nsec / SW_NSEC_PER_USEC,
			.cpu_usec = sums->runtime_nsec / SW_NSEC_PER_USEC,
			.read_bytes = sums->rchar,
			.written_bytes = sums->wchar,
		});
	sw_program_count_killer(program, record->end.wait_status,
				killer,
				killer == SW_KILLER_JOB ?
				sender_name(step, &record->signal) : "");
}

static void take_exit(const struct sw_record_exit *record)
{
	struct sw_followed *live =
		find_told(record->head.pid, record->head.time_nsec);
	struct sw_program *program;
	struct sw_bpf_step *step;
	struct sw_cause cause;

	sw_why_take(&cause, record);
	if (!live)
		return;
	step = sw_bpf_step_of(live);
	sw_account_bury(live, record);
	if (live->program == SW_NO_PROGRAM) {
		sw_bpf_step_remove(live);
		return;
	}
	program = &step->programs->program[live->program];
	count_end(program, live, record);
	add_sums(program, live, record);
	/* The status of a mere fork is a reply to its parent. */
	if (!live->is_fork || !WIFEXITED(record->end.wait_status))
		count_loss(program, step, record);
	sw_polling_add(program, live, &record->sums);
	sw_spinning_end(live, program);
	sw_why_tell_killed(program, record, &step->programs->target,
			   &step->event_count);
	sw_why_tell(program, &cause, &step->programs->target);
	sw_bpf_step_remove(live);
}

int sw_bpf_record_take(void *unused, void *data, size_t size)
{
	const struct sw_record_head *head = data;

	(void)unused;
	if (size >= sizeof(struct sw_record_fork) &&
	    head->kind == SW_RECORD_FORK)
		take_fork(data);
	else if (size >= sizeof(struct sw_record_exec) &&
		 head->kind == SW_RECORD_EXEC)
		take_exec(data);
	else if (size >= sizeof(struct sw_record_exit) &&
		 head->kind == SW_RECORD_EXIT)
		take_exit(data);
	return 0;
}
