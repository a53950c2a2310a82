/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of the cluster as "scontrol show node -o" has them. */
#ifndef SW_ANALYZER_SLURM_NODES_H
#define SW_ANALYZER_SLURM_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* Texts are of the answer, "" where Slurm does not say; numbers NAN. */
struct sw_slurm_node {
	const char *name;
	const char *instance_type; /* InstanceType, Slurm 23.11 and up */
	const char *features;	   /* "a,b,c" */
	const char *gres;	   /* "gpu:a100:4(S:0-1),craynetwork:4" */
	double cpus, memory_mib, gpus;
};

/* All zero is none. */
struct sw_slurm_nodes {
	struct sw_slurm_node *items;
	size_t count;
	char *text;
};

/*
 * Takes the text, which malloc() gave; lines that name no node are no nodes.
 * 0, or -1 (errno ENOMEM).
 */
int sw_slurm_nodes_parse(struct sw_slurm_nodes *nodes, char *text);

/* Asks scontrol.  0, or -1 with *error. */
int sw_slurm_nodes_ask(struct sw_slurm_nodes *nodes, struct sw_error *error);
void sw_slurm_nodes_fini(struct sw_slurm_nodes *nodes);

bool sw_slurm_node_has_feature(const struct sw_slurm_node *node,
			       const char *feature);

/* Whether both have as many GPUs of each model. */
bool sw_slurm_nodes_have_same_gpus(const struct sw_slurm_node *one,
				   const struct sw_slurm_node *other);

/*
 * Its instance type, or the feature that looks like one ("r6i.8xlarge"), as
 * AWS ParallelCluster sets it; *length is that of the text.  NULL: neither.
 */
const char *sw_slurm_node_type(const struct sw_slurm_node *node,
			       size_t *length);

#endif
