/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of a step for its summary. */
#ifndef SW_RECORDER_STEP_PROGRAMS_H
#define SW_RECORDER_STEP_PROGRAMS_H

#include "recorder/delivery/summary_programs.h"
#include "recorder/jobs/step.h"

/* At the step's end, after its last sample. */
void sw_step_programs_find(struct sw_summary_programs *programs,
			   const struct sw_node_step *step,
			   const struct sw_node_place *place);

#endif
