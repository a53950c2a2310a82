/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which request was always enough for the runs of a group: nobody is advised
 * to ask for more than that, unless a run came close to it.
 */
#ifndef SW_ADVICE_MEMORY_ENOUGH_H
#define SW_ADVICE_MEMORY_ENOUGH_H

#include "advice/run.h"

struct sw_memory_enough {
	double least_request;	/* of the runs that ended well; 0: none */
	double largest_need;	/* of all runs, or what was not enough */
};

void sw_memory_enough_note(struct sw_memory_enough *enough,
			   const struct sw_run *run);

/*
 * The request where it was always enough: a run ended with it, or with less,
 * and none has come close to it, nor would have if it had needed factor times
 * as much (1 where the next input is nothing new).  Else infinite.
 */
double sw_memory_enough_most(const struct sw_memory_enough *enough,
			     double request, double factor);

#endif
