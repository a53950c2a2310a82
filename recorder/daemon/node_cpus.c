/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bind the node's recorder to slurmd's CPUs.  Without slurmd, the binding stays
 * unchanged.
 */
#include "recorder/daemon/node_cpus.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/slurm_conf.h"
#include "recorder/log/node_log.h"

enum { CPUS_MAX = 8192 };	/* maximum NR_CPUS of the kernel */

/* cpu_set_t itself is limited to 1024. */
struct cpus {
	unsigned char byte[CPUS_MAX / CHAR_BIT];
};

/* Used if slurmd may use all CPUs */
static struct cpus base;

static int get(pid_t pid, struct cpus *cpus)
{
	memset(cpus, 0, sizeof(*cpus));
	return sched_getaffinity(pid, sizeof(*cpus),
				 (cpu_set_t *)(void *)cpus);
}

static int set(pid_t pid, const struct cpus *cpus)
{
	return sched_setaffinity(pid, sizeof(*cpus),
				 (const cpu_set_t *)(const void *)cpus);
}

static int count(const struct cpus *cpus)
{
	return CPU_COUNT_S(sizeof(*cpus),
			   (const cpu_set_t *)(const void *)cpus);
}

/* Includes the processes that deliver and write for it */
static void set_all(const struct cpus *cpus)
{
	char path[64];
	FILE *file;
	int child;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	file = fopen(path, "re");
	while (file && fscanf(file, "%d", &child) == 1)
		set(child, cpus);
	if (file)
		fclose(file);
	set(0, cpus);
}

/* Get all CPUs that the cgroup allows. */
static void get_widest(struct cpus *cpus)
{
	struct cpus all;

	memset(&all, 0xff, sizeof(all));
	set(0, &all);
	get(0, cpus);
}

void sw_node_cpus_begin(bool is_of_slurmd)
{
	get(0, &base);
	/* A cpuset becomes an affinity mask only if set explicitly. */
	set(0, &base);
	if (is_of_slurmd)
		memset(&base, 0xff, sizeof(base));
}

static bool is_part(const struct cpus *part, const struct cpus *whole)
{
	size_t i;

	for (i = 0; i < sizeof(part->byte); i++) {
		if (part->byte[i] & ~whole->byte[i])
			return false;
	}
	return count(part) > 0 && count(part) < count(whole);
}

/* Check the owner and name: the pid may have been reused. */
static bool is_slurmd(pid_t pid)
{
	char path[32], name[16] = "";
	struct stat status;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (fstat(fileno(file), &status) < 0 || status.st_uid != geteuid() ||
	    !fgets(name, sizeof(name), file))
		name[0] = '\0';
	fclose(file);
	return strcmp(name, "slurmd\n") == 0;
}

void sw_node_cpus_follow(pid_t pid)
{
	struct cpus before, slurmd, all;

	if (pid <= 0 || !is_slurmd(pid) || get(pid, &slurmd) < 0 ||
	    get(0, &before) < 0)
		return;
	get_widest(&all);
	if (!is_part(&slurmd, &all)) {
		set_all(&base);
		return;
	}
	set_all(&slurmd);
	if (memcmp(&before, &slurmd, sizeof(before)) != 0)
		sw_node_log("confined to slurmd's CPUs: %d of %d",
			    count(&slurmd), count(&all));
}

void sw_node_cpus_follow_slurmd(const char *slurm_conf)
{
	char path[PATH_MAX], text[16] = "";
	ssize_t length = -1;
	int fd;

	sw_slurm_conf_here(slurm_conf, "SlurmdPidFile", path, sizeof(path));
	if (!path[0])
		strcpy(path, "/run/slurmd.pid");
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0)
		length = read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	if (length > 0)
		sw_node_cpus_follow((pid_t)strtol(text, NULL, 10));
}
