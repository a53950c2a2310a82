/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find Slurm's and stepwell's processes on this node in /proc. */
#include "analyzer/doctor/node_processes.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/missing.h"
#include "common/proc_stat.h"
#include "common/units.h"

/* From the fork of a slurmstepd to that of its tasks. */
#define STEP_START_USEC (10 * SW_USEC_PER_SEC)

static bool has_name(const struct sw_doctor *doctor, const char *pid,
		     const char *name)
{
	char path[64], text[32];

	snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	if (sw_doctor_read(doctor, path, text, sizeof(text)) <= 0)
		return false;
	text[strcspn(text, "\n")] = '\0';
	return strcmp(text, name) == 0;
}

static ssize_t read_arguments(const struct sw_doctor *doctor, const char *pid,
			      char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%.16s/cmdline", pid);
	return sw_doctor_read(doctor, path, text, size);
}

static bool has_argument(const struct sw_doctor *doctor, const char *pid,
			 const char *argument)
{
	char text[512];
	ssize_t length = read_arguments(doctor, pid, text, sizeof(text)), at;

	for (at = 0; at < length; at += (ssize_t)strlen(text + at) + 1) {
		if (!strcmp(text + at, argument))
			return true;
	}
	return false;
}

static DIR *open_proc(const struct sw_doctor *doctor)
{
	int fd = sw_doctor_open(doctor, "/proc", O_RDONLY | O_DIRECTORY);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (!folder && fd >= 0)
		close(fd);
	return folder;
}

/* Next process directory; NULL at the end. */
static const char *next_pid(DIR *folder)
{
	struct dirent *entry;

	while ((entry = readdir(folder))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			return entry->d_name;
	}
	return NULL;
}

bool sw_node_process_find(const struct sw_doctor *doctor, const char *name,
			  const char *argument, char pid[SW_PID_SIZE])
{
	DIR *folder = open_proc(doctor);
	long oldest = LONG_MAX, number;
	const char *each;

	while (folder && (each = next_pid(folder))) {
		number = strtol(each, NULL, 10);
		if (number < oldest && has_name(doctor, each, name) &&
		    (!argument || has_argument(doctor, each, argument)))
			oldest = number;
	}
	if (folder)
		closedir(folder);
	snprintf(pid, SW_PID_SIZE, "%ld", oldest);
	return oldest != LONG_MAX;
}

uint64_t sw_node_process_start(const struct sw_doctor *doctor, const char *pid)
{
	struct sw_proc_stat stat;
	int proc = sw_doctor_open(doctor, "/proc", O_RDONLY | O_DIRECTORY);
	bool is_read = sw_proc_stat_read(&stat, proc, pid) == 0;

	if (proc >= 0)
		close(proc);
	return is_read ? sw_clock_ticks_usec(stat.field[SW_PROC_START_TICKS])
		       : SW_MISSING;
}

/* Microseconds since boot; SW_MISSING if unknown. */
static uint64_t read_now(const struct sw_doctor *doctor)
{
	char text[64], *end;
	double seconds;

	if (sw_doctor_read(doctor, "/proc/uptime", text, sizeof(text)) <= 0)
		return SW_MISSING;
	seconds = strtod(text, &end);
	return end == text || !(seconds >= 0 && seconds < 1e12)
		       ? SW_MISSING
		       : (uint64_t)(seconds * SW_USEC_PER_SEC);
}

/* slurmd's own ones are not named "slurmstepd: [JOB.STEP]". */
static bool is_step(const struct sw_doctor *doctor, const char *pid)
{
	static const char title[] = "slurmstepd: [";
	char text[64];

	return has_name(doctor, pid, "slurmstepd") &&
	       read_arguments(doctor, pid, text, sizeof(text)) > 0 &&
	       !strncmp(text, title, strlen(title));
}

size_t sw_node_steps_since(const struct sw_doctor *doctor, uint64_t start_usec)
{
	uint64_t now = read_now(doctor), start;
	DIR *folder = open_proc(doctor);
	const char *each;
	size_t count = 0;

	while (folder && (each = next_pid(folder))) {
		if (!is_step(doctor, each))
			continue;
		start = sw_node_process_start(doctor, each);
		count += !sw_is_missing(start) && !sw_is_missing(now) &&
			 start > start_usec && start + STEP_START_USEC < now;
	}
	if (folder)
		closedir(folder);
	return count;
}
