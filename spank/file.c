/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small kernel files, read into fixed buffers. */
#include "spank/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/missing.h"
#include "common/proc_stat.h"

/*
 * Slurm's cgroup/v2 requires the unified hierarchy at its usual place, and its
 * cgroup/v1 the tree of each controller below it.
 */
#define CGROUP_ROOT "/sys/fs/cgroup"

size_t sw_file_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
	ssize_t length = -1;
	char *end;

	text[0] = '\0';
	if (fd < 0)
		return 0;
	do {
		length = read(fd, text, size - 1);
	} while (length < 0 && errno == EINTR);
	close(fd);
	if (length <= 0) {
		text[0] = '\0';
		return 0;
	}
	text[length] = '\0';
	end = (size_t)length == size - 1 ? strrchr(text, '\n') : NULL;
	if (end)
		end[1] = '\0';
	return strlen(text);
}

static int read_stat(struct sw_proc_stat *stat, uint32_t pid)
{
	char folder[32];

	snprintf(folder, sizeof(folder), "/proc/%" PRIu32, pid);
	return sw_proc_stat_read(stat, AT_FDCWD, folder);
}

uint64_t sw_file_start_ticks(uint32_t pid)
{
	struct sw_proc_stat stat;

	return read_stat(&stat, pid) < 0
		       ? 0
		       : sw_zero_if_missing(stat.field[SW_PROC_START_TICKS]);
}

bool sw_file_is_alive(uint32_t pid)
{
	struct sw_proc_stat stat;

	return read_stat(&stat, pid) == 0 && !sw_proc_stat_is_dying(&stat);
}

/* tree is "" for cgroup v2, "/memory" for v1.  Return the text's length. */
static size_t read_one(const char *tree, const char *folder, const char *name,
		       const char *file, char *text, size_t size)
{
	char path[SW_MESSAGE_CGROUP_SIZE + 96];

	snprintf(path, sizeof(path), CGROUP_ROOT "%s%s%s/%s", tree, folder,
		 name, file);
	return sw_file_text(path, text, size);
}

void sw_file_final_values(const char *folder, const char *name,
			  struct sw_message_final_values *final_values)
{
	memset(final_values, 0, sizeof(*final_values));
	final_values->time_usec = sw_clock_boottime_usec();
	if (!folder[0])
		return;
	read_one("", folder, name, "memory.peak", final_values->memory_peak,
		 sizeof(final_values->memory_peak));
	read_one("", folder, name, "memory.events", final_values->memory_events,
		 sizeof(final_values->memory_events));
	read_one("", folder, name, "cpu.stat", final_values->cpu_stat,
		 sizeof(final_values->cpu_stat));
}

void sw_file_final_values_v1(const char *folder, const char *name,
			     struct sw_message_final_values *final_values)
{
	size_t length;

	memset(final_values, 0, sizeof(*final_values));
	final_values->time_usec = sw_clock_boottime_usec();
	if (!folder[0])
		return;
	read_one("/memory", folder, name, "memory.max_usage_in_bytes",
		 final_values->memory_peak, sizeof(final_values->memory_peak));
	if (name[0])
		read_one("/memory", folder, name, "memory.oom_control",
			 final_values->memory_events,
			 sizeof(final_values->memory_events));
	length = read_one("/cpuacct", folder, name, "cpuacct.usage",
			  final_values->cpu_stat,
			  sizeof(final_values->cpu_stat));
	read_one("/cpuacct", folder, name, "cpuacct.stat",
		 final_values->cpu_stat + length,
		 sizeof(final_values->cpu_stat) - length);
}
