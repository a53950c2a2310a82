/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IP traffic of a step: counted at its cgroup by BPF, or from the interfaces of
 * its network namespace if it has its own.  Excluded are local sockets
 * (AF_UNIX), RDMA, and traffic of the kernel itself, such as NFS and Lustre.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "recorder/bpf/net_bpf.h"
#include "recorder/kernel/kernlines.h"
#include "recorder/sources/source.h"

enum {
	RX_BYTES, RX_PACKETS, TX_BYTES, TX_PACKETS,
	LOOPBACK_RX_BYTES, LOOPBACK_RX_PACKETS,
	LOOPBACK_TX_BYTES, LOOPBACK_TX_PACKETS,
	RUNG, COLUMNS,
};

enum { WHOLE = RX_BYTES, LOOPBACK = LOOPBACK_RX_BYTES, SUMS = RUNG };

static const struct sw_column columns[COLUMNS] = {
	[RX_BYTES] = { "rx_bytes", "bytes", SW_KIND_COUNTER,
		       "IP bytes received from the network." },
	[RX_PACKETS] = { "rx_packets", "count", SW_KIND_COUNTER,
			 "IP packets received from the network." },
	[TX_BYTES] = { "tx_bytes", "bytes", SW_KIND_COUNTER,
		       "IP bytes sent to the network." },
	[TX_PACKETS] = { "tx_packets", "count", SW_KIND_COUNTER,
			 "IP packets sent to the network." },
	[LOOPBACK_RX_BYTES] = { "loopback.rx_bytes", "bytes", SW_KIND_COUNTER,
				"IP bytes received from this node itself." },
	[LOOPBACK_RX_PACKETS] = { "loopback.rx_packets", "count",
				  SW_KIND_COUNTER,
				  "IP packets received from this node "
				  "itself." },
	[LOOPBACK_TX_BYTES] = { "loopback.tx_bytes", "bytes", SW_KIND_COUNTER,
				"IP bytes sent to this node itself." },
	[LOOPBACK_TX_PACKETS] = { "loopback.tx_packets", "count",
				  SW_KIND_COUNTER,
				  "IP packets sent to this node itself." },
	[RUNG] = { "backend", "", SW_KIND_STATE,
		   "The backend: 1 at the step's cgroup, 2 by the interfaces "
		   "of its network namespace." },
};

enum backend { BY_CGROUP = 1, BY_NAMESPACE = 2 };

struct state {
	enum backend backend;
	struct sw_net_bpf bpf;
	pid_t pid;		/* owner of the namespace; inode of its file */
	ino_t inode;
	struct sw_kernlines lines;
};

#ifndef HAVE_LIBBPF
void sw_net_bpf_prepare(void)
{
}

enum sw_read_status sw_net_bpf_attach(struct sw_net_bpf *net, int cgroup_fd)
{
	(void)net;
	(void)cgroup_fd;
	return SW_READ_ABSENT;
}

enum sw_read_status sw_net_bpf_read(const struct sw_net_bpf *net,
				    struct sw_net_counts counts[SW_NET_WAYS])
{
	(void)net;
	(void)counts;
	return SW_READ_ABSENT;
}

void sw_net_bpf_detach(struct sw_net_bpf *net)
{
	(void)net;
}
#endif

/*
 * Open the interfaces of the process if its network namespace is not the
 * recorder's: the file has another inode in each namespace.  Opened for each
 * read: an open file would keep the namespace alive.
 */
static enum sw_read_status open_interfaces(const struct state *state,
					   const struct sw_target *target,
					   struct sw_kernfile *file,
					   ino_t *inode)
{
	enum sw_read_status status;
	struct stat theirs, own;
	char path[32];

	snprintf(path, sizeof(path), "%d/net/dev", (int)state->pid);
	status = sw_kernfile_open(file, target->proc_fd, path);
	if (status != SW_READ_OK)
		return status;
	*inode = fstat(file->fd, &theirs) == 0 ? theirs.st_ino : 0;
	if (*inode == 0 ||
	    fstatat(target->proc_fd, "self/net/dev", &own, 0) < 0 ||
	    own.st_ino == theirs.st_ino) {
		sw_kernfile_close(file);
		return SW_READ_ABSENT;
	}
	return SW_READ_OK;
}

static enum sw_read_status open_namespace(struct state *state,
					  const struct sw_target *target)
{
	enum sw_read_status status;
	struct sw_kernfile file;

	state->pid = target->task_count ? target->tasks[0].pid :
					  target->root_pid;
	status = open_interfaces(state, target, &file, &state->inode);
	sw_kernfile_close(&file);
	state->backend = BY_NAMESPACE;
	return status == SW_READ_OK ? SW_READ_OK : SW_READ_ABSENT;
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	if (sw_net_bpf_attach(&state->bpf, target->cgroup_fd) == SW_READ_OK) {
		state->backend = BY_CGROUP;
		return SW_READ_OK;
	}
	return open_namespace(state, target);
}

static enum sw_read_status read_cgroup(const struct state *state,
				       const struct sw_target *target,
				       uint64_t *values)
{
	struct sw_net_counts counts[SW_NET_WAYS];
	enum sw_read_status status;
	struct stat alive;
	int i;

	/* The counters outlive the cgroup for an unknown time. */
	if (fstatat(target->cgroup_fd, "cgroup.procs", &alive, 0) < 0)
		return SW_READ_GONE;
	status = sw_net_bpf_read(&state->bpf, counts);
	for (i = 0; status == SW_READ_OK && i < SW_NET_WAYS; i++) {
		size_t way = i == SW_NET_RECEIVED ? RX_BYTES : TX_BYTES;

		values[WHOLE + way] = counts[i].bytes;
		values[WHOLE + way + 1] = counts[i].packets;
		values[LOOPBACK + way] = counts[i].loopback_bytes;
		values[LOOPBACK + way + 1] = counts[i].loopback_packets;
	}
	return status;
}

/* "  eth0: bytes packets errs drop fifo frame compressed multicast bytes.." */
static int add_interface(char *line, uint64_t *values)
{
	enum { FIELDS = 16, SENT = 8 };
	char *name = line + strspn(line, " "), *colon = strrchr(name, ':');
	const char *p = colon ? colon + 1 : "";
	uint64_t field[FIELDS], *sum;

	if (!colon || sw_kern_next_u64s(&p, field, FIELDS) < 0)
		return -1;
	*colon = '\0';
	sum = values + (strcmp(name, "lo") ? WHOLE : LOOPBACK);
	sum[RX_BYTES] = sw_add_u64(sum[RX_BYTES], field[0]);
	sum[RX_PACKETS] = sw_add_u64(sum[RX_PACKETS], field[1]);
	sum[TX_BYTES] = sw_add_u64(sum[TX_BYTES], field[SENT]);
	sum[TX_PACKETS] = sw_add_u64(sum[TX_PACKETS], field[SENT + 1]);
	return 0;
}

static enum sw_read_status add_interfaces(struct sw_kernlines *lines,
					  const struct sw_kernfile *file,
					  uint64_t *values)
{
	enum sw_read_status status;
	unsigned number = 0;
	char *line;

	memset(values, 0, SUMS * sizeof(*values));
	sw_kernlines_begin(lines, file);
	for (;;) {
		status = sw_kernlines_next(lines, &line);
		if (status == SW_READ_OK && !line)
			return number > 2 ? SW_READ_OK : SW_READ_GARBAGE;
		if (status != SW_READ_OK)
			return status;
		/* two header lines */
		if (number++ >= 2 && add_interface(line, values) < 0)
			return SW_READ_GARBAGE;
	}
}

static enum sw_read_status read_namespace(struct state *state,
					  const struct sw_target *target,
					  uint64_t *values)
{
	enum sw_read_status status;
	struct sw_kernfile file;
	ino_t inode;

	/* The task has exited, and its pid may be reused. */
	if (open_interfaces(state, target, &file, &inode) != SW_READ_OK)
		return SW_READ_GONE;
	status = inode == state->inode ?
		 add_interfaces(&state->lines, &file, values) : SW_READ_GONE;
	sw_kernfile_close(&file);
	return status;
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	struct state *state = memory;
	enum sw_read_status status;

	status = state->backend == BY_CGROUP
			 ? read_cgroup(state, target, values)
			 : read_namespace(state, target, values);
	if (status == SW_READ_OK)
		values[RUNG] = state->backend;
	else
		sw_set_missing(values, COLUMNS);
	return status;
}

static void close_source(void *memory)
{
	struct state *state = memory;

	sw_net_bpf_detach(&state->bpf);
}

const struct sw_source sw_src_net = {
	.name = "net",
	.backend = "bpf.cgroup_skb",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.read = read_source,
	.absence = "no BPF at the step's cgroup, and no network namespace of "
		   "its own",
	.close = close_source,
};
