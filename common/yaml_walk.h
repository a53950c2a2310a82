/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepwell.yaml as a tree, whose nodes know their line and column.  The only
 * user of yaml.h: command and recorder read the file by one grammar.
 */
#ifndef SW_COMMON_YAML_WALK_H
#define SW_COMMON_YAML_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <yaml.h>

#include "common/error.h"

/* What every step of the walk needs. */
struct sw_walk {
	const char *path;
	yaml_document_t *document;
	void *into;		/* what the document is for */
	struct sw_error *error;
};

/* Both return -1. */
int sw_walk_complain(const struct sw_walk *walk, const yaml_node_t *node,
		     const char *what);
int sw_walk_complain_name(const struct sw_walk *walk, const yaml_node_t *node,
			  const char *what);

/* The text of a scalar, or NULL. */
const char *sw_walk_scalar(const yaml_node_t *node);

typedef int (*sw_walk_pair_f)(const struct sw_walk *walk,
			      const yaml_node_t *key,
			      const yaml_node_t *value, const void *context);
int sw_walk_pairs(const struct sw_walk *walk, const yaml_node_t *mapping,
		  sw_walk_pair_f function, const void *context);

/* The value as a number from min to max. */
int sw_walk_real(const struct sw_walk *walk, const char *key,
		 const yaml_node_t *value, double min, double max,
		 double *number);

/* A key with a number, which goes to a double at the offset. */
struct sw_walk_number {
	const char *key;
	double min, max, scale;	/* bytes in a MiB */
	size_t offset;
};

/*
 * Take the key where it is one of the NULL-keyed table: 1.  0: it is none of
 * it, -1 with *error.
 */
int sw_walk_number(const struct sw_walk *walk, const yaml_node_t *key,
		   const yaml_node_t *value,
		   const struct sw_walk_number *table, void *into);

/* A path that begins with "/". */
int sw_walk_path(const struct sw_walk *walk, const char *key,
		 const yaml_node_t *value, char **path);
/* One such path or a list of them, each allocated; there is one at least. */
int sw_walk_paths(const struct sw_walk *walk, const char *key,
		  const yaml_node_t *value, char ***paths, size_t *count);
int sw_walk_bool(const struct sw_walk *walk, const char *key,
		 const yaml_node_t *value, bool *is_on);

/*
 * The texts of a list, or one text, with commas between them.  False: it is
 * something else, or does not fit.
 */
bool sw_walk_names(const struct sw_walk *walk, const yaml_node_t *value,
		   char *names, size_t size);

/*
 * Read the file and call function for each key of its top level.  walk has
 * all but the document.  0, or -1 with *error.
 */
int sw_walk_file(struct sw_walk *walk, FILE *file, sw_walk_pair_f function);

#endif
