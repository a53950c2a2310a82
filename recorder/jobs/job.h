/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job on this node: one profile, with a table row for each of its steps. */
#ifndef SW_RECORDER_JOB_H
#define SW_RECORDER_JOB_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/jobs/step.h"

enum { SW_NODE_ENDED_MAX = 64 };

/* A step that has ended: its slurmstepd, and its entry in the profile */
struct sw_node_ended {
	uint32_t step_id, stepd_pid;
	uint64_t stepd_start_ticks;
	uint64_t key, start_usec, end_usec;
	int wait_status;		/* of its ended tasks */
	uint32_t told_tasks, ended_tasks;
	char name[32];
};

struct sw_node_job {
	struct sw_node_job *next;
	struct sw_message_step id;	/* of the first step */
	char name[NAME_MAX + 1];	/* of its profile in the spool */
	struct sw_writer *writer;
	struct sw_share *memory, *spool;	/* its shares */
	bool is_beyond_spool;		/* takes no more samples */
	struct sw_node_step *steps;	/* running */
	uint64_t next_key;
	uint64_t cpu_before_usec;	/* CPU time of the recorder at the job's
					 * start */
	uint64_t idle_usec;		/* since then without a step; 0: has
					 * one */
	bool has_topology;		/* in the profile */
	bool is_over;			/* ended by Slurm on this node */
	/* Last steps that ended: a task's end may arrive after its step's. */
	struct sw_node_ended ended[SW_NODE_ENDED_MAX];
	size_t ended_count;		/* in total */
};

/* Create an empty job of this user; NULL with *error. */
struct sw_node_job *sw_node_job_create(const struct sw_node_place *place,
				       uint32_t uid, struct sw_error *error);

/* Begin a profile in the spool.  NULL with *error. */
struct sw_node_job *sw_node_job_begin(const struct sw_node_place *place,
				      int spool_fd,
				      const struct sw_message_step *id,
				      struct sw_error *error);

/* Charge the profile to the spool; if its share is used up, it stops
 * growing. */
void sw_node_job_pay_spool(struct sw_node_job *job);

/* Find the step of the job that the message is about; NULL: none. */
struct sw_node_step *sw_node_job_find(const struct sw_node_job *job,
				      const struct sw_message_step *id);

/* Add a step to the job; NULL with *error.  start NULL: record only its end. */
struct sw_node_step *sw_node_job_add(struct sw_node_job *job,
				     const struct sw_node_place *place,
				     const struct sw_message_step *id,
				     const struct sw_message_step_start *start,
				     struct sw_error *error);

/*
 * Continue a step that an earlier recorder began under this key, if its
 * slurmstepd still runs.  NULL with *error.
 */
struct sw_node_step *
sw_node_job_adopt(struct sw_node_job *job, const struct sw_node_place *place,
		  uint64_t key, uint64_t first_program,
		  const struct sw_message_step_start *start,
		  struct sw_error *error);

/* End a step of the job and free it. */
void sw_node_job_end_step(struct sw_node_job *job, struct sw_node_step *step,
			  const struct sw_node_place *place,
			  const struct sw_final_values *final_values,
			  const char *final_source);

/* Take over what a step's message reveals about the job only when a task
 * ends. */
void sw_node_job_observe(struct sw_node_job *job, struct sw_node_step *step,
			 const struct sw_message_step *told);

/*
 * Record the end of a task of a step that has ended, and how it changes the
 * step's status; false if it is not one of the last that ended.
 */
bool sw_node_job_late_task(struct sw_node_job *job,
			   const struct sw_node_place *place,
			   const struct sw_message_task_end *end,
			   const struct sw_final_values *final_values,
			   const char *final_source);

/* Has the job ended on this node, as far as known? */
bool sw_node_job_is_over(const struct sw_node_job *job,
			 const struct sw_node_place *place, uint64_t now_usec);

/*
 * Finish the profile, give it its name in the spool, and free the job.  Running
 * steps become "lost".
 */
void sw_node_job_finish(struct sw_node_job *job,
			const struct sw_node_place *place);

/* Free the job and leave its profile unfinished, for the next recorder. */
void sw_node_job_forget(struct sw_node_job *job);

#endif
