/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predict how long the next run of a group may take.  Needs at least two
 * finished runs.
 */
#include "advice/time_model.h"

#include <errno.h>
#include <math.h>

enum { ALIKE, BY_INPUT };

/*
 * The same work takes a little longer on a slower node or a busier day; without
 * slack, runs so alike that their longest is the limit would be killed for
 * that.
 */
static const double slack = 1.05;

/*
 * Runs of a group are not drawn at random: a change lasts for a while.  After
 * each run that took longer than its limit the target risk is reduced by this
 * share, and recovers slowly (I. Gibbs and E. Candes, "Adaptive conformal
 * inference under distribution shift", NeurIPS 2021).
 */
static const double risk_step = 0.25;
static const double least_risk_share = 0.05;

/* Use the input only if it was at least this much better, this often. */
static const double least_gain = 0.9;
enum { LEAST_ASKED = 5, LEAST_LINE = 5 };

static const double steepest = 2;	/* power of the input's size */

void sw_time_model_init(struct sw_time_model *model, double risk)
{
	*model = (struct sw_time_model){ .risk = risk };
	for (size_t i = 0; i < SW_TIME_EXPERTS; i++)
		model->experts[i].risk = risk;
}

void sw_time_model_fini(struct sw_time_model *model)
{
	for (size_t i = 0; i < SW_TIME_EXPERTS; i++)
		sw_survival_fini(&model->experts[i].ratios);
}

/* Return NAN with too few runs, or inputs of one size only. */
static double line_predict(const struct sw_line_sums *sums, double input_bytes)
{
	struct sw_line line = sw_line_of(sums);

	if (!(input_bytes > 0) || !isfinite(input_bytes) ||
	    sums->weight < LEAST_LINE || !(sums->xx > 1e-6 * sums->weight))
		return NAN;
	line.slope = fmin(fmax(line.slope, 0), steepest);
	line.intercept = sums->y - line.slope * sums->x;
	return exp(sw_line_at(&line, log(input_bytes)));
}

/* Return the expert's scale for times; NAN: it has no prediction. */
static double predict(const struct sw_time_model *model, size_t expert,
		      double input_bytes)
{
	return expert == ALIKE ? 1 : line_predict(&model->line, input_bytes);
}

static struct sw_survival_limit expert_limit(const struct sw_time_model *model,
					     size_t expert, double input_bytes)
{
	const struct sw_time_expert *self = &model->experts[expert];
	struct sw_survival_limit limit;

	limit = sw_survival_limit(&self->ratios, self->risk);
	limit.value *= slack * predict(model, expert, input_bytes);
	return limit;
}

/*
 * Evaluate the expert on a run it has not learned.  The loss is the one
 * minimized by a quantile (R. Koenker and G. Bassett, "Regression quantiles",
 * Econometrica 46 (1978) 33-50), of logarithms.  A run killed below the limit
 * is skipped.
 */
static void expert_ask(const struct sw_time_model *model,
		       struct sw_time_expert *self, double limit,
		       double seconds, bool is_lower_bound)
{
	bool is_missed = seconds > limit;
	double excess;

	if (isnan(limit) || (is_lower_bound && !is_missed))
		return;
	excess = log(seconds / limit);
	self->loss += is_missed ? (1 - model->risk) * excess :
		-model->risk * excess;
	self->asked++;
	self->missed += is_missed;
	self->risk += risk_step * self->risk *
		(model->risk - (is_missed ? 1 : 0));
	self->risk = fmin(self->risk, model->risk);
	self->risk = fmax(self->risk, least_risk_share * model->risk);
}

/* Evaluate both on the same runs, or their losses cannot be compared. */
static void ask_experts(struct sw_time_model *model, double seconds,
			bool is_lower_bound, double input_bytes)
{
	double limits[SW_TIME_EXPERTS];

	for (size_t i = 0; i < SW_TIME_EXPERTS; i++)
		limits[i] = expert_limit(model, i, input_bytes).value;
	if (!isnan(limits[BY_INPUT]) && !model->experts[BY_INPUT].asked)
		model->experts[ALIKE].loss = 0;
	for (size_t i = 0; i < SW_TIME_EXPERTS; i++)
		expert_ask(model, &model->experts[i], limits[i], seconds,
			   is_lower_bound);
}

int sw_time_model_learn(struct sw_time_model *model, double seconds,
			bool is_lower_bound, double input_bytes)
{
	if (!(seconds > 0) || !isfinite(seconds)) {
		errno = EINVAL;
		return -1;
	}
	ask_experts(model, seconds, is_lower_bound, input_bytes);
	for (size_t i = 0; i < SW_TIME_EXPERTS; i++) {
		double predicted = predict(model, i, input_bytes);

		if (!isnan(predicted) &&
		    sw_survival_add(&model->experts[i].ratios,
				    seconds / predicted, is_lower_bound) < 0)
			return -1;
	}
	if (!is_lower_bound && input_bytes > 0 && isfinite(input_bytes))
		sw_line_sums_add(&model->line, log(input_bytes), log(seconds),
				 1);
	return 0;
}

static size_t best_expert(const struct sw_time_model *model,
			  double input_bytes)
{
	const struct sw_time_expert *by_input = &model->experts[BY_INPUT];

	if (isnan(predict(model, BY_INPUT, input_bytes)) ||
	    by_input->asked < LEAST_ASKED)
		return ALIKE;
	return by_input->loss < least_gain * model->experts[ALIKE].loss ?
		BY_INPUT : ALIKE;
}

struct sw_time_limit
sw_time_model_limit(const struct sw_time_model *model, double input_bytes)
{
	size_t best = best_expert(model, input_bytes);
	struct sw_survival_limit limit =
		expert_limit(model, best, input_bytes);

	return (struct sw_time_limit){
		.seconds = limit.value,
		.is_fitted = limit.is_fitted,
		.is_by_input = best == BY_INPUT,
	};
}

double sw_time_model_typical(const struct sw_time_model *model,
			     double input_bytes)
{
	return predict(model, best_expert(model, input_bytes), input_bytes);
}

double sw_time_model_above(const struct sw_time_model *model, double seconds,
			   double input_bytes)
{
	size_t best = best_expert(model, input_bytes);
	const struct sw_time_expert *self = &model->experts[best];

	if (self->ratios.ends < 2)
		return NAN;
	return sw_survival_above(&self->ratios, seconds / slack /
				 predict(model, best, input_bytes));
}
