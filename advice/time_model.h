/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predict how long the next run of a group may take.  There are two experts:
 * all runs alike, and time as a power of the input size.  Each is evaluated on
 * every run before learning it, and the better one is used.
 */
#ifndef SW_ADVICE_TIME_MODEL_H
#define SW_ADVICE_TIME_MODEL_H

#include "advice/line.h"
#include "advice/survival.h"

enum { SW_TIME_EXPERTS = 2 };

struct sw_time_expert {
	struct sw_survival ratios;	/* times to predictions */
	double risk;		/* target risk for the ratios */
	double loss;		/* sum over evaluated runs */
	size_t asked, missed;
};

struct sw_time_model {
	double risk;
	struct sw_line_sums line;	/* log time over log input */
	struct sw_time_expert experts[SW_TIME_EXPERTS];
};

struct sw_time_limit {
	double seconds;		/* NAN: not known */
	bool is_fitted;		/* beyond the ranks, from a fitted tail */
	bool is_by_input;
	bool is_of_alike;	/* from runs that hardly differ */
};

void sw_time_model_init(struct sw_time_model *model, double risk);
void sw_time_model_fini(struct sw_time_model *model);

/*
 * Learn a run that finished or was stopped.  input_bytes may be NAN.  Returns
 * 0, or -1 (errno ENOMEM; EINVAL: seconds are not positive).
 */
int sw_time_model_learn(struct sw_time_model *model, double seconds,
			bool is_lower_bound, double input_bytes);

/* Return the time that the next run exceeds with a probability of risk. */
struct sw_time_limit
sw_time_model_limit(const struct sw_time_model *model, double input_bytes);

/* Return the scale for times with inputs of this size; 1: all are alike. */
double sw_time_model_typical(const struct sw_time_model *model,
			     double input_bytes);

/* Return the probability that the next run takes longer; NAN: not known. */
double sw_time_model_above(const struct sw_time_model *model, double seconds,
			   double input_bytes);

#endif
