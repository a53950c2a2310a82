/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Create the folders that slurmstepd with cgroup/v1 creates for a step and its
 * tasks in the hierarchies of the memory, cpuacct and freezer controllers, if
 * mounted.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "test/spank/host.h"
#include "test/spank/out.h"

enum { PATH_SIZE = 512, REMOVE_TRIES = 50 };

/* The freezer is proctrack's: removed last, and without folders of tasks. */
static const char *const trees[] = { "memory", "cpuacct", "freezer" };
enum { MEMORY, CPUACCT, FREEZER, TREES };

/* Number of components of "uid_<u>/job_<j>/step_<s>" in a path. */
enum { TOP, UID, JOB, STEP };

static void path_of(const struct host_settings *settings,
		    const struct host_job *job, int tree, int depth,
		    char *buf, size_t size)
{
	char step[32], parts[4][48];
	int i;

	switch (job->step_id) {
	case 0xfffffffb:
		snprintf(step, sizeof(step), "batch");
		break;
	case 0xfffffffc:
		snprintf(step, sizeof(step), "extern");
		break;
	default:
		snprintf(step, sizeof(step), "%u", job->step_id);
		break;
	}
	parts[TOP][0] = '\0';
	snprintf(parts[UID], sizeof(parts[0]), "/uid_%u", job->uid);
	snprintf(parts[JOB], sizeof(parts[0]), "/job_%u", job->job_id);
	snprintf(parts[STEP], sizeof(parts[0]), "/step_%s", step);
	snprintf(buf, size, "/sys/fs/cgroup/%s/%s", trees[tree],
		 settings->cgroup_v1);
	for (i = 0; i <= depth; i++)
		strncat(buf, parts[i], size - strlen(buf) - 1);
}

static bool put_text(const char *folder, const char *name, const char *text)
{
	char path[PATH_SIZE + 64];
	ssize_t length = -1;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		length = write(fd, text, strlen(text));
		close(fd);
	}
	if (length < 0)
		out_violation("host", "cgroup", "%s: %s", path,
			      strerror(errno));
	return length >= 0;
}

/* ConstrainRAMSpace: the job's and the step's folder have the limit. */
static void make_step(const struct host_settings *settings,
		      const struct host_job *job, int tree)
{
	char path[PATH_SIZE], text[32];
	int depth;

	snprintf(text, sizeof(text), "%lluM",
		 (unsigned long long)job->job_mem_mbytes);
	for (depth = TOP; depth <= STEP; depth++) {
		path_of(settings, job, tree, depth, path, sizeof(path));
		if (mkdir(path, 0755) == 0 && tree == MEMORY && depth >= JOB &&
		    job->job_mem_mbytes)
			put_text(path, "memory.limit_in_bytes", text);
	}
}

void host_cgroup_v1_add_task(const struct host_settings *settings,
			     const struct host_job *job,
			     const struct host_task *task)
{
	char path[PATH_SIZE + 32], pid[16];
	int tree;

	if (!settings->cgroup_v1)
		return;
	snprintf(pid, sizeof(pid), "%d", task->pid);
	for (tree = 0; tree < TREES; tree++) {
		path_of(settings, job, tree, STEP, path, PATH_SIZE);
		make_step(settings, job, tree);
		if (access(path, F_OK) < 0)
			continue;
		if (tree != FREEZER) {
			snprintf(path + strlen(path), 32, "/task_%u",
				 settings->release->is_task_dir_global ?
					 task->gtid : task->id);
			mkdir(path, 0755);
		}
		put_text(path, "cgroup.procs", pid);
	}
}

/* Processes left by a task may still be exiting. */
static void remove_folder(const char *path)
{
	const struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };
	int i;

	for (i = 0; i < REMOVE_TRIES; i++) {
		if (rmdir(path) == 0 || errno == ENOENT)
			return;
		nanosleep(&pause, NULL);
	}
	out_violation("cgroup", "step", "%s: %s", path, strerror(errno));
}

static void remove_tree(const struct host_settings *settings,
			const struct host_job *job, int tree)
{
	char path[PATH_SIZE + 32];
	uint32_t i;
	int depth;

	for (i = 0; i < job->ntasks_local; i++) {
		path_of(settings, job, tree, STEP, path, PATH_SIZE);
		snprintf(path + strlen(path), 32, "/task_%u",
			 settings->release->is_task_dir_global ?
				 job->tasks[i].gtid : job->tasks[i].id);
		remove_folder(path);
	}
	path_of(settings, job, tree, STEP, path, PATH_SIZE);
	remove_folder(path);
	/* Other steps may be in these. */
	for (depth = JOB; depth >= TOP; depth--) {
		path_of(settings, job, tree, depth, path, PATH_SIZE);
		rmdir(path);
	}
}

/* Slurm removes the counters before the last hook, the freezer after it. */
void host_cgroup_v1_remove_counters(const struct host_settings *settings,
				    const struct host_job *job)
{
	if (!settings->cgroup_v1)
		return;
	remove_tree(settings, job, MEMORY);
	remove_tree(settings, job, CPUACCT);
}

void host_cgroup_v1_remove_step(const struct host_settings *settings,
				const struct host_job *job)
{
	if (settings->cgroup_v1)
		remove_tree(settings, job, FREEZER);
}
