/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A step's rows of one table, by column name. */
#include "analyzer/series/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/delta.h"
#include "common/units.h"

static const uint64_t *find_numbers(const struct sw_reader_table *table,
				    const char *column)
{
	const struct sw_reader_column *found;

	found = table ? sw_reader_find_column(table, column) : NULL;
	return found ? found->numbers : NULL;
}

/* Number of grouped rows of steps before this one, or including it. */
static size_t rows_before(const uint64_t *step, size_t count, uint64_t key,
			  bool with_it)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (step[middle] < key || (with_it && step[middle] == key))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * A job can have thousands of steps, each with few of a table's rows: a series
 * must not cost a pass over all rows.
 */
static void find_stretch(struct sw_series *series)
{
	size_t first = 0, end = series->table->row_count;

	if (series->table->is_grouped && series->step &&
	    series->step_key != SW_ALL_STEPS) {
		first = rows_before(series->step, end, series->step_key, false);
		end = rows_before(series->step, end, series->step_key, true);
	}
	while (first < end && !sw_series_is_ours(series, first))
		first++;
	while (end > first && !sw_series_is_ours(series, end - 1))
		end--;
	series->first = first;
	series->count = end - first;
	if (series->step)
		series->step += first;
	if (series->time_usec)
		series->time_usec += first;
}

struct sw_series sw_series_open(const struct sw_reader *reader,
				const char *table, uint64_t step_key)
{
	struct sw_series series = { .step_key = step_key };

	series.table = sw_reader_find(reader, table);
	series.time_usec = find_numbers(series.table, "time_usec");
	series.step = find_numbers(series.table, "step");
	if (series.table)
		find_stretch(&series);
	return series;
}

const char *sw_series_source(const struct sw_series *series)
{
	return series->table ? series->table->source : NULL;
}

size_t sw_series_rows(const struct sw_series *series)
{
	return series->count;
}

size_t sw_series_room(const struct sw_series *series, size_t max)
{
	return series->count < max ? series->count : max;
}

const uint64_t *sw_series_numbers(const struct sw_series *series,
				  const char *column)
{
	const uint64_t *numbers = find_numbers(series->table, column);

	return numbers ? numbers + series->first : NULL;
}

/* True if time increases, or if the table has no time. */
static bool is_later(const struct sw_series *series, size_t row,
		     uint64_t last_usec)
{
	return !series->time_usec || sw_is_missing(last_usec) ||
	       (!sw_is_missing(series->time_usec[row]) &&
		series->time_usec[row] > last_usec);
}

uint64_t sw_series_at(const struct sw_series *series, size_t row,
		      const char *column)
{
	const uint64_t *numbers = sw_series_numbers(series, column);

	return row < sw_series_rows(series) ?
		       sw_series_cell(series, numbers, row) : SW_MISSING;
}

const char *sw_series_text(const struct sw_series *series, size_t row,
			   const char *column)
{
	const struct sw_reader_column *found;

	found = series->table ? sw_reader_find_column(series->table, column) :
				NULL;
	if (!found || !found->texts || row >= sw_series_rows(series) ||
	    !sw_series_is_ours(series, row))
		return NULL;
	return found->texts[series->first + row];
}

const char *sw_series_last_text(const struct sw_series *series,
				const char *column)
{
	size_t row = sw_series_rows(series);

	while (row-- > 0) {
		if (sw_series_is_ours(series, row))
			return sw_series_text(series, row, column);
	}
	return NULL;
}

uint64_t sw_series_max(const struct sw_series *series, const char *column)
{
	const uint64_t *numbers = sw_series_numbers(series, column);
	uint64_t max = SW_MISSING;
	size_t row;

	for (row = 0; numbers && row < sw_series_rows(series); row++) {
		if (sw_series_is_ours(series, row))
			max = sw_max_u64(max, numbers[row]);
	}
	return max;
}

uint64_t sw_series_last(const struct sw_series *series, const char *column)
{
	const uint64_t *numbers = sw_series_numbers(series, column);
	size_t row = numbers ? sw_series_rows(series) : 0;

	while (row-- > 0) {
		if (sw_series_is_ours(series, row) &&
		    !sw_is_missing(numbers[row]))
			return numbers[row];
	}
	return SW_MISSING;
}

uint64_t sw_series_growth(const struct sw_series *series, const char *column)
{
	const uint64_t *numbers = sw_series_numbers(series, column);
	uint64_t previous = SW_MISSING, growth = SW_MISSING, delta;
	uint64_t last_usec = SW_MISSING;
	size_t row;

	for (row = 0; numbers && row < sw_series_rows(series); row++) {
		if (!sw_series_is_ours(series, row) ||
		    sw_is_missing(numbers[row]) ||
		    !is_later(series, row, last_usec))
			continue;
		if (series->time_usec)
			last_usec = series->time_usec[row];
		delta = sw_delta_u64(numbers[row], previous);
		if (sw_is_missing(growth))
			growth = 0;
		if (!sw_is_missing(delta))
			growth = sw_add_u64(growth, delta);
		previous = numbers[row];
	}
	return growth;
}

uint64_t *sw_series_sum(const struct sw_series *series,
			const char *const *columns, size_t count)
{
	size_t rows = sw_series_rows(series), row, i;
	uint64_t *sum = calloc(rows ? rows : 1, sizeof(*sum));
	const uint64_t *numbers;

	if (!sum)
		return NULL;
	for (i = 0; i < count; i++) {
		numbers = sw_series_numbers(series, columns[i]);
		for (row = 0; row < rows; row++) {
			bool is_known = numbers &&
					sw_series_is_ours(series, row);

			sum[row] = sw_add_u64(sum[row], is_known ?
					      numbers[row] : SW_MISSING);
		}
	}
	return sum;
}

int sw_curve_reserve(struct sw_curve *curve, size_t rows)
{
	size_t size = rows ? rows : 1;

	memset(curve, 0, sizeof(*curve));
	/* Not zeroed: only the first count elements are used. */
	curve->start_usec = reallocarray(NULL, size,
					 sizeof(*curve->start_usec));
	curve->end_usec = reallocarray(NULL, size, sizeof(*curve->end_usec));
	curve->value = reallocarray(NULL, size, sizeof(*curve->value));
	if (curve->start_usec && curve->end_usec && curve->value)
		return 0;
	sw_curve_fini(curve);
	errno = ENOMEM;
	return -1;
}

void sw_curve_summarise(struct sw_curve *curve)
{
	double sum = 0, time = 0, width;
	size_t i;

	curve->min = curve->max = curve->mean = NAN;
	for (i = 0; i < curve->count; i++) {
		if (isnan(curve->value[i]))
			continue;
		/* Calls of fmin() would take longer than the rest. */
		if (!(curve->min <= curve->value[i]))
			curve->min = curve->value[i];
		if (!(curve->max >= curve->value[i]))
			curve->max = curve->value[i];
		width = (double)(curve->end_usec[i] - curve->start_usec[i]);
		sum += curve->value[i] * width;
		time += width;
	}
	if (time > 0)
		curve->mean = sum / time;
}

/* Samples are nearly equidistant: expect a time this close to its place. */
enum { NEAR = 8 };

/* First interval of a curve that ends after a time. */
static size_t first_after(const struct sw_curve *curve, uint64_t usec)
{
	size_t low = 0, high = curve->count, middle, near = 0;
	uint64_t start, end;

	if (!high)
		return 0;
	start = curve->start_usec[0];
	end = curve->end_usec[high - 1];
	if (usec > start && usec < end)
		near = (size_t)((double)(usec - start) / (double)(end - start) *
				(double)high);
	if (near >= NEAR && curve->end_usec[near - NEAR] <= usec)
		low = near - NEAR + 1;
	if (near + NEAR < high && curve->end_usec[near + NEAR] > usec)
		high = near + NEAR;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (curve->end_usec[middle] > usec)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

double sw_curve_mean(const struct sw_curve *curve, uint64_t start, uint64_t end)
{
	double sum = 0, width = 0, overlap;
	uint64_t from, to;
	size_t i;

	for (i = first_after(curve, start);
	     i < curve->count && curve->start_usec[i] < end; i++) {
		from = curve->start_usec[i] > start ? curve->start_usec[i] :
						      start;
		to = curve->end_usec[i] < end ? curve->end_usec[i] : end;
		if (from >= to || isnan(curve->value[i]))
			continue;
		overlap = (double)(to - from);
		sum += curve->value[i] * overlap;
		width += overlap;
	}
	return width > 0 ? sum / width : NAN;
}

static double rate(uint64_t later, uint64_t earlier, uint64_t width_usec,
		   double scale)
{
	return sw_real_u64(sw_delta_u64(later, earlier)) * scale *
	       (double)SW_USEC_PER_SEC / (double)width_usec;
}

/*
 * Samples can be close together, as the last two of a step; a rate over such a
 * short time is noise, so the previous interval is extended.
 */
static const uint64_t interval_usec_min = 5000;

/* scale is NAN for a level. */
static void put_interval(struct sw_curve *curve, const uint64_t *time,
			 const uint64_t *values, size_t from, size_t to,
			 double scale)
{
	size_t n = curve->count++;

	curve->start_usec[n] = time[from];
	curve->end_usec[n] = time[to];
	if (!isnan(scale))
		curve->value[n] = rate(values[to], values[from],
				       time[to] - time[from], scale);
	else
		curve->value[n] = sw_real_u64(values[to]);
}

static int curve_build(struct sw_curve *curve, const struct sw_series *series,
		       const uint64_t *values, double scale)
{
	size_t rows = series->time_usec ? sw_series_rows(series) : 0;
	size_t row, last = SIZE_MAX, before = SIZE_MAX;
	const uint64_t *time = series->time_usec;

	if (sw_curve_reserve(curve, rows) < 0)
		return -1;
	for (row = 0; row < rows; row++) {
		if (!sw_series_is_ours(series, row) || sw_is_missing(time[row]))
			continue;
		if (last != SIZE_MAX && time[row] <= time[last])
			continue;
		if (last != SIZE_MAX && before != SIZE_MAX && curve->count &&
		    time[row] - time[last] < interval_usec_min) {
			if (isnan(scale))
				continue;
			curve->count--;
			last = before;
		}
		if (last != SIZE_MAX)
			put_interval(curve, time, values, last, row, scale);
		before = last;
		last = row;
	}
	sw_curve_summarise(curve);
	return 0;
}

int sw_curve_level(struct sw_curve *curve, const struct sw_series *series,
		   const uint64_t *values)
{
	return curve_build(curve, series, values, NAN);
}

int sw_curve_rate(struct sw_curve *curve, const struct sw_series *series,
		  const uint64_t *values, double scale)
{
	return curve_build(curve, series, values, scale);
}

void sw_curve_fini(struct sw_curve *curve)
{
	if (!curve->is_shared) {
		free(curve->start_usec);
		free(curve->end_usec);
		free(curve->value);
	}
	memset(curve, 0, sizeof(*curve));
}
