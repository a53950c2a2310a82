/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The site's catalogue of nodes, a CSV file (node_catalogue in stepwell.yaml):
 * what a node of each kind has, and what an hour of it costs as of a date.
 */
#ifndef SW_ANALYZER_CATALOGUE_H
#define SW_ANALYZER_CATALOGUE_H

#include "advice/node_kinds.h"
#include "common/error.h"

/* More than any site has; a column more is a slip of the pen. */
enum { SW_CATALOGUE_ROWS_MAX = 1000 };

/* All zero is empty. */
struct sw_catalogue {
	struct sw_node_kind *kinds; /* in the order of the file */
	size_t count;
	char currency[SW_CURRENCY_SIZE]; /* of all prices; "": none */
};

/* The first line, with all columns. */
#define SW_CATALOGUE_HEAD                                                      \
	"node,cpus,memory_gib,gpus,local_disk_mb_s,network_mb_s,"              \
	"price_per_hour,currency,as_of"

/*
 * path NULL: an empty catalogue.  0, or -1 and it is empty, with *error:
 * "FILE:LINE: what is wrong".
 */
int sw_catalogue_read(struct sw_catalogue *catalogue, const char *path,
		      struct sw_error *error);
void sw_catalogue_fini(struct sw_catalogue *catalogue);

#endif
