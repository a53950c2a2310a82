/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Create the cgroups below --cgroup that slurmstepd with proctrack/cgroup
 * creates for a step and its tasks.  If one cannot be created, the process
 * stays where it is, as on a site without cgroups.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/spank/host.h"
#include "test/spank/out.h"

#define PATH_SIZE 512

static void step_path(const struct host_settings *settings,
		      const struct host_job *job, char *buf)
{
	char name[32];
	int n;

	switch (job->step_id) {
	case 0xfffffffb:
		snprintf(name, sizeof(name), "batch");
		break;
	case 0xfffffffc:
		snprintf(name, sizeof(name), "extern");
		break;
	case 0xfffffffa:
		snprintf(name, sizeof(name), "interactive");
		break;
	default:
		snprintf(name, sizeof(name), "%u", job->step_id);
		break;
	}
	if (settings->job_folder)
		n = snprintf(buf, PATH_SIZE, "%s/%s/step_%s", settings->cgroup,
			     settings->job_folder, name);
	else if (settings->release->is_job_dir_sluid)
		n = snprintf(buf, PATH_SIZE, "%s/s%013u/step_%s",
			     settings->cgroup, job->job_id, name);
	else
		n = snprintf(buf, PATH_SIZE, "%s/job_%u/step_%s",
			     settings->cgroup, job->job_id, name);
	if (n >= PATH_SIZE)
		out_violation("host", "cgroup", "path too long");
}

static void make_all(char *path)
{
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	mkdir(path, 0755);
}

static void put(char *path, pid_t pid)
{
	char text[16];
	size_t length = (size_t)snprintf(text, sizeof(text), "%d", pid);
	char procs[PATH_SIZE + 32];
	int fd;

	make_all(path);
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	fd = open(procs, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, length) != (ssize_t)length)
		out_violation("host", "cgroup", "%s: %s", procs,
			      strerror(errno));
	if (fd >= 0)
		close(fd);
}

void host_cgroup_enter_step(const struct host_settings *settings,
			    const struct host_job *job)
{
	char path[PATH_SIZE + 16];

	if (!settings->cgroup)
		return;
	step_path(settings, job, path);
	strcat(path, "/slurm");
	put(path, getpid());
}

static void task_path(const struct host_settings *settings,
		      const struct host_job *job,
		      const struct host_task *task, char *path, size_t size)
{
	char step[PATH_SIZE];

	step_path(settings, job, step);
	snprintf(path, size, "%s/user/%s_%u", step, settings->task_folder,
		 settings->release->is_task_dir_global ? task->gtid : task->id);
}

void host_cgroup_add_task(const struct host_settings *settings,
			  const struct host_job *job,
			  const struct host_task *task)
{
	char path[PATH_SIZE + 32];

	if (!settings->cgroup)
		return;
	task_path(settings, job, task, path, sizeof(path));
	put(path, task->pid);
}

/* The step's process leaves the step's cgroup, so that it can be removed. */
void host_cgroup_remove_step(const struct host_settings *settings,
			     const struct host_job *job)
{
	char path[PATH_SIZE + 32];
	char step[PATH_SIZE];

	if (!settings->cgroup)
		return;
	snprintf(path, sizeof(path), "%s/system", settings->cgroup);
	put(path, getpid());
	step_path(settings, job, step);
	for (uint32_t i = 0; i < job->ntasks_local; i++) {
		task_path(settings, job, &job->tasks[i], path, sizeof(path));
		rmdir(path);
	}
	snprintf(path, sizeof(path), "%s/user", step);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/slurm", step);
	rmdir(path);
	if (rmdir(step) != 0)
		out_violation("cgroup", "step", "%s: %s", step,
			      strerror(errno));
	*strrchr(step, '/') = '\0';
	rmdir(step);
}
