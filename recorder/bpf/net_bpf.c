/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Count bytes and packets of a cgroup by a BPF program attached to it.  With
 * programs_bpf.c the only user of libbpf.
 */
#include "recorder/bpf/net_bpf.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "recorder/bpf/net.skel.h"

#define IS_SAME(mine, member, theirs, other) \
	(offsetof(struct mine, member) == offsetof(struct theirs, other))

_Static_assert(IS_SAME(sw_net_packet, len, __sk_buff, len) &&
	       IS_SAME(sw_net_packet, ifindex, __sk_buff, ifindex) &&
	       IS_SAME(sw_net_packet, gso_segs, __sk_buff, gso_segs),
	       "a packet as the kernel shows it");
_Static_assert(sizeof(struct sw_net_key) ==
		       sizeof(struct bpf_cgroup_storage_key) &&
	       IS_SAME(sw_net_key, attach_type, bpf_cgroup_storage_key,
		       attach_type),
	       "the key of a cgroup's counters");

static const enum bpf_attach_type attach_types[SW_NET_WAYS] = {
	[SW_NET_RECEIVED] = BPF_CGROUP_INET_INGRESS,
	[SW_NET_SENT] = BPF_CGROUP_INET_EGRESS,
};

/* Shared by all cgroups until the process exits */
static struct {
	struct net_bpf *skeleton;	/* NULL: not loaded */
	struct sw_net_counts *by_cpu;	/* buffer for one read */
	size_t cpus;
	bool is_refused;		/* loading failed: do not retry */
} feed;

static int be_quiet(enum libbpf_print_level level, const char *format,
		    va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

static bool load(void)
{
	int cpus;

	if (feed.skeleton || feed.is_refused)
		return feed.skeleton != NULL;
	libbpf_set_print(be_quiet);
	cpus = libbpf_num_possible_cpus();
	if (cpus > 0)
		feed.by_cpu = calloc((size_t)cpus, sizeof(*feed.by_cpu));
	if (feed.by_cpu)
		feed.skeleton = net_bpf__open_and_load();
	feed.cpus = cpus > 0 ? (size_t)cpus : 0;
	feed.is_refused = !feed.skeleton;
	return feed.skeleton != NULL;
}

void sw_net_bpf_prepare(void)
{
	load();
}

enum sw_read_status sw_net_bpf_attach(struct sw_net_bpf *net, int cgroup_fd)
{
	const struct bpf_program *program[SW_NET_WAYS];
	struct stat status;
	int i;

	if (cgroup_fd < 0 || fstat(cgroup_fd, &status) < 0 || !load())
		return SW_READ_ABSENT;
	/* The kernel identifies a cgroup by the inode of its directory. */
	net->cgroup_id = status.st_ino;
	program[SW_NET_RECEIVED] = feed.skeleton->progs.on_ingress;
	program[SW_NET_SENT] = feed.skeleton->progs.on_egress;
	for (i = 0; i < SW_NET_WAYS; i++) {
		net->link[i] = bpf_program__attach_cgroup(program[i],
							  cgroup_fd);
		if (!net->link[i]) {
			sw_net_bpf_detach(net);
			return SW_READ_ABSENT;
		}
	}
	return SW_READ_OK;
}

static enum sw_read_status read_way(const struct sw_net_bpf *net, int way,
				    struct sw_net_counts *sum)
{
	struct sw_net_key key = {
		.cgroup_id = net->cgroup_id,
		.attach_type = attach_types[way],
	};
	size_t i;

	if (bpf_map__lookup_elem(feed.skeleton->maps.counts, &key, sizeof(key),
				 feed.by_cpu,
				 feed.cpus * sizeof(*feed.by_cpu), 0) < 0)
		return errno == ENOENT ? SW_READ_GONE : SW_READ_ABSENT;
	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < feed.cpus; i++) {
		sum->bytes += feed.by_cpu[i].bytes;
		sum->packets += feed.by_cpu[i].packets;
		sum->loopback_bytes += feed.by_cpu[i].loopback_bytes;
		sum->loopback_packets += feed.by_cpu[i].loopback_packets;
	}
	return SW_READ_OK;
}

enum sw_read_status sw_net_bpf_read(const struct sw_net_bpf *net,
				    struct sw_net_counts counts[SW_NET_WAYS])
{
	enum sw_read_status status = SW_READ_OK;
	int i;

	for (i = 0; i < SW_NET_WAYS && status == SW_READ_OK; i++)
		status = read_way(net, i, &counts[i]);
	return status;
}

void sw_net_bpf_detach(struct sw_net_bpf *net)
{
	int i;

	for (i = 0; i < SW_NET_WAYS; i++) {
		bpf_link__destroy(net->link[i]);
		net->link[i] = NULL;
	}
}
