/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Record a step of a job on this node, from its announcement to its end. */
#ifndef SW_RECORDER_STEP_H
#define SW_RECORDER_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/need.h"
#include "common/protocol.h"
#include "common/step_cgroup.h"
#include "recorder/cgroup/cgroup_v1.h"
#include "recorder/cgroup/available.h"
#include "recorder/jobs/final_values.h"
#include "recorder/jobs/step_account.h"
#include "recorder/kernel/share.h"
#include "recorder/programs/programs.h"
#include "recorder/sampler/sampler.h"
#include "recorder/sampler/watch.h"
#include "recorder/sources/source.h"
#include "recorder/tables/events.h"
#include "recorder/tables/identity.h"
#include "recorder/topology/topology_load.h"

/* Resources shared by all steps */
struct sw_node_place {
	int proc_fd;
	int sys_fd;			/* /sys; -1 */
	struct sw_shared *shared;	/* the node's sources; NULL: none */
	int cgroup_root_fd;		/* -1: no cgroup v2 */
	struct sw_cgroup_v1 v1_roots;
	struct sw_available available;	/* on the node */
	struct sw_topology_load *topology;	/* NULL: none */
	struct sw_sampler_self self;
	int peer_fd;		/* hook that waits for the start's answer; -1 */
	int summaries_fd;	/* socket of the summaries' writer; -1: none */
	struct sw_share_pool *memory, *spool;	/* shared by the jobs */
	struct sw_share *share;	/* memory share of the job in which a step
				 * begins */
	uint64_t resume_usec;	/* no samples until then: CPU limit */
};

/*
 * Busiest interval between two samples so far.  The exact time of a reading is
 * only known to lie between two times.
 */
struct sw_busiest {
	uint64_t asked_usec, read_usec;	/* 0: no interval yet */
	uint64_t usage_usec;		/* at that time */
	uint64_t cores_milli;		/* SW_MISSING: no interval ended */
};

struct sw_node_step {
	struct sw_node_step *next;	/* of the same job */
	struct sw_message_step id;
	char name[32];			/* "batch", "0", "12" */
	struct sw_writer *writer;	/* the job's */
	struct sw_events events;
	struct sw_target target;
	struct sw_cgroup_v1 v1;		/* of the target */
	struct sw_target_job job;	/* likewise */
	struct sw_programs *programs;		/* NULL: none */
	struct sw_sampler *sampler;	/* NULL: record only its end */
	struct sw_watch watch;
	struct sw_share *share;		/* the job's memory share */
	uint64_t share_bytes;		/* used by the step itself */
	char cgroup_form[SW_CGROUP_FORM_SIZE]; /* unknown form; "" */
	int stepd_fd;			/* pidfd of slurmstepd; -1: none */
	struct sw_message_task *tasks;
	struct sw_target_task *target_tasks;
	uint32_t task_count;
	struct sw_step_start shape;	/* as in its row; all texts but backend
					 * are freed */
	uint64_t start_usec;
	struct sw_need need;		/* so far */
	struct sw_busiest busiest;
	struct sw_step_account account;
	const struct sw_wait_tally *waits;	/* last reading; NULL */
	uint64_t next_usec, last_usec;	/* samples */
	uint64_t period_usec;		/* SW_MISSING: adaptive */
	bool is_put_off;		/* to keep to the CPU limit */
	/* Samples of a recorder that was killed, and the time of the last */
	uint64_t earlier_samples, earlier_usec;
	uint64_t lost_samples;
	uint64_t first_program;		/* key of its first program */
	uint64_t stepd_gone_usec;	/* 0: alive */
	int wait_status;		/* the highest of its tasks; -1: none */
	uint32_t told_tasks;	/* number named at its start */
	uint32_t ended_tasks;	/* number whose end is known */
	bool is_armed;
	bool is_stepd_unknown;		/* not found by its pid */
	bool is_beyond_share;		/* out of memory share: record only its
					 * end */
};

/*
 * Begin to record a step whose tasks wait to execute.  Opens what is available;
 * step->is_armed is true if that is everything.  NULL with *error if not even
 * its end can be recorded.  start NULL: record only its end.
 */
struct sw_node_step *sw_node_step_begin(const struct sw_node_place *place,
					struct sw_writer *writer, uint64_t key,
					const struct sw_message_step *id,
					const struct sw_message_step_start
						*start,
					struct sw_error *error);

/*
 * Likewise for a step that an earlier recorder began, without a row of its
 * start; keys of programs below first_program are in use.
 */
struct sw_node_step *
sw_node_step_adopt(const struct sw_node_place *place, struct sw_writer *writer,
		   uint64_t key, uint64_t first_program,
		   const struct sw_message_step_start *start,
		   struct sw_error *error);

/*
 * Take a sample of everything and schedule the next one.  is_put_off: the
 * sample was due earlier, but delayed by the CPU limit.
 */
void sw_node_step_sample(struct sw_node_step *step,
			 const struct sw_sampler_self *self, bool is_put_off);

/* Read memory.events, which may have changed. */
void sw_node_step_check(struct sw_node_step *step);

/* Record the end of a task. */
void sw_node_step_task_end(struct sw_node_step *step,
			   const struct sw_message_task *task, int wait_status,
			   const struct sw_final_values *final_values,
			   const char *final_source);

/* Return the wait status of all tasks; -1 if the end of one is unknown. */
int sw_node_step_status(int wait_status, uint32_t told_tasks,
			uint32_t ended_tasks);

/*
 * End and free the step: last sample, with the recorder's own cost if is_last,
 * and summary.  final_values NULL: not received; final_source is "hook", "drop"
 * or "lost".
 */
void sw_node_step_end(struct sw_node_step *step,
		      const struct sw_node_place *place,
		      const struct sw_sampler_self *self, bool is_last,
		      const struct sw_final_values *final_values,
		      const char *final_source);

/* Free the step without a row: another recorder will continue it. */
void sw_node_step_forget(struct sw_node_step *step);

/*
 * Did this slurmstepd, among those of the same step number, send the message?
 * Identified by its start time, since another pid namespace may use a different
 * pid.
 */
bool sw_node_is_same_stepd(uint32_t pid, uint64_t start_ticks,
			   const struct sw_message_step *id);

/* Is the message about this step, and not another one of the same number? */
bool sw_node_step_is(const struct sw_node_step *step,
		     const struct sw_message_step *id);

#endif
