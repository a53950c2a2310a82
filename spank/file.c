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

/* Fields of /proc/PID/stat as proc(5) counts them, and one of the flags. */
enum { STAT_STATE = 3, STAT_FLAGS = 9, STAT_STARTTIME = 22, FLAG_EXITING = 4 };

static void read_stat(uint32_t pid, char *text, size_t size)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	sw_file_text(path, text, size);
}

/* Field number of the text, from STAT_STATE on; "" where there is none. */
static const char *find_field(const char *text, int number)
{
	/* The program's name may hold blanks and brackets. */
	const char *at = strrchr(text, ')');
	int field;

	for (field = STAT_STATE - 1; at && field < number; field++) {
		at = strchr(at, ' ');
		if (at)
			at++;
	}
	return at ? at : "";
}

static uint64_t parse_number(const char *at)
{
	uint64_t number = 0;

	for (; *at >= '0' && *at <= '9'; at++)
		number = number * 10 + (uint64_t)(*at - '0');
	return number;
}

uint64_t sw_file_start_ticks(uint32_t pid)
{
	char text[512];

	read_stat(pid, text, sizeof(text));
	return parse_number(find_field(text, STAT_STARTTIME));
}

bool sw_file_is_alive(uint32_t pid)
{
	char text[512], state;

	read_stat(pid, text, sizeof(text));
	state = find_field(text, STAT_STATE)[0];
	return state && state != 'Z' && state != 'X' &&
	       !(parse_number(find_field(text, STAT_FLAGS)) & FLAG_EXITING);
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
