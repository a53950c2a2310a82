/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The node's recorder: reports at the end of jobs.  A hook that has timed out
 * is counted; its report is appended anyway, or not, depending on late_report.
 * The number of concurrent reports per user is limited, since a user's file
 * system may hang.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "recorder/daemon/node_internal.h"
#include "recorder/jobs/verify.h"
#include "recorder/log/node_log.h"
#include "recorder/processes/helpers.h"

enum { OF_ONE_USER_MAX = SW_NODE_REPORTS_MAX / 4 };

static bool is_free(const struct sw_node_report *report)
{
	return !report->is_open && report->job.writer == 0;
}

/* Return NULL if there are too many, in total or of this user. */
static struct sw_node_report *free_report(struct sw_node *node, uint32_t uid)
{
	struct sw_node_report *found = NULL;
	size_t i, own = 0;

	for (i = 0; i < SW_NODE_REPORTS_MAX; i++) {
		if (is_free(&node->report[i]))
			found = &node->report[i];
		else
			own += node->report[i].job.uid == uid;
	}
	return own < OF_ONE_USER_MAX ? found : NULL;
}

static int open_profile(const struct sw_node *node,
			const struct sw_node_job *job)
{
	char name[NAME_MAX + 8];

	sw_writer_flush(job->writer, sw_clock_boottime_usec());
	snprintf(name, sizeof(name), "%s.part", job->name);
	return openat(node->spool_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

static void answer(struct sw_node_report *report)
{
	if (report->peer)
		sw_node_answer(report->peer, SW_ANSWER_OK);
	report->peer = NULL;
}

/* The other nodes deliver after the hook's end: it does not wait for them. */
static void answer_at_once(struct sw_node *node, struct sw_node_report *report)
{
	sw_node_counts_answer(&node->counts, SW_MESSAGE_STEP_END, SW_ANSWER_OK,
			      sw_node_peer_waits(report->peer->fd));
	answer(report);
}

/* Return the number of the job's nodes, in all its components; 0: unknown. */
static uint32_t nodes_of(const struct sw_message_step *step)
{
	return step->node_count == SW_NO_ID
		       ? 0
		       : step->node_count +
				 (step->notes >> SW_NOTE_NODES_SHIFT &
				  SW_NOTE_NODES_MAX);
}

/* Wait only for as many as can be open at a time. */
static bool waits_for_nodes(const struct sw_node *node, uint32_t count)
{
	return node->deliveries && !node->settings.is_late_report_dropped &&
	       count > 1 && count <= SW_REPORT_NODES_MAX;
}

bool sw_node_begin_report(struct sw_node *node, const struct sw_node_job *job,
			  const struct sw_message_step *step,
			  struct sw_node_peer *peer)
{
	struct sw_node_report *report = free_report(node, step->uid);
	int profile_fd = report ? open_profile(node, job) : -1;
	const struct sw_report_nodes nodes = {
		.profile_dir = node->profile_dir,
		.own_name = job->name,
		.count = nodes_of(step),
		.components = step->notes >> SW_NOTE_COMPONENTS_SHIFT &
			      SW_NOTE_COMPONENTS_MAX,
	};
	const struct sw_report_by by = {
		.reporter = node->options->reporter,
		.history_dir = node->settings.user_history_dir,
	};
	bool has_nodes = waits_for_nodes(node, nodes.count);
	struct sw_error error = { .text = "" };

	if (profile_fd < 0) {
		sw_node_counts_missing(&node->counts);
		return false;
	}
	if (sw_report_job_begin(&report->job, &by, profile_fd, peer->fd, step,
				has_nodes ? &nodes : NULL, &error) == 0) {
		peer->has_descriptor = false;
		report->peer = peer;
		report->is_open = true;
		report->is_late = false;
		report->is_answered = has_nodes;
		if (has_nodes)
			answer_at_once(node, report);
	} else {
		sw_node_counts_missing(&node->counts);
	}
	if (error.text[0])
		sw_node_log("job %" PRIu32 ": %s", step->job_id, error.text);
	close(profile_fd);
	return !peer->has_descriptor;
}

void sw_node_let_go(struct sw_node *node, struct sw_node_peer *peer,
		    const struct sw_message_step *step)
{
	struct sw_node_report *report = free_report(node, step->uid);

	if (!report)
		return;
	sw_report_job_let_go(&report->job, peer->fd, step);
	peer->has_descriptor = report->job.writer == 0;
}

/* The hook has timed out. */
static void note_late(struct sw_node *node, struct sw_node_report *report)
{
	report->is_late = true;
	sw_node_counts_answer(&node->counts, SW_MESSAGE_STEP_END, SW_ANSWER_OK,
			      false);
	answer(report);
	if (node->settings.is_late_report_dropped)
		sw_report_job_stop(&report->job);
}

static void count(struct sw_node *node, struct sw_node_report *report,
		  enum sw_report_job_state state)
{
	uint64_t *number = node->counts.number;

	report->is_open = false;
	if (!report->is_late && !report->is_answered)
		sw_node_counts_answer(&node->counts, SW_MESSAGE_STEP_END,
				      SW_ANSWER_OK, true);
	if (state == SW_REPORT_JOB_FAILED)
		sw_node_counts_missing(&node->counts);
	number[SW_COUNT_REPORTS_NO_FILE] += state == SW_REPORT_JOB_NO_FILE;
	number[SW_COUNT_REPORTS_FOREIGN] += state == SW_REPORT_JOB_FOREIGN;
	number[SW_COUNT_REPORTS_UNWRITABLE] +=
		state == SW_REPORT_JOB_UNWRITABLE;
	if (state != SW_REPORT_JOB_WRITTEN)
		return;
	number[SW_COUNT_REPORTS]++;
	number[SW_COUNT_REPORTS_LATE] += report->is_late;
}

static void turn(struct sw_node *node, struct sw_node_report *report)
{
	enum sw_report_job_state state;

	if (report->peer && !sw_node_peer_waits(report->peer->fd))
		note_late(node, report);
	state = sw_report_job_advance(&report->job);
	if (state == SW_REPORT_JOB_GOES_ON || !report->is_open)
		return;
	count(node, report, state);
	answer(report);
}

void sw_node_advance_reports(struct sw_node *node)
{
	size_t i;

	for (i = 0; i < SW_NODE_REPORTS_MAX; i++) {
		if (!is_free(&node->report[i]))
			turn(node, &node->report[i]);
	}
}

void sw_node_reap(struct sw_node *node)
{
	siginfo_t end = { .si_pid = 0 };
	int status;
	pid_t pid;
	size_t i;

	/* Most children are not waited for by pid. */
	while (waitid(P_ALL, 0, &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       end.si_pid > 0) {
		pid = end.si_pid;
		end.si_pid = 0;
		sw_helpers_end(pid, end.si_code);
		if (waitpid(pid, &status, WNOHANG) != pid)
			break;
		for (i = 0; i < SW_NODE_REPORTS_MAX; i++) {
			if (sw_report_job_reaped(&node->report[i].job, pid,
						 status))
				break;
		}
	}
}
