/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Medians, quantiles and ranks of a few numbers, none of them NAN. */
#ifndef SW_ADVICE_SAMPLE_H
#define SW_ADVICE_SAMPLE_H

#include <stddef.h>

void sw_sample_sort(double *values, size_t count);

/* The mean of the middle two where count is even; scratch holds count. */
double sw_sample_median(double *scratch, const double *values, size_t count);

/*
 * Of sorted numbers, one or more: linear between the two nearest (type 7 of
 * Hyndman and Fan, The American Statistician 1996).
 */
double sw_quantile(const double *sorted, size_t count, double share);

/* Ranks from 1, equal values their mean; allocated.  NULL: no memory. */
double *sw_sample_ranks(const double *values, size_t count);

#endif
