/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Medians, quantiles and ranks. */
#include "advice/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value and its original index. */
struct item {
	double value;
	size_t index;
};

static int compare_doubles(const void *one, const void *two)
{
	double a = *(const double *)one, b = *(const double *)two;

	return (a > b) - (a < b);
}

static int compare_items(const void *one, const void *two)
{
	const struct item *a = one, *b = two;

	return (a->value > b->value) - (a->value < b->value);
}

void sw_sample_sort(double *values, size_t count)
{
	if (count > 0)
		qsort(values, count, sizeof(*values), compare_doubles);
}

double sw_sample_median(double *scratch, const double *values, size_t count)
{
	if (count == 0)
		return NAN;
	memcpy(scratch, values, count * sizeof(*values));
	sw_sample_sort(scratch, count);
	return (scratch[(count - 1) / 2] + scratch[count / 2]) / 2;
}

double sw_quantile(const double *sorted, size_t count, double share)
{
	double place = share * (double)(count - 1);
	size_t below = (size_t)place;

	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (place - floor(place)) *
			       (sorted[below + 1] - sorted[below]);
}

/* Assign the mean rank of items[first] to items[last - 1]. */
static void rank_equals(double *ranks, const struct item *items, size_t first,
			size_t last)
{
	double rank = (double)(first + 1 + last) / 2;

	for (size_t i = first; i < last; i++)
		ranks[items[i].index] = rank;
}

double *sw_sample_ranks(const double *values, size_t count)
{
	struct item *items = calloc(count + 1, sizeof(*items));
	double *ranks = calloc(count + 1, sizeof(*ranks));
	size_t first = 0;

	if (!items || !ranks) {
		free(items);
		free(ranks);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		items[i] = (struct item){ values[i], i };
	qsort(items, count, sizeof(*items), compare_items);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && items[i].value == items[first].value)
			continue;
		rank_equals(ranks, items, first, i);
		first = i;
	}
	free(items);
	return ranks;
}
