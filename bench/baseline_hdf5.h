/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Baseline for profiles: HDF5 as Slurm's acct_gather_profile/hdf5 plugin writes
 * it (Slurm 26.11, acct_gather_profile_hdf5.c and hdf5_api.c), call by call:
 * H5Fcreate with default properties, a group of the node with five attributes,
 * a group "Tasks" in it, for each task a packet table of a compound type
 * (ElapsedTime, EpochTime, then the columns) by H5PTcreate_fl with chunks of 10
 * rows and deflate level 0, H5PTappend of one row per sample, no flush, and
 * everything closed at the end.
 */
#ifndef BENCH_BASELINE_HDF5_H
#define BENCH_BASELINE_HDF5_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "profiles/table.h"

struct hdf5_baseline;

/*
 * HDF5 re-sorts the names of a row's members at each append (H5T_cmp), by
 * bubble sort: with 40 columns not in alphabetical order this takes three times
 * as long as everything else.  Slurm's names are unordered.  In order, HDF5 is
 * at its best, and the fairer baseline for CPU time.
 */
enum hdf5_names {
	HDF5_NAMES_IN_ORDER,	/* "c00.cycles" and so on */
	HDF5_NAMES_AS_GIVEN,
};

/*
 * Create the file, replacing an existing one.  Columns are stored as 64-bit
 * numbers, at most 100 of them; their names are copied.  NULL with *error.
 */
struct hdf5_baseline *hdf5_baseline_open(const char *path,
					 uint64_t task_count,
					 const struct sw_column *columns,
					 uint64_t column_count,
					 enum hdf5_names names,
					 struct sw_error *error);

/* Append one row of a task; its time is not before the open. */
int hdf5_baseline_append(struct hdf5_baseline *baseline, uint64_t task,
			 uint64_t epoch_seconds, const uint64_t *values);

/*
 * Close everything, which is when HDF5 writes pending data, and free.  NULL is
 * allowed.
 */
int hdf5_baseline_close(struct hdf5_baseline *baseline);

/*
 * Called with each row read back, in order within a task.  values is valid
 * during the call.  A return value other than 0 ends the reading, which then
 * fails.
 */
typedef int hdf5_baseline_row_fn(void *data, uint64_t task, uint64_t row,
				 uint64_t epoch_seconds,
				 const uint64_t *values);

/*
 * Read a file of hdf5_baseline_open(), rows_at_once packets per library call.
 * Returns the number of rows of all tasks, or -1 with *error.
 */
int64_t hdf5_baseline_decode(const char *path, uint64_t task_count,
			     uint64_t column_count, uint64_t rows_at_once,
			     hdf5_baseline_row_fn *row, void *data,
			     struct sw_error *error);

#endif
