/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that Slurm killed because their step had ended. */
#ifndef SW_ANALYZER_CUT_OFF_H
#define SW_ANALYZER_CUT_OFF_H

#include "analyzer/rules/rule.h"

/*
 * Return true if Slurm killed all of the program's killed processes, the first
 * at kill_usec, because the step's tasks on this node had ended.
 */
bool sw_program_is_cut_off(const struct sw_view *view,
			   const struct sw_view_program *program,
			   uint64_t killed, uint64_t kill_usec);

/*
 * Report it if the step succeeded without waiting for the program.  Return 0,
 * or -1 if out of memory.
 */
int sw_cut_off_tell(const struct sw_view *view,
		    const struct sw_view_program *program, uint64_t killed,
		    uint64_t kill_usec, struct sw_findings *findings);

#endif
