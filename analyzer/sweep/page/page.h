/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The morning page: what a night says, with the costly first.  Its numbers are
 * those of the night alone, so that the same night gives the same page.
 */
#ifndef SW_ANALYZER_SWEEP_PAGE_PAGE_H
#define SW_ANALYZER_SWEEP_PAGE_PAGE_H

#include "analyzer/sweep/night/change.h"
#include "analyzer/sweep/night/lines.h"
#include "analyzer/sweep/night/night.h"
#include "analyzer/sweep/night/row_kinds.h"
#include "analyzer/sweep/night/store.h"

enum { SW_SWEEP_WORDS_SIZE = 1024 };

/*
 * From this share of its time on a wait for I/O explains idle CPUs; below it,
 * it is no reason that anybody could act on.
 */
#define SW_SWEEP_IO_RATIO 0.25

/* What explains most of what a group wasted. */
enum sw_sweep_cause {
	SW_SWEEP_UNKNOWN,	/* the summaries do not tell */
	SW_SWEEP_FAILURES,
	SW_SWEEP_IO,		/* stood still for it */
	SW_SWEEP_MEMORY_PRESSURE,
	SW_SWEEP_THROTTLED,
	SW_SWEEP_GPUS,		/* they were idle */
	SW_SWEEP_CPUS,		/* fewer were busy, and nothing held them */
	SW_SWEEP_MEMORY,	/* more was requested than was needed */
	SW_SWEEP_LITTLE,	/* nearly all of it was used */
	SW_SWEEP_CAUSES,
};

/* The name of the finding, "io.stalled"; NULL: none says it. */
extern const char *const sw_sweep_cause_ids[SW_SWEEP_CAUSES];

struct sw_sweep_row {
	const struct sw_tally *tally;	/* a group; a task of a pipeline or run */
	const struct sw_tally *group;	/* of its jobs, with their runs; NULL */
	/* Wasted: not used, or lost with jobs that failed. */
	double core_hours, gib_hours;
	double gpu_hours;	/* idle; 0 also where that is not known */
	const struct sw_tally *mount;	/* that it waited for most; NULL */
	double cost;		/* wasted, in the page's currency; NAN */
	double share;		/* of what was allocated: CPUs plus memory */
	double rank;		/* the larger, the earlier */
	enum sw_sweep_cause cause;
	char why[SW_SWEEP_WORDS_SIZE];
	bool has_causes; /* why is failures that all are on the page */
	/*
	 * So many nights before it was on the page for the same cause and with
	 * as much waste in each job, so that nothing is new; 0: it is.
	 */
	size_t repeats;
	struct sw_sweep_lines lines;	/* none: none was computed */
	struct sw_sweep_kinds kinds;
};

/* What following all lines would have saved, of the runs they rest on. */
struct sw_sweep_savings {
	size_t groups;
	size_t whole_groups; /* left out: their jobs have whole nodes */
	size_t runs, fits;	/* requests that were replayed */
	double core_hours, gib_hours;
	double had_core_hours, had_gib_hours;	/* the runs */
	double month_core_hours, month_gib_hours;	/* at that rate */
};

struct sw_sweep_page {
	const struct sw_night *night, *past;
	size_t past_nights;	/* with jobs to compare with */
	const struct sw_month *month;
	const struct sw_settings *settings;
	const char *user;	/* of this one alone; NULL: of all */
	const char *group;	/* likewise, its name or label */
	const char *pipeline, *run;	/* likewise; at most one of them */
	struct sw_catalogue catalogue;	/* of nodes; empty: none */
	char no_catalogue[SW_SWEEP_WORDS_SIZE];	/* why, where there is one */
	bool has_costs;		/* of jobs, by the catalogue */
	bool is_by_cost;	/* the rows are in its order */
	uint64_t total[SW_TALLY_NUMBERS];
	struct sw_sweep_row *rows;	/* groups, the costly first */
	size_t count;
	size_t costly_count;	/* the first: nearly all of the waste */
	struct sw_sweep_savings savings;
	struct sw_takens takens;	/* of the user, if it is one's */
	struct sw_changes changes;
	struct sw_retries retries;	/* of this night and the one before */
	struct sw_retry_chains chains;
	size_t shown_chains;	/* the first: their last run ended in it */
	struct sw_failure_rows failures;	/* of all users */
	/* said.c: of each, the row of its group; SIZE_MAX: it has none. */
	size_t *chain_rows, *failure_rows;
	bool *is_retried;		/* of each failure: a retry says it */
	char *nodes_without;		/* summaries; folded */
	size_t nodes_without_count, node_count;
	struct sw_tally **sorted;	/* all tallies of the night */
	struct sw_keyed joined;		/* pipelines and programs, of all users */
	struct sw_tally **joined_sorted;
};

/* Whose page it is; NULL: all. */
struct sw_sweep_part {
	const char *user, *group, *pipeline, *run;
};

/*
 * All of it must stay.  0, or -1 (errno ENOMEM; ENOENT: no job of the part
 * ended).
 */
int sw_sweep_page_init(struct sw_sweep_page *page, const struct sw_night *night,
		       const struct sw_past *past,
		       const struct sw_settings *settings,
		       const struct sw_sweep_part *part);
void sw_sweep_page_fini(struct sw_sweep_page *page);

/* scope.c: whether the page is of a part, and what belongs to it. */
bool sw_sweep_is_of_part(const struct sw_sweep_page *page);
bool sw_sweep_has_tally(const struct sw_sweep_page *page,
			const struct sw_tally *tally);
/* Of other kinds: whether it is in a table of the page. */
bool sw_sweep_has_by(const struct sw_sweep_page *page,
		     const struct sw_tally *tally);
/* The group that a row's tally is, or whose jobs in a pipeline or run it is. */
const struct sw_tally *sw_sweep_group_of(const struct sw_sweep_page *page,
					 const struct sw_tally *tally);
/* What it is called: "align_#". */
const char *sw_sweep_row_name(const struct sw_tally *tally);
bool sw_sweep_has_chain(const struct sw_sweep_page *page,
			const struct sw_retry_chain *chain);
/* Of what is on the page; the rows are there. */
void sw_sweep_keep_part(struct sw_sweep_page *page);

/* mounts.c: the mount of most of a group's waits for I/O; NULL: none. */
const struct sw_tally *sw_sweep_mount(const struct sw_sweep_page *page,
				      const struct sw_tally *group);

/* waste.c: of row->tally. */
void sw_sweep_put_waste(struct sw_sweep_row *row,
			const struct sw_sweep_page *page);
/* The larger one first. */
int sw_sweep_compare_numbers(double a, double b);

/* repeats.c: whether the page of a night before had the same. */
void sw_sweep_find_repeats(struct sw_sweep_row *row,
			   const struct sw_sweep_page *page,
			   const uint64_t past_total[SW_TALLY_NUMBERS]);

/* Whether two amounts are as good as one. */
bool sw_sweep_is_same(double now, double before);

/*
 * repeats_of.c: put nights_before, and what is old behind what is new.  0, or
 * -1 (ENOMEM).
 */
int sw_sweep_find_old_failures(struct sw_sweep_page *page);
int sw_sweep_find_old_retries(struct sw_sweep_page *page);

/*
 * said.c: which row has which failures and retries, so that the lists do not
 * say them again.  0, or -1 (ENOMEM).
 */
int sw_sweep_find_said(struct sw_sweep_page *page);

/* explain.c: the cause, and a sentence about it. */
/*
 * What the recorded steps of a tally waited for, and for which share of their
 * time, whatever was wasted most; SW_SWEEP_UNKNOWN: nothing that explains idle
 * CPUs.
 */
enum sw_sweep_cause sw_sweep_wait(const uint64_t n[SW_TALLY_NUMBERS],
				  double *share);
/* Of the steps' time what they stood still for I/O; NAN. */
double sw_sweep_io_ratio(const uint64_t n[SW_TALLY_NUMBERS]);
void sw_sweep_explain(struct sw_sweep_row *row,
		      const struct sw_sweep_page *page,
		      const uint64_t total[SW_TALLY_NUMBERS]);
/* Jobs that did not complete, whose work is lost. */
uint64_t sw_sweep_count_lost(const uint64_t n[SW_TALLY_NUMBERS]);

/* savings.c */
void sw_sweep_savings_add(struct sw_sweep_savings *savings,
			  const struct sw_sweep_row *row,
			  const struct sw_month *month);

/* One gauge of the page: a name, the share, and words behind it. */
struct sw_sweep_gauge {
	const char *name, *question;
	double ratio;		/* NAN: not known */
	char text[160];
};

enum { SW_SWEEP_GAUGES = 5 };

/* How many: that of GPUs is there where jobs had any. */
size_t sw_sweep_gauges(struct sw_sweep_gauge gauges[SW_SWEEP_GAUGES],
		       const struct sw_sweep_page *page);

/* Tallies of one kind by what they wasted, and how they are called. */
struct sw_sweep_by {
	enum sw_tally_of of;
	const char *head, *name, *names;	/* "By user", "user", "users" */
	const char *key;			/* in JSON */
	const char *kind;			/* in CSV */
	const char *jobs;			/* what it is counted in */
};

enum { SW_SWEEP_BYS = 11 };

extern const struct sw_sweep_by sw_sweep_bys[SW_SWEEP_BYS];

/* Once for a page.  0, or -1 (ENOMEM). */
int sw_sweep_join_users(struct sw_sweep_page *page);

/* Whether a table of so many says anything. */
bool sw_sweep_by_is_shown(const struct sw_sweep_by *by, size_t count);

/* For the caller to free; NULL (ENOMEM). */
const struct sw_tally **sw_sweep_by(const struct sw_sweep_page *page,
				    enum sw_tally_of of, size_t *count);

#endif
