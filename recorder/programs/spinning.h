/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find processes in a busy loop, which use a CPU and repeat the same request to
 * the kernel; and processes that work on many files, which spend much of their
 * CPU time in the kernel opening, listing and removing them.  Only suspects are
 * watched, so that others are not slowed down.
 */
#ifndef SW_RECORDER_SPINNING_H
#define SW_RECORDER_SPINNING_H

#include "recorder/bpf/followed.h"
#include "recorder/programs/program.h"

/*
 * Call after each sample of a process: watches it once it is a suspect, and
 * updates its program if confirmed.
 */
void sw_spinning_look(struct sw_followed *live, struct sw_program *program,
		      int proc_fd);

/* The process has exited or is no longer followed; program may be NULL. */
void sw_spinning_end(struct sw_followed *live, struct sw_program *program);

#endif
