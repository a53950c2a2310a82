/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The morning page: a night with the most expensive groups first.  It depends
 * on the night only, so that the same night gives the same page.
 */
#ifndef SW_ANALYZER_SWEEP_PAGE_PAGE_H
#define SW_ANALYZER_SWEEP_PAGE_PAGE_H

#include "analyzer/sweep/night/lines.h"
#include "analyzer/sweep/night/night.h"
#include "analyzer/sweep/night/row_kinds.h"
#include "analyzer/sweep/night/store.h"
#include "analyzer/sweep/worse/worse.h"

enum { SW_SWEEP_WORDS_SIZE = 1024 };

/*
 * An I/O wait explains idle CPUs from this share of the time on; below it is no
 * reason to act on.
 */
#define SW_SWEEP_IO_RATIO 0.25

/* Cause of most of a group's waste. */
enum sw_sweep_cause {
	SW_SWEEP_UNKNOWN,	/* not shown by summaries */
	SW_SWEEP_FAILURES,
	SW_SWEEP_IO,		/* stood still for I/O */
	SW_SWEEP_MEMORY_PRESSURE,
	SW_SWEEP_THROTTLED,
	SW_SWEEP_GPUS,		/* idle GPUs */
	SW_SWEEP_CPUS,		/* fewer CPUs busy, not held back */
	SW_SWEEP_MEMORY,	/* requested more than needed */
	SW_SWEEP_LITTLE,	/* nearly everything was used */
	SW_SWEEP_CAUSES,
};

/* Id of the finding, "io.stalled"; NULL if there is none. */
extern const char *const sw_sweep_cause_ids[SW_SWEEP_CAUSES];

struct sw_sweep_row {
	const struct sw_tally *tally;	/* group; task of a pipeline or run */
	const struct sw_tally *group;	/* group of its jobs, with runs; NULL */
	/* Waste: unused, or lost in failed jobs. */
	double core_hours, gib_hours;
	double gpu_hours;	/* idle; 0 if unknown */
	const struct sw_tally *mount;	/* waited for most; NULL */
	double cost;		/* wasted, in the page's currency; NAN */
	double share;		/* of the allocation: CPUs plus memory */
	double rank;		/* sort key, descending */
	enum sw_sweep_cause cause;
	char why[SW_SWEEP_WORDS_SIZE];
	bool has_causes; /* why names failures that are all on the page */
	/*
	 * Number of earlier pages with the same cause and as much waste per
	 * job; 0 if it is new.
	 */
	size_t repeats;
	struct sw_sweep_lines lines;	/* empty unless computed */
	struct sw_sweep_kinds kinds;
};

/* Savings if all lines were followed, for the runs they are based on. */
struct sw_sweep_savings {
	size_t groups;
	size_t whole_groups; /* left out: jobs use whole nodes */
	size_t runs, fits;	/* replayed requests */
	double core_hours, gib_hours;
	double had_core_hours, had_gib_hours;	/* of the runs */
	double month_core_hours, month_gib_hours;	/* at that rate */
};

struct sw_sweep_page {
	const struct sw_night *night, *past;
	size_t past_nights;	/* with jobs to compare with */
	const struct sw_month *month;
	const struct sw_settings *settings;
	const char *user;	/* this one only; NULL: all */
	const char *group;	/* likewise, name or label */
	const char *pipeline, *run;	/* likewise; at most one is set */
	struct sw_catalogue catalogue;	/* of nodes; empty: none */
	char no_catalogue[SW_SWEEP_WORDS_SIZE];	/* why one is not used */
	bool has_costs;		/* of jobs, by the catalogue */
	bool is_by_cost;	/* rows are sorted by cost */
	uint64_t total[SW_TALLY_NUMBERS];
	struct sw_sweep_row *rows;	/* groups, most expensive first */
	size_t count;
	size_t costly_count;	/* first ones: nearly all of the waste */
	struct sw_sweep_savings savings;
	struct sw_takens takens;	/* of the user, if the page is one's */
	struct sw_worses worses;
	struct sw_retries retries;	/* of this night and earlier ones */
	struct sw_retry_chains chains;
	size_t shown_chains;	/* first ones: they ended in this night */
	struct sw_failure_rows failures;	/* of all users */
	/* said.c: row of the group of each; SIZE_MAX if there is none. */
	size_t *chain_rows, *failure_rows;
	bool *is_retried;		/* by failure: covered by a retry */
	char *nodes_without;		/* without summaries; folded */
	size_t nodes_without_count, node_count;
	struct sw_tally **sorted;	/* all tallies of the night */
	struct sw_keyed joined;		/* pipelines and programs, of all
					 * users */
	struct sw_tally **joined_sorted;
};

/* Restriction of the page; NULL: all. */
struct sw_sweep_part {
	const char *user, *group, *pipeline, *run;
};

/*
 * Make a page; all arguments must outlive it.  Return 0, or -1 (errno ENOMEM;
 * ENOENT: no job of the part ended).
 */
int sw_sweep_page_init(struct sw_sweep_page *page, const struct sw_night *night,
		       const struct sw_past *past,
		       const struct sw_settings *settings,
		       const struct sw_sweep_part *part);
void sw_sweep_page_fini(struct sw_sweep_page *page);

/* scope.c: true if the page is restricted; if it includes the tally. */
bool sw_sweep_is_of_part(const struct sw_sweep_page *page);
bool sw_sweep_has_tally(const struct sw_sweep_page *page,
			const struct sw_tally *tally);
/* For other kinds: true if it is in a table of the page. */
bool sw_sweep_has_by(const struct sw_sweep_page *page,
		     const struct sw_tally *tally);
/* Group of a row's tally, also for jobs of the group in a pipeline or run. */
const struct sw_tally *sw_sweep_group_of(const struct sw_sweep_page *page,
					 const struct sw_tally *tally);
/* Displayed name: "align_#". */
const char *sw_sweep_row_name(const struct sw_tally *tally);
bool sw_sweep_has_chain(const struct sw_sweep_page *page,
			const struct sw_retry_chain *chain);
/* Restrict what is on the page; the rows exist. */
void sw_sweep_keep_part(struct sw_sweep_page *page);

/* mounts.c: the mount of most of a group's I/O waits, or NULL. */
const struct sw_tally *sw_sweep_mount(const struct sw_sweep_page *page,
				      const struct sw_tally *group);

/* waste.c: fill the waste of row->tally. */
void sw_sweep_put_waste(struct sw_sweep_row *row,
			const struct sw_sweep_page *page);
/* Sort in descending order. */
int sw_sweep_compare_numbers(double a, double b);

/* repeats.c: compare with the pages of earlier nights. */
void sw_sweep_find_repeats(struct sw_sweep_row *row,
			   const struct sw_sweep_page *page,
			   const uint64_t past_total[SW_TALLY_NUMBERS]);

/* True if two amounts are about equal. */
bool sw_sweep_is_same(double now, double before);

/*
 * repeats_of.c: set nights_before, and sort old ones after new ones.  Return 0,
 * or -1 (ENOMEM).
 */
int sw_sweep_find_old_failures(struct sw_sweep_page *page);
int sw_sweep_find_old_retries(struct sw_sweep_page *page);

/*
 * said.c: assign failures and retries to rows, so that the lists do not repeat
 * them.  Return 0, or -1 (ENOMEM).
 */
int sw_sweep_find_said(struct sw_sweep_page *page);

/* explain.c: the cause, and a sentence about it. */
/*
 * Return what the recorded steps of a tally waited for, and its share of their
 * time, regardless of the largest waste; SW_SWEEP_UNKNOWN if nothing explains
 * idle CPUs.
 */
enum sw_sweep_cause sw_sweep_wait(const uint64_t n[SW_TALLY_NUMBERS],
				  double *share);
/* Share of the steps' time that they stood still for I/O; NAN. */
double sw_sweep_io_ratio(const uint64_t n[SW_TALLY_NUMBERS]);
void sw_sweep_explain(struct sw_sweep_row *row,
		      const struct sw_sweep_page *page,
		      const uint64_t total[SW_TALLY_NUMBERS]);
/* Number of jobs that did not complete, and lost their work. */
uint64_t sw_sweep_count_lost(const uint64_t n[SW_TALLY_NUMBERS]);

/* savings.c */
void sw_sweep_savings_add(struct sw_sweep_savings *savings,
			  const struct sw_sweep_row *row,
			  const struct sw_month *month);

/* A gauge of the page: name, share, and text. */
struct sw_sweep_gauge {
	const char *name, *question;
	double ratio;		/* NAN: unknown */
	char text[160];
};

enum { SW_SWEEP_GAUGES = 5 };

/* Return the number of gauges: the one of GPUs needs jobs with GPUs. */
size_t sw_sweep_gauges(struct sw_sweep_gauge gauges[SW_SWEEP_GAUGES],
		       const struct sw_sweep_page *page);

/* Tables of tallies of one kind by waste, with their names. */
struct sw_sweep_by {
	enum sw_tally_of of;
	const char *head, *name, *names;	/* "By user", "user", "users" */
	const char *key;			/* in JSON */
	const char *kind;			/* in CSV */
	const char *jobs;			/* unit of the count */
};

enum { SW_SWEEP_BYS = 11 };

extern const struct sw_sweep_by sw_sweep_bys[SW_SWEEP_BYS];

/* Call once per page.  Return 0, or -1 (ENOMEM). */
int sw_sweep_join_users(struct sw_sweep_page *page);

/* True if a table of this size is useful. */
bool sw_sweep_by_is_shown(const struct sw_sweep_by *by, size_t count);

/* Allocate the tallies; NULL (ENOMEM). */
const struct sw_tally **sw_sweep_by(const struct sw_sweep_page *page,
				    enum sw_tally_of of, size_t *count);

#endif
