/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a process failed, from what BPF has kept of it until its end. */
#ifndef SW_RECORDER_WHY_H
#define SW_RECORDER_WHY_H

#include "recorder/bpf/exec_record.h"
#include "recorder/programs/program.h"

/* Whosever it was, it is kept no longer; empty where nothing is known. */
void sw_why_take(struct sw_cause *cause, const struct sw_record_exit *record);

/* To the program that the process ran, where there is anything to tell. */
void sw_why_tell(struct sw_program *program, struct sw_cause *cause,
		 const struct sw_programs_target *target);

/* An event, of one that was killed, unless there were too many in the step. */
void sw_why_tell_killed(const struct sw_program *program,
			const struct sw_record_exit *record,
			const struct sw_programs_target *target, size_t *count);

#endif
