/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats that bench_profile compares: each writes a trace to a file and
 * reads it back, in processes of their own.
 */
#ifndef BENCH_PROFILE_SIDES_H
#define BENCH_PROFILE_SIDES_H

#include <stdint.h>

#include "bench/trace_file.h"

/* A trace whose first column is the time, and where its file goes. */
struct side_task {
	const struct trace *trace;
	const char *folder;
	uint64_t epoch_usec;	/* makes the times dates, not before the open */
};

/* What one writer cost.  Memory is beyond what the process began with. */
struct side_written {
	uint64_t cpu_nsec;	/* from opening to everything freed */
	uint64_t file_bytes;
	uint64_t rss_bytes;	/* exact; the greater of before and after close */
	uint64_t tail_bytes;	/* of these, mapped from the tail's file */
	uint64_t high_water_bytes;	/* the kernel's mark; not exact */
};

enum { SIDE_READS = 20 };

/* What one reader cost and found. */
struct side_read {
	uint64_t cpu_nsec;	/* the least of SIDE_READS in a row */
	uint64_t values;	/* of the trace, without times */
	uint64_t wrong_values;
	uint64_t wrong_times;
};

struct side {
	const char *name;
	/* Both return 0, or -1 with a line on stderr. */
	int (*write)(const struct side_task *task,
		     struct side_written *written);
	int (*read)(const struct side_task *task, struct side_read *result);
};

enum {
	SIDE_NOTHING,	/* looks at every value; what the others cost beyond */
	SIDE_STEPWELL,
	SIDE_HDF5_IN_ORDER,
	SIDE_HDF5_AS_GIVEN,
	SIDE_COUNT,
};

extern const struct side sides[SIDE_COUNT];

/* Values of the whole trace: what "per sample" is of. */
uint64_t side_sample_count(const struct trace *trace);

#endif
