/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment of a run beside that of past runs: what none of them had. */
#include <math.h>
#include <string.h>

#include "analyzer/compare/compare_internal.h"
#include "common/missing.h"

/* CPU time of others on the node, as a share, more than in any past run. */
static const double NEIGHBORS = 0.1;
#define PERMILLE 1000.0

typedef const char *(*text_f)(const struct sw_fingerprint *run);
typedef double (*number_f)(const struct sw_fingerprint *run);

static const char *node_of(const struct sw_fingerprint *run)
{
	return run->environment.node;
}

static const char *kind_of(const struct sw_fingerprint *run)
{
	return run->environment.kind;
}

static const char *kernel_of(const struct sw_fingerprint *run)
{
	return run->environment.kernel;
}

static const char *mount_of(const struct sw_fingerprint *run)
{
	return run->environment.mount;
}

static double cpus_of(const struct sw_fingerprint *run)
{
	return sw_real_u64(run->environment.cpus_milli) / 1000;
}

static double bound_of(const struct sw_fingerprint *run)
{
	return sw_real_u64(run->environment.bound_cpus);
}

static double neighbors_of(const struct sw_fingerprint *run)
{
	return sw_real_u64(run->environment.neighbors_permille) / PERMILLE;
}

static void add(struct sw_comparison *comparison,
		const struct sw_difference *difference)
{
	comparison->environment[comparison->environment_count++] = *difference;
}

/* Beside a single other run any difference is shown, and proves nothing. */
static size_t least_runs(const struct sw_compared *compared)
{
	return compared->count == 1 ? 1 : SW_EXPECTED_LEAST;
}

/* Runs that are alone with their text; the run itself is one of them. */
static size_t count_alone(const struct sw_compared *compared, text_f text)
{
	size_t alone = 1, i, j;

	for (i = 0; i < compared->count; i++) {
		bool is_alone = *text(compared->past[i]) != '\0';

		for (j = 0; j < compared->count && is_alone; j++)
			is_alone = i == j || strcmp(text(compared->past[i]),
						    text(compared->past[j]));
		alone += is_alone;
	}
	return alone;
}

/* A text that differs in each run says nothing. */
static void compare_text(struct sw_comparison *comparison,
			 const struct sw_compared *compared,
			 enum sw_difference_kind kind, text_f text)
{
	struct sw_difference difference = sw_difference_none;
	size_t i;

	difference.kind = kind;
	difference.now = text(compared->run);
	for (i = 0; i < compared->count; i++) {
		if (!strcmp(text(compared->past[i]), difference.now))
			return;
		if (*text(compared->past[i])) {
			difference.before = text(compared->past[i]);
			difference.runs++;
		}
	}
	if (!*difference.now || difference.runs < least_runs(compared))
		return;
	difference.p = (double)count_alone(compared, text) /
		       ((double)difference.runs + 1);
	if (compared->count == 1 || difference.p <= fmax(0.05, 1 / ((double)difference.runs + 1)))
		add(comparison, &difference);
}

/* A number below or above those of all past runs, by at least so much. */
static void compare_number(struct sw_comparison *comparison,
			   const struct sw_compared *compared,
			   enum sw_difference_kind kind, number_f number,
			   double below, double above)
{
	struct sw_difference difference = sw_difference_none;
	double one;
	size_t i;

	difference.kind = kind;
	difference.value = number(compared->run);
	difference.least = INFINITY;
	difference.most = -INFINITY;
	for (i = 0; i < compared->count; i++) {
		one = number(compared->past[i]);
		if (isnan(one))
			continue;
		difference.usual = one;
		difference.least = fmin(difference.least, one);
		difference.most = fmax(difference.most, one);
		difference.runs++;
	}
	difference.p = 1 / ((double)difference.runs + 1);
	if (difference.runs >= least_runs(compared) &&
	    (difference.value <= difference.least - below ||
	     difference.value >= difference.most + above))
		add(comparison, &difference);
}

bool sw_comparison_is_beside(const struct sw_comparison *comparison,
			     enum sw_difference_kind kind)
{
	size_t i;

	for (i = 0; i < comparison->environment_count; i++) {
		if (comparison->environment[i].kind == kind)
			return true;
	}
	return false;
}

void sw_compare_environment(struct sw_comparison *comparison,
			    const struct sw_compared *compared)
{
	compare_number(comparison, compared, SW_DIFFERS_CPUS, cpus_of, 0.001,
		       0.001);
	compare_text(comparison, compared, SW_DIFFERS_NODE_KIND, kind_of);
	compare_text(comparison, compared, SW_DIFFERS_MOUNT, mount_of);
	compare_number(comparison, compared, SW_DIFFERS_NEIGHBORS, neighbors_of,
		       INFINITY, NEIGHBORS);
	if (!sw_comparison_is_beside(comparison, SW_DIFFERS_CPUS))
		compare_number(comparison, compared, SW_DIFFERS_BINDING,
			       bound_of, 1, 1);
	compare_text(comparison, compared, SW_DIFFERS_KERNEL, kernel_of);
	if (!sw_comparison_is_beside(comparison, SW_DIFFERS_NODE_KIND))
		compare_text(comparison, compared, SW_DIFFERS_NODE, node_of);
}
