/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/bench_advice [OPTION]... FOLDER|FILE...: replay public traces against
 * stepwell's memory advice and other methods, all on the same tasks: those
 * whose group has an ended run.  --help lists the options.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/advice_prices.h"
#include "bench/advice_sets.h"
#include "bench/advice_sides.h"
#include "bench/advice_speed.h"
#include "bench/advice_tables.h"
#include "common/units.h"

enum { TASKS_DEFAULT = 100000, USAGE = 2 };

/*
 * Sets that the settings of stepwell's method were chosen with.  All others,
 * whatever their names, are reported separately.  (The prices of low risk were
 * chosen with a look at cws and mgnify_metaspades, too: see
 * advice/memory_settings.c.)
 */
#define FIXED_ON "tovar,wfinstances"

/* The first is that of Sizey's repository; the others are arbitrary. */
static const uint64_t sizey_seeds[] = { 1996, 1, 2 };
static const uint64_t no_seeds[] = { 0 };

struct request {
	struct sw_trace_options trace;
	struct advice_protocol protocol;
	const char *fixed_on;
	bool is_of_totals;
	uint64_t speed_tasks;
};

static const char help[] =
	"usage: bench_advice [OPTION]... FOLDER|FILE...\n\n"
	"FOLDER is one with a tasks.csv or tasks.csv.gz, or with folders that "
	"have one.\n"
	"  --protocol online|sizey  by start, each learned when it ended; or "
	"Sizey's: 30 %\n"
	"                           learned, the rest shuffled, mean of three "
	"seeds, need\n"
	"                           from rss_b\n"
	"  --input any|known|none   which input sizes the sets have\n"
	"  --fixed-on NAME,...      sets that settings were chosen with "
	"(default:\n"
	"                           " FIXED_ON ")\n"
	"  --totals                 no workflows\n"
	"  --tasks N                so many for the speed (default: 100000; 0: "
	"no speed)\n";

static int take_input(struct request *request, const char *text)
{
	if (!strcmp(text, "any"))
		request->trace.input = SW_TRACE_INPUT_ANY;
	else if (!strcmp(text, "known"))
		request->trace.input = SW_TRACE_INPUT_KNOWN;
	else if (!strcmp(text, "none"))
		request->trace.input = SW_TRACE_INPUT_NONE;
	else
		return -1;
	return 0;
}

static int take_protocol(struct request *request, const char *text)
{
	if (!strcmp(text, "sizey")) {
		request->trace.is_of_rss = true;
		request->protocol = (struct advice_protocol){
			.order = SW_REPLAY_SIZEY, .seeds = sizey_seeds,
			.seed_count = sizeof(sizey_seeds) /
				      sizeof(sizey_seeds[0]),
		};
		return 0;
	}
	return strcmp(text, "online") ? -1 : 0;
}

static int take_options(struct request *request, int argc, char **argv)
{
	static const struct option options[] = {
		{ "protocol", required_argument, NULL, 'p' },
		{ "input", required_argument, NULL, 'i' },
		{ "fixed-on", required_argument, NULL, 'f' },
		{ "totals", no_argument, NULL, 't' },
		{ "tasks", required_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int letter, rc = 0;

	while (rc == 0 &&
	       (letter = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (letter == 'p')
			rc = take_protocol(request, optarg);
		else if (letter == 'i')
			rc = take_input(request, optarg);
		else if (letter == 'f')
			request->fixed_on = optarg;
		else if (letter == 't')
			request->is_of_totals = true;
		else if (letter == 'n')
			rc = sw_count_parse(optarg, 0, SIZE_MAX / 1024,
					    &request->speed_tasks);
		else
			rc = -1;
	}
	return rc < 0 || optind == argc ? -1 : 0;
}

static void print_head(const struct request *request,
		       const struct advice_sets *sets,
		       const struct advice_sides *sides)
{
	size_t i;

	printf("Wastage in GiB-hours of 2^30 bytes: what failed attempts held "
	       "for their share of the\ntask's time (ttf, time to failure, 1.0 "
	       "and 0.5 of it), and what the last attempt\nheld above the "
	       "task's peak.  Counted are tasks whose group has one that "
	       "ended, for\nall methods the same.  failures: failed attempts; "
	       "failed: tasks with at least one;\nmean, median: allocation to "
	       "need.  %s\nSettings were fixed on: %s; the others "
	       "are reported apart.\n\n",
	       request->protocol.order == SW_REPLAY_SIZEY ?
	       "Sizey's protocol, means over its seeds." :
	       "Each task is learned when it ended.", request->fixed_on);
	for (i = 0; i < sides->count; i++)
		printf("%-22s %s\n%-22s   %s\n", sides->items[i].label,
		       sides->items[i].method->title, "",
		       sides->items[i].method->source);
	if (sets->left_out)
		printf("\n%zu sets could not be read and are left out.\n",
		       sets->left_out);
	putchar('\n');
}

static int measure_side(struct advice_results *results, size_t set,
			const struct advice_side *side,
			const struct advice_protocol *protocol)
{
	const struct advice_sides *sides = results->sides;
	const struct sw_trace *trace = &results->sets->items[set].trace;
	struct advice_result *items = &results->items[set * sides->count];
	const struct advice_side *twin = NULL;

	/*
	 * Nothing to strip: same as with input sizes, which was measured
	 * before.
	 */
	if (side->is_without_input &&
	    !trace->rows.known_inputs && !trace->rows.late_inputs)
		twin = advice_sides_find(sides, side->method->name,
					 side->risk, false);
	if (twin)
		return advice_result_copy(&items[side - sides->items],
					  &items[twin - sides->items], trace);
	return advice_result_init(&items[side - sides->items], side, trace,
				  protocol);
}

static int measure(struct advice_results *results,
		   const struct request *request)
{
	const struct advice_sides *sides = results->sides;
	size_t i, j;

	for (i = 0; i < results->sets->count; i++) {
		for (j = 0; j < sides->count; j++) {
			if (measure_side(results, i, &sides->items[j],
					 &request->protocol) < 0)
				return -1;
		}
		advice_print_set(results, i, !request->is_of_totals);
	}
	return 0;
}

static int bench(const struct request *request, const struct advice_sets *sets,
		 const struct advice_sides *sides)
{
	struct advice_results results = {
		.sets = sets, .sides = sides,
		.items = calloc(sets->count * sides->count + 1,
				sizeof(*results.items)),
	};
	size_t i;
	int rc = -1;

	print_head(request, sets, sides);
	if (results.items && measure(&results, request) == 0) {
		advice_print_summary(&results);
		rc = advice_print_prices(&results, &request->protocol);
	}
	if (rc == 0) {
		rc = advice_print_speed(sets, sides,
					(size_t)request->speed_tasks);
	}
	if (rc < 0)
		perror("bench_advice");
	for (i = 0; results.items && i < sets->count * sides->count; i++)
		advice_result_fini(&results.items[i]);
	free(results.items);
	return rc;
}

int main(int argc, char **argv)
{
	struct request request = {
		.protocol = { SW_REPLAY_ONLINE, no_seeds, 1 },
		.fixed_on = FIXED_ON,
		.speed_tasks = TASKS_DEFAULT,
	};
	struct advice_sets sets = { 0 };
	struct advice_sides sides;
	int status = EXIT_FAILURE;

	/* A run takes minutes: show results as they come. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (take_options(&request, argc, argv) < 0) {
		fputs(help, stderr);
		return USAGE;
	}
	for (; optind < argc; optind++)
		advice_sets_add(&sets, argv[optind], &request.trace,
				request.fixed_on);
	if (advice_sides_init(&sides) < 0)
		perror("bench_advice");
	else if (sets.count && bench(&request, &sets, &sides) == 0)
		status = sets.left_out ? EXIT_FAILURE : EXIT_SUCCESS;
	advice_sides_fini(&sides);
	advice_sets_fini(&sets);
	return status;
}
