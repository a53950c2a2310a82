/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of fuse_stall, which exist only in its memory. */
#ifndef TEST_FUSE_TREE_H
#define TEST_FUSE_TREE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { NODES_MAX = 4096, NODE_NAME_SIZE = 256, ROOT_NODE = 1 };

struct node {
	uint64_t parent;	/* 0: free; the root is its own */
	uint32_t mode, uid, gid;
	int64_t changed;
	char name[NODE_NAME_SIZE];	/* "": removed but open */
	char *bytes;
	size_t size;
};

/* Create the root, and in it a file of size zeros. */
void tree_begin(const char *name, size_t size);
/* NULL: no such node. */
struct node *tree_node(uint64_t id);
/* Return the entry of a folder with that name; 0: none. */
uint64_t tree_find(uint64_t parent, const char *name);
/* 0 with errno: it exists, or there are too many nodes. */
uint64_t tree_make(uint64_t parent, const char *name, const struct node *like);
/* -1 with errno. */
int tree_remove(uint64_t parent, const char *name);
int tree_rename(uint64_t parent, const char *name, uint64_t new_parent,
		const char *new_name);
int tree_resize(struct node *node, size_t size);
/* Return a folder's first entry from node number from on; 0: no more. */
uint64_t tree_next(uint64_t parent, uint64_t from);
/* The kernel no longer refers to the node. */
void tree_forget(uint64_t id);

#endif
