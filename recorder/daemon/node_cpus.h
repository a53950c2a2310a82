/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPUs that the node's recorder keeps to.  Where a site has set CPUs aside
 * (CoreSpecCount or CpuSpecList of slurm.conf), slurmd keeps to these, or with
 * TaskPluginParam=SlurmdOffSpec away from them, by its cgroup's cpuset or its
 * affinity; either way they are in its affinity mask before it loads plugins
 * (_core_spec_init() of slurmd.c, 22.05 to 26.05).  The recorder stays where
 * slurmd is.
 */
#ifndef SW_RECORDER_NODE_CPUS_H
#define SW_RECORDER_NODE_CPUS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Keep the CPUs of the caller when its cgroup is left.  Those of a unit of
 * systemd (CPUAffinity=) stay where slurmd has all; slurmd's own do not.
 */
void sw_node_cpus_begin(bool is_of_slurmd);

/* A process that has asked whether we are here: slurmd has just begun. */
void sw_node_cpus_follow(pid_t pid);

/* As the slurm.conf at path, or (NULL) at the usual places, has slurmd's pid. */
void sw_node_cpus_follow_slurmd(const char *slurm_conf);

#endif
