/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregate the processes of one program into a row. */
#include "recorder/programs/program.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/delta.h"
#include "common/exit_status.h"
#include "recorder/kernel/share.h"
#include "recorder/tables/privacy.h"

enum {
	TIME, STEP, PROGRAM, NAME, STARTED, ENDED, RUNNING, IS_COMPLETE,
	CPU, USER, SYSTEM, RUN_QUEUE_WAIT, PEAK, PEAK_ANON,
	READ, WRITTEN, RCHAR, WCHAR, OPENS, MPI_PROCESSES, MPI, MPI_LEAST,
	IO_WAIT,
	ELAPSED_P50, ELAPSED_P95, ELAPSED_MAX,
	EXITED_OK, EXITED_NONZERO, KILLED, OOM_KILLED,
	LAST_EXIT_STATUS, LAST_SIGNAL,
	SIGNAL_KILL, SIGNAL_SEGV, SIGNAL_ABRT, SIGNAL_TERM, SIGNAL_OTHER,
	FIRST_START, LAST_END,
	SPIN, SPIN_IN_CALL, SPIN_CALL, SPIN_OBJECT,
	SAMPLED, METADATA,
	FAILED_END, FAILED_CALL, FAILED_ERROR, FAILED_OBJECT, FAILED_IS_CAUSE,
	LAST_READ,
	KILLED_BY_JOB, KILLED_BY_OTHER, KILLER, KILLED_CPU, KILLED_BYTES,
	FAILED_CPU, FAILED_WRITTEN, FAILED_START, ORIGIN,
	FORKED_NONZERO, FORKED_NOT_FOUND, FIRST_NOT_FOUND, FIRST_FAILED,
	OK_SHORTEST,
	COLUMNS
};

#define COUNT(name, help) { name, "count", SW_KIND_COUNTER, help }
#define USEC(name, help) { name, "usec", SW_KIND_COUNTER, help }
#define BYTES(name, help) { name, "bytes", SW_KIND_COUNTER, help }

static const struct sw_column columns[COLUMNS] = {
	[TIME] = { "time_usec", "usec", SW_KIND_TIME, "When it was written." },
	[STEP] = { "step", "", SW_KIND_STATE, "The step." },
	[PROGRAM] = { "program", "", SW_KIND_KEY, "Number of the program." },
	[NAME] = { "name", "", SW_KIND_TEXT, "The program's name, without its "
					     "folder." },
	[STARTED] = COUNT("started", "Processes that ran it."),
	[ENDED] = COUNT("ended", "Of these, the ones that ended."),
	[RUNNING] = { "running", "count", SW_KIND_GAUGE, "Of these, the ones "
							 "still running." },
	[IS_COMPLETE] = { "is_complete", "", SW_KIND_STATE,
			  "1: every start and end was seen." },
	[CPU] = USEC("cpu_usec", "CPU time."),
	[USER] = USEC("user_usec", "CPU time in user mode."),
	[SYSTEM] = USEC("system_usec", "CPU time in the kernel."),
	[RUN_QUEUE_WAIT] = USEC("run_queue_wait_usec", "Time its threads "
				"waited for a CPU."),
	[PEAK] = { "peak_bytes", "bytes", SW_KIND_PEAK,
		   "Largest resident memory of one process." },
	[PEAK_ANON] = { "peak_anon_bytes", "bytes", SW_KIND_PEAK,
			"The same without file pages: a lower bound." },
	[READ] = BYTES("read_bytes", "Bytes read from block devices."),
	[WRITTEN] = BYTES("written_bytes", "Bytes written to block devices."),
	[RCHAR] = BYTES("rchar", "Bytes read by system calls."),
	[WCHAR] = BYTES("wchar", "Bytes written by system calls."),
	[OPENS] = COUNT("opens", "Regular files opened, other than to execute "
			"them."),
	[MPI_PROCESSES] = COUNT("mpi_processes", "Processes that ended and of "
				"which it is known what they did in MPI."),
	[MPI] = USEC("mpi_usec", "Of their CPU time that in MPI's libraries, "
		     "which poll while they wait; by sampling."),
	[MPI_LEAST] = { "mpi_least_usec", "usec", SW_KIND_GAUGE,
			"The same of the process with the least." },
	[IO_WAIT] = USEC("io_wait_usec", "Time waiting for I/O, summed over "
			 "all threads, as found by sampling."),
	[ELAPSED_P50] = { "elapsed_p50_usec", "usec", SW_KIND_GAUGE,
			  "Median run time of the processes that ended." },
	[ELAPSED_P95] = { "elapsed_p95_usec", "usec", SW_KIND_GAUGE,
			  "95 % of them ran no longer than this." },
	[ELAPSED_MAX] = { "elapsed_max_usec", "usec", SW_KIND_GAUGE,
			  "The longest run time." },
	[EXITED_OK] = COUNT("exited_ok", "Processes with exit status 0."),
	[EXITED_NONZERO] = COUNT("exited_nonzero", "Processes with a nonzero "
				 "exit status."),
	[KILLED] = COUNT("killed", "Processes killed by a signal."),
	[OOM_KILLED] = COUNT("oom_killed", "Processes killed by the kernel's "
			     "OOM killer."),
	[LAST_EXIT_STATUS] = { "last_exit_status", "", SW_KIND_STATE,
			       "The last nonzero exit status." },
	[LAST_SIGNAL] = { "last_signal", "", SW_KIND_STATE,
			  "The last signal that killed one." },
	[SIGNAL_KILL] = COUNT("signal_kill", "Killed by SIGKILL."),
	[SIGNAL_SEGV] = COUNT("signal_segv", "Killed by SIGSEGV."),
	[SIGNAL_ABRT] = COUNT("signal_abrt", "Killed by SIGABRT."),
	[SIGNAL_TERM] = COUNT("signal_term", "Killed by SIGTERM."),
	[SIGNAL_OTHER] = COUNT("signal_other", "Killed by another signal."),
	[FIRST_START] = { "first_start_usec", "usec", SW_KIND_STATE,
			  "When the first of them began." },
	[LAST_END] = { "last_end_usec", "usec", SW_KIND_STATE,
		       "When the last of them ended." },
	[SPIN] = { "spin_usec", "usec", SW_KIND_GAUGE,
		   "CPU time, at least, in which one process asked the kernel "
		   "the same again and again and read and wrote next to "
		   "nothing; of several processes the longest, by sampling." },
	[SPIN_IN_CALL] = { "spin_call_usec", "usec", SW_KIND_GAUGE,
			   "Of this what was in that system call." },
	[SPIN_CALL] = { "spin_call", "", SW_KIND_TEXT, "The system call." },
	[SPIN_OBJECT] = { "spin_object", "", SW_KIND_TEXT,
			  "The path that it asked about." },
	[SAMPLED] = USEC("sampled_usec", "CPU time of its processes, of those "
			 "that were watched, of which samples tell the system "
			 "call that it was in."),
	[METADATA] = USEC("metadata_usec", "Of this what was in system calls "
			  "that open, name, list or remove files."),
	[FAILED_END] = { "failed_end_usec", "usec", SW_KIND_STATE,
			 "When the process ended that failed as follows." },
	[FAILED_CALL] = { "failed_call", "", SW_KIND_TEXT,
			  "What one that failed could not do before it ended: "
			  "open, access (be allowed to), execute, interpret "
			  "(execute the interpreter of a script), write, memory, fork, connect." },
	[FAILED_ERROR] = { "failed_error", "", SW_KIND_TEXT,
			   "Why not: ENOENT." },
	[FAILED_OBJECT] = { "failed_object", "", SW_KIND_TEXT,
			    "The path, or its end; the peer's address and "
			    "port; the bytes of memory." },
	[FAILED_IS_CAUSE] = { "failed_is_cause", "", SW_KIND_STATE,
			      "1: it did nothing else from then on; 0: just "
			      "the last call that failed." },
	[LAST_READ] = { "last_read", "", SW_KIND_TEXT,
			"The last file, of those that are not the system's, "
			"that it opened for reading." },
	[KILLED_BY_JOB] = COUNT("killed_by_job", "Killed by a signal other than "
				"SIGTERM that another process of the job "
				"sent."),
	[KILLED_BY_OTHER] = COUNT("killed_by_other", "Killed by a signal other "
				  "than SIGTERM that a process outside the job "
				  "sent."),
	[KILLER] = { "killer", "", SW_KIND_TEXT,
		     "The process of the job that sent the last of these." },
	[KILLED_CPU] = { "killed_cpu_usec", "usec", SW_KIND_PEAK,
			 "CPU time of one process that a signal other than "
			 "SIGTERM killed: the largest." },
	[KILLED_BYTES] = { "killed_bytes", "bytes", SW_KIND_PEAK,
			   "Bytes that such a process read and wrote by system "
			   "calls: the largest." },
	[FAILED_CPU] = { "failed_cpu_usec", "usec", SW_KIND_PEAK,
			 "CPU time of one process with a nonzero exit status: "
			 "the largest." },
	[FAILED_WRITTEN] = { "failed_written_bytes", "bytes", SW_KIND_PEAK,
			     "Bytes that such a process wrote by system calls: "
			     "the largest." },
	[FAILED_START] = { "failed_start_usec", "usec", SW_KIND_STATE,
			   "When the last process with a nonzero exit status "
			   "began." },
	[ORIGIN] = { "started_by", "", SW_KIND_TEXT,
		     "The program of the step that executed it first." },
	[FORKED_NONZERO] = COUNT("forked_nonzero", "Of exited_nonzero, "
				 "processes that only forked and executed no "
				 "program: their parent's own affair."),
	[FORKED_NOT_FOUND] = COUNT("forked_not_found", "Of these, the ones "
				   "with exit status 126 or 127, as of a "
				   "shell's child that could not execute its "
				   "command."),
	[FIRST_NOT_FOUND] = { "first_not_found_usec", "usec", SW_KIND_STATE,
			      "When the first of these ended." },
	[FIRST_FAILED] = { "first_failed_usec", "usec", SW_KIND_STATE,
			   "When the first process was killed by a signal or "
			   "failed, such forks apart." },
	[OK_SHORTEST] = { "ok_shortest_usec", "usec", SW_KIND_GAUGE,
			  "The shortest run time with exit status 0." },
};

const struct sw_table sw_program_table = {
	.name = "programs",
	.scope = SW_SCOPE_PROGRAM,
	.source = "programs",
	.columns = columns,
	.column_count = COLUMNS,
};

void sw_program_init(struct sw_program *program, const char *name)
{
	memset(program, 0, sizeof(*program));
	snprintf(program->name, sizeof(program->name), "%s", name);
	program->cpu_usec = program->run_queue_wait_usec = SW_MISSING;
	program->user_usec = program->system_usec = SW_MISSING;
	program->peak_bytes = program->peak_anon_bytes = SW_MISSING;
	program->read_bytes = program->written_bytes = SW_MISSING;
	program->rchar = program->wchar = program->opens = SW_MISSING;
	program->io_wait_usec = program->oom_killed = SW_MISSING;
	program->exited_ok = program->exited_nonzero = SW_MISSING;
	program->killed = SW_MISSING;
	program->last_exit_status = program->last_signal = SW_MISSING;
	program->first_start_usec = program->last_end_usec = SW_MISSING;
	program->spin.usec = program->sampled_usec = SW_MISSING;
	program->killed_by_job = program->killed_by_other = SW_MISSING;
	program->killed_cpu_usec = program->killed_bytes = SW_MISSING;
	program->failed_cpu_usec = program->failed_written_bytes = SW_MISSING;
	program->failed_start_usec = SW_MISSING;
	program->forked_nonzero = program->forked_not_found = SW_MISSING;
	program->first_failed_usec = program->first_not_found_usec = SW_MISSING;
	program->ok_shortest_usec = program->elapsed_max_usec = SW_MISSING;
}

/* From now on exit statuses of this program are known. */
static void know_ends(struct sw_program *program)
{
	if (!sw_is_missing(program->exited_ok))
		return;
	program->exited_ok = program->exited_nonzero = program->killed = 0;
}

static void count_signal(struct sw_program *program, int number)
{
	program->killed++;
	program->last_signal = (uint64_t)number;
	switch (number) {
	case SIGKILL:
		program->signal_kill++;
		break;
	case SIGSEGV:
		program->signal_segv++;
		break;
	case SIGABRT:
		program->signal_abrt++;
		break;
	case SIGTERM:
		program->signal_term++;
		break;
	default:
		program->signal_other++;
	}
}

/* The status of a forked copy is a reply to its parent. */
static void count_fork(struct sw_program *program, uint64_t status,
		       uint64_t end_usec)
{
	/* Prefer the status of a program that failed. */
	if (program->forked_nonzero == program->exited_nonzero)
		program->last_exit_status = status;
	program->exited_nonzero++;
	program->forked_nonzero++;
	if (status != SW_STATUS_NOT_EXECUTABLE && status != SW_STATUS_NOT_FOUND)
		return;
	program->forked_not_found++;
	if (sw_is_missing(program->first_not_found_usec))
		program->first_not_found_usec = end_usec;
}

/* Note the time of the first failure or kill. */
static void note_failure(struct sw_program *program, uint64_t end_usec)
{
	if (sw_is_missing(program->first_failed_usec))
		program->first_failed_usec = end_usec;
}

void sw_program_count_end(struct sw_program *program,
			  const struct sw_program_end *end)
{
	uint64_t status = (uint64_t)WEXITSTATUS(end->wait_status);

	know_ends(program);
	if (end->executed != SW_EXECUTED_UNKNOWN &&
	    sw_is_missing(program->forked_nonzero))
		program->forked_nonzero = program->forked_not_found = 0;
	program->is_changed = true;
	if (WIFSIGNALED(end->wait_status)) {
		count_signal(program, WTERMSIG(end->wait_status));
		sw_program_count_kind(program, end->wait_status);
		note_failure(program, end->end_usec);
	} else if (status == 0) {
		program->exited_ok++;
		program->ok_shortest_usec = sw_min_u64(
			program->ok_shortest_usec,
			sw_excess_u64(end->end_usec, end->start_usec));
	} else if (end->executed == SW_ONLY_FORKED) {
		count_fork(program, status, end->end_usec);
	} else {
		program->exited_nonzero++;
		program->last_exit_status = status;
		sw_program_count_kind(program, end->wait_status);
		note_failure(program, end->end_usec);
	}
}

/* Return whether a signal killed it that is unusual in normal scripts. */
static bool is_killed(int wait_status)
{
	return WIFSIGNALED(wait_status) && WTERMSIG(wait_status) != SIGTERM;
}

void sw_program_count_loss(struct sw_program *program,
			   const struct sw_program_loss *loss)
{
	if (is_killed(loss->wait_status)) {
		program->killed_cpu_usec = sw_max_u64(program->killed_cpu_usec,
						      loss->cpu_usec);
		program->killed_bytes = sw_max_u64(
			program->killed_bytes,
			sw_sum_u64(loss->read_bytes, loss->written_bytes));
	} else if (WIFEXITED(loss->wait_status) &&
		   WEXITSTATUS(loss->wait_status) != 0) {
		program->failed_cpu_usec = sw_max_u64(program->failed_cpu_usec,
						      loss->cpu_usec);
		program->failed_written_bytes = sw_max_u64(
			program->failed_written_bytes, loss->written_bytes);
		program->failed_start_usec = loss->start_usec;
	}
}

void sw_program_count_killer(struct sw_program *program, int wait_status,
			     enum sw_killer killer, const char *name)
{
	if (killer == SW_KILLER_UNKNOWN)
		return;
	if (sw_is_missing(program->killed_by_job))
		program->killed_by_job = program->killed_by_other = 0;
	if (!is_killed(wait_status))
		return;
	if (killer == SW_KILLER_OTHER)
		program->killed_by_other++;
	if (killer != SW_KILLER_JOB)
		return;
	program->killed_by_job++;
	snprintf(program->killer, sizeof(program->killer), "%s", name);
}

static void put_ends(const struct sw_program *program, union sw_value *values)
{
	values[EXITED_OK].number = program->exited_ok;
	values[EXITED_NONZERO].number = program->exited_nonzero;
	values[KILLED].number = program->killed;
	values[OOM_KILLED].number = program->oom_killed;
	values[LAST_EXIT_STATUS].number = program->last_exit_status;
	values[LAST_SIGNAL].number = program->last_signal;
	values[SIGNAL_KILL].number = program->signal_kill;
	values[SIGNAL_SEGV].number = program->signal_segv;
	values[SIGNAL_ABRT].number = program->signal_abrt;
	values[SIGNAL_TERM].number = program->signal_term;
	values[SIGNAL_OTHER].number = program->signal_other;
}

static void put_losses(const struct sw_program *program, union sw_value *values)
{
	bool has_names = sw_privacy_has_programs();

	values[KILLED_BY_JOB].number = program->killed_by_job;
	values[KILLED_BY_OTHER].number = program->killed_by_other;
	values[KILLER].text =
		has_names && program->killer[0] ? program->killer : NULL;
	values[KILLED_CPU].number = program->killed_cpu_usec;
	values[KILLED_BYTES].number = program->killed_bytes;
	values[FAILED_CPU].number = program->failed_cpu_usec;
	values[FAILED_WRITTEN].number = program->failed_written_bytes;
	values[FAILED_START].number = program->failed_start_usec;
	values[FORKED_NONZERO].number = program->forked_nonzero;
	values[FORKED_NOT_FOUND].number = program->forked_not_found;
	values[FIRST_NOT_FOUND].number = program->first_not_found_usec;
	values[FIRST_FAILED].number = program->first_failed_usec;
	values[OK_SHORTEST].number = program->ok_shortest_usec;
	values[ORIGIN].text =
		has_names && program->origin ? program->origin->name : NULL;
}

uint64_t sw_program_cpu_usec(const struct sw_program *program)
{
	return !sw_is_missing(program->cpu_usec)
		       ? program->cpu_usec
		       : sw_add_u64(program->user_usec, program->system_usec);
}

/* All of them: what is not known of all is not said of some. */
static void forget_elapsed(struct sw_program *program)
{
	sw_quantiles_fini(&program->elapsed_usec);
	sw_share_give(program->share, program->elapsed_bytes);
	program->elapsed_bytes = 0;
}

/* What a value takes is paid for afterwards: some KiB at most. */
static bool add_elapsed(struct sw_program *program, uint64_t usec)
{
	struct sw_quantiles *elapsed = &program->elapsed_usec;
	uint64_t more;

	if (sw_quantiles_add(elapsed, usec) < 0)
		return false;
	more = sw_excess_u64(sw_quantiles_memory_bytes(elapsed),
			     program->elapsed_bytes);
	if (more && !sw_share_take(program->share, more))
		return false;
	program->elapsed_bytes += more;
	return true;
}

void sw_program_count_elapsed(struct sw_program *program, uint64_t usec)
{
	if (sw_is_missing(program->elapsed_max_usec) ||
	    program->elapsed_max_usec < usec)
		program->elapsed_max_usec = usec;
	if (program->has_no_elapsed || add_elapsed(program, usec))
		return;
	program->has_no_elapsed = true;
	forget_elapsed(program);
}

void sw_program_fini(struct sw_program *program)
{
	if (program->cause)
		sw_share_give(program->share, sizeof(*program->cause));
	free(program->cause);
	program->cause = NULL;
	forget_elapsed(program);
}

static bool make_cause(struct sw_program *program)
{
	struct sw_share *share = program->share;

	if (!sw_share_take(share, sizeof(*program->cause)))
		return false;
	program->cause = calloc(1, sizeof(*program->cause));
	if (!program->cause)
		sw_share_give(share, sizeof(*program->cause));
	return program->cause;
}

void sw_program_put_cause(struct sw_program *program,
			  const struct sw_cause *cause)
{
	const struct sw_cause *known = program->cause;

	if (known && known->call &&
	    (!cause->call || (known->is_likely && !cause->is_likely)))
		return;
	if (!known && !make_cause(program))
		return;
	*program->cause = *cause;
	program->is_changed = true;
}

static void put_cause(const struct sw_cause *cause, union sw_value *values)
{
	const struct sw_cause none = { .end_usec = SW_MISSING };
	const char *object, *read;

	cause = cause ? cause : &none;
	object = cause->object.text;
	read = cause->read.text;
	values[FAILED_END].number = cause->end_usec;
	values[FAILED_CALL].text = cause->call;
	values[FAILED_ERROR].text = cause->error;
	values[FAILED_OBJECT].text =
		object[0] ? sw_privacy_path(object) : NULL;
	values[FAILED_IS_CAUSE].number =
		cause->call ? cause->is_likely : SW_MISSING;
	values[LAST_READ].text = read[0] ? sw_privacy_path(read) : NULL;
}

static void put_spin(const struct sw_spin *spin, union sw_value *values)
{
	values[SPIN].number = spin->usec;
	values[SPIN_IN_CALL].number = spin->call ? spin->call_usec : SW_MISSING;
	values[SPIN_CALL].text = spin->call;
	values[SPIN_OBJECT].text =
		spin->object[0] ? sw_privacy_path(spin->object) : NULL;
}

static void put_elapsed(const struct sw_program *program,
			union sw_value *values)
{
	const struct sw_quantiles *elapsed = &program->elapsed_usec;

	values[ELAPSED_P50].number = sw_quantiles_at(elapsed, 1, 2);
	values[ELAPSED_P95].number = sw_quantiles_at(elapsed, 95, 100);
	values[ELAPSED_MAX].number = program->elapsed_max_usec;
}

/* Return the name, or a number if hidden.  Valid until the next call. */
static const char *name_of(const struct sw_program *program, uint64_t key)
{
	static char number[32];

	if (sw_privacy_has_programs())
		return program->name;
	snprintf(number, sizeof(number), "program %" PRIu64, key);
	return number;
}

void sw_program_row(const struct sw_program *program, uint64_t step,
		    uint64_t key, uint64_t now_usec, union sw_value *values)
{
	values[TIME].number = now_usec;
	values[STEP].number = step;
	values[PROGRAM].number = key;
	values[NAME].text = name_of(program, key);
	values[STARTED].number = program->started;
	values[ENDED].number = program->ended;
	values[RUNNING].number = program->started > program->ended
					 ? program->started - program->ended
					 : 0;
	values[IS_COMPLETE].number = program->is_complete;
	values[CPU].number = sw_program_cpu_usec(program);
	values[USER].number = program->user_usec;
	values[SYSTEM].number = program->system_usec;
	values[RUN_QUEUE_WAIT].number = program->run_queue_wait_usec;
	values[PEAK].number = program->peak_bytes;
	values[PEAK_ANON].number = program->peak_anon_bytes;
	values[READ].number = program->read_bytes;
	values[WRITTEN].number = program->written_bytes;
	values[RCHAR].number = program->rchar;
	values[WCHAR].number = program->wchar;
	values[OPENS].number = program->opens;
	values[MPI_PROCESSES].number = program->polled;
	values[MPI].number = program->polled ? program->mpi_usec : SW_MISSING;
	values[MPI_LEAST].number =
		program->polled ? program->mpi_least_usec : SW_MISSING;
	values[IO_WAIT].number = program->io_wait_usec;
	values[FIRST_START].number = program->first_start_usec;
	values[LAST_END].number = program->last_end_usec;
	put_elapsed(program, values);
	put_ends(program, values);
	put_losses(program, values);
	put_spin(&program->spin, values);
	values[SAMPLED].number = program->sampled_usec;
	values[METADATA].number = sw_is_missing(program->sampled_usec) ?
		SW_MISSING : program->metadata_usec;
	put_cause(program->cause, values);
}
