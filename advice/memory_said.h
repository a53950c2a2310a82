/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last answer of a group.  It is not raised just because of one more run
 * like the one before it, for which the answer would have been enough.
 */
#ifndef SW_ADVICE_MEMORY_SAID_H
#define SW_ADVICE_MEMORY_SAID_H

#include "advice/memory_past.h"

struct sw_memory_said {
	double input_bytes, requested_bytes;	/* of the query */
	double bytes;		/* 0: none, or it may be raised */
};

/* Call before the run is added to the past. */
void sw_memory_said_judge(struct sw_memory_said *said,
			  const struct sw_memory_past *past,
			  const struct sw_run *run);

/* Return bytes, or the last answer to this query if it must not be raised. */
double sw_memory_said_keep(struct sw_memory_said *said,
			   const struct sw_query *query, double bytes);

#endif
