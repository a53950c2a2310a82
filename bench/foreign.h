/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Foreign processes: many that do nothing and belong to nobody who is
 * recorded, so that a benchmark shows what their number costs.
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
 * Starts as many as are missing to count; they hold copies of all that is
 * open here, and die with this process.  Returns -1 with *error; those that
 * were started stay.
 */
int foreign_grow(struct foreign *foreign, size_t count,
		 struct sw_error *error);

/* Ends them all and waits for them. */
void foreign_stop(struct foreign *foreign);

#endif
