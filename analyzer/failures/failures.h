/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failed jobs, one row per cause: what ended, how, and in which group.  Only
 * counts are kept, so that the same jobs give the same rows and the same bytes,
 * in any order and for any division.
 *
 * A node is named if a cause is more frequent on it than expected by chance:
 * Fisher's exact test, one-sided (R. A. Fisher, The Logic of Inductive
 * Inference, J. R. Stat. Soc. 98, 1935), over strata as by Mantel and Haenszel
 * (J. Natl. Cancer Inst. 22, 1959).  Only jobs of one group with the same
 * request that started at about the same time are compared with each other, and
 * the hypergeometric counts of the strata are added exactly.  The chance is
 * multiplied by the number of pairs of cause and node (Bonferroni).  Retries
 * count once.  All bad jobs of a batch may have come to one node because they
 * started together, so the cause must occur at several times, each with jobs
 * elsewhere that did not fail.
 *
 * The counts in rows are exact.  For a group with very many jobs, only some of
 * the strata are compared: evidence.h.  So memory grows with groups, users,
 * nodes and causes, but not with jobs.
 */
#ifndef SW_ANALYZER_FAILURES_H
#define SW_ANALYZER_FAILURES_H

#include "analyzer/accounting/job_record.h"
#include "analyzer/keyed/keyed.h"

enum { SW_FAILURES_VERSION = 3 };

struct sw_failure_settings {
	uint64_t about_same_time_seconds; /* width of a stratum */
	uint64_t node_failures_min;	  /* failures needed to name a node */
	uint64_t node_times_min;	  /* strata needed */
	double node_chance_max_ratio;	  /* of naming any node wrongly */
};

extern const struct sw_failure_settings sw_failure_defaults;

struct sw_failures {
	struct sw_keyed cells;	  /* of all jobs */
	struct sw_keyed evidence; /* by group */
	struct sw_failure_settings settings;
	uint64_t left_out; /* neither failed nor completed: cancelled, ... */
};

enum sw_failure_class {
	SW_FAILURE_NONE, /* completed */
	SW_FAILURE_EXIT,
	SW_FAILURE_NOT_FOUND,	   /* 127: not found by a shell */
	SW_FAILURE_NOT_EXECUTABLE, /* 126 */
	SW_FAILURE_SIGNAL,
	SW_FAILURE_OUT_OF_MEMORY,
	SW_FAILURE_TIME_LIMIT,
	SW_FAILURE_NODE, /* went down, or did not boot */
	SW_FAILURE_DEADLINE, /* last: nights are stored with these numbers */
	SW_FAILURE_CLASSES,
};

/* A job with its group, and data from its summary; NULL if unknown. */
struct sw_failure_case {
	const struct sw_job_record *job;
	const char *group;
	const char *program; /* that failed */
	const char *message; /* by the kernel: "no space left on device" */
};

/* Message for a summary's failed_cause ("no_space"), or NULL. */
const char *sw_failure_message(const char *cause);

/* settings may be NULL for the defaults. */
void sw_failures_init(struct sw_failures *failures,
		      const struct sw_failure_settings *settings);
void sw_failures_fini(struct sw_failures *failures);

/* Return 0, or -1 (errno ENOMEM). */
int sw_failures_add(struct sw_failures *failures,
		    const struct sw_failure_case *failure);

/* Add all of other, which is unchanged.  0, or -1 (ENOMEM): add no more. */
int sw_failures_merge(struct sw_failures *failures,
		      const struct sw_failures *other);

/* Node on which a cause is more frequent than expected by chance. */
struct sw_failure_node {
	const char *name;		     /* NULL: no node is named */
	uint64_t failures;		     /* with the cause on the node */
	uint64_t jobs;			     /* of the group on the node */
	uint64_t other_failures, other_jobs; /* of jobs on one other node */
	double chance; /* of naming any node wrongly */
};

struct sw_failure_row {
	const char *cluster, *group;
	const char *user; /* only user of the group; NULL: several */
	uint64_t users;	  /* with jobs in the group */
	const char *program; /* "": the script itself */
	const char *message; /* or "" */
	enum sw_failure_class class;
	uint64_t exit_code, signal;
	uint64_t count, group_jobs;	    /* failed in this way, of all */
	uint64_t core_seconds, mib_seconds; /* of these jobs */
	uint64_t example_job_id;
	uint64_t first_end_seconds, last_end_seconds;
	struct sw_failure_node node;
	uint64_t nights_before; /* previous pages with it, as expensive; or 0 */
};

struct sw_failure_rows {
	struct sw_failure_row *items;
	size_t count;
};

/*
 * Make the rows, largest core-seconds first; with a user, from that user's jobs
 * only.  They point into failures, which must not change.  Return 0, or -1
 * (errno ENOMEM).
 */
int sw_failures_rows(const struct sw_failures *failures, const char *user,
		     struct sw_failure_rows *rows);
void sw_failure_rows_fini(struct sw_failure_rows *rows);

/* Like sw_retries_write() and sw_retries_read(). */
uint8_t *sw_failures_write(const struct sw_failures *failures,
			   size_t *size_bytes);
int sw_failures_read(struct sw_failures *failures, const uint8_t *bytes,
		     size_t size_bytes);

#endif
