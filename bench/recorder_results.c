/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of bench_recorder: medians, with minimum and maximum in brackets. */
#include "bench/recorder_results.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/measure.h"

enum { MILLI = 1000 };

/* Return a figure of one pair, in thousandths of the printed unit. */
typedef uint64_t figure(const struct recorder_costs *costs);

static uint64_t sample_cost(const struct recorder_costs *costs)
{
	return costs->sample_nsec;
}

static uint64_t jobacct_cost(const struct recorder_costs *costs)
{
	return costs->jobacct_nsec;
}

static uint64_t ratio(const struct recorder_costs *costs)
{
	return costs->jobacct_nsec * MILLI /
	       (costs->sample_nsec ? costs->sample_nsec : 1);
}

/* Printed in milliseconds, so the thousandths are microseconds. */
static uint64_t launch_cost(const struct recorder_costs *costs)
{
	return costs->launch_nsec / 1000;
}

static uint64_t end_cost(const struct recorder_costs *costs)
{
	return costs->end_nsec / 1000;
}

static struct measure_spread spread_of_cell(const struct recorder_results *results,
				    const struct recorder_cell *cell,
				    figure *get)
{
	uint64_t values[RECORDER_PAIRS_MAX];

	for (size_t i = 0; i < results->pair_count; i++)
		values[i] = get(&cell->pair[i]);
	return measure_spread_of(values, results->pair_count);
}

static void print_spread(const struct measure_spread *spread, int width, int digits)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*f (%.*f-%.*f)", digits,
		 spread->median, digits, spread->least, digits,
		 spread->greatest);
	printf(" %*s", width, text);
}

static void print_head(void)
{
	printf("  %7s %5s %27s %27s %17s\n"
	       "  %7s %5s %8s %18s %8s %18s %17s\n",
	       "", "", "stepwell, usec", "Slurm's reads, usec",
	       "Slurm/stepwell", "foreign", "tasks", "per task",
	       "per sample", "per task", "per sample", "");
}

static void print_cell(const struct recorder_results *results,
		       const struct recorder_cell *cell, uint64_t foreign,
		       uint64_t tasks)
{
	struct measure_spread own = spread_of_cell(results, cell, sample_cost);
	struct measure_spread other = spread_of_cell(results, cell, jobacct_cost);
	struct measure_spread both = spread_of_cell(results, cell, ratio);

	printf("  %7" PRIu64 " %5" PRIu64 " %8.1f", foreign, tasks,
	       own.median / (double)tasks);
	print_spread(&own, 18, 0);
	printf(" %8.1f", other.median / (double)tasks);
	print_spread(&other, 18, 0);
	print_spread(&both, 17, 2);
	printf("\n");
}

/* Print costs per run rather than per sample; the tables above exclude them. */
static void print_once(const struct recorder_results *results,
		       recorder_cells cells, size_t tasks)
{
	size_t last = results->foreign_count - 1;
	struct measure_spread spread;

	printf("  once per run, %3" PRIu64 " tasks, %" PRIu64 " foreign: "
	       "launch", results->tasks[tasks], results->foreign[last]);
	spread = spread_of_cell(results, &cells[last][tasks], launch_cost);
	print_spread(&spread, 0, 1);
	printf(" ms, end");
	spread = spread_of_cell(results, &cells[last][tasks], end_cost);
	print_spread(&spread, 0, 1);
	printf(" ms\n");
}

/*
 * Print the cost of foreign processes: with the most versus the fewest, in
 * pairs.
 */
static void print_growth(const struct recorder_results *results,
			 recorder_cells cells, size_t tasks)
{
	size_t last = results->foreign_count - 1;
	uint64_t values[RECORDER_PAIRS_MAX];
	struct measure_spread spread;

	if (last == 0)
		return;
	for (size_t k = 0; k < results->pair_count; k++) {
		uint64_t few = cells[0][tasks].pair[k].sample_nsec;
		uint64_t many = cells[last][tasks].pair[k].sample_nsec;

		values[k] = many * MILLI / (few ? few : 1);
	}
	spread = measure_spread_of(values, results->pair_count);
	printf("  a sample with %" PRIu64 " foreign / with %" PRIu64
	       ", %3" PRIu64 " tasks: %.2f (%.2f-%.2f)\n",
	       results->foreign[last], results->foreign[0],
	       results->tasks[tasks], spread.median, spread.least,
	       spread.greatest);
}

/*
 * Print the totals of samples and checks of the mode.  Readings were compared
 * with the profile when it was read: a run with a mismatch gives no result.
 */
static void print_checks(const struct recorder_results *results,
			 recorder_cells cells)
{
	uint64_t samples = 0, looks = 0, total_nsec = 0, own_nsec = 0;
	const struct recorder_costs *costs;

	for (size_t i = 0; i < results->foreign_count; i++)
		for (size_t k = 0; k < results->tasks_count; k++)
			for (size_t j = 0; j < results->pair_count; j++) {
				costs = &cells[i][k].pair[j];
				samples += costs->samples;
				looks += costs->looks;
				total_nsec += costs->total_nsec;
				own_nsec += costs->own_nsec;
			}
	costs = &cells[0][results->tasks_count - 1].pair[0];
	printf("  %" PRIu64 " samples; %" PRIu64 " looks at the recorder's CPU "
	       "clock between two of them, all\n  within what the profile "
	       "says; in all %.1f ms by that clock, %.1f ms by its own account"
	       "\n  (it ends that before it finishes the file)\n"
	       "  Slurm's reads: %" PRIu64 " files a sample for %" PRIu64
	       " tasks, %" PRIu64 " more are not there\n", samples, looks,
	       (double)total_nsec / 1e6, (double)own_nsec / 1e6,
	       costs->jobacct_files, results->tasks[results->tasks_count - 1],
	       costs->jobacct_missing);
}

void recorder_results_print(const struct recorder_results *results,
			    const struct recorder_mode *mode,
			    recorder_cells cells)
{
	printf("\n%s (%s)\n", mode->name, cells[0][0].pair[0].backend);
	print_head();
	for (size_t i = 0; i < results->foreign_count; i++)
		for (size_t k = 0; k < results->tasks_count; k++)
			print_cell(results, &cells[i][k], results->foreign[i],
				   results->tasks[k]);
	for (size_t k = 0; k < results->tasks_count; k++)
		print_once(results, cells, k);
	for (size_t k = 0; k < results->tasks_count; k++)
		print_growth(results, cells, k);
	print_checks(results, cells);
}

void recorder_results_print_walk(const struct recorder_results *results,
				 uint64_t walk_nsec[][RECORDER_PAIRS_MAX])
{
	printf("\nFor comparison, one walk over all of /proc with stat, "
	       "status twice and io:\n");
	for (size_t i = 0; i < results->foreign_count; i++) {
		struct measure_spread spread = measure_spread_of(walk_nsec[i],
						 results->pair_count);

		printf("  %7" PRIu64 " foreign: %.0f (%.0f-%.0f) usec\n",
		       results->foreign[i], spread.median, spread.least,
		       spread.greatest);
	}
}
