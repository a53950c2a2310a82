/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of jobs that have not ended yet, found by the job. */
#ifndef SW_ANALYZER_STEP_PENDING_H
#define SW_ANALYZER_STEP_PENDING_H

#include <sys/types.h>

#include "analyzer/summaries/step_rows.h"
#include "common/missing.h"

/* All zero is empty. */
struct sw_step_pending {
	struct sw_step_row *rows;
	uint32_t *heads; /* of lists of rows, by hash; 0 ends one */
	uint32_t *free;	 /* rows that were taken; row 0 is none */
	uint32_t room, head_room, used, free_count;
};

/* A copy of it.  0, or -1 (errno ENOMEM). */
int sw_step_pending_add(struct sw_step_pending *pending,
			const struct sw_step_row *row);

/*
 * Take out all rows of a job, into *rows in the order in which they came;
 * *rows has room for *room of them and is made larger.  How many; -1 (ENOMEM),
 * and all is as it was.
 */
ssize_t sw_step_pending_take(struct sw_step_pending *pending, uint32_t cluster,
			     uint64_t job_id, struct sw_step_row **rows,
			     size_t *room);

/* A row that is there, to go over all jobs by; NULL: none is left. */
const struct sw_step_row *
sw_step_pending_any(const struct sw_step_pending *pending, uint32_t *from);

void sw_step_pending_fini(struct sw_step_pending *pending);

#endif
