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

/*
 * Slurm's cgroup/v2 needs the unified hierarchy at its usual place, and its
 * cgroup/v1 the tree of each controller below that.
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

uint64_t sw_file_start_ticks(uint32_t pid)
{
	char path[32], text[512];
	const char *at;
	uint64_t ticks = 0;
	int field;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	sw_file_text(path, text, sizeof(text));
	/* The program's name may hold blanks and brackets. */
	at = strrchr(text, ')');
	for (field = 2; at && field < 22; field++) {
		at = strchr(at, ' ');
		if (at)
			at++;
	}
	for (; at && *at >= '0' && *at <= '9'; at++)
		ticks = ticks * 10 + (uint64_t)(*at - '0');
	return ticks;
}

/* tree is "" for cgroup v2, "/memory" of v1; text's length is returned. */
static size_t read_one(const char *tree, const char *folder, const char *name,
		       const char *file, char *text, size_t size)
{
	char path[SW_MESSAGE_CGROUP_SIZE + 96];

	snprintf(path, sizeof(path), CGROUP_ROOT "%s%s%s/%s", tree, folder,
		 name, file);
	return sw_file_text(path, text, size);
}

void sw_file_finals(const char *folder, const char *name,
		    struct sw_message_finals *finals)
{
	memset(finals, 0, sizeof(*finals));
	finals->time_usec = sw_clock_boottime_usec();
	if (!folder[0])
		return;
	read_one("", folder, name, "memory.peak", finals->memory_peak,
		 sizeof(finals->memory_peak));
	read_one("", folder, name, "memory.events", finals->memory_events,
		 sizeof(finals->memory_events));
	read_one("", folder, name, "cpu.stat", finals->cpu_stat,
		 sizeof(finals->cpu_stat));
}

void sw_file_finals_v1(const char *folder, const char *name,
		       struct sw_message_finals *finals)
{
	size_t length;

	memset(finals, 0, sizeof(*finals));
	finals->time_usec = sw_clock_boottime_usec();
	if (!folder[0])
		return;
	read_one("/memory", folder, name, "memory.max_usage_in_bytes",
		 finals->memory_peak, sizeof(finals->memory_peak));
	if (name[0])
		read_one("/memory", folder, name, "memory.oom_control",
			 finals->memory_events,
			 sizeof(finals->memory_events));
	length = read_one("/cpuacct", folder, name, "cpuacct.usage",
			  finals->cpu_stat, sizeof(finals->cpu_stat));
	read_one("/cpuacct", folder, name, "cpuacct.stat",
		 finals->cpu_stat + length, sizeof(finals->cpu_stat) - length);
}
