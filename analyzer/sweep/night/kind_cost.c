/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cost of a job.  Each of its nodes provided an equal part of the allocation;
 * nobody else could use the largest share of the node that this makes up.  The
 * part above the largest share that was used, as far as known, is waste, and
 * everything if the job failed.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "advice/node_kinds.h"
#include "analyzer/accounting/node_names.h"
#include "analyzer/sweep/night/kind_cost.h"
#include "common/units.h"

/* What a job had and used on each of its nodes. */
struct shares {
	struct sw_node_need had, used;
	double seconds;
	bool is_lost;
};

/* Unknown use is not counted as unused. */
static double used_or(double used, double had)
{
	return isnan(used) ? had : fmin(used, had);
}

static struct shares shares_of(const struct sw_job_record *job,
			       const struct sw_measured *measured,
			       size_t node_count)
{
	const struct sw_run *run = &measured->run.run;
	double nodes = (double)node_count;
	struct shares shares = {
		.had =
			{
				.cpus = sw_real_u64(job->allocated.cpus) /
					nodes,
				.bytes = sw_real_u64(
						 job->allocated.memory_bytes) /
					 nodes,
				.gpus = sw_real_u64(job->allocated.gpus) /
					nodes,
			},
		.seconds = sw_real_u64(job->elapsed_seconds),
		.is_lost = sw_job_state_is_failed(job->end.state),
	};

	shares.used = (struct sw_node_need){
		.cpus = used_or(run->used_core_seconds / shares.seconds / nodes,
				shares.had.cpus),
		.bytes = used_or(fmax(run->need_bytes, run->need_upper_bytes),
				 shares.had.bytes),
		.gpus = used_or(shares.had.gpus *
				sw_tally_ratio(measured->tally.n,
					       SW_TALLY_GPU_BUSY_SECONDS,
					       SW_TALLY_GPU_KNOWN_SECONDS),
				shares.had.gpus),
	};
	return shares;
}

static uint64_t whole(double value)
{
	return value > 0 && value < 0x1p63 ? (uint64_t)(value + 0.5) : 0;
}

/* "2026-01-08" to 20260108, so that later dates are larger numbers. */
static uint64_t day_of(const char *date)
{
	uint64_t day = 0;

	for (; *date; date++) {
		if (*date >= '0' && *date <= '9')
			day = 10 * day + (uint64_t)(*date - '0');
	}
	return day;
}

static void put_price(uint64_t *n, const struct sw_node_kind *kind,
		      const struct shares *shares, double share)
{
	double cost =
		kind->hour_price * share * shares->seconds / 3600 * SW_MICROS;
	double used = fmin(sw_node_share(kind, &shares->used) / share, 1);

	if (isnan(cost))
		return;
	n[SW_TALLY_COST_MICROS] = whole(cost);
	n[SW_TALLY_WASTED_MICROS] =
		whole(shares->is_lost ? cost : cost * (1 - used));
	n[SW_TALLY_PRICED_CORE_USEC] = whole(
		shares->had.cpus * shares->seconds * (double)SW_USEC_PER_SEC);
	n[SW_TALLY_PRICE_DAY] = day_of(kind->as_of);
	n[SW_TALLY_PRICE_DAY_BEFORE] =
		SW_TALLY_DAY_LAST - n[SW_TALLY_PRICE_DAY];
}

/* Fill the numbers of one node; n is zeroed before. */
static void put_node(uint64_t *n, const struct sw_node_kind *kind,
		     const struct shares *shares)
{
	double share;

	if (!kind || !(shares->seconds > 0))
		return;
	share = fmin(sw_node_share(kind, &shares->had), 1);
	if (share > 0)
		put_price(n, kind, shares, share);
}

/* Equal part of the numbers of the whole job. */
static void put_parts(uint64_t *n, const uint64_t *all, uint64_t nodes)
{
	static const enum sw_tally_number parts[] = {
		SW_TALLY_CORE_USEC,	     SW_TALLY_CORE_KNOWN_USEC,
		SW_TALLY_USED_USEC,	     SW_TALLY_IDLE_USEC,
		SW_TALLY_LOST_CORE_USEC,     SW_TALLY_MIB_SECONDS,
		SW_TALLY_MIB_KNOWN_SECONDS,  SW_TALLY_NEED_MIB_SECONDS,
		SW_TALLY_UNUSED_MIB_SECONDS, SW_TALLY_LOST_MIB_SECONDS,
		SW_TALLY_GPU_SECONDS,	     SW_TALLY_GPU_KNOWN_SECONDS,
		SW_TALLY_GPU_BUSY_SECONDS,   SW_TALLY_GPU_IDLE_SECONDS,
	};
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		n[parts[i]] = all[parts[i]] / nodes;
	for (i = SW_TALLY_JOBS; i <= SW_TALLY_RECORDED; i++)
		n[i] = all[i];
	n[SW_TALLY_LATEST_JOB_ID] = all[SW_TALLY_LATEST_JOB_ID];
}

static const enum sw_tally_number costs[] = {
	SW_TALLY_COST_MICROS,	   SW_TALLY_WASTED_MICROS,
	SW_TALLY_PRICED_CORE_USEC, SW_TALLY_PRICE_DAY,
	SW_TALLY_PRICE_DAY_BEFORE,
};

static int add_node(struct sw_keyed *tallies, const struct sw_job_record *job,
		    const char *node, const struct sw_tally_job *tally)
{
	const struct sw_tally_names names = {
		.of = SW_TALLY_NODE,
		.cluster = job->cluster,
		.name = node,
	};

	return sw_tally_add(tallies, &names, tally);
}

/* *of_all: kind common to all nodes; NULL if none or several. */
static int add_nodes(struct sw_kinds *kinds, struct sw_keyed *tallies,
		     const struct sw_job_record *job,
		     struct sw_measured *measured,
		     const struct sw_node_names *names,
		     const struct sw_node_kind **of_all)
{
	struct shares shares = shares_of(job, measured, names->count);
	size_t i, j;

	*of_all = NULL;
	for (i = 0; i < names->count; i++) {
		const struct sw_node_kind *kind =
			sw_kinds_find(kinds, names->names[i]);
		struct sw_tally_job node = { { 0 }, { 0 }, { false }, NULL };

		*of_all = i == 0 || *of_all == kind ? kind : NULL;
		put_parts(node.n, measured->tally.n, names->count);
		put_node(node.n, kind, &shares);
		for (j = 0; j < sizeof(costs) / sizeof(costs[0]); j++)
			sw_tally_number_add(measured->tally.n, node.n,
					    costs[j]);
		if (add_node(tallies, job, names->names[i], &node) < 0)
			return -1;
	}
	return 0;
}

static int add_kind(struct sw_keyed *tallies, const struct sw_job_record *job,
		    const struct sw_measured *measured,
		    const struct sw_node_kind *kind)
{
	const struct sw_tally_names of_kind = {
		.of = SW_TALLY_KIND,
		.cluster = job->cluster,
		.name = kind->name,
	};
	const struct sw_tally_names of_group = {
		.of = SW_TALLY_GROUP_KIND,
		.cluster = job->cluster,
		.name = measured->group.group,
		.user = job->user,
		.label = kind->name,
	};

	if (sw_tally_add(tallies, &of_kind, &measured->tally) < 0)
		return -1;
	return sw_tally_add(tallies, &of_group, &measured->tally);
}

int sw_kind_cost_add(struct sw_kinds *kinds, struct sw_keyed *tallies,
		 const struct sw_job_record *job, struct sw_measured *measured)
{
	const struct sw_node_kind *kind = NULL;
	struct sw_node_names names = { 0 };
	int rc = sw_node_names_unfold(&names, job->node_list, SW_NODE_LIST_MAX);

	/* Not a list of nodes: "None assigned". */
	if (rc < 0 && errno != ENOMEM) {
		sw_node_names_fini(&names);
		return 0;
	}
	if (rc == 0)
		rc = add_nodes(kinds, tallies, job, measured, &names, &kind);
	if (rc == 0 && kind)
		rc = add_kind(tallies, job, measured, kind);
	sw_node_names_fini(&names);
	return rc;
}
