/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verify messages with what the kernel reports. */
#include "recorder/jobs/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/step_cgroup.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/kernel/process.h"
#include "recorder/processes/visits.h"

static bool read_text(int dirfd, uint32_t pid, const char *name, char *text,
		      size_t size)
{
	char path[32];

	snprintf(path, sizeof(path), "%" PRIu32 "/%s", pid, name);
	return sw_kernfile_slurp(dirfd, path, text, size) == SW_READ_OK;
}

bool sw_node_is_stepd(int proc_fd, const struct sw_message_step *step)
{
	struct sw_process process;

	return sw_process_read_stat(&process, proc_fd,
				    (pid_t)step->stepd_pid) == SW_READ_OK &&
	       process.start_ticks == step->stepd_start_ticks;
}

static bool is_in_cgroup(int proc_fd, const struct sw_message_step *step,
			 const struct sw_message_task *task)
{
	char text[4096], folder[SW_MESSAGE_CGROUP_SIZE];
	uint32_t number;
	uint16_t kind;

	return read_text(proc_fd, task->pid, "cgroup", text, sizeof(text)) &&
	       (sw_task_cgroup_parse(text, folder, sizeof(folder), &kind,
				     &number) ||
		sw_task_cgroup_parse_v1(text, NULL, folder, sizeof(folder),
					&kind, &number)) &&
	       strcmp(folder, step->cgroup) == 0 &&
	       kind == task->cgroup_kind && number == task->cgroup_number;
}

bool sw_node_is_task(int proc_fd, const struct sw_message_step *step,
		     const struct sw_message_task *task)
{
	struct sw_process process;

	if (!sw_visit_stat(proc_fd, (pid_t)task->pid, &process) ||
	    process.start_ticks != task->start_ticks)
		return false;
	if (step->cgroup[0] && task->cgroup_kind != SW_TASK_CGROUP_NONE)
		return is_in_cgroup(proc_fd, step, task);
	return process.parent == (pid_t)step->stepd_pid;
}

/* Read the v2 path of a process; false if it has none. */
static bool read_path(int proc_fd, uint32_t pid, char *path, size_t size)
{
	char text[4096];
	const char *at;
	int length;

	if (!read_text(proc_fd, pid, "cgroup", text, sizeof(text)))
		return false;
	at = sw_cgroup_path(text, NULL);
	if (!at)
		return false;
	length = snprintf(path, size, "%.*s", (int)strcspn(at, "\n"), at);
	return length > 0 && (size_t)length < size;
}

/* slurmstepd is in its step's cgroup: since 22.05 in "…/step_<s>/slurm". */
static bool is_stepds(int proc_fd, const struct sw_message_step *step,
		      size_t step_length)
{
	char path[PATH_MAX];

	return read_path(proc_fd, step->stepd_pid, path, sizeof(path)) &&
	       strncmp(path, step->cgroup, step_length) == 0 &&
	       path[step_length] == '/';
}

/* Open one component at a time, so that no link is followed. */
static int open_below(int dirfd, const char *path, size_t length)
{
	char name[NAME_MAX + 1];
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), next;
	size_t at = 1, end;

	while (fd >= 0 && at < length) {
		end = at + strcspn(path + at, "/");
		if (end > length)
			end = length;
		if (end - at > NAME_MAX) {
			close(fd);
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(name, path + at, end - at);
		name[end - at] = '\0';
		next = openat(fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC |
			      O_NOFOLLOW);
		close(fd);
		fd = next;
		at = end + 1;
	}
	return fd;
}

int sw_node_open_cgroup(int cgroup_root_fd, int proc_fd,
			const struct sw_message_step *step)
{
	struct sw_step_cgroup found;

	if (cgroup_root_fd < 0 || !step->cgroup[0]) {
		errno = ENOENT;
		return -1;
	}
	if (!sw_step_cgroup_find(step->cgroup, step->job_id, &found)) {
		errno = EINVAL;
		return -1;
	}
	if (found.is_sluid && !is_stepds(proc_fd, step, found.step_length)) {
		errno = EPERM;
		return -1;
	}
	return open_below(cgroup_root_fd, step->cgroup, strlen(step->cgroup));
}

bool sw_node_find_elsewhere(int proc_fd,
			    const struct sw_message_step_start *start,
			    char *path, size_t size)
{
	char stepds[PATH_MAX];

	return !start->step.cgroup[0] && start->task_count > 0 &&
	       read_path(proc_fd, start->tasks[0].pid, path, size) &&
	       read_path(proc_fd, start->step.stepd_pid, stepds,
			 sizeof(stepds)) &&
	       strcmp(path, stepds) != 0;
}

/* Open the step's folder in this tree if one of the tasks is in it, or
 * below. */
static int open_v1(enum sw_v1_controller controller, int root_fd, int proc_fd,
		   const struct sw_message_step *step,
		   const struct sw_message_task *tasks, uint32_t task_count)
{
	char text[4096], folder[SW_MESSAGE_CGROUP_SIZE];
	uint32_t i, number;
	uint16_t kind;

	for (i = 0; i < task_count; i++) {
		if (read_text(proc_fd, tasks[i].pid, "cgroup", text,
			      sizeof(text)) &&
		    sw_task_cgroup_parse_v1(text, sw_v1_name(controller),
					    folder, sizeof(folder), &kind,
					    &number) &&
		    strcmp(folder, step->cgroup) == 0)
			return sw_node_open_cgroup(root_fd, proc_fd, step);
	}
	return -1;
}

void sw_node_open_v1(struct sw_cgroup_v1 *v1, const struct sw_cgroup_v1 *roots,
		     int proc_fd, const struct sw_message_step *step,
		     const struct sw_message_task *tasks, uint32_t task_count)
{
	enum sw_v1_controller i;

	for (i = 0; i < SW_V1_CONTROLLERS; i++)
		v1->fd[i] = roots->fd[i] < 0 ? -1 :
			    open_v1(i, roots->fd[i], proc_fd, step, tasks,
				    task_count);
}

static int open_job(int root_fd, const struct sw_message_step *step)
{
	struct sw_step_cgroup found;

	if (root_fd < 0 ||
	    !sw_step_cgroup_find(step->cgroup, step->job_id, &found))
		return -1;
	return open_below(root_fd, step->cgroup, found.job_length);
}

void sw_node_open_job(struct sw_target_job *job, int cgroup_root_fd,
		      const struct sw_cgroup_v1 *v1_roots,
		      const struct sw_message_step *step)
{
	sw_cgroup_v1_none(&job->v1);
	job->cgroup_fd = open_job(cgroup_root_fd, step);
	job->v1.fd[SW_V1_MEMORY] = open_job(v1_roots->fd[SW_V1_MEMORY], step);
}

static bool has_job(int root_fd, const struct sw_message_step *step)
{
	int fd = open_job(root_fd, step);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool sw_node_has_job_cgroup(int cgroup_root_fd,
			    const struct sw_cgroup_v1 *v1_roots,
			    const struct sw_message_step *step)
{
	bool result = has_job(cgroup_root_fd, step);
	size_t i;

	for (i = 0; i < SW_V1_CONTROLLERS && !result; i++)
		result = has_job(v1_roots->fd[i], step);
	return result;
}

bool sw_node_peer_waits(int peer_fd)
{
	struct pollfd peer = { .fd = peer_fd };

	return peer_fd >= 0 && poll(&peer, 1, 0) == 0;
}
