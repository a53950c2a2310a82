/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that Slurm killed since the step they ran in had ended. */
#ifndef SW_ANALYZER_CUT_OFF_H
#define SW_ANALYZER_CUT_OFF_H

#include "analyzer/rules/rule.h"

/*
 * Did Slurm kill all of the program's killed processes, the first of them at
 * kill_usec, because the step's tasks on this node had ended?
 */
bool sw_program_is_cut_off(const struct sw_view *view,
			   const struct sw_view_program *program,
			   uint64_t killed, uint64_t kill_usec);

/*
 * Report that, where the step did not wait for the program although it ended
 * well.  0, or -1 without memory.
 */
int sw_cut_off_tell(const struct sw_view *view,
		    const struct sw_view_program *program, uint64_t killed,
		    uint64_t kill_usec, struct sw_findings *findings);

#endif
