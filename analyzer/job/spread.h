/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How evenly nodes or ranks were used: the least, the middle, the most. */
#ifndef SW_ANALYZER_SPREAD_H
#define SW_ANALYZER_SPREAD_H

#include "analyzer/job/job.h"

struct sw_spread {
	size_t count;		/* of known values; below 2 nothing is uneven */
	uint64_t min, median, max;
	size_t min_at, max_at;	/* indices of the values */
};

/* Of values that may be missing.  0, or -1 with errno ENOMEM. */
int sw_spread_of(struct sw_spread *spread, const uint64_t *values,
		 size_t count);

/* What of a task or node is compared. */
enum sw_measure { SW_CPU_USED, SW_MEMORY_PEAK, SW_MEASURES };

int sw_spread_of_tasks(struct sw_spread *spread,
		       const struct sw_job_task *tasks, size_t count,
		       enum sw_measure measure);
int sw_spread_of_nodes(struct sw_spread *spread, const struct sw_job *job,
		       enum sw_measure measure);

#endif
