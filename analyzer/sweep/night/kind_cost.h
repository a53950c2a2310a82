/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job cost on its nodes: price times hours times the largest share of
 * the node that it had.
 */
#ifndef SW_ANALYZER_SWEEP_NIGHT_KIND_COST_H
#define SW_ANALYZER_SWEEP_NIGHT_KIND_COST_H

#include "analyzer/nodes/kinds.h"
#include "analyzer/sweep/night/measure.h"

/* A millionth of the currency. */
#define SW_MICROS 1e6

/*
 * Put what the job cost into its numbers, and add the tallies of its nodes, of
 * its kind of node, and of its group there; a job on nodes of two kinds is of
 * neither.  0, or -1 (errno ENOMEM).
 */
int sw_kind_cost_add(struct sw_kinds *kinds, struct sw_keyed *tallies,
		     const struct sw_job_record *job,
		     struct sw_measured *measured);

#endif
