/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the node's recorder; only node*.c include this. */
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
#include "recorder/jobs/node_job.h"

enum { SW_NODE_POLLED_MAX = 8192, SW_NODE_REPORTS_MAX = 64 };

/* A report that is made, and the hook that waits for it. */
struct sw_node_report {
	struct sw_report_job job;
	struct sw_node_peer *peer;	/* NULL: nobody, or not any more */
	bool is_open;			/* how it ends is not counted yet */
	bool is_late;			/* the hook has ceased to wait */
	bool is_answered;		/* it never did: others are waited for */
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
	struct sw_deliveries *deliveries;	/* NULL: none are made */
	const char *profile_dir;		/* to which these go */
	struct sw_node_report report[SW_NODE_REPORTS_MAX];
	struct sw_node_counts counts;
	int spool_fd, signal_fd;
	int steps_fd;			/* folder of announced steps; -1 */
	uint64_t round_usec;		/* of the next look around */
	uint64_t start_usec;		/* of this recorder */
	struct sw_cpu_budget budget;
	bool is_ending;
	/* Of steps that do not know it; "": nor do we. */
	char cluster[SW_MESSAGE_NAME_SIZE];
	struct pollfd polled[SW_NODE_POLLED_MAX];
};

/* node_messages.c: take and answer what the plugin has sent ... */
void sw_node_receive_all(struct sw_node *node);
/* ... and take what was dropped while nobody listened, if anything was. */
void sw_node_take_drop(struct sw_node *node);

/*
 * node_reports.c: begin the report at a job's end; true where the hook's
 * answer has to wait for it ...
 */
bool sw_node_begin_report(struct sw_node *node, const struct sw_node_job *job,
			  const struct sw_message_step *step,
			  struct sw_node_peer *peer);
/* ... have a child let go of a job's file that came with a message ... */
void sw_node_let_go(struct sw_node *node, struct sw_node_peer *peer,
		    const struct sw_message_step *step);
/* ... take the ends of children ... */
void sw_node_reap(struct sw_node *node);
/* ... and go on with the reports. */
void sw_node_advance_reports(struct sw_node *node);

/* node_rounds.c: sample the steps that are due ... */
void sw_node_sample_due(struct sw_node *node);
/* ... look, once a second, at what nobody tells of ... */
void sw_node_check_all(struct sw_node *node);
/* ... and finish jobs that Slurm has ended here. */
void sw_node_finish_jobs(struct sw_node *node);
/* Write the counts, with those of deliveries. */
void sw_node_write_counts(struct sw_node *node, bool is_end);
/* When the next of these is due. */
uint64_t sw_node_next_due(const struct sw_node *node);

/* node_adopt.c: remember an announced step, and forget it ... */
void sw_node_remember(struct sw_node *node,
		      const struct sw_message_step_start *start);
void sw_node_forget(struct sw_node *node, const struct sw_message_step *id);
/* ... finish a job's profile and see that it is delivered ... */
void sw_node_finish_job(struct sw_node *node, struct sw_node_job *job);
/* ... and go on with what an earlier recorder has left in the spool. */
void sw_node_adopt(struct sw_node *node);

/*
 * node_close.c: end the recordings that an earlier recorder has left, though
 * their steps run, and deliver them.  The process's exit status.
 */
int sw_node_close_spool(struct sw_node *node);

#endif
