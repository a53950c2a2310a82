/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Medians, quantiles and ranks of a few numbers, none of them NAN. */
#ifndef SW_ADVICE_SAMPLE_H
#define SW_ADVICE_SAMPLE_H

#include <stddef.h>

void sw_sample_sort(double *values, size_t count);

/*
 * Return the median, the mean of the middle two if count is even; scratch has
 * room for count.
 */
double sw_sample_median(double *scratch, const double *values, size_t count);

/*
 * Quantile of at least one sorted number: linear between the two nearest (type
 * 7 of Hyndman and Fan, The American Statistician 1996).
 */
double sw_quantile(const double *sorted, size_t count, double share);

/* Return allocated ranks from 1, equal values sharing their mean; or NULL. */
double *sw_sample_ranks(const double *values, size_t count);

#endif
