/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats that bench_profile compares: each writes a trace to a file and reads
 * it back, in processes of their own.
 */
#ifndef BENCH_PROFILE_SIDES_H
#define BENCH_PROFILE_SIDES_H

#include <stdint.h>

#include "bench/trace_file.h"

/* A trace whose first column is the time, and the folder for its file. */
struct side_task {
	const struct trace *trace;
	const char *folder;
	uint64_t epoch_usec;	/* added to times; not before the open */
};

/* Cost of one writer.  Memory is beyond the process's initial memory. */
struct side_written {
	uint64_t cpu_nsec;	/* from opening to everything freed */
	uint64_t file_bytes;
	uint64_t rss_bytes;	/* exact; maximum before and after close */
	uint64_t tail_bytes;	/* of these, mapped from the tail's file */
	uint64_t high_water_bytes;	/* the kernel's mark; not exact */
};

enum { SIDE_READS = 20 };

/* Cost and results of one reader. */
struct side_read {
	uint64_t cpu_nsec;	/* minimum of SIDE_READS runs */
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
	SIDE_NOTHING,	/* reads every value: the base */
	SIDE_STEPWELL,
	SIDE_HDF5_IN_ORDER,
	SIDE_HDF5_AS_GIVEN,
	SIDE_COUNT,
};

extern const struct side sides[SIDE_COUNT];

/* Return the number of values in the trace, for figures "per sample". */
uint64_t side_sample_count(const struct trace *trace);

#endif
