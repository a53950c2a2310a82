/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Count the IP packets of a step's sockets, both directions.  The kernel runs
 * this for sockets created in the cgroup it is attached to, and in its
 * descendants.  Counts are per CPU, since a step sends on many CPUs at once.
 */
#include "recorder/bpf/bpf_types.h"

#include <bpf/bpf_helpers.h>

#include "recorder/bpf/net_counts.h"

enum {
	/* LOOPBACK_IFINDEX of include/net/flow.h: the same in each namespace */
	LOOPBACK = 1,
	PASS = 1,
};

/* Counters per cgroup and direction, created by the kernel at attach */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE);
	__type(key, struct sw_net_key);
	__type(value, struct sw_net_counts);
} counts SEC(".maps");

static int count(const struct sw_net_packet *packet)
{
	struct sw_net_counts *sum = bpf_get_local_storage(&counts, 0);
	/* A segmented or merged packet (GSO, GRO) counts as many. */
	__u32 packets = packet->gso_segs ? packet->gso_segs : 1;

	if (packet->ifindex == LOOPBACK) {
		sum->loopback_bytes += packet->len;
		sum->loopback_packets += packets;
	} else {
		sum->bytes += packet->len;
		sum->packets += packets;
	}
	return PASS;
}

SEC("cgroup_skb/ingress")
int on_ingress(struct sw_net_packet *packet)
{
	return count(packet);
}

SEC("cgroup_skb/egress")
int on_egress(struct sw_net_packet *packet)
{
	return count(packet);
}

char LICENSE[] SEC("license") = "GPL";
