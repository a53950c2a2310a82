/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranks the node types of a site for the work of one group: what each would
 * take and cost, predicted from what limited the runs of the past.  Gives up
 * where it is not known on which type they ran or what limited them.
 */
#ifndef SW_ADVICE_NODE_TYPES_H
#define SW_ADVICE_NODE_TYPES_H

#include "advice/policy.h"
#include "advice/run.h"

enum {
	SW_NODE_NAME_SIZE = 64,
	SW_NODE_WHY_SIZE = 256,
};

/* A row of "nodes:" in the settings.  Numbers that are not given are NAN. */
struct sw_node_type {
	char name[SW_NODE_NAME_SIZE];	/* "fat" */
	char feature[SW_NODE_NAME_SIZE];	/* for --constraint; "" */
	char partition[SW_NODE_NAME_SIZE];	/* for --partition; "" */
	double cores;
	double core_speed;		/* of one core; of any unit, same for all */
	double memory_bytes;
	double disk_bytes_per_second;	/* local disk */
	double network_bytes_per_second;
	double gpus;
	double gpu_speed;		/* of one GPU; of any unit */
	double hour_price;		/* of the whole node, policy's currency */
};

/* What the work asks for on each of its nodes; NAN where not known. */
struct sw_node_need {
	double cores, bytes, gpus;
};

/* One type for the work. */
struct sw_node_choice {
	size_t type;		/* index into the types */
	bool is_possible;	/* else why has the reason; no numbers */
	double seconds;		/* predicted for the median run */
	double cores;		/* that it would use on each node */
	double share;		/* of a node that it takes, 0 to 1 */
	double cost;		/* NAN: no price */
	char why[SW_NODE_WHY_SIZE];
};

enum sw_node_order {
	SW_NODE_BY_COST,	/* then by time; those without price last */
	SW_NODE_BY_TIME,
};

struct sw_node_ranking {
	bool is_withheld;	/* no choices; why says why */
	size_t runs;		/* that it rests on */
	char why[SW_NODE_WHY_SIZE];	/* assumption, or reason */
};

/*
 * Sorts all types, best first, those that do not fit last.  here is the type
 * that the runs were on; choices has room for count.  0 (also withheld), or -1
 * (errno ENOMEM).
 */
int sw_node_types_rank(const struct sw_runs *runs,
		       const struct sw_node_type *types, size_t count,
		       const struct sw_node_type *here,
		       const struct sw_node_need *need,
		       enum sw_node_order order,
		       struct sw_node_choice *choices,
		       struct sw_node_ranking *ranking);

#endif
