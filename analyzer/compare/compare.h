/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences of a run from past runs of its group.  Two kinds of evidence: what
 * this run alone did, of all (an exit status, a program that is missing), whose
 * p is the share of runs that are alone with something, which needs no
 * assumption on distributions (G. Shafer and V. Vovk, "A tutorial on conformal
 * prediction", J. Machine Learning Research 9 (2008)); and amounts and rates by
 * the tests of chance.h, corrected for their number.  Nothing says what caused
 * what: differences coincide.
 */
#ifndef SW_ANALYZER_COMPARE_H
#define SW_ANALYZER_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/compare/expected.h"
#include "analyzer/compare/fingerprint.h"

/* In the order of their consequences. */
enum sw_difference_kind {
	SW_DIFFERS_STATE,  /* it failed as a whole */
	SW_DIFFERS_EXIT,   /* a status or signal that no other run had */
	SW_DIFFERS_ABSENT, /* a program that always runs did not */
	SW_DIFFERS_RATE,   /* a larger share of its processes failed */
	SW_DIFFERS_FEWER,  /* fewer processes than always */
	SW_DIFFERS_PHASE,  /* a phase that always comes did not */
	SW_DIFFERS_LESS,   /* of an amount */
	SW_DIFFERS_MORE,
	SW_DIFFERS_LIMIT,    /* another share of the time limited by it */
	SW_DIFFERS_PRESENT,  /* a program that never ran */
	SW_DIFFERS_NUMEROUS, /* more processes than always */
	/* Environment, beside the others. */
	SW_DIFFERS_CPUS,
	SW_DIFFERS_NODE_KIND,
	SW_DIFFERS_MOUNT,
	SW_DIFFERS_NEIGHBORS,
	SW_DIFFERS_BINDING,
	SW_DIFFERS_KERNEL,
	SW_DIFFERS_NODE,
	SW_DIFFERS_KINDS
};

enum sw_sure {
	SW_SURE_POSSIBLE, /* p above 0.05: few past runs */
	SW_SURE_LIKELY,
	SW_SURE_ALMOST /* p of at most 0.01 */
};

struct sw_difference {
	enum sw_difference_kind kind;
	const char *program; /* untrusted; NULL: the step */
	/* enum sw_program_amount or sw_step_amount, of LESS, MORE. */
	unsigned amount;
	enum sw_limited_by resource; /* of PHASE, LIMIT */
	bool is_signal;		     /* of EXIT */
	unsigned number;
	/* This run's value and what is expected: an amount, a share, processes;
	 * of EXIT, RATE out of "of" processes. */
	double value, usual, of;
	double least, most; /* in the past; NAN */
	bool is_by_input;   /* for inputs of this size */
	bool is_of_runs;    /* values are numbers of runs, not of processes */
	bool is_of_other;   /* of a pair: the other run did or had it */
	size_t runs;	    /* past runs that it is from */
	/*
	 * Probability under chance, corrected; of what this run is alone with,
	 * the share of runs that are alone with something, or that of its rate
	 * if that is less.  rank_p is by the order of past values only.
	 */
	double p, rank_p;
	enum sw_sure sure;
	double weight; /* of its consequence, among those of its kind */
	/* Start of its program in this run; INFINITY: unknown. */
	double started_usec;
	/* Index of the difference that accounts for it, or SW_NO_INDEX. */
	int explained_by;
	/* Texts of the environment, now and in the last past run; of STATE in a
	 * pair how the runs ended. */
	const char *now, *before;
};

struct sw_comparison {
	/* Largest consequence first; explained ones last. */
	struct sw_difference *differences;
	size_t count, unexplained;
	struct sw_difference environment[SW_DIFFERS_KINDS - SW_DIFFERS_CPUS];
	size_t environment_count;
	size_t taught; /* past runs that count */
	size_t comparisons;
	double most_p; /* of amounts and rates that differ */
};

/* Return true if the run succeeded, and others may be compared with it. */
bool sw_fingerprint_teaches(const struct sw_fingerprint *print);

/*
 * Compare a run with past ones, oldest first, of which the newest
 * SW_EXPECTED_RUNS count that succeeded and did as much as the ones before them;
 * or, once SW_EXPECTED_LEAST in a row did less, these and later ones: that is
 * how the group is now.  With fewer than SW_EXPECTED_LEAST of
 * them there are no differences, and taught says how many there are.  The
 * fingerprints own all texts.  Return 0, or -1 (errno ENOMEM); free with
 * sw_comparison_fini() in both cases.
 */
int sw_compare_run(struct sw_comparison *comparison,
		   const struct sw_fingerprint *run,
		   const struct sw_fingerprint *const *past, size_t count);

/*
 * Compare a set of runs with an earlier one, the newest SW_EXPECTED_RUNS of
 * each: what changed, by rank tests of the amounts of successful runs, and
 * exact tests of the numbers of all runs that failed, or in which a program
 * failed or did not run.  Values are medians, or numbers of runs out of "of".
 * The environment has what nearly all runs have, and none of the earlier had.
 */
int sw_compare_sets(struct sw_comparison *comparison,
		    const struct sw_fingerprint *const *runs, size_t count,
		    const struct sw_fingerprint *const *past,
		    size_t past_count);

/* A run and one other; partial: has not ended, or parts are missing. */
struct sw_pair {
	const struct sw_fingerprint *run, *other;
	bool run_is_partial, other_is_partial;
};

/*
 * Compare a run with one other, by effect alone: runs of each difference is 1,
 * and nothing is known of what chance does.
 */
int sw_compare_pair(struct sw_comparison *comparison,
		    const struct sw_pair *pair);

/*
 * The number of a run that a difference between sets is of: the amount of a
 * successful run, or 1 if it happened and 0 if not, for STATE, RATE and ABSENT;
 * NAN: unknown.
 */
double sw_difference_value(const struct sw_fingerprint *run,
			   const struct sw_difference *difference);

/*
 * Return true if less was done than always, so that results may be incomplete.
 * Less CPU time elsewhere may be a faster node; less time or memory, or another
 * bottleneck, is no loss.
 */
bool sw_difference_is_incomplete(const struct sw_comparison *comparison,
				 const struct sw_difference *difference);

void sw_comparison_fini(struct sw_comparison *comparison);

#endif
