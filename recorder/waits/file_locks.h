/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who holds the lock of a file that a process waits for. */
#ifndef SW_RECORDER_FILE_LOCKS_H
#define SW_RECORDER_FILE_LOCKS_H

#include <sys/types.h>

/* The process that has it, from /proc/locks; 0: not known. */
pid_t sw_file_lock_holder(int proc_fd, pid_t waiter);

#endif
