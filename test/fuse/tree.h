/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of fuse_stall, which are in its memory and nowhere else. */
#ifndef TEST_FUSE_TREE_H
#define TEST_FUSE_TREE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { NODES_MAX = 4096, NODE_NAME_SIZE = 256, ROOT_NODE = 1 };

struct node {
	uint64_t parent;	/* 0: free; ROOT_NODE's is itself */
	uint32_t mode, uid, gid;
	int64_t changed;
	char name[NODE_NAME_SIZE];	/* "": removed, yet open */
	char *bytes;
	size_t size;
};

/* The root, and below it a file of as many zeros. */
void tree_begin(const char *name, size_t size);
/* NULL: there is none. */
struct node *tree_node(uint64_t id);
/* What is below a folder; 0: nothing of that name. */
uint64_t tree_find(uint64_t parent, const char *name);
/* 0 with errno: it is there, or there are too many. */
uint64_t tree_make(uint64_t parent, const char *name, const struct node *like);
/* -1 with errno. */
int tree_remove(uint64_t parent, const char *name);
int tree_rename(uint64_t parent, const char *name, uint64_t new_parent,
		const char *new_name);
int tree_resize(struct node *node, size_t size);
/* The first of a folder from the node of that number on; 0: no more. */
uint64_t tree_next(uint64_t parent, uint64_t from);
/* Nobody knows it any more. */
void tree_forget(uint64_t id);

#endif
