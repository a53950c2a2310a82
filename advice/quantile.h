/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quantiles of numbers. */
#ifndef SW_ADVICE_QUANTILE_H
#define SW_ADVICE_QUANTILE_H

#include <stddef.h>

/*
 * Of sorted numbers, one or more: linear between the two nearest (type 7 of
 * Hyndman and Fan, The American Statistician 1996).
 */
double sw_quantile(const double *sorted, size_t count, double share);

#endif
