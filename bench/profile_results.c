/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of bench_profile: figures per side, then goals. */
#include "bench/profile_results.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/entropy.h"
#include "bench/measure.h"
#include "common/delta.h"

enum { MILLI = 1000 };

/*
 * Return the ratio of the side's cost to stepwell's, pair by pair; base, the
 * cost of only reading the values, is subtracted from both unless NULL.
 */
static struct measure_spread ratio_of(const struct results *results,
			      const results_psec psec, size_t side,
			      const uint64_t *base)
{
	uint64_t ratios[RESULTS_PAIRS_MAX];

	for (uint64_t i = 0; i < results->pair_count; i++) {
		uint64_t own = sw_excess_u64(psec[SIDE_STEPWELL][i],
					     base ? base[i] : 0);
		uint64_t other = sw_excess_u64(psec[side][i],
					       base ? base[i] : 0);

		ratios[i] = other * MILLI / (own ? own : 1);
	}
	return measure_spread_of(ratios, results->pair_count);
}

static double mib(uint64_t bytes)
{
	return (double)bytes / (1024 * 1024);
}

static double own_memory(const struct side_written *written)
{
	return mib(written->rss_bytes - written->tail_bytes);
}

static double bytes_per_sample(const struct results *results, size_t side)
{
	return (double)results->file_bytes[side] /
	       (double)side_sample_count(results->trace);
}

static void print_spread(const struct measure_spread *spread)
{
	char text[64];

	snprintf(text, sizeof(text), "%.2f (%.2f-%.2f)", spread->median,
		 spread->least, spread->greatest);
	printf(" %23s", text);
}

static void print_side(const struct results *results, size_t side)
{
	const struct side_written *memory = &results->memory[side];
	struct measure_spread spread;

	printf("  %-13s", sides[side].name);
	if (sides[side].read)
		printf(" %7.4f", bytes_per_sample(results, side));
	else
		printf(" %7s", "-");
	spread = measure_spread_of(results->write_psec[side], results->pair_count);
	print_spread(&spread);
	spread = measure_spread_of(results->read_psec[side], results->pair_count);
	if (sides[side].read)
		print_spread(&spread);
	else
		printf(" %23s", "-");
	printf(" %6.2f\n", own_memory(memory));
}

/* Print the size that no single-column codec can go far below. */
static void print_floor(const struct results *results)
{
	const struct trace *trace = results->trace;
	uint64_t width = trace->column_count;
	uint64_t rows = trace->tick_count * trace->task_count;
	uint64_t *values = calloc(rows * (width - 1), sizeof(*values));
	double bits = -1;

	for (uint64_t i = 0; values && i < rows; i++)
		memcpy(values + i * (width - 1), trace->values + i * width + 1,
		       (width - 1) * sizeof(*values));
	if (values && trace->tick_count > 1)
		bits = entropy_estimate_bits(values, trace->tick_count,
					     trace->task_count, width - 1,
					     NULL);
	if (bits >= 0)
		printf("  order-0 entropy of the differences, without times: "
		       "%.4f bytes per sample\n",
		       bits / 8 / (double)side_sample_count(trace));
	free(values);
}

static void print_goal(const char *what, const char *figure, double goal,
		       const char *unit, bool is_reached)
{
	printf("  %-31s %-22s goal %4.3g %-4s %s\n", what, figure, goal, unit,
	       is_reached ? "reached" : "not reached");
}

static void print_ratio_goal(const char *what, const struct measure_spread *ratio,
			     double goal)
{
	char text[64];

	snprintf(text, sizeof(text), "%.1f (%.1f-%.1f)", ratio->median,
		 ratio->least, ratio->greatest);
	print_goal(what, text, goal, "x", ratio->median >= goal);
}

/* Show both orders of names if the order matters. */
static void print_ratio_goals(const struct results *results,
			      const struct results_goals *goals)
{
	const uint64_t *bytes = results->file_bytes;
	double size = (double)bytes[SIDE_HDF5_AS_GIVEN] /
		(double)bytes[SIDE_STEPWELL];
	struct measure_spread cpu;
	char text[64];

	snprintf(text, sizeof(text), "%.2f", size);
	print_goal("times smaller", text, goals->size_ratio, "x",
		   size >= goals->size_ratio);
	cpu = ratio_of(results, results->write_psec, SIDE_HDF5_AS_GIVEN,
		       results->write_psec[SIDE_NOTHING]);
	print_ratio_goal("times less CPU, names as given", &cpu,
			 goals->cpu_ratio);
	cpu = ratio_of(results, results->write_psec, SIDE_HDF5_IN_ORDER,
		       results->write_psec[SIDE_NOTHING]);
	print_ratio_goal("times less CPU, names in order", &cpu,
			 goals->cpu_ratio);
}

static void print_other_goals(const struct results *results,
			      const struct results_goals *goals)
{
	const struct side_written *memory = &results->memory[SIDE_STEPWELL];
	struct measure_spread decode = measure_spread_of(results->read_psec[SIDE_STEPWELL],
					 results->pair_count);
	char text[64];

	snprintf(text, sizeof(text), "%.2f + %.2f tail", own_memory(memory),
		 mib(memory->tail_bytes));
	print_goal("memory of the writer", text, goals->memory_mib, "MiB",
		   own_memory(memory) <= goals->memory_mib);
	snprintf(text, sizeof(text), "%.2f (%.2f-%.2f)", decode.median,
		 decode.least, decode.greatest);
	print_goal("ns of CPU to decode a sample", text, goals->decode_nsec,
		   "ns", decode.median <= goals->decode_nsec);
}

static void print_others(const struct results *results)
{
	const struct side_written *memory = results->memory;
	struct measure_spread decode = ratio_of(results, results->read_psec,
					SIDE_HDF5_AS_GIVEN, NULL);

	printf("  decoding takes %.1f (%.1f-%.1f) times less CPU than "
	       "HDF5's\n", decode.median, decode.least, decode.greatest);
	printf("  the kernel's own marks of memory: nothing %.2f MiB, "
	       "stepwell %.2f, HDF5 %.2f\n",
	       mib(memory[SIDE_NOTHING].high_water_bytes),
	       mib(memory[SIDE_STEPWELL].high_water_bytes),
	       mib(memory[SIDE_HDF5_AS_GIVEN].high_water_bytes));
	printf("  every value came back as it was, from each\n\n");
}

void results_print(const struct results *results,
		   const struct results_goals *goals)
{
	const struct trace *trace = results->trace;

	printf("%s:\n%llu ticks of %llu ms x %llu tasks x %llu values = %llu "
	       "samples\n"
	       "%llu turns of each; median (least-greatest); ratios of CPU "
	       "time are beyond \"nothing\"\n", results->name,
	       (unsigned long long)trace->tick_count,
	       (unsigned long long)(trace->period_usec / MILLI),
	       (unsigned long long)trace->task_count,
	       (unsigned long long)(trace->column_count - 1),
	       (unsigned long long)side_sample_count(trace),
	       (unsigned long long)results->pair_count);
	printf("  %-13s %7s %23s %23s %6s\n", "per sample", "bytes",
	       "write, ns of CPU", "decode, ns of CPU", "MiB");
	for (size_t side = 0; side < SIDE_COUNT; side++)
		print_side(results, side);
	print_floor(results);
	print_ratio_goals(results, goals);
	print_other_goals(results, goals);
	print_others(results);
}
