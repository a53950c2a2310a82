/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user's request, predictors of the literature, and stepwell's advice as
 * "stepwell suggest" would give it.
 */
#include "bench/walltime_sides.h"

#include <math.h>

#include "advice/advisors.h"
#include "advice/sample.h"

enum { TOBIT_RUNS = 200, TOBIT_STEPS = 30, TOBIT_LEAST = 3, MEDIAN_RUNS = 1000 };

static double request(const struct walltime_past *past,
		      const struct joblog_job *job)
{
	(void)past;
	return job->run.requested_seconds;
}

static double mean_of_last_two(const struct walltime_past *past,
			       const struct joblog_job *job)
{
	(void)job;
	return (past->last[0] + past->last[1]) / 2;
}

static double max_and_a_fifth(const struct walltime_past *past,
			      const struct joblog_job *job)
{
	double largest = NAN;

	(void)job;
	for (size_t i = 0; i < past->group->count; i++)
		largest = fmax(largest,
			       past->group->items[i].elapsed_seconds);
	return largest * 1.2;
}

/* Density over survival of the standard normal distribution. */
static double mills(double z)
{
	double above = erfc(z / M_SQRT2) / 2;

	if (above < 1e-12)
		return z;
	return exp(-z * z / 2) / sqrt(2 * M_PI) / above;
}

/* Do one EM step on logarithms, of which some are lower bounds. */
static void tobit_step(const struct sw_run *runs, size_t count, double *mean,
		       double *deviation)
{
	double sum = 0, squares = 0, n = (double)count;

	for (size_t i = 0; i < count; i++) {
		double y = log(runs[i].elapsed_seconds);
		double z = (y - *mean) / *deviation, ratio;

		if (runs[i].state == SW_RUN_COMPLETED) {
			sum += y;
			squares += y * y;
			continue;
		}
		ratio = mills(z);
		sum += *mean + *deviation * ratio;
		squares += *mean * *mean + *deviation * *deviation +
			*deviation * (y + *mean) * ratio;
	}
	*mean = sum / n;
	*deviation = sqrt(fmax(squares / n - *mean * *mean, 1e-4));
}

/*
 * A Tobit model, as in TRIP (times that hit the limit are lower bounds), of the
 * same work only, at its 95th percentile.
 */
static double tobit(const struct walltime_past *past,
		    const struct joblog_job *job)
{
	const struct sw_runs *group = past->group;
	size_t count = group->count < TOBIT_RUNS ? group->count : TOBIT_RUNS;
	const struct sw_run *runs = group->items + (group->count - count);
	double mean = 0, deviation = 1;

	(void)job;
	if (count < TOBIT_LEAST)
		return NAN;
	for (size_t i = 0; i < count; i++)
		mean += log(runs[i].elapsed_seconds) / (double)count;
	for (int i = 0; i < TOBIT_STEPS; i++)
		tobit_step(runs, count, &mean, &deviation);
	return exp(mean + 1.6449 * deviation);
}

/* The median, which advice reports as the usual run time. */
static double median(const struct walltime_past *past,
		     const struct joblog_job *job)
{
	double values[MEDIAN_RUNS], scratch[MEDIAN_RUNS];
	size_t count = 0;

	(void)job;
	for (size_t i = past->group->count; i > 0 && count < MEDIAN_RUNS; i--)
		if (past->group->items[i - 1].state == SW_RUN_COMPLETED)
			values[count++] =
				past->group->items[i - 1].elapsed_seconds;
	return sw_sample_median(scratch, values, count);
}

static double advice(const struct walltime_past *past,
		     const struct joblog_job *job, enum sw_risk risk)
{
	struct sw_policy policy = sw_policy_default;
	struct sw_suggestion suggestion;
	struct sw_query query = {
		.input_bytes = NAN,
		.requested_bytes = NAN,
		.start_seconds = job->submit_seconds,
	};

	policy.risk = risk;
	if (past->group->count == 0 ||
	    sw_advisor_time.advise(past->group, &query, &policy,
				   &suggestion) < 0 ||
	    suggestion.is_withheld)
		return NAN;
	return suggestion.suggested;
}

static double advice_low(const struct walltime_past *past,
			 const struct joblog_job *job)
{
	return advice(past, job, SW_RISK_LOW);
}

static double advice_medium(const struct walltime_past *past,
			    const struct joblog_job *job)
{
	return advice(past, job, SW_RISK_MEDIUM);
}

static double advice_high(const struct walltime_past *past,
			  const struct joblog_job *job)
{
	return advice(past, job, SW_RISK_HIGH);
}

const struct walltime_side walltime_sides[] = {
	{ "request", "the user", request },
	{ "last-two", "Tsafrir et al., TPDS 2007: mean of the user's last two; "
	  "to plan by, not to kill by",
	  mean_of_last_two },
	{ "median", "what stepwell calls usual; to plan by, not to kill by",
	  median },
	{ "max+20%", "largest of the same work + 20 %", max_and_a_fifth },
	{ "tobit-95", "after TRIP, Fan et al., CLUSTER 2017: Tobit, 95 %",
	  tobit },
	{ "stepwell-2%", "advice, --risk low", advice_low },
	{ "stepwell-5%", "advice, --risk medium", advice_medium },
	{ "stepwell-10%", "advice, --risk high", advice_high },
};

const size_t walltime_side_count =
	sizeof(walltime_sides) / sizeof(walltime_sides[0]);
