/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that wait without a pause: they use a CPU, and ask the kernel the
 * same again and again.  And those that work on many files: much of their CPU
 * time is the kernel's, which opens, lists and removes them.  Only suspects
 * are watched, so that others pay nothing.
 */
#ifndef SW_RECORDER_SPINNING_H
#define SW_RECORDER_SPINNING_H

#include "recorder/bpf/followed.h"
#include "recorder/programs/program.h"

/*
 * After each look at a process: watch it as soon as it is a suspect, and tell
 * its program when it is found out.
 */
void sw_spinning_look(struct sw_followed *live, struct sw_program *program,
		      int proc_fd);

/* It has ended, or is not followed any more; program NULL: it has none. */
void sw_spinning_end(struct sw_followed *live, struct sw_program *program);

#endif
