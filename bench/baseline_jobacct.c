/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's reads for a sample, and the walk over /proc.
 *
 * Cannot fail: a missing file is counted and skipped.
 */
#include "bench/baseline_jobacct.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	STAT_SIZE = 512,	/* Slurm's buffer sizes */
	STATUS_SIZE = 4096,
	IO_SIZE = 256,
	CGROUP_READ_SIZE = 4096,
};

struct process {
	pid_t pid;
	uint64_t cpu_ticks;
	uint64_t rss_bytes;
	uint64_t read_bytes;
	uint64_t written_bytes;
};

/* Open and close by stdio; reads bypass its buffer. */
static FILE *open_proc(pid_t pid, const char *name,
		       struct jobacct_sample *sample)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
	file = fopen(path, "r");
	if (file == NULL) {
		sample->files_missing++;
		return NULL;
	}
	sample->files++;
	(void)fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
	return file;
}

static int read_fully_once(FILE *file, char *text, size_t size)
{
	ssize_t got = read(fileno(file), text, size - 1);

	if (got <= 0)
		return -1;
	text[got] = '\0';
	return 0;
}

/* Check that pid is a process, not a thread of another process. */
static int check_leader(pid_t pid, struct jobacct_sample *sample)
{
	char path[PATH_MAX];
	char text[STATUS_SIZE];
	const char *tgid;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		sample->files_missing++;
		return -1;
	}
	sample->files++;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got <= 0)
		return -1;
	text[got] = '\0';
	tgid = strstr(text, "Tgid:");
	if (tgid == NULL || atoi(tgid + strlen("Tgid:")) != (int)pid)
		return -1;
	return 0;
}

/* Parse all 37 fields, as Slurm does, and keep four. */
static int parse_stat(char *text, struct process *process)
{
	char *name_end = strrchr(text, ')');
	unsigned long skipped[14];
	unsigned long utime;
	unsigned long stime;
	unsigned long long start;
	unsigned int flags;
	long counts[7];
	long rss;
	int ids[7];
	char state;
	int found;

	if (name_end == NULL || sscanf(text, "%d (", &ids[0]) < 1)
		return -1;
	found = sscanf(name_end + 2,
		       "%c %d %d %d %d %d %u %lu %lu %lu %lu %lu %lu "
		       "%ld %ld %ld %ld %ld %ld %llu %lu %ld "
		       "%lu %lu %lu %lu %lu %lu %lu %lu %lu %lu "
		       "%lu %lu %lu %d %d ",
		       &state, &ids[0], &ids[1], &ids[2], &ids[3], &ids[4],
		       &flags, &skipped[0], &skipped[1], &skipped[2],
		       &skipped[3], &utime, &stime, &counts[0], &counts[1],
		       &counts[2], &counts[3], &counts[4], &counts[5], &start,
		       &skipped[4], &rss, &skipped[5], &skipped[6],
		       &skipped[7], &skipped[8], &skipped[9], &skipped[10],
		       &skipped[11], &skipped[12], &skipped[13], &skipped[0],
		       &skipped[1], &skipped[2], &skipped[3], &ids[5],
		       &ids[6]);
	if (found < 37 || rss < 0)
		return -1;
	process->cpu_ticks = utime + stime;
	process->rss_bytes = (uint64_t)rss * (uint64_t)getpagesize();
	return 0;
}

static int poll_stat(struct process *process, struct jobacct_sample *sample)
{
	FILE *file = open_proc(process->pid, "stat", sample);
	char text[STAT_SIZE];
	int result = -1;

	if (file == NULL)
		return -1;
	if (read_fully_once(file, text, sizeof(text)) == 0 &&
	    parse_stat(text, process) == 0)
		result = check_leader(process->pid, sample);
	fclose(file);
	return result;
}

static int poll_io(struct process *process, struct jobacct_sample *sample)
{
	FILE *file = open_proc(process->pid, "io", sample);
	unsigned long long rchar;
	unsigned long long wchar;
	char first_key[8];
	char second_key[8];
	char text[IO_SIZE];
	int result = -1;

	if (file == NULL)
		return 0;	/* Slurm takes it as no I/O */
	if (read_fully_once(file, text, sizeof(text)) == 0 &&
	    sscanf(text, "%7s %llu %7s %llu", first_key, &rchar, second_key,
		   &wchar) == 4)
		result = check_leader(process->pid, sample);
	if (result == 0) {
		process->read_bytes = rchar;
		process->written_bytes = wchar;
	}
	fclose(file);
	return result;
}

static void poll_process(pid_t pid, struct jobacct_sample *sample)
{
	struct process process = { .pid = pid };

	if (poll_stat(&process, sample) < 0 || poll_io(&process, sample) < 0)
		return;
	sample->processes++;
	sample->cpu_ticks += process.cpu_ticks;
	sample->rss_bytes += process.rss_bytes;
	sample->read_bytes += process.read_bytes;
	sample->written_bytes += process.written_bytes;
}

/*
 * Read into a growing buffer until a read returns nothing, as Slurm reads every
 * file of a cgroup.  The caller frees; NULL if there is no such file.
 */
static char *read_cgroup_file(const char *cgroup_path, const char *name,
			      struct jobacct_sample *sample)
{
	char path[PATH_MAX];
	char *text;
	size_t used = 0;
	ssize_t got;
	int fd;

	if (snprintf(path, sizeof(path), "%s/%s", cgroup_path, name) >=
	    (int)sizeof(path))
		return NULL;
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		sample->files_missing++;
		return NULL;
	}
	sample->files++;
	text = calloc(1, CGROUP_READ_SIZE + 1);
	while (text != NULL &&
	       (got = read(fd, text + used, CGROUP_READ_SIZE)) > 0) {
		char *grown = realloc(text, used + (size_t)got +
				      CGROUP_READ_SIZE + 1);

		if (grown == NULL)
			break;
		text = grown;
		used += (size_t)got;
	}
	if (text != NULL)
		text[used] = '\0';
	close(fd);
	return text;
}

static uint64_t find_number(const char *text, const char *key)
{
	const char *found = text == NULL ? NULL : strstr(text, key);
	unsigned long long value = 0;

	if (found == NULL || sscanf(found + strlen(key), "%llu", &value) != 1)
		return 0;
	return value;
}

static void poll_cgroup(const char *cgroup_path,
			struct jobacct_sample *sample)
{
	char *cpu_stat = read_cgroup_file(cgroup_path, "cpu.stat", sample);
	char *current = read_cgroup_file(cgroup_path, "memory.current",
					 sample);
	char *stat = read_cgroup_file(cgroup_path, "memory.stat", sample);
	char *peak = read_cgroup_file(cgroup_path, "memory.peak", sample);

	sample->cgroup_cpu_usec += find_number(cpu_stat, "user_usec") +
		find_number(cpu_stat, "system_usec");
	(void)find_number(stat, "pgmajfault");
	(void)find_number(peak, "");
	sample->cgroup_memory_bytes += find_number(current, "");
	free(cpu_stat);
	free(current);
	free(stat);
	free(peak);
}

static void poll_cgroup_processes(const char *cgroup_path,
				  struct jobacct_sample *sample)
{
	char *text = read_cgroup_file(cgroup_path, "cgroup.procs", sample);
	const char *next = text;

	while (next != NULL && *next != '\0') {
		unsigned int pid;

		if (sscanf(next, "%u", &pid) == 1)
			poll_process((pid_t)pid, sample);
		next = strchr(next, '\n');
		if (next != NULL)
			next++;
	}
	free(text);
}

void jobacct_poll(const struct jobacct_task *tasks, size_t task_count,
		  struct jobacct_sample *sample)
{
	memset(sample, 0, sizeof(*sample));
	for (size_t i = 0; i < task_count; i++) {
		const struct jobacct_task *task = &tasks[i];

		if (task->cgroup_path != NULL)
			poll_cgroup_processes(task->cgroup_path, sample);
		for (size_t k = 0; k < task->pid_count; k++)
			poll_process(task->pids[k], sample);
	}
	for (size_t i = 0; i < task_count; i++)
		if (tasks[i].cgroup_path != NULL)
			poll_cgroup(tasks[i].cgroup_path, sample);
}

int walk_poll(struct jobacct_sample *sample)
{
	DIR *folder = opendir("/proc");
	const struct dirent *entry;

	memset(sample, 0, sizeof(*sample));
	if (folder == NULL)
		return -1;
	while ((entry = readdir(folder)) != NULL) {
		char *end;
		long pid;

		if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
			continue;
		errno = 0;
		pid = strtol(entry->d_name, &end, 10);
		if (errno == 0 && *end == '\0')
			poll_process((pid_t)pid, sample);
	}
	closedir(folder);
	return 0;
}
