/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading one process from /proc. */
#ifndef SW_RECORDER_PROCESS_H
#define SW_RECORDER_PROCESS_H

#include "recorder/source.h"
#include "recorder/tree.h"

/*
 * All that struct sw_process has, but file_max_bytes.  GONE or ABSENT where
 * there is no such process (any more), GARBAGE where its stat is not of the
 * known form; *process is undefined then.  Where another file is not, what it
 * has is missing and is_garbled is set.
 */
enum sw_read_status sw_process_read(struct sw_process *process, int proc_fd,
				    pid_t pid);

/* Only what its stat has; all else is 0. */
enum sw_read_status sw_process_read_stat(struct sw_process *process,
					 int proc_fd, pid_t pid);

/*
 * A text of NAME/io into io[]; all missing where it cannot be read, GARBAGE
 * where it is not of the known form.
 */
enum sw_read_status sw_process_read_io(int dirfd, const char *path,
				       uint64_t *io, size_t *text_bytes);

/*
 * Whether its errors go to another file than its output, by the names of both,
 * which are not looked up.
 */
enum sw_read_status sw_process_compare_outputs(int proc_fd, pid_t pid,
					       bool *is_error_apart);

/*
 * The name of a process, which may be dead as long as nobody has waited for
 * it; "" where there is none.
 */
void sw_process_read_comm(int proc_fd, pid_t pid, char *comm, size_t size);

/* Is this process in the pid namespace of the node, not of a container? */
bool sw_process_has_first_pids(void);

/* Also where nobody has waited for it yet. */
bool sw_process_has_exited(int proc_fd, pid_t pid);

/* Call take with the name of each thread of pid; none where it is gone. */
void sw_process_each_thread(int proc_fd, pid_t pid,
			    void (*take)(void *context, pid_t pid,
					 const char *thread),
			    void *context);

/* Parse the text of a stat file; -1 where it is not of the known form. */
int sw_process_parse_stat(struct sw_process *process, const char *text);

#endif
