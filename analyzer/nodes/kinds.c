/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of nodes to kinds, each looked for once. */
#include "analyzer/nodes/kinds.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/keyed/keyed.h"
#include "analyzer/accounting/node_names.h"
#include "analyzer/nodes/slurm_nodes.h"
#include "common/escape.h"

struct node {
	struct sw_keyed_entry entry;
	const struct sw_node_kind *kind; /* NULL: none */
	char name[];
};

struct sw_kinds {
	struct sw_catalogue catalogue;
	struct sw_slurm_nodes slurm;
	struct sw_keyed listed; /* from rows that list names */
	struct sw_keyed found;	/* cache of results */
};

static int put(struct sw_keyed *nodes, const char *name,
	       const struct sw_node_kind *kind)
{
	size_t size = strlen(name);
	struct node *node;

	/* The first matching row counts. */
	if (sw_keyed_find(nodes, name, size))
		return 0;
	node = sw_keyed_need(nodes, name, size, sizeof(*node),
			     offsetof(struct node, name));
	if (!node)
		return -1;
	node->kind = kind;
	return 0;
}

static const struct node *find(const struct sw_keyed *nodes, const char *name)
{
	return (const struct node *)sw_keyed_find(nodes, name, strlen(name));
}

static bool is_list(const struct sw_node_kind *kind)
{
	return strpbrk(kind->name, "[,") != NULL;
}

static bool is_pattern(const struct sw_node_kind *kind)
{
	return strpbrk(kind->name, "*?") != NULL;
}

/* Index the names in all lists; an invalid list is a typing error. */
static int put_lists(struct sw_kinds *kinds, const char *path,
		     struct sw_error *error)
{
	struct sw_node_names names = { 0 };
	char shown[4 * SW_NODE_KIND_SIZE];
	size_t i, j;
	int rc = 0;

	for (i = 0; rc == 0 && i < kinds->catalogue.count; i++) {
		const struct sw_node_kind *kind = &kinds->catalogue.kinds[i];

		if (!is_list(kind))
			continue;
		rc = sw_node_names_unfold(&names, kind->name, SW_NODE_LIST_MAX);
		for (j = 0; rc == 0 && j < names.count; j++)
			rc = put(&kinds->listed, names.names[j], kind);
		sw_node_names_fini(&names);
		names = (struct sw_node_names){ 0 };
		if (rc == 0)
			continue;
		rc = errno == EINVAL
			     ? sw_error_set(
				       error,
				       "%.300s: \"%.160s\" is not a list of "
				       "at most %d nodes",
				       path,
				       sw_escape_ascii(shown, sizeof(shown),
						       kind->name),
				       SW_NODE_LIST_MAX)
			     : sw_error_errno(error, "the catalogue of nodes");
	}
	return rc;
}

/* True if a row may be a feature or an instance type. */
static bool has_word(const struct sw_catalogue *catalogue)
{
	size_t i;

	for (i = 0; i < catalogue->count; i++) {
		if (!is_list(&catalogue->kinds[i]) &&
		    !is_pattern(&catalogue->kinds[i]))
			return true;
	}
	return false;
}

static void ask_slurm(struct sw_kinds *kinds,
		      void (*complain)(void *context, const char *text),
		      void *context)
{
	struct sw_error error;
	char text[512];

	if (!has_word(&kinds->catalogue) ||
	    sw_slurm_nodes_ask(&kinds->slurm, &error) == 0 || !complain)
		return;
	snprintf(text, sizeof(text),
		 "%.200s; rows of the catalogue of nodes "
		 "that name a feature or an instance type match no node, so "
		 "the jobs there have no cost",
		 error.text);
	complain(context, text);
}

/* Use the last of several lines for a node. */
static const struct sw_slurm_node *slurm_node(const struct sw_kinds *kinds,
					      const char *name)
{
	size_t i = kinds->slurm.count;

	while (i-- > 0) {
		if (!strcmp(kinds->slurm.items[i].name, name))
			return &kinds->slurm.items[i];
	}
	return NULL;
}

static bool is_of(const struct sw_node_kind *kind, const char *name,
		  const struct sw_slurm_node *node)
{
	if (is_pattern(kind))
		return fnmatch(kind->name, name, FNM_NOESCAPE) == 0;
	return !strcmp(kind->name, name) ||
	       (node && (!strcmp(kind->name, node->instance_type) ||
			 sw_slurm_node_has_feature(node, kind->name)));
}

static const struct sw_node_kind *look_for(const struct sw_kinds *kinds,
					   const char *name)
{
	const struct sw_slurm_node *node = slurm_node(kinds, name);
	const struct node *listed = find(&kinds->listed, name);
	size_t i;

	for (i = 0; i < kinds->catalogue.count; i++) {
		const struct sw_node_kind *kind = &kinds->catalogue.kinds[i];

		if (is_list(kind) ? listed && listed->kind == kind
				  : is_of(kind, name, node))
			return kind;
	}
	return NULL;
}

const struct sw_node_kind *sw_kinds_find(struct sw_kinds *kinds,
					 const char *node)
{
	const struct node *found = find(&kinds->found, node);
	const struct sw_node_kind *kind;

	if (found)
		return found->kind;
	kind = look_for(kinds, node);
	/* If out of memory, the search is repeated next time. */
	put(&kinds->found, node, kind);
	return kind;
}

int sw_kinds_open(struct sw_kinds **kinds, const char *path,
		  void (*complain)(void *context, const char *text),
		  void *context, struct sw_error *error)
{
	*kinds = NULL;
	if (!path)
		return 0;
	*kinds = calloc(1, sizeof(**kinds));
	if (!*kinds)
		return sw_error_errno(error, "the catalogue of nodes");
	if (sw_catalogue_read(&(*kinds)->catalogue, path, error) == 0 &&
	    put_lists(*kinds, path, error) == 0) {
		ask_slurm(*kinds, complain, context);
		return 0;
	}
	sw_kinds_close(*kinds);
	*kinds = NULL;
	return -1;
}

void sw_kinds_close(struct sw_kinds *kinds)
{
	if (!kinds)
		return;
	sw_keyed_fini(&kinds->listed, NULL);
	sw_keyed_fini(&kinds->found, NULL);
	sw_slurm_nodes_fini(&kinds->slurm);
	sw_catalogue_fini(&kinds->catalogue);
	free(kinds);
}
