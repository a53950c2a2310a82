/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of this user: those of other users cannot influence the result. */
#ifndef SW_LSF_PROCESS_H
#define SW_LSF_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Length of a name in the kernel (TASK_COMM_LEN), without the NUL. */
enum { SW_LSF_COMM_LENGTH = 15 };

struct sw_lsf_process {
	pid_t pid, parent;
	uint64_t start_ticks; /* identity, together with pid */
	char state;
	char comm[SW_LSF_COMM_LENGTH + 1];
};

/* Return false also if the process belongs to another user. */
bool sw_lsf_process_read(struct sw_lsf_process *process, pid_t pid);

/*
 * Read a file of it, such as "environ", and add a NUL.  Return the number of
 * bytes, 0 if it cannot be read.
 */
size_t sw_lsf_process_file(pid_t pid, const char *name, char *text,
			   size_t size);

/* Call take for each process of this user until it returns false. */
void sw_lsf_processes(bool (*take)(void *context,
				   const struct sw_lsf_process *process),
		      void *context);

#endif
