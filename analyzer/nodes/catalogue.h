/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The site's catalogue of nodes, a CSV file (node_catalogue in stepwell.yaml):
 * hardware of each kind of node, and the price per hour with its date.
 */
#ifndef SW_ANALYZER_CATALOGUE_H
#define SW_ANALYZER_CATALOGUE_H

#include "advice/node_kinds.h"
#include "common/error.h"

/* More rows than any site has: a longer file is a mistake. */
enum { SW_CATALOGUE_ROWS_MAX = 1000 };

/* Zeroed: empty. */
struct sw_catalogue {
	struct sw_node_kind *kinds; /* in the order of the file */
	size_t count;
	char currency[SW_CURRENCY_SIZE]; /* of all prices; "" if none */
};

/* Header line with all columns. */
#define SW_CATALOGUE_HEAD                                                      \
	"node,cpus,memory_gib,gpus,local_disk_mb_s,network_mb_s,"              \
	"price_per_hour,currency,as_of"

/*
 * path NULL: an empty catalogue.  Return 0, or -1 with an empty catalogue and
 * *error: "FILE:LINE: what is wrong".
 */
int sw_catalogue_read(struct sw_catalogue *catalogue, const char *path,
		      struct sw_error *error);
void sw_catalogue_fini(struct sw_catalogue *catalogue);

#endif
