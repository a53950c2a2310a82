/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The node's recorder: messages of the plugin. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "recorder/daemon/node_cpus.h"
#include "recorder/daemon/node_internal.h"
#include "recorder/daemon/node_spool.h"
#include "recorder/jobs/pids.h"
#include "recorder/jobs/verify.h"
#include "recorder/log/node_log.h"

static struct sw_node_job *find_job(const struct sw_node *node,
				    const struct sw_message_step *id)
{
	struct sw_node_job *job = node->jobs;

	while (job && job->id.job_id != id->job_id)
		job = job->next;
	return job;
}

/* Slurm does not set it for 0 restarts. */
static uint32_t restarts(const struct sw_message_step *id)
{
	return id->restart_count == SW_NO_ID ? 0 : id->restart_count;
}

/*
 * Return the job of a message; begin it if it is new.  After a requeue, it gets
 * another profile.
 */
static struct sw_node_job *need_job(struct sw_node *node,
				    const struct sw_message_step *id)
{
	struct sw_node_job *job = find_job(node, id);
	struct sw_error error;

	if (sw_node_guard_skips(&node->guard, id->job_id))
		return NULL;
	if (job && !job->steps && restarts(&job->id) != restarts(id)) {
		sw_node_finish_job(node, job);
		job = NULL;
	}
	if (job)
		return job;
	sw_node_spool_refresh(node->spool_fd, node->options->spool);
	job = sw_node_job_begin(&node->place, node->spool_fd, id, &error);
	if (!job) {
		sw_node_log("job %" PRIu32 " is not recorded: %s", id->job_id,
			    error.text);
		return NULL;
	}
	job->next = node->jobs;
	node->jobs = job;
	return job;
}

/* Return the step of a message; begin it if its start was missed. */
static struct sw_node_step *need_step(struct sw_node *node,
				      const struct sw_message_step *id,
				      struct sw_node_job **job)
{
	struct sw_node_step *step;
	struct sw_error error;

	*job = need_job(node, id);
	if (!*job)
		return NULL;
	step = sw_node_job_find(*job, id);
	if (!step)
		step = sw_node_job_add(*job, &node->place, id, NULL, &error);
	return step;
}

static enum sw_message_status
take_start(struct sw_node *node, const struct sw_message_step_start *start,
	   int peer_fd)
{
	struct sw_node_job *job = find_job(node, &start->step);
	struct sw_node_step *step;
	struct sw_error error;

	/* It had ended on this node: this is another run. */
	if (job && job->is_over && !job->steps)
		sw_node_finish_job(node, job);
	job = need_job(node, &start->step);
	if (!job)
		return SW_ANSWER_REFUSED;
	if (sw_node_job_find(job, &start->step))
		return SW_ANSWER_OK;
	node->place.peer_fd = peer_fd;
	step = sw_node_job_add(job, &node->place, &start->step, start, &error);
	if (!step) {
		sw_node_log("step %" PRIu32 ".%" PRIu32 " is not recorded: %s",
			    start->step.job_id, start->step.step_id,
			    error.text);
		return SW_ANSWER_REFUSED;
	}
	node->counts.number[SW_COUNT_STEPDS_UNKNOWN] += step->is_stepd_unknown;
	if (step->cgroup_form[0])
		sw_node_counts_unknown(&node->counts, step->cgroup_form);
	sw_node_remember(node, start);
	return step->is_armed ? SW_ANSWER_OK : SW_ANSWER_PARTLY;
}

static enum sw_message_status
take_task_end(struct sw_node *node, const struct sw_message_task_end *end,
	      const char *final_source)
{
	struct sw_node_job *job = find_job(node, &end->step);
	struct sw_final_values final_values;
	struct sw_node_step *step;

	sw_final_values_parse(&final_values, &end->final_values);
	if (job && sw_node_job_late_task(job, &node->place, end, &final_values,
					 final_source))
		return SW_ANSWER_OK;
	step = need_step(node, &end->step, &job);
	if (!step)
		return SW_ANSWER_REFUSED;
	sw_node_job_observe(job, step, &end->step);
	sw_node_step_task_end(step, &end->task, end->wait_status, &final_values,
			      final_source);
	return SW_ANSWER_OK;
}

/* Return true if a report is wanted; count impossible ones by reason. */
static bool is_report_wanted(struct sw_node *node,
			     const struct sw_message_step *id,
			     const struct sw_node_peer *peer,
			     const struct sw_node_step *step)
{
	uint64_t *number = node->counts.number;

	if (!node->options->reporter || id->step_id != SW_STEP_BATCH)
		return false;
	if (!sw_report_job_is_wanted(id)) {
		number[SW_COUNT_REPORTS_QUIET]++;
		return false;
	}
	/* No recorder received its end, or its start. */
	if (!peer || !step->sampler) {
		sw_node_counts_missing(&node->counts);
		return false;
	}
	number[SW_COUNT_REPORTS_NO_FILE] += !peer->has_descriptor;
	return peer->has_descriptor;
}

/* Return true if the answer has to wait. */
static bool take_step_end(struct sw_node *node,
			  const struct sw_message_step_end *end,
			  struct sw_node_peer *peer, const char *final_source)
{
	struct sw_final_values final_values;
	struct sw_node_step *step;
	struct sw_node_job *job;
	bool is_wanted;

	step = need_step(node, &end->step, &job);
	if (!step)
		return false;
	is_wanted = is_report_wanted(node, &end->step, peer, step);
	sw_final_values_parse(&final_values, &end->final_values);
	sw_node_forget(node, &step->id);
	sw_node_job_end_step(job, step, &node->place, &final_values,
			     final_source);
	return is_wanted && sw_node_begin_report(node, job, &end->step,
						   peer);
}

static void name_cluster(const struct sw_node *node, union sw_message *message)
{
	struct sw_message_step *step;

	switch (message->header.type) {
	case SW_MESSAGE_STEP_START:
		step = &message->start.step;
		break;
	case SW_MESSAGE_TASK_END:
		step = &message->task_end.step;
		break;
	case SW_MESSAGE_STEP_END:
		step = &message->step_end.step;
		break;
	default:
		return;
	}
	/* The job's environment is controlled by the user. */
	strcpy(step->cluster, node->cluster);
}

/* Return true if the peer is answered later. */
static bool take_message(struct sw_node *node, struct sw_node_peer *peer,
			 enum sw_message_status *status)
{
	union sw_message *message = &node->socket.message;
	bool is_later = false;

	name_cluster(node, message);
	*status = SW_ANSWER_OK;
	if (message->header.type == SW_MESSAGE_PING) {
		sw_node_cpus_follow(peer->pid);
		return false;
	}
	sw_node_pids_translate(node->place.proc_fd, peer->pid, message);
	/* All other messages have the step at the same offset. */
	sw_node_guard_enter(&node->guard, message->start.step.job_id);
	switch (message->header.type) {
	case SW_MESSAGE_STEP_START:
		*status = take_start(node, &message->start, peer->fd);
		break;
	case SW_MESSAGE_TASK_END:
		*status = take_task_end(node, &message->task_end, "hook");
		break;
	case SW_MESSAGE_STEP_END:
		is_later = take_step_end(node, &message->step_end, peer,
					 "hook");
		break;
	}
	sw_node_guard_leave(&node->guard);
	return is_later;
}

void sw_node_receive_all(struct sw_node *node)
{
	enum sw_message_status status;
	struct sw_node_peer *peer;

	while ((peer = sw_node_receive(&node->socket))) {
		if (take_message(node, peer, &status))
			continue;
		/* The step is at the same offset in all these messages. */
		if (peer->has_descriptor)
			sw_node_let_go(node, peer,
				       &node->socket.message.start.step);
		sw_node_counts_answer(&node->counts,
				      node->socket.message.header.type,
				      status, sw_node_peer_waits(peer->fd));
		sw_node_answer(peer, status);
	}
	/* Messages that did not fit in the socket are newer. */
	sw_node_take_drop(node);
}

static void take_dropped(struct sw_node *node, union sw_message *message)
{
	node->counts.number[SW_COUNT_ENDS_DROPPED] +=
		message->header.type == SW_MESSAGE_STEP_END;
	name_cluster(node, message);
	if (message->header.type == SW_MESSAGE_TASK_END)
		take_task_end(node, &message->task_end, "drop");
	else if (message->header.type == SW_MESSAGE_STEP_END)
		take_step_end(node, &message->step_end, NULL, "drop");
}

/* Process a sequence of messages, until the end or the first bad one. */
static void take_all_dropped(struct sw_node *node, int fd)
{
	static union sw_message dropped;
	union sw_message *message = &dropped;
	const size_t head = sizeof(message->header);
	size_t length;

	while (read(fd, message, head) == (ssize_t)head) {
		length = message->header.length;
		if (length < head || length > sizeof(*message) ||
		    read(fd, (char *)message + head, length - head) !=
			    (ssize_t)(length - head) ||
		    !sw_message_upgrade(message, length)) {
			sw_node_log("%s: messages after a damaged one are lost",
				    node->options->drop_path);
			return;
		}
		take_dropped(node, message);
	}
}

void sw_node_take_drop(struct sw_node *node)
{
	const char *path = node->options->drop_path;
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return;
	/* A plugin is about to write: read everything in the next round. */
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		return;
	}
	unlink(path);
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_uid == geteuid())
		take_all_dropped(node, fd);
	close(fd);
}
