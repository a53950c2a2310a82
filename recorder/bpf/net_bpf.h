/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Count bytes and packets of a cgroup by BPF.  Loading needs CAP_BPF and
 * CAP_NET_ADMIN, or root; attaching needs a kernel with cgroup links (5.7), so
 * that nothing stays attached if the recorder is killed.
 */
#ifndef SW_RECORDER_NET_BPF_H
#define SW_RECORDER_NET_BPF_H

#include <stdint.h>

#include "recorder/bpf/net_counts.h"
#include "recorder/kernel/kernfile.h"

enum sw_net_way { SW_NET_RECEIVED, SW_NET_SENT, SW_NET_WAYS };

/* A cgroup whose packets are counted */
struct sw_net_bpf {
	void *link[SW_NET_WAYS];	/* NULL: not attached */
	uint64_t cgroup_id;
};

/* Load the programs now rather than at the first attach. */
void sw_net_bpf_prepare(void);

/* Attach to a cgroup; *net must be zeroed.  Return ABSENT if unavailable. */
enum sw_read_status sw_net_bpf_attach(struct sw_net_bpf *net, int cgroup_fd);

/* Sum the counts of all CPUs.  Return GONE if the cgroup was removed. */
enum sw_read_status sw_net_bpf_read(const struct sw_net_bpf *net,
				    struct sw_net_counts counts[SW_NET_WAYS]);

void sw_net_bpf_detach(struct sw_net_bpf *net);

#endif
