/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the CPU time of replaying a number of tasks against each side. */
#include "bench/advice_speed.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BASELINE "max"

struct workload {
	struct sw_replay_run *runs;
	size_t count, group_count;
	double cap_bytes;
};

static void add_set(struct workload *workload, const struct sw_trace *trace,
		    size_t task_count)
{
	size_t i;

	for (i = 0; i < trace->count && workload->count < task_count; i++) {
		struct sw_replay_run *item =
			&workload->runs[workload->count++];

		*item = trace->runs[i];
		item->group += workload->group_count;
	}
	workload->group_count += trace->group_count;
	workload->cap_bytes = fmax(workload->cap_bytes,
				   sw_backtest_cap(trace));
}

static int workload_init(struct workload *workload,
			 const struct advice_sets *sets, size_t task_count)
{
	size_t i;

	*workload = (struct workload){
		.runs = malloc((task_count + 1) * sizeof(*workload->runs)),
	};
	if (!workload->runs)
		return -1;
	for (i = 0; workload->count < task_count; i = (i + 1) % sets->count)
		add_set(workload, &sets->items[i].trace, task_count);
	return 0;
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* NAN: out of memory. */
static double measure(const struct workload *workload,
		      const struct advice_side *side)
{
	const struct sw_replay_options options = { .is_warm_only = true };
	struct sw_replay_sum *sums = calloc(workload->group_count,
					    sizeof(*sums));
	struct sw_policy policy = sw_policy_default;
	double start = cpu_seconds();
	int rc = -1;

	policy.risk = side->risk;
	policy.uses_input = !side->is_without_input;
	policy.cap_bytes = workload->cap_bytes;
	if (sums)
		rc = sw_replay(side->method, &policy, &options, workload->runs,
			       workload->count, sums, workload->group_count,
			       NULL, NULL);
	free(sums);
	return rc == 0 ? cpu_seconds() - start : NAN;
}

static int print_sides(const struct workload *workload,
		       const struct advice_sides *sides)
{
	const struct advice_side *baseline =
		advice_sides_find(sides, BASELINE, SW_RISK_LOW, false);
	size_t i;

	printf("  %-22s %12s %12s %12s\n", "method", "CPU seconds", "tasks/s",
	       "to " BASELINE);
	for (i = 0; i < sides->count; i++) {
		/* Measured in pairs: other load on the machine slows both. */
		double first = measure(workload, baseline);
		double seconds = measure(workload, &sides->items[i]);

		if (isnan(first) || isnan(seconds)) {
			errno = ENOMEM;
			return -1;
		}
		printf("  %-22s %12.3f %12.0f %12.1f\n",
		       sides->items[i].label, seconds,
		       (double)workload->count / seconds, seconds / first);
	}
	putchar('\n');
	return 0;
}

int advice_print_speed(const struct advice_sets *sets,
		       const struct advice_sides *sides, size_t task_count)
{
	struct workload workload;
	int rc = -1;

	if (!advice_sets_tasks(sets) || !task_count)
		return 0;
	if (workload_init(&workload, sets, task_count) == 0) {
		printf("== speed: %zu tasks in %zu groups on one core, of the "
		       "sets in turn\n", workload.count,
		       workload.group_count);
		rc = print_sides(&workload, sides);
	}
	free(workload.runs);
	return rc;
}
