/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of jobs that have not ended yet, indexed by job. */
#ifndef SW_ANALYZER_STEP_PENDING_H
#define SW_ANALYZER_STEP_PENDING_H

#include <sys/types.h>

#include "analyzer/summaries/step_rows.h"
#include "common/missing.h"

/* Zeroed: empty. */
struct sw_step_pending {
	struct sw_step_row *rows;
	uint32_t *heads; /* lists of rows by hash, terminated by 0 */
	uint32_t *free;	 /* rows that were taken; row 0 is unused */
	uint32_t room, head_room, used, free_count;
};

/* Copy a row.  Return 0, or -1 (errno ENOMEM). */
int sw_step_pending_add(struct sw_step_pending *pending,
			const struct sw_step_row *row);

/*
 * Take all rows of a job, into *rows in the order of addition; *rows has room
 * for *room of them and is enlarged.  Return their number, or -1 (ENOMEM), with
 * nothing changed.
 */
ssize_t sw_step_pending_take(struct sw_step_pending *pending, uint32_t cluster,
			     uint64_t job_id, struct sw_step_row **rows,
			     size_t *room);

/* Return some row, to visit all jobs; NULL at the end. */
const struct sw_step_row *
sw_step_pending_any(const struct sw_step_pending *pending, uint32_t *from);

void sw_step_pending_fini(struct sw_step_pending *pending);

#endif
