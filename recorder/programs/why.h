/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find why a process failed, from what BPF kept until its exit. */
#ifndef SW_RECORDER_WHY_H
#define SW_RECORDER_WHY_H

#include "recorder/bpf/exec_record.h"
#include "recorder/programs/program.h"

/* Take the failures of any process; *cause is empty if not known. */
void sw_why_take(struct sw_cause *cause, const struct sw_record_exit *record);

/* Store the cause in the program that the process ran, if known. */
void sw_why_tell(struct sw_program *program, struct sw_cause *cause,
		 const struct sw_programs_target *target);

/* Emit an event if it was killed, unless the step has too many. */
void sw_why_tell_killed(const struct sw_program *program,
			const struct sw_record_exit *record,
			const struct sw_programs_target *target, size_t *count);

#endif
