/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of nodes, folded in Slurm's format: "n[1-4,7],login". */
#ifndef SW_ANALYZER_NODE_NAMES_H
#define SW_ANALYZER_NODE_NAMES_H

#include <stddef.h>

enum {
	SW_NODE_NAME_SIZE_MAX = 256,
	SW_NODE_LIST_MAX = 100000,	/* more than any cluster has */
};

struct sw_node_names {
	char **names;
	size_t count;
};

/* Copy a name of up to SW_NODE_NAME_SIZE_MAX - 1 bytes; 0, or -1 with errno. */
int sw_node_names_add(struct sw_node_names *names, const char *name);

/* Sort, and drop duplicates. */
void sw_node_names_sort(struct sw_node_names *names);

/*
 * Sort, drop duplicates, and fold.  The caller frees the text; NULL if out of
 * memory.
 */
char *sw_node_names_fold(struct sw_node_names *names);

/*
 * The opposite: add the names of a list in Slurm's format, including
 * "rack[1-2]n[01-16]", in order.  Return 0, or -1, possibly with some added:
 * EINVAL (no list, or more than max names in all), ENOMEM.
 */
int sw_node_names_unfold(struct sw_node_names *names, const char *list,
			 size_t max);

void sw_node_names_fini(struct sw_node_names *names);

#endif
