/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which kind of the site's catalogue a node is, and what a job cost there:
 * price times hours times the largest share of the node that it had.
 */
#ifndef SW_ANALYZER_SWEEP_NIGHT_KINDS_H
#define SW_ANALYZER_SWEEP_NIGHT_KINDS_H

#include "analyzer/settings/settings.h"
#include "analyzer/sweep/night/measure.h"

/* A millionth of the currency. */
#define SW_MICROS 1e6

struct sw_kinds;

/*
 * Reads the catalogue, and asks scontrol for the features and instance types of
 * nodes; where it does not answer, complain (NULL: nobody) is told.  0, also
 * without a catalogue (*kinds is NULL then), or -1 with *error.
 */
int sw_kinds_open(struct sw_kinds **kinds, const struct sw_settings *settings,
		  void (*complain)(void *context, const char *text),
		  void *context, struct sw_error *error);
void sw_kinds_close(struct sw_kinds *kinds);

/* Of a node, by its name; NULL: the catalogue does not have it. */
const struct sw_node_kind *sw_kinds_find(struct sw_kinds *kinds,
					 const char *node);

/*
 * Put what the job cost into its numbers, and add the tallies of its nodes, of
 * its kind of node, and of its group there; a job on nodes of two kinds is of
 * neither.  0, or -1 (errno ENOMEM).
 */
int sw_kinds_add(struct sw_kinds *kinds, struct sw_keyed *tallies,
		 const struct sw_job_record *job, struct sw_measured *measured);

#endif
