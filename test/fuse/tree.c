/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of fuse_stall. */
#include "test/fuse/tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static struct node nodes[NODES_MAX];

void tree_begin(const char *name, size_t size)
{
	const struct node file = { .mode = S_IFREG | 0666 };

	nodes[ROOT_NODE] = (struct node){
		.parent = ROOT_NODE, .mode = S_IFDIR | 0777,
		.changed = time(NULL), .name = "/" };
	if (name)
		tree_resize(tree_node(tree_make(ROOT_NODE, name, &file)),
			    size);
}

struct node *tree_node(uint64_t id)
{
	return id < NODES_MAX && nodes[id].parent ? &nodes[id] : NULL;
}

uint64_t tree_next(uint64_t parent, uint64_t from)
{
	uint64_t id;

	for (id = from; id < NODES_MAX; id++) {
		if (id != ROOT_NODE && nodes[id].parent == parent &&
		    nodes[id].name[0])
			return id;
	}
	return 0;
}

uint64_t tree_find(uint64_t parent, const char *name)
{
	uint64_t id = 0;

	while ((id = tree_next(parent, id + 1))) {
		if (!strcmp(nodes[id].name, name))
			return id;
	}
	return 0;
}

uint64_t tree_make(uint64_t parent, const char *name, const struct node *like)
{
	uint64_t id;

	errno = EEXIST;
	if (tree_find(parent, name))
		return 0;
	errno = ENOSPC;
	for (id = ROOT_NODE + 1; id < NODES_MAX && nodes[id].parent; id++)
		;
	if (id == NODES_MAX)
		return 0;
	nodes[id] = *like;
	nodes[id].parent = parent;
	nodes[id].changed = time(NULL);
	snprintf(nodes[id].name, sizeof(nodes[id].name), "%s", name);
	return id;
}

int tree_remove(uint64_t parent, const char *name)
{
	uint64_t id = tree_find(parent, name);

	errno = id ? ENOTEMPTY : ENOENT;
	if (!id || tree_next(id, 1))
		return -1;
	nodes[id].name[0] = '\0';
	return 0;
}

int tree_rename(uint64_t parent, const char *name, uint64_t new_parent,
		const char *new_name)
{
	uint64_t id = tree_find(parent, name);
	uint64_t old = tree_find(new_parent, new_name);

	errno = ENOENT;
	if (!id || (old && old != id && tree_remove(new_parent, new_name) < 0))
		return -1;
	nodes[id].parent = new_parent;
	snprintf(nodes[id].name, sizeof(nodes[id].name), "%s", new_name);
	return 0;
}

int tree_resize(struct node *node, size_t size)
{
	char *bytes = realloc(node->bytes, size ? size : 1);

	if (!bytes)
		return -1;
	if (size > node->size)
		memset(bytes + node->size, 0, size - node->size);
	node->bytes = bytes;
	node->size = size;
	node->changed = time(NULL);
	return 0;
}

void tree_forget(uint64_t id)
{
	struct node *node = tree_node(id);

	if (!node || node->name[0])
		return;
	free(node->bytes);
	*node = (struct node){ .parent = 0 };
}
