/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The aggregate of one program's processes, and its row. */
#ifndef SW_RECORDER_PROGRAM_H
#define SW_RECORDER_PROGRAM_H

#include "common/quantiles.h"
#include "recorder/programs/cause.h"
#include "recorder/programs/programs.h"
#include "recorder/tables/tables.h"

enum { SW_SPIN_OBJECT_SIZE = 256 };

/* What one of its processes asked again and again, and did nothing else. */
struct sw_spin {
	uint64_t usec;		/* CPU time; SW_MISSING: cannot be seen */
	uint64_t call_usec;	/* of this what was in that system call */
	const char *call;	/* NULL: none did */
	char object[SW_SPIN_OBJECT_SIZE];	/* hostile; "": none */
};

/* Did a process execute a program, or is it a copy of its parent? */
enum sw_executed { SW_EXECUTED_UNKNOWN, SW_EXECUTED, SW_ONLY_FORKED };

/* How a process ended, and its run time. */
struct sw_program_end {
	int wait_status;		/* wait(2) */
	enum sw_executed executed;
	uint64_t start_usec, end_usec;
};

/* A process that ended by a signal or with a nonzero exit status. */
struct sw_program_loss {
	int wait_status;	/* wait(2) */
	uint64_t start_usec, cpu_usec, read_bytes, written_bytes;
};

/* Who sent the signal that ended one of them. */
enum sw_killer {
	SW_KILLER_UNKNOWN,
	SW_KILLER_NONE,		/* itself, or a fault of its own */
	SW_KILLER_KERNEL,
	SW_KILLER_JOB,		/* another process of the job */
	SW_KILLER_OTHER,	/* a process outside the job */
};

/* Numbers are SW_MISSING where the source cannot know them. */
struct sw_program {
	char name[SW_PROGRAM_SIZE];	/* hostile */
	bool is_changed;
	bool is_complete;	/* every start and end was seen */
	uint64_t started, ended;
	uint64_t cpu_usec;	/* where the source does not divide it */
	uint64_t user_usec, system_usec;
	uint64_t run_queue_wait_usec;
	uint64_t peak_bytes, peak_anon_bytes;
	uint64_t read_bytes, written_bytes, rchar, wchar;
	uint64_t opens;		/* of files, as struct sw_record_sums */
	/*
	 * CPU time that was sampled (SW_MISSING: cannot be), and of this in
	 * calls about names of files.
	 */
	uint64_t sampled_usec, metadata_usec;
	/* Of processes that ended: in MPI's libraries, and the least of one. */
	uint64_t polled, mpi_usec, mpi_least_usec;
	uint64_t io_wait_usec;
	uint64_t exited_ok, exited_nonzero, killed, oom_killed;
	uint64_t last_exit_status, last_signal;
	/* Included in exited_nonzero: forks, and those with 126 or 127. */
	uint64_t forked_nonzero, forked_not_found;
	/* The first that failed or was killed, but for such forks. */
	uint64_t first_failed_usec;
	uint64_t first_not_found_usec;	/* of forked_not_found */
	uint64_t ok_shortest_usec;	/* run time with exit status 0 */
	uint64_t signal_kill, signal_segv, signal_abrt, signal_term,
		signal_other;
	/*
	 * Of those that a signal other than SIGTERM ended: who sent it, and the
	 * name of the process of the job that sent the last one, hostile.
	 */
	uint64_t killed_by_job, killed_by_other;
	char killer[SW_PROGRAM_SIZE];
	/* Of the one of them that used most, and of the one that failed. */
	uint64_t killed_cpu_usec, killed_bytes;
	uint64_t failed_cpu_usec, failed_written_bytes;
	uint64_t failed_start_usec;	/* of the last one that failed */
	/* What became the first of them; NULL: not known, or the command. */
	const struct sw_program *origin;
	uint64_t first_start_usec, last_end_usec;
	/* Run times of the processes that ended, and the longest of them. */
	struct sw_quantiles elapsed_usec;
	uint64_t elapsed_max_usec;	/* SW_MISSING: none has ended */
	uint64_t elapsed_bytes;		/* of memory; the share has paid them */
	bool has_no_elapsed;		/* there was no memory for all */
	struct sw_share *share;		/* pays for these and the cause */
	struct sw_spin spin;
	struct sw_cause *cause;	/* of one that failed; NULL: nothing is known */
};

void sw_program_init(struct sw_program *program, const char *name);

void sw_program_count_end(struct sw_program *program,
			  const struct sw_program_end *end);

/*
 * One more of its processes has ended, after so long.  Quantiles of the run
 * times are given up where the job's share of memory does not have them.
 */
void sw_program_count_elapsed(struct sw_program *program, uint64_t usec);

/* How much of its work is in doubt; of one that exited with 0 it is none. */
void sw_program_count_loss(struct sw_program *program,
			   const struct sw_program_loss *loss);

/* Who ended it by a signal; name: where it is of the job, hostile. */
void sw_program_count_killer(struct sw_program *program, int wait_status,
			     enum sw_killer killer, const char *name);

/* What it has taken of its job's share of memory is given back. */
void sw_program_fini(struct sw_program *program);

/*
 * Why one of its processes failed: told unless more is known of another, or
 * there is no memory for it.
 */
void sw_program_put_cause(struct sw_program *program,
			  const struct sw_cause *cause);

/* The values of the program's row; has room for the table's columns. */
void sw_program_row(const struct sw_program *program, uint64_t step,
		    uint64_t key, uint64_t now_usec, union sw_value *values);

#endif
