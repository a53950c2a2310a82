/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a comparison; each adds its candidates. */
#ifndef SW_ANALYZER_COMPARE_INTERNAL_H
#define SW_ANALYZER_COMPARE_INTERNAL_H

#include "analyzer/compare/compare.h"

/* A run and the past ones that count. */
struct sw_compared {
	const struct sw_fingerprint *run;
	const struct sw_fingerprint *past[SW_EXPECTED_RUNS];
	size_t count;
};

/* Properties of amounts. */
struct sw_amount_kind {
	double unit;  /* much smaller amounts are all alike */
	double floor; /* least spread of logarithms */
	double ratio; /* least one that matters */
};
extern const struct sw_amount_kind sw_program_amounts[SW_PROGRAM_AMOUNTS];
extern const struct sw_amount_kind sw_step_amounts[SW_STEP_AMOUNTS];

/* Program amounts from this share of the step's on are compared. */
#define SW_COMPARE_SHARE 0.05

/* The zeroed difference that all others start from. */
extern const struct sw_difference sw_difference_none;

/* Take up to SW_EXPECTED_RUNS, and keep their order; return their number. */
size_t sw_take_newest(const struct sw_fingerprint **newest,
		      const struct sw_fingerprint *const *runs, size_t count,
		      bool has_to_teach);

/* Add a candidate; 0, or -1 (errno ENOMEM). */
int sw_comparison_add(struct sw_comparison *comparison,
		      const struct sw_difference *difference);

/* NAN: unknown, or only a lower bound is known. */
double sw_step_amount_of(const struct sw_fingerprint *run,
			 enum sw_step_amount amount);

/* Collect an amount of up to SW_EXPECTED_RUNS runs where it is known. */
void sw_gather_step(struct sw_past_amounts *past,
		    const struct sw_fingerprint *const *runs, size_t count,
		    enum sw_step_amount amount, const char *mount);
void sw_gather_program(struct sw_past_amounts *past,
		       const struct sw_fingerprint *const *runs, size_t count,
		       enum sw_program_amount amount, const char *name);

/* Is it usually at least SW_COMPARE_SHARE of the step's amount? */
bool sw_amount_matters(const struct sw_fingerprint *const *runs, size_t count,
		       const char *name, enum sw_program_amount amount);

int sw_compare_odd(struct sw_comparison *comparison,
		   const struct sw_compared *compared);
int sw_compare_rates(struct sw_comparison *comparison,
		     const struct sw_compared *compared);
int sw_compare_amounts(struct sw_comparison *comparison,
		       const struct sw_compared *compared);
void sw_compare_environment(struct sw_comparison *comparison,
			    const struct sw_compared *compared);

/* Find what nearly all runs of a set have, and none of the earlier ones had. */
struct sw_run_set {
	const struct sw_fingerprint *const *runs;
	size_t count;
};
void sw_compare_environments(struct sw_comparison *comparison,
			     const struct sw_run_set *now,
			     const struct sw_run_set *past);

/* Other CPUs, another kind of node and so on, but not only another node. */
bool sw_comparison_is_elsewhere(const struct sw_comparison *comparison);

/* Is it of an amount of bytes read or written? */
bool sw_difference_is_bytes(const struct sw_difference *difference);

/* Does the environment differ in this way? */
bool sw_comparison_is_beside(const struct sw_comparison *comparison,
			     enum sw_difference_kind kind);

/* Correct p for their number, and drop what chance may explain. */
int sw_comparison_settle(struct sw_comparison *comparison);

/* Sort, and let one difference account for those that follow from it. */
int sw_comparison_explain(struct sw_comparison *comparison,
			  const struct sw_fingerprint *run);

#endif
