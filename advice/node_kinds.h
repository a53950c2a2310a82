/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which kind of node work should run on.  Nothing is predicted: a time is
 * known only of kinds on which the same work ran often enough; of the others
 * only whether the work fits, what that costs an hour, and whether what they
 * have more of ever limited it.
 */
#ifndef SW_ADVICE_NODE_KINDS_H
#define SW_ADVICE_NODE_KINDS_H

#include <stdbool.h>
#include <stddef.h>

enum {
	SW_NODE_KIND_SIZE = 128,
	SW_NODE_WHY_SIZE = 256,
	SW_DATE_SIZE = 11, /* "2026-01-08" */
	SW_CURRENCY_SIZE = 8,
	SW_KIND_RUNS_MIN = 5, /* of one kind: fewer tell no time */
};

/* A row of the site's catalogue.  Numbers that are not given are NAN. */
struct sw_node_kind {
	char name[SW_NODE_KIND_SIZE]; /* "r6i.8xlarge" */
	double cpus;		      /* as Slurm counts them */
	double memory_bytes, gpus;
	double disk_bytes_per_second; /* of the local disk */
	double network_bytes_per_second;
	double hour_price;	  /* of the whole node */
	char as_of[SW_DATE_SIZE]; /* of the price; "": none */
};

/* What the work takes on each of its nodes; NAN: not known. */
struct sw_node_need {
	double cpus, bytes, gpus;
};

/* Runs of the work on one kind. */
struct sw_kind_seen {
	size_t runs;
	double median_seconds;
};

/* One kind for the work. */
struct sw_kind_choice {
	size_t kind; /* its index */
	bool fits;
	char obstacle[SW_NODE_WHY_SIZE]; /* it does not fit; else "" */
	double share;			 /* of a node that it takes, 0 to 1 */
	double hour_cost;		 /* of all its nodes; NAN: no price */
	size_t runs;			 /* that were on it */
	double seconds;			 /* their median; NAN: too few */
	double run_cost;		 /* NAN: no time or no price */
};

struct sw_kind_question {
	const struct sw_node_kind *kinds;
	const struct sw_kind_seen *seen; /* of each kind; NULL: none */
	size_t count;
	struct sw_node_need need;
	double nodes;  /* NAN: one */
	bool is_whole; /* nodes are not shared */
};

/*
 * What is fullest decides, as with Slurm's MAX_TRES: the largest share of a
 * node that a need takes, above 1 where it does not fit.  NAN: not known.
 */
double sw_node_share(const struct sw_node_kind *kind,
		     const struct sw_node_need *need);

/*
 * All kinds into choices, which has room for count: those that fit first, of
 * these those with a price, the cheapest hour first.
 */
void sw_node_kinds_choose(const struct sw_kind_question *question,
			  struct sw_kind_choice *choices);

/*
 * Of the choices the one whose runs cost least, with a time; where there are
 * no prices, the one that takes least time.  NULL: fewer than two have a time,
 * so nothing was compared.
 */
const struct sw_kind_choice *
sw_node_kinds_best(const struct sw_kind_choice *choices, size_t count);

#endif
