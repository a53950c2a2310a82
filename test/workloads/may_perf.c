/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * may_perf: ends with 0 where this user may have perf's task events of his own
 * processes, with 77 and the reason where not.  So that a test need not ask
 * the recorder what it ought to do.
 */
#define _GNU_SOURCE 1

#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.inherit = 1,
		.exclude_kernel = 1,
		.task = 1,
	};
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, 0, -1, 0);

	if (fd >= 0 && mmap(NULL, 2 * page_size, PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, 0) != MAP_FAILED)
		return 0;
	perror("perf");
	return 77;
}
