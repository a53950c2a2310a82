/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Network traffic of the step and, for the node with all its users while the
 * step ran: links, mounts, CPUs and energy.  SW_MISSING, NAN and NULL mean
 * "unknown".
 */
#ifndef SW_ANALYZER_VIEW_NODE_H
#define SW_ANALYZER_VIEW_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/limits.h"

/* IP traffic of the step itself. */
struct sw_view_network {
	const char *source;		/* "cgroup", "namespace" */
	uint64_t received_bytes, received_packets;
	uint64_t sent_bytes, sent_packets;
	uint64_t loopback_received_bytes, loopback_sent_bytes;
};

/* A network interface or InfiniBand port with traffic. */
struct sw_view_link {
	const char *kind, *name;	/* "interface", "port" */
	const char *detail;		/* "device", "InfiniBand" */
	uint64_t received_bytes, sent_bytes;
	uint64_t errors;		/* errors and drops, both ways */
	uint64_t bits_per_sec;
	uint64_t full_usec;		/* above SW_LINK_FULL_RATIO */
	double peak_utilization;	/* between two samples */
};

/* A mount used by anybody. */
struct sw_view_mount {
	const char *name;		/* "/home"; Lustre's file system */
	const char *detail;		/* "nfs4 server:/export" */
	uint64_t read_bytes, written_bytes;	/* for Lustre, by programs */
	uint64_t reads, writes, opens, getattrs, requests;
	uint64_t read_usec, write_usec, request_usec;	/* summed waits */
	uint64_t retransmits;
};

struct sw_view_energy {
	uint64_t node_uj;		/* processors and memory of the node */
	double cpu_share;		/* of the node's busy CPU time */
	uint64_t step_uj;		/* estimate: node_uj * cpu_share */
};

struct sw_view_surroundings {
	uint64_t busy_usec, idle_usec, iowait_usec, steal_usec;	/* CPU time */
	uint64_t other_usec;		/* busy_usec without the step's */
	uint64_t other_jobs_usec;	/* part of it used by other jobs */
	uint64_t available_bytes;	/* memory, minimum of all samples */
	/* Memory controllers, all users. */
	uint64_t memory_read_bytes, memory_written_bytes;
};

/* A PAPI component configured by the site, or one of its events. */
struct sw_view_reading {
	const char *kind, *name;	/* "component", "event" */
	const char *detail;	/* unit; why a component is not read */
	uint64_t events;		/* number read of a component */
	/* Event values in samples during the step. */
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
 * Return the user of CPUs that a runnable step lost: others on the node unless
 * evidence contradicts it; the host of a virtual machine if steal time is large
 * enough and exceeds others' CPU time; or unseen, if both explain less than
 * half of the loss.
 */
enum sw_cpu_taker { SW_TAKEN_BY_OTHERS, SW_TAKEN_BY_HOST, SW_TAKEN_UNSEEN };
enum sw_cpu_taker sw_cpu_taker(const struct sw_view_surroundings *around,
			       uint64_t lost_usec);

/* CPU time stolen by the host, and used by others on the node, as shares of
 * the node's CPU time; NAN if unknown. */
double sw_stolen_ratio(const struct sw_view_surroundings *around);
double sw_others_ratio(const struct sw_view_surroundings *around);

/* Network interface of a device; layers above carry the same traffic. */
bool sw_link_is_device(const struct sw_view_link *link);

/* The network device with most traffic, or NULL. */
const struct sw_view_link *sw_view_busiest_device(
	const struct sw_view_node *node);

#endif
