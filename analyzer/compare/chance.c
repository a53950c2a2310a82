/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests whose sources are in chance.h. */
#include "analyzer/compare/chance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/sample.h"

/* Smallest number whose inverse is finite, for Lentz's method. */
static const double TINY = 1e-300;

enum { TERMS_MAX = 300 };

static double keep_away_from_0(double value)
{
	return fabs(value) < TINY ? TINY : value;
}

/* Continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / keep_away_from_0(1 - (a + b) * x / (a + 1));
	double h = d, term, m;
	int i;

	for (i = 1; i < TERMS_MAX; i++) {
		m = i;
		term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / keep_away_from_0(1 + term * d);
		c = keep_away_from_0(1 + term / c);
		h *= d * c;
		term = -(a + m) * (a + b + m) * x /
		       ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / keep_away_from_0(1 + term * d);
		c = keep_away_from_0(1 + term / c);
		h *= d * c;
		if (fabs(d * c - 1) < 1e-14)
			break;
	}
	return h;
}

/* Regularized incomplete beta function. */
static double beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) +
		    b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double sw_chance_t(double t, double df)
{
	return isinf(t) ? 0 : beta(df / 2, 0.5, df / (df + t * t));
}

double sw_log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

double sw_chance_failures(double failures, double trials, double other_failures,
			  double other_trials)
{
	double all = failures + other_failures, total = trials + other_trials;
	double log_all = sw_log_choose(total, all), sum = 0, term, k;

	if (!(failures > 0 && failures <= trials &&
	      other_failures <= other_trials))
		return 1;
	/* Beyond the mode, terms only become smaller. */
	if (failures / trials <= all / total)
		return 1;
	for (k = failures; k <= fmin(all, trials); k++) {
		if (all - k > other_trials)
			continue;
		term = exp(sw_log_choose(trials, k) +
			   sw_log_choose(other_trials, all - k) - log_all);
		sum += term;
		if (term <= sum * 1e-12)
			break;
	}
	return fmin(sum, 1);
}

/*
 * ways[i * room + u]: number of ways to choose i of the values so far with U
 * of u, as a share of all; values come in order of their ranks.
 */
static double exact_ranks(size_t a, size_t b, double u)
{
	size_t room = a * b + 1, i, n, at;
	double *ways = calloc((a + 1) * room, sizeof(*ways)), sum = 0;
	double all = exp(sw_log_choose((double)(a + b), (double)a));

	if (!ways)
		return NAN;
	ways[0] = 1;
	for (n = 0; n < a + b; n++) {
		/* The value of a is above n - i of b. */
		for (i = n < a ? n + 1 : a; i > 0; i--) {
			size_t above = n + 1 - i;

			if (above > b)
				continue;
			for (at = room; at-- > above;)
				ways[i * room + at] +=
					ways[(i - 1) * room + at - above];
		}
	}
	for (at = 0; at < room && (double)at <= u; at++)
		sum += ways[a * room + at];
	free(ways);
	return fmin(1, 2 * sum / all);
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Sum of t^3 - t over t equal values. */
static double count_ties(double *values, size_t count)
{
	double ties = 0, equal = 1;
	size_t i;

	qsort(values, count, sizeof(*values), compare);
	for (i = 1; i <= count; i++) {
		if (i < count && values[i] == values[i - 1]) {
			equal++;
			continue;
		}
		ties += equal * equal * equal - equal;
		equal = 1;
	}
	return ties;
}

static double normal_ranks(double a, double b, double u, double ties)
{
	double n = a + b;
	double variance = a * b / 12 * (n + 1 - ties / (n * (n - 1)));

	if (!(variance > 0))
		return 1;
	return erfc(fmax(0, a * b / 2 - u - 0.5) / sqrt(2 * variance));
}

double sw_chance_ranks(const double *a, size_t a_count, const double *b,
		       size_t b_count)
{
	size_t count = a_count + b_count, i;
	double *all, *ranks = NULL, sum = 0, u, ties, p = NAN;

	if (a_count == 0 || b_count == 0)
		return 1;
	all = calloc(count, sizeof(*all));
	if (all) {
		memcpy(all, a, a_count * sizeof(*a));
		memcpy(all + a_count, b, b_count * sizeof(*b));
		ranks = sw_sample_ranks(all, count);
	}
	if (ranks) {
		for (i = 0; i < a_count; i++)
			sum += ranks[i];
		u = sum - (double)a_count * ((double)a_count + 1) / 2;
		u = fmin(u, (double)a_count * (double)b_count - u);
		ties = count_ties(all, count);
		p = ties == 0 && a_count <= SW_CHANCE_EXACT &&
				    b_count <= SW_CHANCE_EXACT
			    ? exact_ranks(a_count, b_count, u)
			    : normal_ranks((double)a_count, (double)b_count, u,
					   ties);
	}
	free(ranks);
	free(all);
	return p;
}

void sw_chance_holm(double *const *p, size_t count, size_t comparisons)
{
	double largest = 0;
	size_t i;

	for (i = 0; i < count && i < comparisons; i++) {
		largest = fmax(largest,
			       fmin(1, *p[i] * (double)(comparisons - i)));
		*p[i] = largest;
	}
}
