/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/bench_overhead: CPU time of one pass over the processes of a step, as
 * stepwell takes it, next to that of Slurm's jobacct_gather, LDMS and a reader
 * of open descriptors on the same processes; with cold caches, as beside a job,
 * and with few and many foreign processes on the machine.
 *
 * Prints goals next to results; fails (exit 1) if a side misses processes, not
 * if it is slow.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/foreign.h"
#include "bench/measure.h"
#include "bench/overhead_sides.h"

enum {
	THRASH_BYTES = 64 << 20,
	LINE_BYTES = 64,
	SIZES = 4,
	CROWDS = 3,
	LOOKS = 5,		/* per number of foreign processes */
	WANTED_TASKS = 2,	/* size that the goals are for */
};

static const size_t sizes[SIZES] = { 1, 32, 128, 256 };
static const size_t crowds[CROWDS] = { 100, 1000, 5000 };

static uint64_t pair_count = 25;
static unsigned char *thrash_memory;
static struct foreign foreign;

typedef uint64_t pairs[MEASURE_PAIRS_MAX];

/* Evict the caches, as a job does between two samples. */
static void thrash(void)
{
	size_t i;

	for (i = 0; i < THRASH_BYTES; i += LINE_BYTES)
		thrash_memory[i]++;
}

static int complain(const char *what, const struct sw_error *error)
{
	fprintf(stderr, "bench_overhead: %s: %s\n", what, error->text);
	return -1;
}

static int look_first(struct overhead_tasks *tasks, unsigned side_count)
{
	struct sw_error error;
	unsigned i;
	uint64_t unused;

	for (i = 0; i < side_count; i++) {
		if (overhead_look(tasks, (enum overhead_side)i, &unused,
				  &error) < 0)
			return complain("a first look", &error);
	}
	return 0;
}

/* Run all sides in turn, in reverse order in every second pair. */
static int run_pair(struct overhead_tasks *tasks, unsigned side_count,
		    uint64_t pair, pairs nsec[OVERHEAD_SIDES])
{
	struct sw_error error;
	unsigned i;

	for (i = 0; i < side_count; i++) {
		unsigned side = pair % 2 ? side_count - 1 - i : i;

		thrash();
		if (overhead_look(tasks, (enum overhead_side)side,
				  &nsec[side][pair], &error) < 0)
			return complain("a look", &error);
	}
	return 0;
}

static int run_pairs(struct overhead_tasks *tasks, pairs nsec[OVERHEAD_SIDES])
{
	uint64_t pair;

	if (look_first(tasks, OVERHEAD_SIDES) < 0)
		return -1;
	for (pair = 0; pair < pair_count; pair++) {
		if (run_pair(tasks, OVERHEAD_SIDES, pair, nsec) < 0)
			return -1;
	}
	return 0;
}

static struct measure_spread ratios(const uint64_t *over,
				    const uint64_t *under)
{
	pairs milli;
	uint64_t i;

	for (i = 0; i < pair_count; i++)
		milli[i] = over[i] * 1000 / (under[i] ? under[i] : 1);
	return measure_spread_of(milli, pair_count);
}

static void print_usec(const uint64_t *nsec)
{
	struct measure_spread usec = measure_spread_of(nsec, pair_count);

	printf(" %9.1f (%.0f-%.0f)", usec.median, usec.least, usec.greatest);
}

static void print_wanted(pairs nsec[OVERHEAD_SIDES])
{
	struct measure_spread own =
		measure_spread_of(nsec[OVERHEAD_STEPWELL], pair_count);
	struct measure_spread jobacct = ratios(nsec[OVERHEAD_JOBACCT],
					       nsec[OVERHEAD_STEPWELL]);
	struct measure_spread kept = ratios(nsec[OVERHEAD_KEPT],
					    nsec[OVERHEAD_STEPWELL]);
	struct measure_spread waits = ratios(nsec[OVERHEAD_WAITS],
					     nsec[OVERHEAD_STEPWELL]);

	printf("  to reach: jobacct/stepwell >= 12: %.1f (%.1f-%.1f); "
	       "kept/stepwell >= 2: %.2f (%.2f-%.2f);\n"
	       "  < 0.05 %% of a core at 1 Hz: %.4f %%\n"
	       "  with waits/without: %.2f (%.2f-%.2f)\n",
	       jobacct.median, jobacct.least, jobacct.greatest, kept.median,
	       kept.least, kept.greatest, own.median / 1e4, waits.median,
	       waits.least, waits.greatest);
}

static int run_size(size_t size)
{
	static pairs nsec[OVERHEAD_SIDES];
	struct sw_error error;
	struct overhead_tasks *tasks = overhead_start(sizes[size], &error);
	unsigned i;
	int result;

	if (!tasks)
		return complain("tasks", &error);
	result = run_pairs(tasks, nsec);
	if (result == 0) {
		if (size == 0)
			printf("stepwell looks by: %s; the tasks have %s\n"
			       "tasks stepwell, jobacct_gather, LDMS, kept "
			       "descriptors, stepwell with waits: usec of "
			       "CPU\n",
			       overhead_backend(tasks),
			       overhead_has_cgroups(tasks) ? "cgroups"
							   : "no cgroups");
		printf("%5zu", sizes[size]);
		for (i = 0; i < OVERHEAD_SIDES; i++)
			print_usec(nsec[i]);
		printf("\n");
		if (size == WANTED_TASKS)
			print_wanted(nsec);
	}
	overhead_stop(tasks);
	return result;
}

/*
 * Measure the same tasks beside more and more foreign processes, then end
 * these.
 */
static int run_crowd(struct overhead_tasks *tasks, uint64_t pair,
		     pairs nsec[CROWDS][OVERHEAD_SIDES])
{
	struct sw_error error;
	uint64_t k;
	size_t i;

	for (i = 0; i < CROWDS; i++) {
		if (foreign_grow(&foreign, crowds[i], &error) < 0)
			return complain("foreign processes", &error);
		if (look_first(tasks, 1) < 0)
			return -1;
		for (k = 0; k < LOOKS && pair + k < pair_count; k++) {
			if (run_pair(tasks, 1, pair + k, nsec[i]) < 0)
				return -1;
		}
	}
	foreign_stop(&foreign);
	return 0;
}

static int run_crowds(void)
{
	static pairs nsec[CROWDS][OVERHEAD_SIDES];
	struct sw_error error;
	struct overhead_tasks *tasks = overhead_start(sizes[WANTED_TASKS],
						      &error);
	struct measure_spread growth;
	uint64_t pair;
	size_t i;
	int result = 0;

	if (!tasks)
		return complain("tasks", &error);
	for (pair = 0; pair < pair_count && result == 0; pair += LOOKS)
		result = run_crowd(tasks, pair, nsec);
	foreign_stop(&foreign);
	overhead_stop(tasks);
	if (result < 0)
		return -1;
	for (i = 0; i < CROWDS; i++) {
		printf("%5zu tasks beside %5zu foreign processes:",
		       sizes[WANTED_TASKS], crowds[i]);
		print_usec(nsec[i][OVERHEAD_STEPWELL]);
		printf("\n");
	}
	growth = ratios(nsec[CROWDS - 1][OVERHEAD_STEPWELL],
			nsec[0][OVERHEAD_STEPWELL]);
	printf("  to reach: %zu/%zu foreign <= 1.2: %.2f (%.2f-%.2f)\n",
	       crowds[CROWDS - 1], crowds[0], growth.median, growth.least,
	       growth.greatest);
	return 0;
}

static int parse_arguments(int argc, char **argv)
{
	static const struct option options[] = {
		{ "pairs", required_argument, NULL, 'n' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'n' ||
		    measure_parse_number(optarg, MEASURE_PAIRS_MAX,
					 &pair_count) < 0)
			return -1;
	}
	return optind == argc ? 0 : -1;
}

int main(int argc, char **argv)
{
	int result = 0;
	size_t i;

	if (parse_arguments(argc, argv) < 0) {
		fprintf(stderr, "usage: bench_overhead [--pairs N]\n");
		return 2;
	}
	thrash_memory = calloc(1, THRASH_BYTES);
	if (!thrash_memory) {
		perror("bench_overhead");
		return 1;
	}
	printf("%" PRIu64 " pairs, caches emptied before each look; median "
	       "(least-most)\n", pair_count);
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; i < SIZES && result == 0; i++)
		result = run_size(i);
	if (result == 0)
		result = run_crowds();
	free(thrash_memory);
	return result < 0 ? 1 : 0;
}
