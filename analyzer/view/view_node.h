/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a profile says of the step's network traffic and, of the node with all
 * its users while the step ran, of links, mounts, CPUs and energy.
 * SW_MISSING, NAN and NULL mean "could not be known".
 */
#ifndef SW_ANALYZER_VIEW_NODE_H
#define SW_ANALYZER_VIEW_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/limits.h"

/* The step's own, by IP. */
struct sw_view_network {
	const char *source;		/* "cgroup", "namespace" */
	uint64_t received_bytes, received_packets;
	uint64_t sent_bytes, sent_packets;
	uint64_t loopback_received_bytes, loopback_sent_bytes;
};

/* An interface, or a port of InfiniBand, that carried anything. */
struct sw_view_link {
	const char *kind, *name;	/* "interface", "port" */
	const char *detail;		/* "device", "InfiniBand" */
	uint64_t received_bytes, sent_bytes;
	uint64_t errors;		/* errors and drops, both ways */
	uint64_t bits_per_sec;
	uint64_t full_usec;		/* time above SW_LINK_FULL_RATIO */
	double peak_utilization;	/* of an interval between two samples */
};

/* A mount that was used, by whomever. */
struct sw_view_mount {
	const char *name;		/* "/home"; Lustre's file system */
	const char *detail;		/* "nfs4 server:/export" */
	uint64_t read_bytes, written_bytes;	/* of Lustre by programs */
	uint64_t reads, writes, opens, getattrs, requests;
	uint64_t read_usec, write_usec, request_usec;	/* summed waits */
	uint64_t retransmits;
};

struct sw_view_energy {
	uint64_t node_uj;		/* processors and memory of the node */
	double cpu_share;		/* of the node's busy CPU time */
	uint64_t step_uj;		/* an estimate: node_uj by cpu_share */
};

struct sw_view_surroundings {
	uint64_t busy_usec, idle_usec, iowait_usec, steal_usec;	/* CPU time */
	uint64_t other_usec;		/* busy_usec less the step's own */
	uint64_t other_jobs_usec;	/* of that: jobs, but for its own */
	uint64_t available_bytes;	/* memory, the least of all samples */
	/* By its memory controllers, for all users. */
	uint64_t memory_read_bytes, memory_written_bytes;
};

/* A component of PAPI that the site named, or one of its events. */
struct sw_view_reading {
	const char *kind, *name;	/* "component", "event" */
	const char *detail;	/* its unit; why a component is not read */
	uint64_t events;		/* of a component, that are read */
	/* Of an event, in samples while the step ran. */
	uint64_t last, smallest, largest;
};

struct sw_view_node {
	struct sw_view_link *links;	/* by bytes, most first */
	size_t link_count;
	struct sw_view_mount *mounts;	/* by bytes, most first */
	size_t mount_count;
	struct sw_view_reading *readings;	/* components, then events */
	size_t reading_count;
	struct sw_view_energy energy;
	struct sw_view_surroundings around;
};

/*
 * Who had the CPUs of a step that could have run: others on the node, as far as
 * nothing speaks against it; the host of a virtual machine, where it took more
 * CPU time than others used, and enough to tell; or nobody that was seen, where
 * both did not use half of what was lost.
 */
enum sw_cpu_taker { SW_TAKEN_BY_OTHERS, SW_TAKEN_BY_HOST, SW_TAKEN_UNSEEN };
enum sw_cpu_taker sw_cpu_taker(const struct sw_view_surroundings *around,
			       uint64_t lost_usec);

/* CPU time that the host took, and that others on the node used, as shares of
 * all that the node had; NAN. */
double sw_stolen_ratio(const struct sw_view_surroundings *around);
double sw_others_ratio(const struct sw_view_surroundings *around);

/* A network interface; what lies above devices carries the same again. */
bool sw_link_is_device(const struct sw_view_link *link);

/* The one of them that carried most; NULL: there is none. */
const struct sw_view_link *sw_view_busiest_device(
	const struct sw_view_node *node);

#endif
