/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predictions of a job's run time for a scheduler: by users, and by others. */
#ifndef SW_BENCH_WALLTIME_SIDES_H
#define SW_BENCH_WALLTIME_SIDES_H

#include <stddef.h>

#include "bench/joblog.h"

/* Runs that had ended when the job was submitted. */
struct walltime_past {
	const struct sw_runs *group;	/* the same work */
	double last[2];			/* the user's last two; NAN */
};

struct walltime_side {
	const char *name, *source;
	/* Seconds; NAN: no prediction, use the user's request. */
	double (*limit)(const struct walltime_past *past,
			const struct joblog_job *job);
};

extern const struct walltime_side walltime_sides[];
extern const size_t walltime_side_count;

#endif
