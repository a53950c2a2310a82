/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Look up the kind of a node in the site's catalogue. */
#ifndef SW_ANALYZER_KINDS_H
#define SW_ANALYZER_KINDS_H

#include "analyzer/nodes/catalogue.h"

struct sw_kinds;

/*
 * Read the catalogue at path, and query scontrol for the features and instance
 * types of nodes; if that fails, call complain (unless NULL).  0, also without
 * a catalogue (path and *kinds are NULL then), or -1 with *error.
 */
int sw_kinds_open(struct sw_kinds **kinds, const char *path,
		  void (*complain)(void *context, const char *text),
		  void *context, struct sw_error *error);
void sw_kinds_close(struct sw_kinds *kinds);

/* Find the kind of a node by name; NULL: not in the catalogue. */
const struct sw_node_kind *sw_kinds_find(struct sw_kinds *kinds,
					 const char *node);

#endif
