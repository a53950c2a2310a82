/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of a step that its summary has. */
#ifndef SW_RECORDER_KEPT_H
#define SW_RECORDER_KEPT_H

#include "common/program_worth.h"
#include "recorder/programs/program.h"

struct sw_programs_kept {
	const struct sw_program *items[SW_PROGRAMS_KEPT];
	size_t count, known;	/* kept, and all */
	bool is_complete;	/* all starts and ends of processes are known */
};

void sw_programs_keep(struct sw_programs_kept *kept,
		      const struct sw_programs *programs);

/*
 * Return the number of processes that executed the program and exited with a
 * nonzero status; SW_MISSING if unknown.
 */
uint64_t sw_kept_failures(const struct sw_program *program);

#endif
