/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distribution of a sum of hypergeometric variables, one per stratum. */
#include "analyzer/failures/strata.h"

#include <math.h>
#include <string.h>

#include "analyzer/compare/chance.h"

enum { ELSEWHERE_MAX = 200 };

/* Probability that this many of a stratum's failures are elsewhere. */
static double share(const struct sw_stratum *stratum, uint64_t elsewhere)
{
	uint64_t other_jobs = stratum->jobs - stratum->node_jobs;
	uint64_t here = stratum->failures - elsewhere;

	if (elsewhere > other_jobs || here > stratum->node_jobs)
		return 0;
	return exp(sw_log_choose((double)other_jobs, (double)elsewhere) +
		   sw_log_choose((double)stratum->node_jobs, (double)here) -
		   sw_log_choose((double)stratum->jobs,
				 (double)stratum->failures));
}

/* p[i]: probability of i failures elsewhere so far, for i up to max. */
static void add_stratum(double p[ELSEWHERE_MAX + 1], uint64_t max,
			const struct sw_stratum *stratum)
{
	double of[ELSEWHERE_MAX + 1], sum[ELSEWHERE_MAX + 1] = { 0 };
	uint64_t i, j;

	for (i = 0; i <= max; i++)
		of[i] = i <= stratum->failures ? share(stratum, i) : 0;
	for (i = 0; i <= max; i++) {
		for (j = 0; j <= i; j++)
			sum[i] += p[i - j] * of[j];
	}
	memcpy(p, sum, sizeof(sum));
}

double sw_strata_chance(const struct sw_stratum *strata, size_t count)
{
	double p[ELSEWHERE_MAX + 1] = { 1 }, chance = 0;
	uint64_t here = 0, elsewhere = 0, i;
	size_t j;

	for (j = 0; j < count; j++) {
		here += strata[j].node_failures;
		elsewhere += strata[j].failures - strata[j].node_failures;
	}
	if (elsewhere > here || elsewhere > ELSEWHERE_MAX)
		return 1;
	for (j = 0; j < count; j++) {
		if (strata[j].failures)
			add_stratum(p, elsewhere, &strata[j]);
	}
	for (i = 0; i <= elsewhere; i++)
		chance += p[i];
	return chance < 1 ? chance : 1;
}

uint64_t sw_strata_telling(const struct sw_stratum *strata, size_t count)
{
	uint64_t telling = 0;
	size_t i;

	for (i = 0; i < count; i++)
		telling += strata[i].node_failures > 0 &&
			   strata[i].jobs - strata[i].node_jobs >
				   strata[i].failures - strata[i].node_failures;
	return telling;
}
