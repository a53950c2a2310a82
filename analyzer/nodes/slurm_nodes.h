/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes of the cluster from "scontrol show node -o". */
#ifndef SW_ANALYZER_SLURM_NODES_H
#define SW_ANALYZER_SLURM_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* Texts point into the answer, "" if Slurm has none; numbers NAN. */
struct sw_slurm_node {
	const char *name;
	const char *instance_type; /* InstanceType, since Slurm 23.11 */
	const char *features;	   /* "a,b,c" */
	const char *gres;	   /* "gpu:a100:4(S:0-1),craynetwork:4" */
	double cpus, memory_mib, gpus;
};

/* Zeroed: none. */
struct sw_slurm_nodes {
	struct sw_slurm_node *items;
	size_t count;
	char *text;
};

/* Ask scontrol.  Return 0, or -1 with *error. */
int sw_slurm_nodes_ask(struct sw_slurm_nodes *nodes, struct sw_error *error);
void sw_slurm_nodes_fini(struct sw_slurm_nodes *nodes);

bool sw_slurm_node_has_feature(const struct sw_slurm_node *node,
			       const char *feature);

/* Do both have the same number of GPUs of each model? */
bool sw_slurm_nodes_have_same_gpus(const struct sw_slurm_node *one,
				   const struct sw_slurm_node *other);

/*
 * Return its instance type, or the feature that looks like one ("r6i.8xlarge"),
 * as set by AWS ParallelCluster; *length is its length.  NULL if neither.
 */
const char *sw_slurm_node_type(const struct sw_slurm_node *node,
			       size_t *length);

#endif
