/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Would the work have fitted on fewer nodes?  Decided by the resource (cores,
 * memory or GPUs) that fills the nodes first, each node having what was
 * requested.  Assumes that the program can be distributed differently, and that
 * all nodes needed as much memory as the fullest.
 *
 * No advice for runs on one node, or if CPUs or memory are not known.
 */
#include <math.h>
#include <stddef.h>

#include "advice/advisors.h"
#include "advice/parallel.h"
#include "advice/text.h"
#include "advice/whole.h"
#include "common/units.h"

/* A node with more than this share of its memory in use is full. */
static const double full = 0.9;

/* Share of traffic between nodes from which it is mentioned. */
static const double much_network = 0.1;

/* Return the cores busy at once; never the mean. */
static double busy_cores(const struct sw_run *run)
{
	struct sw_parallel parallel;

	if (sw_parallel_init(&parallel, run))
		return sw_parallel_cores(&parallel, 0);
	return run->peak_cores;
}

/* Return the nodes the run would have needed; NAN: not known. */
static double nodes_needed(const struct sw_run *run)
{
	double nodes = run->nodes, cores, memory, gpus = 1;

	if (run->is_lower_bound)
		return NAN;
	cores = ceil(nodes * busy_cores(run) / run->requested_cores - 1e-9);
	memory = ceil(nodes * run->need_bytes /
		      (full * run->requested_bytes) - 1e-9);
	if (run->requested_gpus > 0)
		gpus = ceil(nodes * run->used_gpus / run->requested_gpus -
			    1e-9);
	if (!isfinite(cores) || !isfinite(memory) || !isfinite(gpus))
		return NAN;
	return fmin(fmax(fmax(cores, memory), fmax(gpus, 1)), nodes);
}

static bool tell(const struct sw_run *run, double *needed, double *requested)
{
	*needed = nodes_needed(run);
	*requested = run->nodes;
	return run->nodes >= 1 && !isnan(*needed);
}

static void say_why(const struct sw_whole *whole,
		    struct sw_suggestion *suggestion)
{
	char *const why = suggestion->why;
	const size_t size = sizeof(suggestion->why);
	double network = sw_whole_largest(whole, offsetof(struct sw_run,
							  network_share));

	if (suggestion->suggested >= suggestion->current) {
		sw_text_add(why, size, "the cores or the memory of %.0f nodes "
			    "were needed in %zu runs", suggestion->current,
			    whole->count);
		return;
	}
	sw_text_add(why, size, "the CPUs busy at once, and the memory if all "
		    "nodes needed as much as the fullest, fit on %.0f of %.0f "
		    "nodes in %zu runs, if the program can be distributed "
		    "differently", suggestion->suggested,
		    suggestion->current, whole->count);
	if (network > much_network)
		sw_text_add(why, size, "; up to %s of the time went to the "
			    "network, which has less to do then",
			    sw_text_percent(network).s);
}

static int advise(const struct sw_runs *runs, const struct sw_query *query,
		  const struct sw_policy *policy,
		  struct sw_suggestion *suggestion)
{
	const struct sw_run *asked = sw_runs_asked(runs, query);
	struct sw_whole whole = {
		.thing = "nodes",
		.runs_needed = "successful runs recorded by stepwell",
		.grain = 1,
		.policy = policy,
		.runs = sw_runs_newest(runs, SW_WHOLE_RUNS_MAX),
		.tell = tell,
		.save = sw_whole_save_cores,
		.say = say_why,
	};

	sw_suggestion_init(suggestion, SW_RESOURCE_NODES, asked->nodes);
	if (asked->nodes > 1)
		return sw_whole_answer(&whole, suggestion);
	sw_suggestion_withhold(
		suggestion, "",
		isnan(asked->nodes) ? "the number of nodes it had is not known"
				    : "it runs on one node");
	return 0;
}

const struct sw_advisor sw_advisor_nodes = {
	.resource = SW_RESOURCE_NODES,
	.name = "nodes",
	.unit = "count",
	.advise = advise,
};
