/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step's computation and memory reads, compared with the node's limits as set
 * by the site (S. Williams, A. Waterman and D. Patterson, Roofline,
 * Communications of the ACM 52, 2009).
 */
#ifndef SW_ANALYZER_ROOFLINE_H
#define SW_ANALYZER_ROOFLINE_H

#include "analyzer/view/view.h"

/*
 * Bytes of a cache line on all processors that run Slurm and have this counter,
 * except IBM's (128) and Fujitsu's (256): never too large.
 */
#define SW_CACHE_LINE_BYTES 64

/* Limits of a node, from the site's settings; NAN if unknown. */
struct sw_ceilings {
	double flops_per_sec, bytes_per_sec;
};

/* NAN if unknown. */
struct sw_roofline {
	double flops_per_sec; /* of all tasks, over the run */
	const char *flops_of; /* "hardware", or a PAPI name; NULL */
	/* Lower bound: last-level cache misses, 64 bytes each. */
	double bytes_per_flop;
	const char *bytes_of; /* "llc_misses", or a PAPI name; NULL */
	/* Per node; unset in sums over several nodes. */
	struct sw_ceilings node;
};

/* ceilings may be NULL if none are known. */
void sw_roofline_init(struct sw_roofline *roofline, const struct sw_view *view,
		      const struct sw_ceilings *ceilings);

/* True if more than the rate, which the counters also show, is known. */
bool sw_roofline_is_known(const struct sw_roofline *roofline);

/* Bytes per FLOP of the node at both limits; NAN if unknown. */
double sw_ceilings_balance(const struct sw_ceilings *ceilings);

#endif
