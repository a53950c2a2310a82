/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel says about what a message says. */
#include "recorder/jobs/node_verify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/*
 * The length of the path up to and with "/job_<id>"; 0 where it has no such
 * folder, or what follows is no step of it.
 */
static size_t job_length(const struct sw_message_step *step)
{
	const char *path = step->cgroup, *at;
	char job[32];

	if (path[0] != '/' || strstr(path, "/../") || strstr(path, "//"))
		return 0;
	snprintf(job, sizeof(job), "/job_%" PRIu32 "/step_", step->job_id);
	at = strstr(path, job);
	return at ? (size_t)(at - path) + strlen(job) - strlen("/step_") : 0;
}

/* One folder after the other, so that no link is followed. */
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

int sw_node_open_cgroup(int cgroup_root_fd,
			const struct sw_message_step *step)
{
	if (cgroup_root_fd < 0 || !step->cgroup[0]) {
		errno = ENOENT;
		return -1;
	}
	if (job_length(step) == 0) {
		errno = EINVAL;
		return -1;
	}
	return open_below(cgroup_root_fd, step->cgroup, strlen(step->cgroup));
}

/* One of the tasks is in the step's folder of this tree, or below it. */
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
			return sw_node_open_cgroup(root_fd, step);
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
	size_t length = job_length(step);

	return root_fd < 0 || length == 0 ? -1 :
		open_below(root_fd, step->cgroup, length);
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
