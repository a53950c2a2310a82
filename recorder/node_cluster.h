/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cluster that the node belongs to, for steps that do not know it. */
#ifndef SW_RECORDER_NODE_CLUSTER_H
#define SW_RECORDER_NODE_CLUSTER_H

#include <stddef.h>

/*
 * ClusterName of the slurm.conf at path, or (NULL) at the usual places; ""
 * where there is none.
 */
void sw_node_cluster_read(const char *path, char *name, size_t size);

#endif
