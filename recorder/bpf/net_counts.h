/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input of net.bpf.c from the kernel, and its counters */
#ifndef SW_RECORDER_NET_COUNTS_H
#define SW_RECORDER_NET_COUNTS_H

/* Counters, per cgroup, direction and CPU */
struct sw_net_counts {
	unsigned long long bytes, packets;	/* without loopback */
	unsigned long long loopback_bytes, loopback_packets;
};

/*
 * The members of struct __sk_buff (linux/bpf.h) that are used, so that the
 * build needs no kernel header.  net_bpf.c checks their offsets.
 */
struct sw_net_packet {
	unsigned int len;
	unsigned int unused_after_len[9];
	unsigned int ifindex;
	unsigned int unused_after_ifindex[30];
	unsigned int gso_segs;
};

/* struct bpf_cgroup_storage_key of the same header */
struct sw_net_key {
	unsigned long long cgroup_id;
	unsigned int attach_type;
};

#endif
