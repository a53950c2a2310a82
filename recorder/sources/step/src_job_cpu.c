/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU time of a step's job, and of all jobs of the node: cpu.stat of the job's
 * cgroup and of its parent, which batch systems use for jobs only.  Shows
 * whether a step's neighbors are jobs or the system.
 */
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

enum { JOB, JOBS, COLUMNS };

static const struct sw_column columns[COLUMNS] = {
	[JOB] = { "job.usage_usec", "usec", SW_KIND_COUNTER,
		  "CPU time of the step's job on this node." },
	[JOBS] = { "jobs.usage_usec", "usec", SW_KIND_COUNTER,
		   "CPU time of all jobs of this node, this one too." },
};

struct state {
	bool has_jobs;		/* parent contains only jobs */
};

/* Opened for each read: a job may have many steps, each with this source. */
static enum sw_read_status read_usage(int fd, const char *path, uint64_t *value)
{
	const struct sw_kernkey key = { "usage_usec", 0 };
	struct sw_kernfile file;
	enum sw_read_status status = sw_kernfile_open(&file, fd, path);

	if (status == SW_READ_OK)
		status = sw_kernfile_keyed(&file, &key, 1, value);
	sw_kernfile_close(&file);
	return status;
}

static enum sw_read_status look(int fd, const char *path)
{
	struct sw_kernfile file;
	enum sw_read_status status = sw_kernfile_open(&file, fd, path);

	sw_kernfile_close(&file);
	return status;
}

static int folder_of(const struct sw_target *target)
{
	return target->job ? target->job->cgroup_fd : -1;
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;
	int fd = folder_of(target);

	/* The root of the hierarchy lacks it, and counts the whole node. */
	state->has_jobs = look(fd, "../cgroup.events") == SW_READ_OK;
	return look(fd, "cpu.stat");
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	const struct state *state = memory;
	int fd = folder_of(target);
	enum sw_read_status status = read_usage(fd, "cpu.stat", &values[JOB]);

	if (status == SW_READ_OK && state->has_jobs)
		status = read_usage(fd, "../cpu.stat", &values[JOBS]);
	return status == SW_READ_ABSENT ? SW_READ_GONE : status;
}

const struct sw_source sw_src_job_cpu = {
	.name = "job_cpu",
	.backend = "cgroup.v2",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.read = read_source,
	.absence = "no cgroup of the job",
};
