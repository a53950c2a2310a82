/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the holder of a file lock that a process waits for. */
#ifndef SW_RECORDER_FILE_LOCKS_H
#define SW_RECORDER_FILE_LOCKS_H

#include <sys/types.h>

/* Return the holder's pid, from /proc/locks; 0: unknown. */
pid_t sw_file_lock_holder(int proc_fd, pid_t waiter);

#endif
