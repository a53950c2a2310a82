/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of a job or step in Slurm's accounting, and how each of them
 * ended.
 */
#ifndef SW_COMMON_JOB_STATE_H
#define SW_COMMON_JOB_STATE_H

#include <stdbool.h>
#include <stddef.h>

/* The numbers are stored in files of the sweep. */
enum sw_job_state {
	SW_JOB_UNKNOWN, SW_JOB_COMPLETED, SW_JOB_FAILED, SW_JOB_CANCELLED,
	SW_JOB_TIMEOUT, SW_JOB_OUT_OF_MEMORY, SW_JOB_NODE_FAIL,
	SW_JOB_BOOT_FAIL, SW_JOB_PREEMPTED, SW_JOB_REQUEUED, SW_JOB_DEADLINE,
	SW_JOB_RESIZING, SW_JOB_REVOKED, SW_JOB_PENDING, SW_JOB_RUNNING,
	SW_JOB_SUSPENDED, SW_JOB_STATES,
};

/* Cause of the end; each state has one. */
enum sw_job_end {
	SW_JOB_END_OTHER,	/* none, or unknown */
	SW_JOB_END_COMPLETED,
	SW_JOB_END_FAILED,	/* by itself */
	SW_JOB_END_OUT_OF_MEMORY,
	SW_JOB_END_TIME,	/* its time limit */
	SW_JOB_END_DEADLINE,	/* no later end was allowed */
	SW_JOB_END_NODE,
	SW_JOB_END_CANCELLED,
	SW_JOB_END_REQUEUED,	/* also preempted */
	SW_JOB_ENDS,
};

/*
 * Parse a state as printed by Slurm: FAILED in "FAILED", "FAILED,EXPEDITING"
 * and "F", OUT_OF_MEMORY in "OUT_OF_ME+", CANCELLED in "CANCELLED by 1000".
 * Flags, also those of later releases, do not change it.
 */
enum sw_job_state sw_job_state_read(const char *text);

/* Return the uid in "CANCELLED by 1000", as text; NULL: none. */
const char *sw_job_state_by(const char *text);

/* Return Slurm's name, "OUT_OF_MEMORY"; NULL: unknown. */
const char *sw_job_state_name(enum sw_job_state state);

enum sw_job_end sw_job_state_end(enum sw_job_state state);

/* Has it ended, for good or until it is requeued? */
bool sw_job_state_is_final(enum sw_job_state state);

/* Did it fail, run out of memory or time, miss its deadline, or lose its node?
 */
bool sw_job_state_is_failed(enum sw_job_state state);

/* Was it ended by Slurm, a person or a node? */
bool sw_job_state_is_ended_from_outside(enum sw_job_state state);

enum { SW_JOB_STATE_LETTERS_SIZE = 64 };

/* List the states of records that have an end, for sacct: "CD,F,CA". */
char *sw_job_state_letters(char buf[SW_JOB_STATE_LETTERS_SIZE]);

#endif
