/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failed jobs, one row for each cause: what ended, how, and of which group.
 * Counts alone are kept, so that the same jobs give the same rows and the same
 * bytes, in any order and however they were divided.
 *
 * A node is named where a cause came up on it more often than chance gives:
 * Fisher's exact test, one-sided (R. A. Fisher, The Logic of Inductive
 * Inference, J. R. Stat. Soc. 98, 1935), over strata as Mantel and Haenszel
 * have them (J. Natl. Cancer Inst. 22, 1959): only jobs of one group, with the
 * same request, that started at about the same time are held against each
 * other, and the hypergeometric numbers of the strata are added up exactly.
 * The chance is multiplied by how many pairs of cause and node there are
 * (Bonferroni).  Retries of one thing count once.  All bad jobs of one batch
 * may have come to one node because they started together, so that it has to
 * have come up at several times, each beside jobs elsewhere without it.
 *
 * What rows say is exact.  Of a group with very many jobs, some of the strata
 * alone are held against each other: evidence.h.  So memory grows with groups,
 * users, nodes and causes, and not with jobs.
 */
#ifndef SW_ANALYZER_FAILURES_H
#define SW_ANALYZER_FAILURES_H

#include "analyzer/accounting/job_record.h"
#include "analyzer/keyed/keyed.h"

enum { SW_FAILURES_VERSION = 3 };

struct sw_failure_settings {
	uint64_t about_same_time_seconds; /* the width of a stratum */
	uint64_t node_failures_min;	  /* so many, else no node is named */
	uint64_t node_times_min;	  /* in so many strata */
	double node_chance_max_ratio;	  /* of any node being named wrongly */
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
	SW_FAILURE_NOT_FOUND,	   /* 127: a shell did not find it */
	SW_FAILURE_NOT_EXECUTABLE, /* 126 */
	SW_FAILURE_SIGNAL,
	SW_FAILURE_OUT_OF_MEMORY,
	SW_FAILURE_TIME_LIMIT,
	SW_FAILURE_NODE, /* it went down, or did not come up */
	SW_FAILURE_CLASSES,
};

/* A job with its group, and what its summary knows; NULL: nothing. */
struct sw_failure_case {
	const struct sw_job_record *job;
	const char *group;
	const char *program; /* that failed */
	const char *message; /* from the kernel: "no space left on device" */
};

/* In words, of a summary's failed_cause ("no_space"); NULL: no such cause. */
const char *sw_failure_message(const char *cause);

/* settings NULL: the defaults. */
void sw_failures_init(struct sw_failures *failures,
		      const struct sw_failure_settings *settings);
void sw_failures_fini(struct sw_failures *failures);

/* 0, or -1 (errno ENOMEM). */
int sw_failures_add(struct sw_failures *failures,
		    const struct sw_failure_case *failure);

/* Adds all of other, which is as it was.  0, or -1 (ENOMEM): add no more. */
int sw_failures_merge(struct sw_failures *failures,
		      const struct sw_failures *other);

/* Where a cause came up more often than by chance. */
struct sw_failure_node {
	const char *name;		     /* NULL: no node is named */
	uint64_t failures;		     /* of the cause there */
	uint64_t jobs;			     /* of the group there */
	uint64_t other_failures, other_jobs; /* of jobs of one node */
	double chance; /* of any node being named wrongly */
};

struct sw_failure_row {
	const char *cluster, *group;
	const char *user; /* whose all jobs of the group are; NULL: several's */
	uint64_t users;	  /* with jobs in the group */
	const char *program; /* "": the script itself */
	const char *message; /* "" */
	enum sw_failure_class class;
	uint64_t exit_code, signal;
	uint64_t count, group_jobs;	    /* that failed so, of all */
	uint64_t core_seconds, mib_seconds; /* what these had */
	uint64_t example_job_id;
	uint64_t first_end_seconds, last_end_seconds;
	struct sw_failure_node node;
	uint64_t nights_before; /* of a page: it was in so many, as costly; 0 */
};

struct sw_failure_rows {
	struct sw_failure_row *items;
	size_t count;
};

/*
 * The rows, by core-seconds, the most first; with a user, of that user's jobs
 * alone.  They point into the failures, which must stay as they are.  0, or -1
 * (errno ENOMEM).
 */
int sw_failures_rows(const struct sw_failures *failures, const char *user,
		     struct sw_failure_rows *rows);
void sw_failure_rows_fini(struct sw_failure_rows *rows);

/* As sw_retries_write() and sw_retries_read(). */
uint8_t *sw_failures_write(const struct sw_failures *failures,
			   size_t *size_bytes);
int sw_failures_read(struct sw_failures *failures, const uint8_t *bytes,
		     size_t size_bytes);

#endif
