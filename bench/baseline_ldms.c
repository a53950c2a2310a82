/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LDMS's reads for a sample: every file of its process sampler, opened each
 * time.
 *
 * Cannot fail: a missing file is counted and skipped.
 */
#include "bench/baseline_jobacct.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LINE_SIZE = 4096,
	NAME_SIZE = 128,
	STAT_NUMBERS = 49,	/* from ppid to exit_code */
	IO_NUMBERS = 7,
	SYSCALL_NUMBERS = 9,
};

struct ldms {
	pid_t pid;
	struct jobacct_sample *sample;
};

static void make_path(const struct ldms *ldms, const char *name,
		      char path[NAME_SIZE])
{
	snprintf(path, NAME_SIZE, "/proc/%ld/%s", (long)ldms->pid, name);
}

static FILE *open_file(const struct ldms *ldms, const char *name)
{
	char path[NAME_SIZE];
	FILE *file;

	make_path(ldms, name, path);
	file = fopen(path, "r");
	if (file == NULL)
		ldms->sample->files_missing++;
	else
		ldms->sample->files++;
	return file;
}

static void poll_open_files(const struct ldms *ldms)
{
	char path[NAME_SIZE];
	const struct dirent *entry;
	uint64_t count = 0;
	DIR *folder;

	make_path(ldms, "fd", path);
	folder = opendir(path);
	if (folder == NULL) {
		ldms->sample->files_missing++;
		return;
	}
	ldms->sample->files++;
	while ((entry = readdir(folder)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			count++;
	closedir(folder);
}

static void poll_io(const struct ldms *ldms)
{
	FILE *file = open_file(ldms, "io");
	unsigned long values[IO_NUMBERS];

	if (file == NULL)
		return;
	if (fscanf(file,
		   "rchar: %lu\nwchar: %lu\nsyscr: %lu\nsyscw: %lu\n"
		   "read_bytes: %lu\nwrite_bytes: %lu\n"
		   "cancelled_write_bytes: %lu\n",
		   &values[0], &values[1], &values[2], &values[3], &values[4],
		   &values[5], &values[6]) == IO_NUMBERS) {
		ldms->sample->read_bytes += values[0];
		ldms->sample->written_bytes += values[1];
	}
	fclose(file);
}

static void poll_number(const struct ldms *ldms, const char *name)
{
	FILE *file = open_file(ldms, name);
	long value;

	if (file == NULL)
		return;
	(void)!fscanf(file, "%ld", &value);
	fclose(file);
}

static void poll_root(const struct ldms *ldms)
{
	char path[NAME_SIZE];
	char target[LINE_SIZE];

	make_path(ldms, "root", path);
	if (readlink(path, target, sizeof(target) - 1) < 0)
		ldms->sample->files_missing++;
	else
		ldms->sample->files++;
}

/* Parse number by number, as LDMS does. */
static int parse_stat(const char *line, unsigned long values[STAT_NUMBERS])
{
	char name[NAME_SIZE];
	char state;
	int offset;
	int pid;

	if (sscanf(line, "%d (%127[^)]) %c%n", &pid, name, &state,
		   &offset) != 3)
		return -1;
	line += offset;
	for (int i = 0; i < STAT_NUMBERS; i++) {
		if (sscanf(line, "%lu%n", &values[i], &offset) != 1)
			return -1;
		line += offset;
	}
	return 0;
}

static bool poll_stat(const struct ldms *ldms)
{
	enum { UTIME = 10, STIME = 11, RSS = 20 };
	FILE *file = open_file(ldms, "stat");
	unsigned long values[STAT_NUMBERS];
	char line[LINE_SIZE];
	char *got;

	if (file == NULL)
		return false;
	got = fgets(line, sizeof(line), file);
	fclose(file);
	if (got == NULL || parse_stat(line, values) < 0)
		return false;
	ldms->sample->cpu_ticks += values[UTIME] + values[STIME];
	ldms->sample->rss_bytes += values[RSS] * (uint64_t)getpagesize();
	return true;
}

static int compare_keys(const void *key, const void *row)
{
	return strcmp(key, *(const char *const *)row);
}

/* LDMS finds each line's key by binary search; the order is LDMS's. */
static void poll_status(const struct ldms *ldms)
{
	static const char *const keys[] = {
		"CapAmb", "CapBnd", "CapEff", "CapInh", "CapPrm", "CoreDumping",
		"Cpus_allowed", "Cpus_allowed_list", "FDSize", "Gid", "Groups",
		"HugetlbPages", "Mems_allowed", "Mems_allowed_list", "NSpgid",
		"NSpid", "NSsid", "NStgid", "Name", "Ngid", "NoNewPrivs",
		"PPid", "Pid", "RssAnon", "RssFile", "RssShmem", "Seccomp",
		"ShdPnd", "SigBlk", "SigCgt", "SigIgn", "SigPnd", "SigQ",
		"Speculation_Store_Bypass", "State", "Tgid", "Threads",
		"TracerPid", "Uid", "Umask", "VmData", "VmExe", "VmHWM",
		"VmLck", "VmLib", "VmPMD", "VmPTE", "VmPeak", "VmPin", "VmRSS",
		"VmSize", "VmStk", "VmSwap", "nonvoluntary_ctxt_switches",
		"voluntary_ctxt_switches",
	};
	FILE *file = open_file(ldms, "status");
	char line[LINE_SIZE];
	long value;

	if (file == NULL)
		return;
	while (fgets(line, sizeof(line), file) != NULL) {
		char *rest;
		const char *key = strtok_r(line, ":", &rest);

		if (key != NULL &&
		    bsearch(key, keys, sizeof(keys) / sizeof(keys[0]),
			    sizeof(keys[0]), compare_keys) != NULL)
			(void)!sscanf(rest, "%ld", &value);
	}
	fclose(file);
}

static void poll_syscall(const struct ldms *ldms)
{
	FILE *file = open_file(ldms, "syscall");
	unsigned long values[SYSCALL_NUMBERS];
	char line[LINE_SIZE];
	char *got;
	int number;

	if (file == NULL)
		return;
	got = fgets(line, sizeof(line), file);
	fclose(file);
	if (got != NULL && strncmp(line, "running", strlen("running")) != 0)
		(void)!sscanf(line, "%d %lx %lx %lx %lx %lx %lx %lx %lx",
			      &number, &values[1], &values[2], &values[3],
			      &values[4], &values[5], &values[6], &values[7],
			      &values[8]);
}

static void poll_wait_channel(const struct ldms *ldms)
{
	char path[NAME_SIZE];
	char name[NAME_SIZE];
	int fd;

	make_path(ldms, "wchan", path);
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		ldms->sample->files_missing++;
		return;
	}
	ldms->sample->files++;
	(void)!read(fd, name, sizeof(name));
	close(fd);
}

void ldms_poll(const pid_t *pids, size_t pid_count,
	       struct jobacct_sample *sample)
{
	memset(sample, 0, sizeof(*sample));
	for (size_t i = 0; i < pid_count; i++) {
		const struct ldms ldms = { .pid = pids[i], .sample = sample };

		poll_open_files(&ldms);
		poll_io(&ldms);
		poll_number(&ldms, "oom_score");
		poll_number(&ldms, "oom_score_adj");
		poll_root(&ldms);
		if (poll_stat(&ldms))
			sample->processes++;
		poll_status(&ldms);
		poll_syscall(&ldms);
		poll_number(&ldms, "timerslack_ns");
		poll_wait_channel(&ldms);
	}
}
