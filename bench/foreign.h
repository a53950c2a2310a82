/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Foreign processes: many idle processes of no recorded job, so that a
 * benchmark shows the cost of their number.
 */
#ifndef BENCH_FOREIGN_H
#define BENCH_FOREIGN_H

#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"

enum { FOREIGN_MAX = 20000 };

struct foreign {
	size_t count;
	pid_t pids[FOREIGN_MAX];
};

/*
 * Start processes until there are count; they hold copies of all files open
 * here, and die with this process.  Returns -1 with *error; those already
 * started stay.
 */
int foreign_grow(struct foreign *foreign, size_t count,
		 struct sw_error *error);

/* Kill all of them and wait for them. */
void foreign_stop(struct foreign *foreign);

#endif
