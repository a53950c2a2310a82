/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder of a node: its loop.  Messages come first: they are looked for
 * before each sample, so that no hook waits for more than one of these.
 */
#include "recorder/node.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/node_job.h"
#include "recorder/node_log.h"
#include "recorder/node_socket.h"
#include "recorder/node_spool.h"
#include "recorder/node_start.h"
#include "recorder/node_verify.h"

/* A message of a dying slurmstepd may still be on its way. */
#define GRACE_USEC SW_USEC_PER_SEC
/* How often what nobody tells of is looked at. */
#define ROUND_USEC SW_USEC_PER_SEC

enum { POLLED_MAX = 8192 };

struct node {
	const struct sw_node_options *options;
	struct sw_node_place place;
	struct sw_node_socket socket;
	struct sw_node_job *jobs;
	int spool_fd, signal_fd;
	uint64_t round_usec;		/* of the next look around */
	bool is_ending;
	struct pollfd polled[POLLED_MAX];
};

static struct sw_node_job *find_job(const struct node *node,
				    const struct sw_message_step *id)
{
	struct sw_node_job *job = node->jobs;

	while (job && (job->id.job_id != id->job_id ||
		       strcmp(job->id.cluster, id->cluster) != 0))
		job = job->next;
	return job;
}

static void finish_job(struct node *node, struct sw_node_job *job)
{
	struct sw_node_job **link = &node->jobs;

	while (*link != job)
		link = &(*link)->next;
	*link = job->next;
	sw_node_job_finish(job, &node->place);
}

/*
 * The job of a message, begun where it is new.  One that was requeued is
 * another run of the job, and another profile.
 */
static struct sw_node_job *need_job(struct node *node,
				    const struct sw_message_step *id)
{
	struct sw_node_job *job = find_job(node, id);
	struct sw_error error;

	if (job && job->id.restart_count != id->restart_count && !job->steps) {
		finish_job(node, job);
		job = NULL;
	}
	if (job)
		return job;
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

/* The step of a message; one that began unseen is begun for its end. */
static struct sw_node_step *need_step(struct node *node,
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

static enum sw_message_status take_start(struct node *node, int peer_fd)
{
	const struct sw_message_step_start *start =
		&node->socket.message.start;
	struct sw_node_job *job = need_job(node, &start->step);
	struct sw_node_step *step;
	struct sw_error error;

	node->place.peer_fd = peer_fd;
	if (!job)
		return SW_ANSWER_REFUSED;
	if (sw_node_job_find(job, &start->step))
		return SW_ANSWER_OK;
	step = sw_node_job_add(job, &node->place, &start->step, start, &error);
	if (!step) {
		sw_node_log("step %" PRIu32 ".%" PRIu32 " is not recorded: %s",
			    start->step.job_id, start->step.step_id,
			    error.text);
		return SW_ANSWER_REFUSED;
	}
	return step->is_armed ? SW_ANSWER_OK : SW_ANSWER_PARTLY;
}

static enum sw_message_status
take_task_end(struct node *node, const struct sw_message_task_end *end,
	      const char *final_source)
{
	struct sw_finals finals;
	struct sw_node_step *step;
	struct sw_node_job *job;

	step = need_step(node, &end->step, &job);
	if (!step)
		return SW_ANSWER_REFUSED;
	sw_finals_parse(&finals, &end->finals);
	sw_node_step_task_end(step, &end->task, end->wait_status, &finals,
			      final_source);
	return SW_ANSWER_OK;
}

static enum sw_message_status
take_step_end(struct node *node, const struct sw_message_step_end *end,
	      const char *final_source)
{
	struct sw_finals finals;
	struct sw_node_step *step;
	struct sw_node_job *job;

	step = need_step(node, &end->step, &job);
	if (!step)
		return SW_ANSWER_REFUSED;
	sw_finals_parse(&finals, &end->finals);
	sw_node_job_end_step(job, step, &node->place, &finals, final_source);
	return SW_ANSWER_OK;
}

static enum sw_message_status take_message(struct node *node, int peer_fd)
{
	const union sw_message *message = &node->socket.message;

	switch (message->header.type) {
	case SW_MESSAGE_STEP_START:
		return take_start(node, peer_fd);
	case SW_MESSAGE_TASK_END:
		return take_task_end(node, &message->task_end, "hook");
	case SW_MESSAGE_STEP_END:
		return take_step_end(node, &message->step_end, "hook");
	default:
		return SW_ANSWER_OK;
	}
}

static void hear_all(struct node *node)
{
	struct sw_node_peer *peer;

	while ((peer = sw_node_hear(&node->socket)))
		sw_node_answer(&node->socket, peer,
			       take_message(node, peer->fd));
}

static void sample_due(struct node *node)
{
	uint64_t now = sw_clock_boottime_usec();
	struct sw_node_step *step;
	struct sw_node_job *job;

	for (job = node->jobs; job; job = job->next) {
		for (step = job->steps; step; step = step->next) {
			if (step->next_usec > now)
				continue;
			node->place.self.late_usec =
				sw_excess_u64(now, step->next_usec);
			/* What the recorder costs: once in each profile. */
			sw_node_step_sample(step, step->next ? NULL :
						  &node->place.self);
		}
	}
}

/* A step whose slurmstepd is gone without a word. */
static bool end_if_lost(struct node *node, struct sw_node_job *job,
			struct sw_node_step *step, uint64_t now)
{
	if (!step->stepd_gone_usec &&
	    !sw_node_is_stepd(node->place.proc_fd, &step->id))
		step->stepd_gone_usec = now;
	if (!step->stepd_gone_usec ||
	    sw_excess_u64(now, step->stepd_gone_usec) < GRACE_USEC)
		return false;
	sw_node_job_end_step(job, step, &node->place, NULL, "lost");
	return true;
}

static void look_at_steps(struct node *node, struct sw_node_job *job,
			  uint64_t now)
{
	struct sw_node_step *step = job->steps, *next;

	for (; step; step = next) {
		next = step->next;
		end_if_lost(node, job, step, now);
	}
}

static void look_around(struct node *node)
{
	uint64_t now = sw_clock_boottime_usec();
	struct sw_node_job *job = node->jobs, *next;

	if (now < node->round_usec)
		return;
	node->round_usec = now + ROUND_USEC;
	for (; job; job = next) {
		next = job->next;
		look_at_steps(node, job, now);
		if (sw_node_job_is_over(job, &node->place, now))
			finish_job(node, job);
	}
	if (access(node->options->off_path, F_OK) == 0) {
		sw_node_log("%s is there: the end", node->options->off_path);
		node->is_ending = true;
	}
}

static void finish_jobs_that_are_over(struct node *node)
{
	struct sw_node_job *job = node->jobs, *next;

	for (; job; job = next) {
		next = job->next;
		if (job->is_over && !job->steps)
			finish_job(node, job);
	}
}

/* What to wait for: messages, signals, and what each step has. */
static size_t fill_polled(struct node *node)
{
	struct sw_node_step *step;
	struct sw_node_job *job;
	size_t count = 0;

	node->polled[count++] = (struct pollfd){
		.fd = node->signal_fd, .events = POLLIN };
	count += sw_node_socket_poll(&node->socket, node->polled + count,
				     POLLED_MAX / 2);
	for (job = node->jobs; job; job = job->next) {
		for (step = job->steps; step; step = step->next) {
			if (count + 3 > POLLED_MAX)
				return count;
			node->polled[count++] = (struct pollfd){
				.fd = step->watch.file.fd, .events = POLLPRI };
			node->polled[count++] = (struct pollfd){
				.fd = step->stepd_gone_usec ? -1 :
				      step->stepd_fd, .events = POLLIN };
			node->polled[count++] = (struct pollfd){
				.fd = step->tools ? sw_tools_fd(step->tools) :
						    -1, .events = POLLIN };
		}
	}
	return count;
}

static uint64_t next_due(const struct node *node)
{
	uint64_t due = node->round_usec;
	const struct sw_node_step *step;
	const struct sw_node_job *job;

	for (job = node->jobs; job; job = job->next) {
		for (step = job->steps; step; step = step->next) {
			if (step->next_usec < due)
				due = step->next_usec;
		}
	}
	return due;
}

/* Of the steps' descriptors: which one is ready, in the order of the fill. */
static void take_step_events(struct node *node, const struct pollfd *polled,
			     size_t count)
{
	struct sw_node_step *step;
	struct sw_node_job *job;
	size_t i = 0;

	for (job = node->jobs; job; job = job->next) {
		for (step = job->steps; step; step = step->next, i += 3) {
			if (i + 3 > count)
				return;
			if (polled[i].revents)
				sw_node_step_check(step);
			if (polled[i + 1].revents && !step->stepd_gone_usec)
				step->stepd_gone_usec =
					sw_clock_boottime_usec();
			if (polled[i + 2].revents)
				sw_tools_drain(step->tools,
					       sw_clock_boottime_usec());
		}
	}
}

static void take_signals(struct node *node)
{
	struct signalfd_siginfo info;

	while (read(node->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT)
			node->is_ending = true;
	}
}

static void turn(struct node *node)
{
	size_t count = fill_polled(node), first;
	uint64_t left = sw_excess_u64(next_due(node),
				      sw_clock_boottime_usec());
	struct timespec timeout = {
		.tv_sec = (time_t)(left / SW_USEC_PER_SEC),
		.tv_nsec = (long)(left % SW_USEC_PER_SEC * SW_NSEC_PER_USEC),
	};

	first = 1 + sw_node_socket_poll(&node->socket, node->polled + 1,
					POLLED_MAX / 2);
	if (ppoll(node->polled, count, &timeout, NULL) > 0) {
		take_step_events(node, node->polled + first, count - first);
		take_signals(node);
	}
	node->place.self.wakeups++;
	hear_all(node);
	sample_due(node);
	finish_jobs_that_are_over(node);
	look_around(node);
}

static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

static int open_node(struct node *node, struct sw_error *error)
{
	const struct sw_node_options *options = node->options;

	node->place.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	node->place.cgroup_root_fd = sw_node_open_cgroups();
	node->signal_fd = open_signals();
	if (node->place.proc_fd < 0 || node->signal_fd < 0)
		return sw_error_errno(error, "/proc or signals");
	sw_limits_read(&node->place.limits, node->place.proc_fd, -1);
	node->spool_fd = sw_node_spool_open(options->spool, error);
	return node->spool_fd < 0 ? -1 : 0;
}

static void close_node(struct node *node)
{
	struct sw_node_job *job;

	while ((job = node->jobs)) {
		node->jobs = job->next;
		sw_node_job_forget(job);
	}
	sw_node_socket_close(&node->socket, node->options->socket_path);
	sw_node_remove_cgroup(node->place.cgroup_root_fd);
}

static int serve(struct node *node, int passed_fd, int ready_fd)
{
	struct sw_error error;

	if (open_node(node, &error) < 0 ||
	    sw_node_socket_open(&node->socket, node->options->socket_path,
				passed_fd, &error) < 0) {
		sw_node_log("%s; steps on this node are not recorded",
			    error.text);
		return EXIT_FAILURE;
	}
	if (ready_fd >= 0)
		sw_node_ready(ready_fd);
	sw_tools_prepare();
	while (!node->is_ending)
		turn(node);
	close_node(node);
	return EXIT_SUCCESS;
}

int sw_node_run(const struct sw_node_options *options)
{
	int passed_fd = sw_node_passed_socket(), ready_fd = -1, status;
	struct sw_error error;
	struct node *node;

	if (access(options->off_path, F_OK) == 0)
		return EXIT_SUCCESS;
	if (options->is_detached)
		ready_fd = sw_node_detach(&error);
	if (options->is_detached && ready_fd < 0)
		goto complain;
	sw_node_leave_caller(ready_fd, passed_fd);
	status = sw_node_lock(options->socket_path, &error);
	if (status < 0)
		goto complain;
	if (status > 0) {
		/* Another one serves: all is well. */
		if (ready_fd >= 0)
			sw_node_ready(ready_fd);
		else
			sw_node_log("another recorder runs");
		return ready_fd >= 0 ? EXIT_SUCCESS : EXIT_FAILURE;
	}
	node = calloc(1, sizeof(*node));
	if (!node)
		return EXIT_FAILURE;
	node->options = options;
	status = serve(node, passed_fd, ready_fd);
	free(node);
	return status;
complain:
	sw_node_log("%s; steps on this node are not recorded", error.text);
	return EXIT_FAILURE;
}
