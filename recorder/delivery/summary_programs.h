/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of a step in the summaries: what later runs are compared with.
 * Readers that do not want this table pass over its blocks, and a full disk
 * costs its rows first, because it is called "series.*".
 */
#ifndef SW_RECORDER_SUMMARY_PROGRAMS_H
#define SW_RECORDER_SUMMARY_PROGRAMS_H

#include <stdint.h>

#include "common/exit_counts.h"
#include "common/program_worth.h"
#include "profiles/writer.h"

struct sw_summary_step;

/* Numbers may be SW_MISSING. */
struct sw_summary_program {
	char name[64]; /* untrusted */
	uint64_t processes, cpu_usec, read_bytes, written_bytes, longest_usec;
	uint64_t exited_ok;
	struct sw_exit_counts exits; /* "other" is unused */
	uint64_t failed, killed; /* of no kind in exits */
};

/* Zeroed: of a step of which no program is known. */
struct sw_summary_programs {
	char cpu_model[64]; /* of the node; "": unknown */
	uint64_t known;	    /* programs, with those that are not kept */
	uint64_t is_complete; /* all starts and ends of processes are known */
	uint32_t count;
	struct sw_summary_program items[SW_PROGRAMS_KEPT];
};

/* Write a row for the step, then those of its programs. */
void sw_summary_programs_write(struct sw_writer *writer,
			       const struct sw_summary_step *step,
			       const struct sw_summary_programs *programs);

#endif
