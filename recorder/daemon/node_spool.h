/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spool: undelivered profiles of this node, accessible only to root. */
#ifndef SW_RECORDER_NODE_SPOOL_H
#define SW_RECORDER_NODE_SPOOL_H

#include "common/error.h"

/*
 * Open the directory, creating it and its parents if missing.  Return -1 with
 * *error on failure, or if it is not owned by this user or is writable by
 * others.
 */
int sw_node_spool_open(const char *path, struct sw_error *error);

/*
 * Recreate the directory at path if the one behind fd was deleted.  Its
 * contents are lost.
 */
void sw_node_spool_refresh(int fd, const char *path);

#endif
