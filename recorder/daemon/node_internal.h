/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the node's recorder; included by node*.c only. */
#ifndef SW_RECORDER_NODE_INTERNAL_H
#define SW_RECORDER_NODE_INTERNAL_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/daemon/cpu_budget.h"
#include "recorder/daemon/node.h"
#include "recorder/daemon/node_counts.h"
#include "recorder/daemon/node_guard.h"
#include "recorder/daemon/node_settings.h"
#include "recorder/daemon/node_socket.h"
#include "recorder/delivery/delivery.h"
#include "recorder/delivery/report_job.h"
#include "recorder/jobs/job.h"

enum { SW_NODE_POLLED_MAX = 8192, SW_NODE_REPORTS_MAX = 64 };

/* A report in progress, and the hook that waits for it */
struct sw_node_report {
	struct sw_report_job job;
	struct sw_node_peer *peer;	/* NULL: not waiting */
	bool is_open;			/* result not counted yet */
	bool is_late;			/* the hook has timed out */
	bool is_answered;		/* answered: waits for nodes */
};

struct sw_node {
	const struct sw_node_options *options;
	struct sw_node_settings settings;
	struct sw_node_guard guard;
	struct sw_node_place place;
	struct sw_share_pool memory, spool;
	struct sw_topology_load topology;
	struct sw_node_socket socket;
	struct sw_node_job *jobs;
	struct sw_deliveries *deliveries;	/* NULL: no deliveries */
	const char *profile_dir;		/* destination of deliveries */
	struct sw_node_report report[SW_NODE_REPORTS_MAX];
	struct sw_node_counts counts;
	int spool_fd, signal_fd;
	int steps_fd;			/* announced steps; or -1 */
	uint64_t round_usec;		/* time of the next check */
	uint64_t start_usec;		/* start of this recorder */
	struct sw_cpu_budget budget;
	bool is_ending;
	/* For steps without a cluster name; "": unknown */
	char cluster[SW_MESSAGE_NAME_SIZE];
	struct pollfd polled[SW_NODE_POLLED_MAX];
};

/* node_messages.c: receive and answer messages of the plugin ... */
void sw_node_receive_all(struct sw_node *node);
/* ... and process those dropped while no recorder listened. */
void sw_node_take_drop(struct sw_node *node);

/*
 * node_reports.c: begin the report at the end of a job; return true if the
 * answer to the hook has to wait for it ...
 */
bool sw_node_begin_report(struct sw_node *node, const struct sw_node_job *job,
			  const struct sw_message_step *step,
			  struct sw_node_peer *peer);
/* ... let a child close a job's file that came with a message ... */
void sw_node_let_go(struct sw_node *node, struct sw_node_peer *peer,
		    const struct sw_message_step *step);
/* ... reap children ... */
void sw_node_reap(struct sw_node *node);
/* ... and advance the reports. */
void sw_node_advance_reports(struct sw_node *node);

/* node_rounds.c: sample the steps that are due ... */
void sw_node_sample_due(struct sw_node *node);
/* ... check, once a second, for events without a message ... */
void sw_node_check_all(struct sw_node *node);
/* ... and finish jobs that Slurm has ended on this node. */
void sw_node_finish_jobs(struct sw_node *node);
/* Write the counts, including those of deliveries. */
void sw_node_write_counts(struct sw_node *node, bool is_end);
/* Return the time when the next of these is due. */
uint64_t sw_node_next_due(const struct sw_node *node);

/* node_adopt.c: remember an announced step, and forget it ... */
void sw_node_remember(struct sw_node *node,
		      const struct sw_message_step_start *start);
void sw_node_forget(struct sw_node *node, const struct sw_message_step *id);
/* ... finish a job's profile and schedule its delivery ... */
void sw_node_finish_job(struct sw_node *node, struct sw_node_job *job);
/* ... and continue what an earlier recorder has left in the spool. */
void sw_node_adopt(struct sw_node *node);

/*
 * node_close.c: end the recordings left by an earlier recorder, even of running
 * steps, and deliver them.  Return the exit status.
 */
int sw_node_close_spool(struct sw_node *node);

#endif
