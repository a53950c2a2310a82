/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranks node types, as a roofline does with more than one roof (S. Williams,
 * A. Waterman and D. Patterson, "Roofline: an insightful visual performance
 * model for multicore architectures", CACM 52 (2009) 65-76): each share of a
 * run's time goes with the speed of what limited it, the rest stays.
 */
#include "advice/node_types.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "advice/parallel.h"
#include "advice/sample.h"
#include "advice/text.h"
#include "advice/whole.h"
#include "common/units.h"

static const double hour = 3600;

/* Shares of a run's time; they and the rest are 1. */
struct shares {
	double cpu, disk, network, gpu, rest;
};

struct ranking {
	const struct sw_node_type *here;
	const struct sw_node_need *need;
	const struct sw_run **runs;	/* of which the shares are known */
	size_t count;
	double nodes;			/* of the last of them */
	double *seconds, *scratch;
};

static double known(double share)
{
	return share > 0 ? fmin(share, 1) : 0;
}

static struct shares shares_of(const struct sw_run *run)
{
	struct shares shares = {
		.cpu = known(run->cpu_share),
		.disk = known(run->io_share),
		.network = known(run->network_share),
		.gpu = known(run->gpu_share),
	};
	double sum = shares.cpu + shares.disk + shares.network + shares.gpu;

	/* At the same time: then all of them together are all of it. */
	if (sum > 1) {
		shares.cpu /= sum;
		shares.disk /= sum;
		shares.network /= sum;
		shares.gpu /= sum;
	}
	shares.rest = fmax(1 - sum, 0);
	return shares;
}

/* How much longer for a slower one; 1 where one of the speeds is not given. */
static double slower(double here, double there)
{
	return here > 0 && there > 0 ? here / there : 1;
}

/* How much longer for having fewer cores, on each node. */
static double fewer_cores(const struct ranking *ranking,
			  const struct sw_run *run, double cores)
{
	double nodes = run->nodes >= 1 ? run->nodes : 1;
	struct sw_parallel parallel;

	if (isnan(cores))
		return 1;
	if (sw_parallel_init(&parallel, run))
		return sw_parallel_seconds(&parallel, cores * nodes) /
			parallel.total_seconds;
	return fmax(1, ranking->need->cores / cores);
}

static double run_seconds(const struct ranking *ranking,
			  const struct sw_node_type *type,
			  const struct sw_run *run, double cores)
{
	const struct sw_node_type *here = ranking->here;
	struct shares shares = shares_of(run);

	return run->elapsed_seconds *
		(shares.cpu * slower(here->core_speed, type->core_speed) *
		 fewer_cores(ranking, run, cores) +
		 shares.disk * slower(here->disk_bytes_per_second,
				      type->disk_bytes_per_second) +
		 shares.network * slower(here->network_bytes_per_second,
					 type->network_bytes_per_second) +
		 shares.gpu * slower(here->gpu_speed, type->gpu_speed) +
		 shares.rest);
}

/* "" where the work fits. */
static void find_obstacle(const struct sw_node_need *need,
			  const struct sw_node_type *type, char *why)
{
	*why = '\0';
	if (need->bytes > type->memory_bytes)
		sw_text_add(why, SW_NODE_WHY_SIZE, "needs %s of memory, has %s",
			    sw_text_bytes(need->bytes).s,
			    sw_text_bytes(type->memory_bytes).s);
	else if (need->gpus > 0 && isnan(type->gpus))
		sw_text_add(why, SW_NODE_WHY_SIZE, "needs %.0f GPUs, has none",
			    need->gpus);
	else if (need->gpus > type->gpus)
		sw_text_add(why, SW_NODE_WHY_SIZE, "needs %.0f GPUs, has %.0f",
			    need->gpus, type->gpus);
}

/* Of a node, what is fullest decides, as with Slurm's MAX_TRES. */
static double share_of(const struct sw_node_need *need,
		       const struct sw_node_type *type, double cores)
{
	double share = fmax(cores / type->cores,
			    need->bytes / type->memory_bytes);

	if (need->gpus > 0)
		share = fmax(share, need->gpus / type->gpus);
	return isnan(share) ? 1 : fmin(share, 1);
}

static void choose(const struct ranking *ranking,
		   const struct sw_node_type *types,
		   struct sw_node_choice *choice)
{
	const struct sw_node_type *type = &types[choice->type];

	choice->seconds = choice->cores = choice->share = choice->cost = NAN;
	find_obstacle(ranking->need, type, choice->why);
	choice->is_possible = !*choice->why;
	if (!choice->is_possible)
		return;
	choice->cores = fmin(ranking->need->cores, type->cores);
	for (size_t i = 0; i < ranking->count; i++)
		ranking->seconds[i] = run_seconds(ranking, type,
						  ranking->runs[i],
						  choice->cores);
	choice->seconds = sw_sample_median(ranking->scratch, ranking->seconds,
					   ranking->count);
	choice->share = share_of(ranking->need, type, choice->cores);
	choice->cost = type->hour_price * choice->share * ranking->nodes *
		choice->seconds / hour;
	sw_text_add(choice->why, sizeof(choice->why), "%s with %.0f cores",
		    sw_text_seconds(choice->seconds).s,
		    choice->cores);
}

/* NAN behind all numbers; -1, 0 or 1. */
static int compare_numbers(double one, double two)
{
	if (isnan(one) || isnan(two))
		return !!isnan(one) - !!isnan(two);
	return (one > two) - (one < two);
}

static int compare_choices(const struct sw_node_choice *a,
			   const struct sw_node_choice *b,
			   enum sw_node_order order)
{
	int by_cost = compare_numbers(a->cost, b->cost);
	int by_time = compare_numbers(a->seconds, b->seconds);
	int first = order == SW_NODE_BY_COST ? by_cost : by_time;
	int second = order == SW_NODE_BY_COST ? by_time : by_cost;

	if (a->is_possible != b->is_possible)
		return a->is_possible ? -1 : 1;
	return first ? first : second;
}

/* By insertion: a site has few types, and equals keep their order. */
static void sort(struct sw_node_choice *choices, size_t count,
		 enum sw_node_order order)
{
	for (size_t i = 1; i < count; i++) {
		struct sw_node_choice choice = choices[i];
		size_t at = i;

		while (at > 0 && compare_choices(&choice, &choices[at - 1],
						 order) < 0) {
			choices[at] = choices[at - 1];
			at--;
		}
		choices[at] = choice;
	}
}

static int collect(struct ranking *ranking, const struct sw_runs *runs)
{
	ranking->runs = calloc(runs->count + 1, sizeof(*ranking->runs));
	ranking->seconds = calloc(runs->count + 1, sizeof(double));
	ranking->scratch = calloc(runs->count + 1, sizeof(double));
	if (!ranking->runs || !ranking->seconds || !ranking->scratch) {
		errno = ENOMEM;
		return -1;
	}
	ranking->nodes = 1;
	for (size_t i = 0; i < runs->count; i++) {
		const struct sw_run *run = &runs->items[i];

		if (!sw_run_is_measured(run) || isnan(run->cpu_share))
			continue;
		ranking->runs[ranking->count++] = run;
		ranking->nodes = run->nodes >= 1 ? run->nodes : 1;
	}
	return 0;
}

/* What was taken for granted, with the shares of all the runs' time. */
static void say_assumption(const struct ranking *ranking,
			   struct sw_node_ranking *result)
{
	struct shares sum = { 0 };
	double n = (double)ranking->count / 100;

	for (size_t i = 0; i < ranking->count; i++) {
		struct shares shares = shares_of(ranking->runs[i]);

		sum.cpu += shares.cpu / n;
		sum.disk += shares.disk / n;
		sum.network += shares.network / n;
		sum.gpu += shares.gpu / n;
		sum.rest += shares.rest / n;
	}
	sw_text_add(result->why, sizeof(result->why),
		    "assumes that the next run is limited by what limited %zu "
		    "runs: %.0f %% of the time scales with the speed of the "
		    "cores, %.0f %% with the local disk, %.0f %% with the "
		    "network, %.0f %% with the GPUs; %.0f %% does not scale; "
		    "speeds not given are taken as equal",
		    ranking->count, sum.cpu,
		    sum.disk, sum.network, sum.gpu, sum.rest);
}

int sw_node_types_rank(const struct sw_runs *runs,
		       const struct sw_node_type *types, size_t count,
		       const struct sw_node_type *here,
		       const struct sw_node_need *need,
		       enum sw_node_order order,
		       struct sw_node_choice *choices,
		       struct sw_node_ranking *ranking)
{
	struct ranking work = { .here = here, .need = need };
	struct sw_runs newest = sw_runs_newest(runs, SW_WHOLE_RUNS_MAX);
	int status = -1;

	*ranking = (struct sw_node_ranking){ 0 };
	if (collect(&work, &newest) < 0)
		goto out;
	status = 0;
	ranking->runs = work.count;
	if (work.count == 0) {
		ranking->is_withheld = true;
		sw_text_add(ranking->why, sizeof(ranking->why),
			    "what limited the %zu runs is not known",
			    newest.count);
		goto out;
	}
	for (size_t i = 0; i < count; i++) {
		choices[i].type = i;
		choose(&work, types, &choices[i]);
	}
	sort(choices, count, order);
	say_assumption(&work, ranking);
out:
	free(work.runs);
	free(work.seconds);
	free(work.scratch);
	return status;
}
