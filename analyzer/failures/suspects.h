/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the node on which a cause is too frequent for chance: failures.h. */
#ifndef SW_ANALYZER_SUSPECTS_H
#define SW_ANALYZER_SUSPECTS_H

#include "analyzer/failures/failure_cell.h"
#include "analyzer/failures/strata.h"

/* Single-node jobs of a group. */
struct sw_suspects {
	struct sw_failure_cell **by_cause;   /* evidence: failures only */
	struct sw_failure_cell **by_stratum; /* evidence: all */
	struct sw_stratum *strata;
	size_t causes, cells;
	struct sw_failure_cell **all; /* cells that count all jobs */
	size_t all_count;
};

/*
 * Prepare the evidence of the group with the cells all, which must not move;
 * with a user, of that user's jobs only.  Return 0, or -1 (errno ENOMEM).
 */
int sw_suspects_init(struct sw_suspects *suspects,
		     const struct sw_keyed *evidence, const char *user,
		     struct sw_failure_cell **all, size_t all_count);
void sw_suspects_fini(struct sw_suspects *suspects);

/*
 * Put the node of a cause into *node, with the chance of this pair alone, or
 * leave it unchanged.  Return the number of nodes with the cause.
 */
double sw_suspects_find(struct sw_suspects *suspects,
			const struct sw_failure_cell *cause,
			const struct sw_failure_settings *settings,
			struct sw_failure_node *node);

#endif
