/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between which bounds a request lies, whatever a model makes of the needs that
 * were measured: what was enough, what was not, and how far a step up goes.
 */
#ifndef SW_ADVICE_MEMORY_BOUNDS_H
#define SW_ADVICE_MEMORY_BOUNDS_H

#include "advice/memory_past.h"

struct sw_memory_bounds {
	double least;		/* 0: none */
	double most;
	/*
	 * What was not enough, where samples of the other runs show far less:
	 * sampling misses what this work needs.  0: none.
	 */
	double unseen_bytes;
	/*
	 * The least request above all that was not enough with which a run
	 * ended well; 0: none.
	 */
	double proven_bytes;
};

/*
 * request: what is asked for now; NAN: not known.  A request with which runs
 * ended well is never raised unless one came close to it; a raise is one
 * retry's at most where no run was killed, and else twice what is known to be
 * needed, more only with an input beyond all that were seen.
 */
void sw_memory_bounds_find(struct sw_memory_bounds *bounds,
			   const struct sw_memory_past *past,
			   const struct sw_policy *policy,
			   const struct sw_query *query, double request);

#endif
