/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over jobs that have something in common: integers and sketches, so that
 * the same jobs give the same bytes in any order and for any division.  Sums
 * saturate.
 */
#ifndef SW_ANALYZER_TALLY_H
#define SW_ANALYZER_TALLY_H

#include <math.h>
#include <stdbool.h>

#include "analyzer/keyed/keyed.h"
#include "analyzer/keyed/pack.h"
#include "analyzer/sweep/night/sample.h"
#include "common/limits.h"
#include "common/quantiles.h"

/* Kinds of tallies. */
enum sw_tally_of {
	SW_TALLY_ALL, SW_TALLY_USER, SW_TALLY_ACCOUNT, SW_TALLY_PARTITION,
	SW_TALLY_QOS, SW_TALLY_GROUP,
	/* Only with a catalogue of nodes; a job's part on each of its nodes. */
	SW_TALLY_NODE, SW_TALLY_KIND,
	SW_TALLY_GROUP_KIND,		/* label: the kind of node */
	SW_TALLY_GROUP_MOUNT,		/* label: what its steps waited for */
	/*
	 * Names chosen by users, limited by named.h.  The name "" stands for
	 * all names above a user's limit.
	 */
	SW_TALLY_PIPELINE,
	SW_TALLY_RUN,			/* label: its pipeline */
	SW_TALLY_TASK,			/* group in the pipeline label */
	SW_TALLY_RUN_TASK,		/* group in the run label */
	SW_TALLY_STEP,			/* group and program: "align:bwa" */
	SW_TALLY_PROGRAM,		/* of steps */
	SW_TALLY_OFS,
};

#define SW_TALLY_LIMITED(NAME, name) SW_TALLY_LIMITED_##NAME##_USEC,
enum sw_tally_number {
	SW_TALLY_JOBS,
	SW_TALLY_COMPLETED, SW_TALLY_FAILED, SW_TALLY_OUT_OF_MEMORY,
	SW_TALLY_TIME_LIMIT, SW_TALLY_DEADLINE, SW_TALLY_NODE_FAIL,
	SW_TALLY_CANCELLED,
	SW_TALLY_REQUEUED,		/* also preempted */
	SW_TALLY_OTHER_END,		/* so that these add up to the jobs */
	SW_TALLY_RECORDED,		/* a recorder's summary has it */

	/* Allocated; part with known use; used part of that. */
	SW_TALLY_CORE_USEC, SW_TALLY_CORE_KNOWN_USEC, SW_TALLY_USED_USEC,
	SW_TALLY_IDLE_USEC,		/* jobs that did not fail */
	SW_TALLY_LOST_CORE_USEC,	/* jobs that failed */

	/* Memory, likewise; sampled: need known only from Slurm's samples. */
	SW_TALLY_MIB_SECONDS, SW_TALLY_MIB_KNOWN_SECONDS,
	SW_TALLY_NEED_MIB_SECONDS, SW_TALLY_UNUSED_MIB_SECONDS,
	SW_TALLY_SAMPLED_MIB_SECONDS,
	SW_TALLY_LOST_MIB_SECONDS,
	SW_TALLY_OUT_OF_MEMORY_MIB_SECONDS,	/* jobs that ran out of it */

	SW_TALLY_GPU_SECONDS,
	/* Part with known use; busy part of that. */
	SW_TALLY_GPU_KNOWN_SECONDS, SW_TALLY_GPU_BUSY_SECONDS,
	SW_TALLY_GPU_IDLE_SECONDS,	/* jobs that did not fail */
	/* Completed jobs with a time limit. */
	SW_TALLY_LIMIT_SECONDS, SW_TALLY_LIMITED_SECONDS,

	/* Recorded steps, on each of their nodes. */
	SW_TALLY_STEP_USEC, SW_TALLY_STEP_CORE_USEC,
	SW_TALLY_PRESSURE_USEC,		/* time with PSI */
	SW_TALLY_IO_FULL_USEC, SW_TALLY_MEMORY_FULL_USEC,
	SW_TALLY_CPU_SOME_USEC, SW_TALLY_THROTTLED_USEC,
	SW_TALLY_READ_BYTES, SW_TALLY_WRITTEN_BYTES,
	SW_TALLY_STALL_IDLE_USEC,	/* of a GROUP_MOUNT: for it */
	/* What limited them. */
	SW_LIMITED_BY_EACH(SW_TALLY_LIMITED)
	SW_TALLY_OBSERVED_USEC,		/* the sum of these */
	SW_TALLY_OOM_KILLS,
	SW_TALLY_SILENT_OOM_JOBS,	/* completed nevertheless */
	SW_TALLY_TASKS_UNKNOWN_JOBS,	/* so their need has no upper end */

	/*
	 * On nodes of the catalogue, in millionths of its currency; CPU time of
	 * jobs with a cost.
	 */
	SW_TALLY_COST_MICROS, SW_TALLY_WASTED_MICROS,
	SW_TALLY_PRICED_CORE_USEC,

	/* The maximum counts, not the sum. */
	SW_TALLY_LATEST_JOB_ID,		/* as an example */
	SW_TALLY_PRICE_DAY,		/* 20260108: newest price */
	SW_TALLY_PRICE_DAY_BEFORE,	/* SW_TALLY_DAY_LAST - oldest */
	SW_TALLY_NUMBERS,
};

enum sw_tally_sketch {
	SW_TALLY_ELAPSED_SECONDS,	/* completed jobs */
	SW_TALLY_NEED_MIB,		/* on its fullest node */
	SW_TALLY_WAIT_SECONDS,		/* from eligible to start */
	SW_TALLY_CPU_PERMILLE,		/* used of allocated */
	SW_TALLY_REQUEST_MIB,		/* per node */
	SW_TALLY_SKETCHES,
};

struct sw_tally {
	struct sw_keyed_entry entry;
	enum sw_tally_of of;
	const char *cluster, *name;	/* in the key */
	const char *user, *label;	/* of a group; or "" */
	uint64_t n[SW_TALLY_NUMBERS];
	struct sw_quantiles sketch[SW_TALLY_SKETCHES];
	struct sw_sample sample;	/* of a group */
	char key[];
};

/* Key of a tally. */
struct sw_tally_names {
	enum sw_tally_of of;
	const char *cluster, *name, *user, *label;
};

/* Contribution of one job; values of sketches may be SW_MISSING. */
struct sw_tally_job {
	uint64_t n[SW_TALLY_NUMBERS];
	uint64_t value[SW_TALLY_SKETCHES];
	bool has_value[SW_TALLY_SKETCHES];
	const struct sw_sample_run *run;
};

/* All properties that jobs are grouped by; no NULL. */
struct sw_tally_of_job {
	const char *cluster, *user, *account, *partition, *qos;
	const char *group, *label;
};

/* Return NULL if not found. */
struct sw_tally *sw_tally_find(const struct sw_keyed *tallies,
			       const struct sw_tally_names *names);

enum { SW_TALLY_DAY_LAST = 99999999 };

/* Add one number of other, or all of them. */
void sw_tally_number_add(uint64_t to[SW_TALLY_NUMBERS],
			 const uint64_t other[SW_TALLY_NUMBERS],
			 enum sw_tally_number number);
void sw_tally_numbers_add(uint64_t to[SW_TALLY_NUMBERS],
			  const uint64_t other[SW_TALLY_NUMBERS]);

/* Add to one name, without the job's run.  Return 0, or -1 (errno ENOMEM). */
int sw_tally_add(struct sw_keyed *tallies, const struct sw_tally_names *names,
		 const struct sw_tally_job *job);

/*
 * Add a job to the cell with the same names; sw_tallies_expand() sums up the
 * cells by each name.  This gives the same result as adding each job to each
 * name, in a sixth of the time.  Return 0, or -1 (errno ENOMEM).
 */
int sw_tally_cells_add(struct sw_keyed *cells,
		       const struct sw_tally_of_job *names,
		       const struct sw_tally_job *job);
/* Move the cells into tallies. */
int sw_tallies_expand(struct sw_keyed *tallies, struct sw_keyed *cells);

/* Add a tally under other names.  Return 0, or -1 (errno ENOMEM). */
int sw_tally_merge_as(struct sw_keyed *tallies,
		      const struct sw_tally_names *names,
		      const struct sw_tally *tally);

/* Remove the tallies for which keep() is false. */
void sw_tallies_filter(struct sw_keyed *tallies,
		       bool (*keep)(const struct sw_tally *tally,
				    void *context),
		       void *context);

/* Add all of other, which is unchanged. */
int sw_tallies_merge(struct sw_keyed *tallies, const struct sw_keyed *other);

/* Allocate an array sorted by key; NULL (ENOMEM). */
struct sw_tally **sw_tallies_sorted(const struct sw_keyed *tallies);

/* Return 0, or -1 (ENOMEM). */
int sw_tallies_write(const struct sw_keyed *tallies, struct sw_pack *pack);
/*
 * Add serialized tallies; has_prints: their runs have fingerprints.  -1: EINVAL
 * or ENOMEM.
 */
int sw_tallies_read(struct sw_keyed *tallies, struct sw_unpack *unpack,
		    bool has_prints);

void sw_tallies_fini(struct sw_keyed *tallies);

/* Ratio of two numbers of a tally; NAN if unknown. */
static inline double sw_tally_ratio(const uint64_t n[SW_TALLY_NUMBERS],
				    enum sw_tally_number part,
				    enum sw_tally_number whole)
{
	return n[whole] ? (double)n[part] / (double)n[whole] : NAN;
}

/* a + b, limited to the largest value that is not SW_MISSING. */
static inline uint64_t sw_tally_plus(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - 1 - b || b == UINT64_MAX ? UINT64_MAX - 1 :
							     a + b;
}

#endif
