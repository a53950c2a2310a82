/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fingerprint of a run: what it is compared with its past by, small enough
 * to be kept with each row of a history.  SW_MISSING, NAN and "" are unknown.
 * All texts are untrusted.
 */
#ifndef SW_ANALYZER_FINGERPRINT_H
#define SW_ANALYZER_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "advice/run.h"
#include "common/exit_counts.h"
#include "common/limits.h"
#include "common/program_worth.h"

enum {
	SW_FINGERPRINT_PROGRAMS = SW_PROGRAMS_KEPT,
	SW_FINGERPRINT_PHASES = 12,
	SW_FINGERPRINT_NAME = 32, /* a longer name is cut off */
	SW_FINGERPRINT_TEXT = 48,
	SW_FINGERPRINT_BYTES = 1024, /* of an encoded fingerprint */
};

/* Amounts of a program, and of the step. */
enum sw_program_amount {
	SW_PROGRAM_COUNT, /* processes */
	SW_PROGRAM_CPU_USEC,
	SW_PROGRAM_READ_BYTES, /* by system calls */
	SW_PROGRAM_WRITTEN_BYTES,
	SW_PROGRAM_LONGEST_USEC, /* run time of one process */
	SW_PROGRAM_AMOUNTS
};

enum sw_step_amount {
	SW_STEP_ELAPSED_USEC,
	SW_STEP_CPU_USEC,
	SW_STEP_NEED_BYTES,
	SW_STEP_READ_BYTES,
	SW_STEP_WRITTEN_BYTES,
	SW_STEP_MOUNT_USEC, /* waiting for the mount of the environment */
	SW_STEP_AMOUNTS
};

/* A nonzero status, or a signal, whose number was not recorded. */
enum { SW_EXIT_NUMBER_UNKNOWN = 0 };

struct sw_fingerprint_program {
	char name[SW_FINGERPRINT_NAME];
	uint64_t amount[SW_PROGRAM_AMOUNTS];
	/* Since the start of the run: its first process, its first failure. */
	uint64_t started_usec, failed_usec;
	uint64_t exited_ok;
	struct sw_exit_counts exits; /* "other" is unused */
};

struct sw_fingerprint_phase {
	enum sw_limited_by resource;
	double share; /* of the run's time, 0 to 1 */
};

struct sw_fingerprint_environment {
	char node[SW_FINGERPRINT_TEXT], kind[SW_FINGERPRINT_TEXT],
		kernel[SW_FINGERPRINT_TEXT], mount[SW_FINGERPRINT_TEXT];
	uint64_t cpus_milli;		 /* allocated */
	uint64_t bound_cpus, bound_numa; /* that it could run on */
	uint64_t neighbors_permille; /* CPU time used by others on the node */
};

struct sw_fingerprint {
	enum sw_run_state state;
	uint64_t exit_code; /* 128 + n: killed by signal n */
	/* A finding says that it failed, whatever its state. */
	bool has_failure;
	/* A finding says that, beside the runs before, it may be incomplete. */
	bool was_unlike;
	/* All starts and ends of processes are known. */
	bool is_complete;
	bool need_is_lower_bound;
	uint64_t input_bytes;
	uint64_t amount[SW_STEP_AMOUNTS];
	double limited[SW_LIMITED_BY_RESOURCES]; /* shares; NAN */
	struct sw_fingerprint_phase phases[SW_FINGERPRINT_PHASES];
	size_t phase_count;
	struct sw_fingerprint_environment environment;
	struct sw_fingerprint_program programs[SW_FINGERPRINT_PROGRAMS];
	size_t program_count;
	uint64_t more_programs; /* not listed: nothing is known about them */
};

/* Everything unknown, no programs. */
void sw_fingerprint_init(struct sw_fingerprint *print);
void sw_fingerprint_program_init(struct sw_fingerprint_program *program,
				 const char *name);

/* Add ends of one kind; of those that have no place the number is unknown. */
void sw_fingerprint_add_exit(struct sw_fingerprint_program *program,
			     bool is_signal, uint64_t number, uint64_t count);

/* Return the program of this name; NULL: not listed. */
const struct sw_fingerprint_program *
sw_fingerprint_find(const struct sw_fingerprint *print, const char *name);

/* Return true if the program is known not to have run. */
bool sw_fingerprint_lacks(const struct sw_fingerprint *print, const char *name);

/*
 * Return true if the end only means "no" by the program's manual.  One whose
 * status is not known is taken for an answer beside a known one.
 */
bool sw_fingerprint_is_answer(const struct sw_fingerprint_program *program,
			      unsigned kind);

/* Number of unsuccessful ends except for answers, and of those of one kind. */
uint64_t sw_fingerprint_failures(const struct sw_fingerprint_program *program);
uint64_t sw_fingerprint_exits(const struct sw_fingerprint_program *program,
			      bool is_signal, unsigned number);

/*
 * Add the programs of another step, or of the same one on another node; print
 * has those of at least one already.  Sums of a program that either may have
 * left out are unknown.
 */
void sw_fingerprint_add_programs(struct sw_fingerprint *print,
				 const struct sw_fingerprint *more);

/*
 * Encode it in at most SW_FINGERPRINT_BYTES bytes and return their number.
 * Programs that do not fit are counted in more_programs.
 */
size_t sw_fingerprint_encode(const struct sw_fingerprint *print,
			     uint8_t bytes[SW_FINGERPRINT_BYTES]);

/*
 * Decode untrusted bytes.  Return 0, or -1 with errno EINVAL (damaged) or
 * ENOTSUP (by a newer stepwell); *print is all unknown then.
 */
int sw_fingerprint_decode(struct sw_fingerprint *print, const uint8_t *bytes,
			  size_t size);

#endif
