/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds of a request, independent of a model of the measured needs: what was
 * enough, what was not, and how far a step up goes.
 */
#ifndef SW_ADVICE_MEMORY_BOUNDS_H
#define SW_ADVICE_MEMORY_BOUNDS_H

#include "advice/memory_past.h"

struct sw_memory_bounds {
	double least;		/* 0: none */
	double most;
	/*
	 * A request that was not enough although samples of the other runs show
	 * far less: sampling misses the needs of this work.  0: none.
	 */
	double unseen_bytes;
	/*
	 * The least request above all that was not enough with which a run
	 * succeeded; 0: none.
	 */
	double proven_bytes;
};

/*
 * request: the current one; NAN: not known.  A request with which runs
 * succeeded is never raised unless a run came close to it.  A raise is at most
 * one retry's if no run was killed, otherwise twice what is known to be needed;
 * more only for an input larger than all seen.
 */
void sw_memory_bounds_find(struct sw_memory_bounds *bounds,
			   const struct sw_memory_past *past,
			   const struct sw_policy *policy,
			   const struct sw_query *query, double request);

#endif
