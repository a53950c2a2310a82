/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spool: profiles of this node until they are delivered, root's alone. */
#ifndef SW_RECORDER_NODE_SPOOL_H
#define SW_RECORDER_NODE_SPOOL_H

#include "common/error.h"

/*
 * Open the folder, made where it is missing with those above it.  -1 with
 * *error where that fails, or where it is not this user's own or others may
 * write to it.
 */
int sw_node_spool_open(const char *path, struct sw_error *error);

/*
 * Where the folder of fd has been deleted, make fd another one at the path, if
 * that can be had.  What was in the old one is lost.
 */
void sw_node_spool_refresh(int fd, const char *path);

#endif
