/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Choose the kind of node for a job group.  Nothing is predicted: the time is
 * known only for kinds on which the same work ran often enough.  For other
 * kinds it is known only whether the work fits, the cost of an hour, and
 * whether anything they have more of ever limited the work.
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
	SW_KIND_RUNS_MIN = 5, /* fewer runs on a kind give no time */
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

/* Resources the work uses on each of its nodes; NAN: not known. */
struct sw_node_need {
	double cpus, bytes, gpus;
};

/* Runs of the work on one kind. */
struct sw_kind_seen {
	size_t runs;
	double median_seconds;
};

/* A kind evaluated for the work. */
struct sw_kind_choice {
	size_t kind; /* index of the kind */
	bool fits;
	char obstacle[SW_NODE_WHY_SIZE]; /* why it does not fit, or "" */
	double share;			 /* used share of a node, 0 to 1 */
	double hour_cost;		 /* all its nodes; NAN: no price */
	size_t runs;			 /* runs on this kind */
	double seconds;			 /* median; NAN: too few runs */
	double run_cost;		 /* NAN: no time or no price */
};

struct sw_kind_question {
	const struct sw_node_kind *kinds;
	const struct sw_kind_seen *seen; /* by kind; NULL: none */
	size_t count;
	struct sw_node_need need;
	double nodes;  /* NAN: one */
	bool is_whole; /* nodes are not shared */
};

/*
 * Return the largest share of a node that a need takes, above 1 if it does not
 * fit, as with Slurm's MAX_TRES.  NAN: not known.
 */
double sw_node_share(const struct sw_node_kind *kind,
		     const struct sw_node_need *need);

/*
 * Fill choices, which has room for count, with all kinds: those that fit first,
 * among them those with a price, lowest price for an hour first.
 */
void sw_node_kinds_choose(const struct sw_kind_question *question,
			  struct sw_kind_choice *choices);

/*
 * Return the choice with a known time whose runs cost least or, without prices,
 * take the least time.  NULL: fewer than two have a time, so nothing can be
 * compared.
 */
const struct sw_kind_choice *
sw_node_kinds_best(const struct sw_kind_choice *choices, size_t count);

#endif
