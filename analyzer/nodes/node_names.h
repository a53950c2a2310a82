/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of nodes, folded as Slurm writes them: "n[1-4,7],login". */
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

/*
 * Sort, drop what is there twice, and fold.  The text is the caller's to
 * free(); NULL without memory.
 */
char *sw_node_names_fold(struct sw_node_names *names);

/*
 * The opposite: add the names of a list as Slurm writes it, also
 * "rack[1-2]n[01-16]", in its order.  0, or -1 and some may have been added:
 * EINVAL (no list, or more than max names in all), ENOMEM.
 */
int sw_node_names_unfold(struct sw_node_names *names, const char *list,
			 size_t max);

void sw_node_names_fini(struct sw_node_names *names);

#endif
