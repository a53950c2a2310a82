/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long may the next run of a group take?  Two experts, all runs alike and
 * time by a power of the input's size; each is asked about every run before it
 * learns it, and the one that did better answers.
 */
#ifndef SW_ADVICE_TIME_MODEL_H
#define SW_ADVICE_TIME_MODEL_H

#include "advice/line.h"
#include "advice/survival.h"

enum { SW_TIME_EXPERTS = 2 };

struct sw_time_expert {
	struct sw_survival ratios;	/* of times to what was predicted */
	double risk;		/* that is asked of the ratios */
	double loss;		/* sum over what it was asked about */
	size_t asked, missed;
};

struct sw_time_model {
	double risk;
	struct sw_line_sums line;	/* of logarithms, of time on input */
	struct sw_time_expert experts[SW_TIME_EXPERTS];
};

struct sw_time_limit {
	double seconds;		/* NAN: cannot be said */
	bool is_fitted;		/* beyond what ranks tell, by a fitted tail */
	bool is_by_input;
	bool is_of_alike;	/* by how little the runs differ */
};

void sw_time_model_init(struct sw_time_model *model, double risk);
void sw_time_model_fini(struct sw_time_model *model);

/*
 * A run that ended, or was ended.  input_bytes may be NAN.  0, or -1 (errno
 * ENOMEM; EINVAL: seconds are not positive).
 */
int sw_time_model_learn(struct sw_time_model *model, double seconds,
			bool is_lower_bound, double input_bytes);

/* What the next run takes longer than with a probability of risk. */
struct sw_time_limit
sw_time_model_limit(const struct sw_time_model *model, double input_bytes);

/* What times of inputs of this size are held against; 1: all are alike. */
double sw_time_model_typical(const struct sw_time_model *model,
			     double input_bytes);

/* Probability that the next run takes longer than this; NAN: not known. */
double sw_time_model_above(const struct sw_time_model *model, double seconds,
			   double input_bytes);

#endif
