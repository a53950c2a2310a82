/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Balance between nodes or ranks: minimum, median, maximum. */
#ifndef SW_ANALYZER_SPREAD_H
#define SW_ANALYZER_SPREAD_H

#include "analyzer/job/job.h"

struct sw_spread {
	size_t count;		/* known values; below 2, nothing to compare */
	uint64_t min, median, max;
	size_t min_at, max_at;	/* indices of the values */
};

/* Missing values are ignored.  Return 0, or -1 with errno ENOMEM. */
int sw_spread_of(struct sw_spread *spread, const uint64_t *values,
		 size_t count);

/* Value to compare between tasks or nodes. */
enum sw_measure { SW_CPU_USED, SW_MEMORY_PEAK, SW_MEASURES };

int sw_spread_of_tasks(struct sw_spread *spread,
		       const struct sw_job_task *tasks, size_t count,
		       enum sw_measure measure);
int sw_spread_of_nodes(struct sw_spread *spread, const struct sw_job *job,
		       enum sw_measure measure);

#endif
