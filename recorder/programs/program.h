/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregate the processes of one program into a row. */
#ifndef SW_RECORDER_PROGRAM_H
#define SW_RECORDER_PROGRAM_H

#include "common/exit_counts.h"
#include "common/quantiles.h"
#include "recorder/programs/cause.h"
#include "recorder/programs/programs.h"
#include "recorder/tables/tables.h"

enum { SW_SPIN_OBJECT_SIZE = 256 };

/* Repeated request of a process that does nothing else */
struct sw_spin {
	uint64_t usec;		/* CPU time; SW_MISSING: not observable */
	uint64_t call_usec;	/* part of it in that system call */
	const char *call;	/* NULL: none */
	char object[SW_SPIN_OBJECT_SIZE];	/* untrusted; "": none */
};

/* Did a process execute a program, or is it a copy of its parent? */
enum sw_executed { SW_EXECUTED_UNKNOWN, SW_EXECUTED, SW_ONLY_FORKED };

/* Exit of a process, and its run time */
struct sw_program_end {
	int wait_status;		/* wait(2) */
	enum sw_executed executed;
	uint64_t start_usec, end_usec;
};

/* A process that was killed by a signal or failed */
struct sw_program_loss {
	int wait_status;	/* wait(2) */
	uint64_t start_usec, cpu_usec, read_bytes, written_bytes;
};

/* Sender of the signal that killed a process */
enum sw_killer {
	SW_KILLER_UNKNOWN,
	SW_KILLER_NONE,		/* itself, or a fault */
	SW_KILLER_KERNEL,
	SW_KILLER_JOB,		/* another process of the job */
	SW_KILLER_OTHER,	/* a process outside the job */
};

/* Numbers are SW_MISSING if the backend does not provide them. */
struct sw_program {
	char name[SW_PROGRAM_SIZE];	/* untrusted */
	bool is_changed;
	bool is_complete;	/* every start and exit was seen */
	uint64_t started, ended;
	uint64_t cpu_usec;	/* if not divided into user and system */
	uint64_t user_usec, system_usec;
	uint64_t run_queue_wait_usec;
	uint64_t peak_bytes, peak_anon_bytes;
	uint64_t read_bytes, written_bytes, rchar, wchar;
	uint64_t opens;		/* of files, see struct sw_record_sums */
	/*
	 * CPU time sampled (SW_MISSING: not available); part of it in calls
	 * about file names
	 */
	uint64_t sampled_usec, metadata_usec;
	/* Exited processes: number, CPU time in MPI, minimum of one */
	uint64_t polled, mpi_usec, mpi_least_usec;
	uint64_t io_wait_usec;
	uint64_t exited_ok, exited_nonzero, killed, oom_killed;
	uint64_t last_exit_status, last_signal;
	/* Included in exited_nonzero: forks, and those with status 126, 127 */
	uint64_t forked_nonzero, forked_not_found;
	/* First failed or killed process, except for such forks */
	uint64_t first_failed_usec;
	uint64_t first_not_found_usec;	/* of forked_not_found */
	uint64_t ok_shortest_usec;	/* minimum, of exit status 0 */
	/*
	 * exited_nonzero without forks, and killed, by status and signal; bit i
	 * of kinds_changed: kind i is not written yet
	 */
	struct sw_exit_counts exits;
	unsigned kinds_changed;
	uint64_t signal_kill, signal_segv, signal_abrt, signal_term,
		signal_other;
	/*
	 * Processes killed by a signal other than SIGTERM: by sender; and the
	 * name of the last sender in the job, untrusted
	 */
	uint64_t killed_by_job, killed_by_other;
	char killer[SW_PROGRAM_SIZE];
	/* Maxima over killed and over failed processes */
	uint64_t killed_cpu_usec, killed_bytes;
	uint64_t failed_cpu_usec, failed_written_bytes;
	uint64_t failed_start_usec;	/* of the last failed process */
	/* Program that its first process ran before; NULL: unknown, or none */
	const struct sw_program *origin;
	uint64_t first_start_usec, last_end_usec;
	/* Run times of the processes that ended, and the longest of them. */
	struct sw_quantiles elapsed_usec;
	uint64_t elapsed_max_usec;	/* SW_MISSING: none has ended */
	uint64_t elapsed_bytes;		/* of memory; the share has paid them */
	bool has_no_elapsed;		/* there was no memory for all */
	struct sw_share *share;		/* pays for these and the cause */
	struct sw_spin spin;
	struct sw_cause *cause;	/* of a failed process; NULL: unknown */
};

void sw_program_init(struct sw_program *program, const char *name);

void sw_program_count_end(struct sw_program *program,
			  const struct sw_program_end *end);

/*
 * One more of its processes has ended, after so long.  Quantiles of the run
 * times are given up where the job's share of memory does not have them.
 */
void sw_program_count_elapsed(struct sw_program *program, uint64_t usec);

/* CPU time of all its processes. */
uint64_t sw_program_cpu_usec(const struct sw_program *program);

/* How much of its work is in doubt; of one that exited with 0 it is none. */
void sw_program_count_loss(struct sw_program *program,
			   const struct sw_program_loss *loss);

/* Count the sender of a fatal signal; name if it is in the job, untrusted. */
void sw_program_count_killer(struct sw_program *program, int wait_status,
			     enum sw_killer killer, const char *name);

/* Free the program; return its part of the job's share of memory. */
void sw_program_fini(struct sw_program *program);

/*
 * Store why a process failed, unless more is known of another, or memory is
 * exhausted.
 */
void sw_program_put_cause(struct sw_program *program,
			  const struct sw_cause *cause);

/* Fill in the row; values has room for all columns of the table. */
void sw_program_row(const struct sw_program *program, uint64_t step,
		    uint64_t key, uint64_t now_usec, union sw_value *values);

enum { SW_PROGRAM_EXITS_COLUMNS = 6 };

/* Count a process that failed or was killed, by its status or signal. */
void sw_program_count_kind(struct sw_program *program, int wait_status);

/*
 * Fill in the row of the first kind of exit that changed since it was written;
 * return its index, for sw_program_wrote_exits(), or -1 if none did.
 */
int sw_program_exits_row(const struct sw_program *program, uint64_t step,
			 uint64_t key, uint64_t now_usec,
			 union sw_value values[SW_PROGRAM_EXITS_COLUMNS]);
void sw_program_wrote_exits(struct sw_program *program, int kind);

#endif
