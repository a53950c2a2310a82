/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of the settings: the walk over the document.  The only user of yaml.h. */
#ifndef SW_ANALYZER_SETTINGS_INTERNAL_H
#define SW_ANALYZER_SETTINGS_INTERNAL_H

#include <stdbool.h>
#include <yaml.h>

#include "analyzer/rules/rule.h"
#include "analyzer/settings/settings.h"

struct sw_settings {
	char warning[SW_ERROR_TEXT_SIZE];	/* "": none */
	struct sw_thresholds thresholds;
	struct sw_places places;
	char *history_file;	/* NULL: each user's own */
	bool is_history_off;	/* "run" does not feed it */
	struct sw_policy policy;
	struct sw_work_rules work;
	struct sw_node_type *nodes;
	size_t node_count;
};

/* What every step of the walk needs. */
struct sw_walk {
	const char *path;
	yaml_document_t *document;
	struct sw_settings *settings;
	struct sw_error *error;
};

/* Both return -1. */
int sw_walk_complain(const struct sw_walk *walk, const yaml_node_t *node,
		     const char *what);
int sw_walk_complain_name(const struct sw_walk *walk, const yaml_node_t *node,
			  const char *what);

/* The text of a scalar, or NULL. */
const char *sw_walk_scalar(const yaml_node_t *node);

typedef int (*sw_walk_pair_f)(const struct sw_walk *walk, const yaml_node_t *key,
		      const yaml_node_t *value, const void *context);
int sw_walk_pairs(const struct sw_walk *walk, const yaml_node_t *mapping,
		  sw_walk_pair_f function, const void *context);

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
int sw_walk_bool(const struct sw_walk *walk, const char *key,
		 const yaml_node_t *value, bool *is_on);

/* The sections advice, prices, groups, nodes; context is not used. */
int sw_settings_read_advice(const struct sw_walk *walk, const yaml_node_t *value);
int sw_settings_read_prices(const struct sw_walk *walk, const yaml_node_t *value);
int sw_settings_read_groups(const struct sw_walk *walk, const yaml_node_t *value);
int sw_settings_read_nodes(const struct sw_walk *walk, const yaml_node_t *value);

#endif
