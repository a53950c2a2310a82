/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the holder of a file lock that a process waits for. */
#include "recorder/waits/file_locks.h"

#include <stdio.h>

#include "recorder/kernel/kernlines.h"

enum { LINES_MAX = 20000 };

/*
 * The holder's line is "7: POSIX ADVISORY WRITE 1234 08:01:99 0 EOF"; it is
 * followed by waiters: "7: -> POSIX ADVISORY WRITE 1235 08:01:99 0 EOF".
 */
pid_t sw_file_lock_holder(int proc_fd, pid_t waiter)
{
	struct sw_kernlines lines;
	struct sw_kernfile file;
	int i, pid, holder = 0, found = 0;
	char *line;

	if (sw_kernfile_open(&file, proc_fd, "locks") != SW_READ_OK)
		return 0;
	sw_kernlines_begin(&lines, &file);
	for (i = 0; i < LINES_MAX && !found; i++) {
		if (sw_kernlines_next(&lines, &line) != SW_READ_OK || !line)
			break;
		if (sscanf(line, "%*u: -> %*s %*s %*s %d", &pid) == 1)
			found = pid == waiter ? holder : 0;
		else if (sscanf(line, "%*u: %*s %*s %*s %d", &pid) == 1)
			holder = pid;
	}
	sw_kernfile_close(&file);
	return found > 0 ? found : 0;
}
