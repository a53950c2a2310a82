/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the child that makes the report of a job on several nodes, after it
 * has become the user.
 *
 * Find the profiles of the job's other nodes.
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

/* Nodes begin a job within this time; its next run begins later. */
#define START_SLACK_SECONDS 60

static const char suffix[] = ".stepwell";

/* CLUSTER.JOB.START.NODE.stepwell; the cluster has no dot, nodes may have. */
struct name {
	const char *text, *node; /* including the dot before it */
	size_t cluster_length;
	unsigned long long job, start;
};

static bool split(struct name *name, const char *text)
{
	const char *end = strstr(text, suffix), *dot = strchr(text, '.');
	char *next;

	if (!end || end[strlen(suffix)])
		return false;
	*name = (struct name){
		.text = text,
		.cluster_length = (size_t)(dot - text),
		.job = strtoull(dot + 1, &next, 10),
	};
	if (*next != '.')
		return false;
	name->start = strtoull(next + 1, &next, 10);
	name->node = next;
	return *next == '.';
}

/* Return true for another node or component in the same run of the job. */
static bool is_other(const struct sw_report_nodes *nodes, const char *text)
{
	struct name own, name;

	if (!split(&own, nodes->own_name) || !split(&name, text) ||
	    name.cluster_length != own.cluster_length ||
	    memcmp(name.text, own.text, own.cluster_length) != 0 ||
	    name.start + START_SLACK_SECONDS < own.start)
		return false;
	return name.job == own.job ? strcmp(name.node, own.node) != 0
				   : name.job - own.job < nodes->components;
}

/* Open those in the directory, after the first count.  Return the new count. */
static size_t open_folder(const struct sw_report_nodes *nodes, int folder,
			  int fds[SW_REPORT_NODES_MAX], size_t count)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *item;

	while (dir && count < SW_REPORT_NODES_MAX && (item = readdir(dir))) {
		if (!is_other(nodes, item->d_name))
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
