/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One step of a job on this node, from its announcement to its end. */
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

/* What all steps share. */
struct sw_node_place {
	int proc_fd;
	int sys_fd;			/* /sys; -1 */
	struct sw_shared *shared;	/* sources of the node; NULL: none */
	int cgroup_root_fd;		/* -1: no cgroup v2 here */
	struct sw_cgroup_v1 v1_roots;
	struct sw_available available;	/* of the node */
	struct sw_topology_load *topology;	/* NULL: none */
	struct sw_sampler_self self;
	int peer_fd;		/* of who waits for the start's answer; -1 */
	int summaries_fd;	/* the writer of summaries; -1: none */
	struct sw_share_pool *memory, *spool;	/* that jobs share */
	struct sw_share *share;	/* of memory, of the job a step begins in */
	uint64_t resume_usec;	/* no sample until then: the CPU limit */
};

/*
 * The busiest time between two samples, as known so far.  When exactly the
 * kernel was asked is only known to lie between two moments.
 */
struct sw_busiest {
	uint64_t asked_usec, read_usec;	/* 0: no time began yet */
	uint64_t usage_usec;		/* then */
	uint64_t cores_milli;		/* SW_MISSING: none ended */
};

struct sw_node_step {
	struct sw_node_step *next;	/* of the same job */
	struct sw_message_step id;
	char name[32];			/* "batch", "0", "12" */
	struct sw_writer *writer;	/* the job's */
	struct sw_events events;
	struct sw_target target;
	struct sw_cgroup_v1 v1;		/* the target's */
	struct sw_target_job job;	/* likewise */
	struct sw_programs *programs;		/* NULL: none */
	struct sw_sampler *sampler;	/* NULL: only its end is recorded */
	struct sw_watch watch;
	struct sw_share *share;		/* the job's, of memory */
	uint64_t share_bytes;		/* what the step takes by itself */
	char cgroup_form[SW_CGROUP_FORM_SIZE]; /* that is not understood; "" */
	int stepd_fd;			/* pidfd of slurmstepd; -1: none */
	struct sw_message_task *tasks;
	struct sw_target_task *target_tasks;
	uint32_t task_count;
	struct sw_step_start shape;	/* as its row said; its texts are
					 * gone but for backend */
	uint64_t start_usec;
	struct sw_need need;		/* as known so far */
	struct sw_busiest busiest;
	struct sw_step_account account;
	const struct sw_wait_tally *waits;	/* as last read; NULL */
	uint64_t next_usec, last_usec;	/* samples */
	uint64_t period_usec;		/* SW_MISSING: adaptive */
	bool is_put_off;		/* to keep to the CPU limit */
	/* Of a recorder that was killed: samples, and the last one's time. */
	uint64_t earlier_samples, earlier_usec;
	uint64_t lost_samples;
	uint64_t first_program;		/* key of its first program */
	uint64_t stepd_gone_usec;	/* 0: it lives */
	int wait_status;		/* the highest of its tasks; -1: none */
	uint32_t told_tasks;	/* that its start named */
	uint32_t ended_tasks;	/* of which the end is known */
	bool is_armed;
	bool is_stepd_unknown;		/* there is none of its number here */
	bool is_beyond_share;		/* of memory: only its end is recorded */
};

/*
 * Begin to record a step whose tasks wait to execute.  Takes what can be had;
 * step->is_armed says whether that is all.  NULL with *error where not even
 * its end could be recorded.  With start NULL: only its end will be.
 */
struct sw_node_step *sw_node_step_begin(const struct sw_node_place *place,
					struct sw_writer *writer, uint64_t key,
					const struct sw_message_step *id,
					const struct sw_message_step_start
						*start,
					struct sw_error *error);

/*
 * Likewise a step that an earlier recorder began, with no row of its start;
 * keys of programs below first_program are taken.
 */
struct sw_node_step *
sw_node_step_adopt(const struct sw_node_place *place, struct sw_writer *writer,
		   uint64_t key, uint64_t first_program,
		   const struct sw_message_step_start *start,
		   struct sw_error *error);

/*
 * A sample of everything, and when the next one is due.  is_put_off: it was
 * due before, and came later to keep to the CPU limit.
 */
void sw_node_step_sample(struct sw_node_step *step,
			 const struct sw_sampler_self *self, bool is_put_off);

/* memory.events has changed, or may have. */
void sw_node_step_check(struct sw_node_step *step);

/* A task has ended. */
void sw_node_step_task_end(struct sw_node_step *step,
			   const struct sw_message_task *task, int wait_status,
			   const struct sw_final_values *final_values,
			   const char *final_source);

/* What wait_status says of all its tasks; -1 where one's end is not known. */
int sw_node_step_status(int wait_status, uint32_t told_tasks,
			uint32_t ended_tasks);

/*
 * The end: last sample, with the recorder's own cost where is_last, summary.
 * final_values NULL: nobody told; final_source is "hook", "drop" or "lost". The
 * step is freed.
 */
void sw_node_step_end(struct sw_node_step *step,
		      const struct sw_node_place *place,
		      const struct sw_sampler_self *self, bool is_last,
		      const struct sw_final_values *final_values,
		      const char *final_source);

/* Free it without a word: the recorder ends, and another goes on. */
void sw_node_step_forget(struct sw_node_step *step);

/*
 * Is it this slurmstepd, of steps of one number, that sent the message?  It has
 * begun then; what it is called, another pid namespace may say.
 */
bool sw_node_is_same_stepd(uint32_t pid, uint64_t start_ticks,
			   const struct sw_message_step *id);

/* Is this message about this step, and not about one of the same number? */
bool sw_node_step_is(const struct sw_node_step *step,
		     const struct sw_message_step *id);

#endif
