/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse stepwell.yaml as a tree whose nodes have line and column.  Only this
 * includes yaml.h: command and recorder parse the file by one grammar.
 */
#ifndef SW_COMMON_YAML_WALK_H
#define SW_COMMON_YAML_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <yaml.h>

#include "common/error.h"

/* State of a walk. */
struct sw_walk {
	const char *path;
	yaml_document_t *document;
	void *into;		/* destination of the values */
	struct sw_error *error;
};

/* Both report an error at the node and return -1. */
int sw_walk_complain(const struct sw_walk *walk, const yaml_node_t *node,
		     const char *what);
int sw_walk_complain_name(const struct sw_walk *walk, const yaml_node_t *node,
			  const char *what);

/* Return the text of a scalar, or NULL. */
const char *sw_walk_scalar(const yaml_node_t *node);

typedef int (*sw_walk_pair_f)(const struct sw_walk *walk,
			      const yaml_node_t *key,
			      const yaml_node_t *value, const void *context);
int sw_walk_pairs(const struct sw_walk *walk, const yaml_node_t *mapping,
		  sw_walk_pair_f function, const void *context);

/* Parse the value as a number from min to max. */
int sw_walk_real(const struct sw_walk *walk, const char *key,
		 const yaml_node_t *value, double min, double max,
		 double *number);

/* A key whose number is stored as a double at the offset. */
struct sw_walk_number {
	const char *key;
	double min, max, scale;	/* scale: bytes in a MiB */
	size_t offset;
};

/*
 * Store the value if the key is in the NULL-keyed table.  Returns 1 if it is, 0
 * if not, -1 with *error.
 */
int sw_walk_number(const struct sw_walk *walk, const yaml_node_t *key,
		   const yaml_node_t *value,
		   const struct sw_walk_number *table, void *into);

/* Parse a path that begins with "/". */
int sw_walk_path(const struct sw_walk *walk, const char *key,
		 const yaml_node_t *value, char **path);
/* Parse one such path or a list of at least one; each is allocated. */
int sw_walk_paths(const struct sw_walk *walk, const char *key,
		  const yaml_node_t *value, char ***paths, size_t *count);
int sw_walk_bool(const struct sw_walk *walk, const char *key,
		 const yaml_node_t *value, bool *is_on);

/*
 * Join the texts of a list, or a single text, with commas.  Returns false for
 * anything else, or if it does not fit.
 */
bool sw_walk_names(const struct sw_walk *walk, const yaml_node_t *value,
		   char *names, size_t size);

/*
 * Parse the file and call function for each top-level key.  The caller sets all
 * of walk but the document.  Returns 0, or -1 with *error.
 */
int sw_walk_file(struct sw_walk *walk, FILE *file, sw_walk_pair_f function);

#endif
