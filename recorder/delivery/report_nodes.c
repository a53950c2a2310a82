/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the child that makes the report of a job on several nodes, after it
 * has become the user.
 *
 * The profiles of the job's other nodes.
 */
#include "recorder/delivery/report_nodes.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/delivery/user_folder.h"

/* Nodes begin a job within this time; its next run is later by more. */
#define START_SLACK_SECONDS 60

static const char suffix[] = ".stepwell";

/* "CLUSTER.JOB." of a name, and where its start begins; 0: no such name. */
static size_t prefix_length(const char *name)
{
	const char *end = strstr(name, suffix), *dot = end;
	int dots = 0;

	if (!end || end[strlen(suffix)])
		return 0;
	/* The cluster comes first and has no dot; nodes may have some. */
	for (dot = name; dots < 2 && (dot = strchr(dot, '.')); dots++)
		dot++;
	return dot ? (size_t)(dot - name) : 0;
}

/* Of another node, in the same run of the job. */
static bool is_other(const char *own, const char *name)
{
	size_t length = prefix_length(own);
	unsigned long long start;
	char *end, *own_end;

	if (!length || prefix_length(name) != length ||
	    memcmp(name, own, length) != 0)
		return false;
	start = strtoull(name + length, &end, 10);
	return *end == '.' &&
	       start + START_SLACK_SECONDS >=
		       strtoull(own + length, &own_end, 10) &&
	       strcmp(end, own_end) != 0;
}

/* Open those of the folder behind the first count; how many there are then. */
static size_t open_folder(const struct sw_report_nodes *nodes, int folder,
			  int fds[SW_REPORT_NODES_MAX], size_t count)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *item;

	while (dir && count < SW_REPORT_NODES_MAX && (item = readdir(dir))) {
		if (!is_other(nodes->own_name, item->d_name))
			continue;
		fds[count] = openat(folder, item->d_name,
				    O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
		count += fds[count] >= 0;
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	return count;
}

static void close_all(const int *fds, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		close(fds[i]);
}

size_t sw_report_nodes_await(const struct sw_report_nodes *nodes, uid_t uid,
			     unsigned msec, int fds[SW_REPORT_NODES_MAX])
{
	const struct timespec nap = { .tv_nsec = 250 * 1000 * 1000 };
	uint64_t until = sw_clock_boottime_usec() + msec * (SW_USEC_PER_SEC / 1000);
	int folders[SW_USER_FOLDERS_MAX], i;
	int folder_count = sw_user_folders_open(nodes->profile_dir, uid, "",
						folders);
	size_t count = 0;

	if (folder_count <= 0)
		return 0;
	for (;;) {
		for (i = 0; i < folder_count; i++)
			count = open_folder(nodes, folders[i], fds, count);
		if (count + 1 >= nodes->count ||
		    sw_clock_boottime_usec() >= until)
			break;
		close_all(fds, count);
		count = 0;
		nanosleep(&nap, NULL);
	}
	close_all(folders, (size_t)folder_count);
	return count;
}
