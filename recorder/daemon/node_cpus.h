/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bind the node's recorder to slurmd's CPUs.  If a site reserves CPUs
 * (CoreSpecCount or CpuSpecList in slurm.conf), slurmd confines itself to
 * these, or with TaskPluginParam=SlurmdOffSpec to the others, by a cpuset or
 * its affinity; either way they are in its affinity mask before it loads
 * plugins (_core_spec_init() of slurmd.c, 22.05 to 26.05).  The recorder uses
 * the same CPUs as slurmd.
 */
#ifndef SW_RECORDER_NODE_CPUS_H
#define SW_RECORDER_NODE_CPUS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Keep the caller's CPUs when leaving its cgroup.  Those of a systemd unit
 * (CPUAffinity=) are kept if slurmd may use all; slurmd's own are not.
 */
void sw_node_cpus_begin(bool is_of_slurmd);

/* Follow a process that has sent a ping: slurmd has just started. */
void sw_node_cpus_follow(pid_t pid);

/* Follow slurmd by its pid file in slurm.conf; path NULL: usual locations. */
void sw_node_cpus_follow_slurmd(const char *slurm_conf);

#endif
