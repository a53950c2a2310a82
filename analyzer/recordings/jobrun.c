/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the files of a job's newest run. */
#include "analyzer/recordings/jobrun.h"

#include <stdlib.h>

#include "common/missing.h"

/* Later runs are counted as one. */
enum { RUNS_MAX = 100 };

static bool is_known(const struct sw_jobfile *file)
{
	return !sw_is_missing(file->job.restart_count);
}

static bool has_batch(const struct sw_jobfile *file)
{
	return !sw_is_missing(file->batch_usec);
}

/* True if both restart counts are known and differ. */
static bool is_other_run(const struct sw_jobfile *one,
			 const struct sw_jobfile *two)
{
	return is_known(one) && is_known(two) && one->job.restart_count != two->job.restart_count;
}

/* Latest possible start of the file's run; 0 if unknown. */
static uint64_t start_of(const struct sw_jobfile *file)
{
	return sw_zero_if_missing(has_batch(file) ? file->batch_usec :
						    file->begin_usec);
}

/*
 * Return a file that identifies the newest run: by restart counts if they are
 * known, otherwise by the batch script, which each run has once.  NULL if there
 * is none: then all files are of one run.
 */
static const struct sw_jobfile *find_witness(const struct sw_jobfile *files,
					     size_t count)
{
	const struct sw_jobfile *newest = NULL;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct sw_jobfile *file = &files[i];

		if (!is_known(file) && !has_batch(file))
			continue;
		if (!newest ||
		    (is_other_run(file, newest) ?
		     file->job.restart_count > newest->job.restart_count :
		     start_of(file) > start_of(newest)))
			newest = file;
	}
	return newest;
}

/* Start of the witness's run, as far as known. */
static uint64_t find_start(const struct sw_jobfile *files, size_t count,
			   const struct sw_jobfile *witness)
{
	uint64_t start = start_of(witness);
	size_t i;

	for (i = 0; i < count; i++) {
		const struct sw_jobfile *file = &files[i];

		if (is_other_run(file, witness))
			continue;
		/* Same restart count, or its script ran at the same time. */
		if ((is_known(file) && is_known(witness)) ||
		    (has_batch(file) &&
		     file->end_usec >= start_of(witness)))
			start = sw_min_u64(start, start_of(file));
	}
	return start;
}

/*
 * A file that ended before the run began is of an earlier run.  Only beginning
 * earlier means little: the extern step may do so on a node with a quick
 * prologue.
 */
static bool is_earlier(const struct sw_jobfile *file,
		       const struct sw_jobfile *witness, uint64_t start_usec)
{
	if (is_known(file) && is_known(witness))
		return file->job.restart_count != witness->job.restart_count;
	return !sw_is_missing(file->begin_usec) &&
	       file->begin_usec < start_usec && file->end_usec < start_usec;
}

/* Move the run's files to the front, keeping the order; return their number. */
static size_t part(struct sw_jobfile *files, size_t count,
		   struct sw_jobfile *aside)
{
	const struct sw_jobfile *found = find_witness(files, count);
	struct sw_jobfile witness;
	uint64_t start_usec;
	size_t i, at, kept = 0, left = 0;

	if (!found)
		return count;
	witness = *found;
	at = (size_t)(found - files);
	start_usec = find_start(files, count, found);
	for (i = 0; i < count; i++) {
		if (i != at && is_earlier(&files[i], &witness, start_usec))
			aside[left++] = files[i];
		else
			files[kept++] = files[i];
	}
	for (i = 0; i < left; i++)
		files[kept + i] = aside[i];
	return kept;
}

size_t sw_jobrun_split(struct sw_jobfile *files, size_t count,
		       size_t *newest)
{
	struct sw_jobfile *aside = calloc(count ? count : 1, sizeof(*aside));
	size_t runs = 0, done = count;

	*newest = count;
	if (aside) {
		done = *newest = part(files, count, aside);
		while (done < count && runs < RUNS_MAX - 1) {
			done += part(files + done, count - done, aside);
			runs++;
		}
	}
	free(aside);
	return runs + (done < count);
}
