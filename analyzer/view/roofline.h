/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a step computed and what it read from memory for it, beside what the
 * site says that a node can do (S. Williams, A. Waterman and D. Patterson,
 * Roofline, Communications of the ACM 52, 2009).
 */
#ifndef SW_ANALYZER_ROOFLINE_H
#define SW_ANALYZER_ROOFLINE_H

#include "analyzer/view/view.h"

/* Of a node, from the site's settings; NAN: not known. */
struct sw_ceilings {
	double flops_per_sec, bytes_per_sec;
};

/* NAN: not known. */
struct sw_roofline {
	double flops_per_sec; /* of all tasks, over the run */
	const char *flops_of; /* "hardware", or PAPI's name; NULL */
	/* At least: lines that missed the last cache, 64 bytes each. */
	double bytes_per_flop;
	const char *bytes_of; /* "llc_misses", or PAPI's name; NULL */
	/* Of the node; not of a sum over several. */
	struct sw_ceilings node;
};

/* ceilings NULL: none are known. */
void sw_roofline_init(struct sw_roofline *roofline, const struct sw_view *view,
		      const struct sw_ceilings *ceilings);

/* There is more to say than the rate, which the counters have, too. */
bool sw_roofline_is_known(const struct sw_roofline *roofline);

/* Bytes that the node's memory gives per FLOP at both ceilings; NAN. */
double sw_ceilings_balance(const struct sw_ceilings *ceilings);

#endif
