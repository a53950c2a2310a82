/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order-0 entropy of a trace's differences.
 *
 * Fails if memory for one column cannot be allocated.
 */
#include "bench/entropy.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BUCKETS = 2 * 64 + 1 };	/* 0, and 64 sizes of either sign */

static int compare_differences(const void *left, const void *right)
{
	const int64_t a = *(const int64_t *)left;
	const int64_t b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Return the number of bits of a magnitude after its leading 1 bit. */
static unsigned int width_of(uint64_t magnitude)
{
	return 63 - (unsigned int)__builtin_clzll(magnitude);
}

/* Arithmetic wraps: a missing value is just a large jump. */
static double estimate(int64_t *differences, size_t count)
{
	uint64_t buckets[BUCKETS] = { 0 };
	double bits = 0.0;
	uint64_t median;

	qsort(differences, count, sizeof(*differences), compare_differences);
	median = (uint64_t)differences[count / 2];
	for (size_t i = 0; i < count; i++) {
		uint64_t centred = (uint64_t)differences[i] - median;
		bool is_negative = (int64_t)centred < 0;
		uint64_t magnitude = is_negative ? 0 - centred : centred;

		if (magnitude == 0) {
			buckets[0]++;
			continue;
		}
		bits += width_of(magnitude);
		buckets[1 + 2 * width_of(magnitude) + is_negative]++;
	}
	for (size_t i = 0; i < BUCKETS; i++)
		if (buckets[i] > 0)
			bits += (double)buckets[i] *
				log2((double)count / (double)buckets[i]);
	return bits;
}

static void collect(int64_t *differences, const uint64_t *values,
		    uint64_t row_count, uint64_t task_count,
		    uint64_t column_count)
{
	for (uint64_t row = task_count; row < row_count; row++) {
		uint64_t later = values[row * column_count];
		uint64_t earlier = values[(row - task_count) * column_count];

		differences[row - task_count] = (int64_t)(later - earlier);
	}
}

double entropy_estimate_bits(const uint64_t *values, uint64_t tick_count,
			     uint64_t task_count, uint64_t column_count,
			     double *column_bits)
{
	size_t count = (size_t)((tick_count - 1) * task_count);
	int64_t *differences = calloc(count, sizeof(*differences));
	double total = 0.0;

	if (differences == NULL)
		return -1.0;
	for (uint64_t column = 0; column < column_count; column++) {
		double bits;

		collect(differences, values + column, tick_count * task_count,
			task_count, column_count);
		bits = estimate(differences, count);
		if (column_bits != NULL)
			column_bits[column] = bits;
		total += bits;
	}
	free(differences);
	return total;
}
