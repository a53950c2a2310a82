/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which node a cause came up on more often than by chance: failures.h. */
#ifndef SW_ANALYZER_SUSPECTS_H
#define SW_ANALYZER_SUSPECTS_H

#include "analyzer/failures/failure_cell.h"
#include "analyzer/failures/strata.h"

/* The jobs of a group that ran on one node each. */
struct sw_suspects {
	struct sw_failure_cell **by_cause;   /* evidence: failures alone */
	struct sw_failure_cell **by_stratum; /* evidence: all */
	struct sw_stratum *strata;
	size_t causes, cells;
	struct sw_failure_cell **all; /* whose counts are of all jobs */
	size_t all_count;
};

/*
 * Of the group whose cells all are, which stay where they are; with a user, of
 * that user's jobs alone.  0, or -1 (errno ENOMEM).
 */
int sw_suspects_init(struct sw_suspects *suspects,
		     const struct sw_keyed *evidence, const char *user,
		     struct sw_failure_cell **all, size_t all_count);
void sw_suspects_fini(struct sw_suspects *suspects);

/*
 * Put the node of a cause into *node, with the chance of this pair alone, or
 * leave it as it is.  How many nodes the cause came up on.
 */
double sw_suspects_find(struct sw_suspects *suspects,
			const struct sw_failure_cell *cause,
			const struct sw_failure_settings *settings,
			struct sw_failure_node *node);

#endif
