/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the deliverer's child.
 *
 * Remove old profiles from directories.  Examines at most PROFILES_MAX files;
 * the others are left to the next call.
 */
#include "recorder/delivery/prune.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PROFILES_MAX = 65536 };

struct profile {
	int dirfd;
	char *name;
	time_t changed;
	uint64_t bytes;
};

static bool is_profile(const char *name)
{
	static const char suffix[] = ".stepwell";
	size_t length = strlen(name);

	return length >= sizeof(suffix) &&
	       !strcmp(name + length - (sizeof(suffix) - 1), suffix);
}

static int compare_age(const void *a, const void *b)
{
	const struct profile *one = a, *two = b;

	return (one->changed > two->changed) - (one->changed < two->changed);
}

/* Append the profiles of a directory after count.  Return the new count. */
static size_t list(int dirfd, struct profile *profiles, size_t count)
{
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *item;
	struct stat status;

	while (dir && count < PROFILES_MAX && (item = readdir(dir))) {
		if (!is_profile(item->d_name) ||
		    fstatat(dirfd, item->d_name, &status,
			    AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(status.st_mode))
			continue;
		profiles[count] = (struct profile){
			.dirfd = dirfd,
			.name = strdup(item->d_name),
			.changed = status.st_mtime,
			.bytes = (uint64_t)status.st_blocks * 512,
		};
		count += profiles[count].name != NULL;
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	return count;
}

uint64_t sw_prune(const int *dirfds, size_t dirfd_count,
		  uint64_t keep_seconds, uint64_t max_bytes,
		  const char *spare)
{
	struct profile *profiles = calloc(PROFILES_MAX, sizeof(*profiles));
	uint64_t total = 0, removed = 0;
	time_t now = time(NULL);
	size_t count = 0, i;

	if (!profiles)
		return 0;
	for (i = 0; i < dirfd_count; i++)
		count = list(dirfds[i], profiles, count);
	qsort(profiles, count, sizeof(*profiles), compare_age);
	for (i = 0; i < count; i++)
		total += profiles[i].bytes;
	for (i = 0; i < count; i++) {
		const struct profile *one = &profiles[i];
		bool is_old = keep_seconds && now > one->changed &&
			      (uint64_t)(now - one->changed) > keep_seconds;
		bool is_beyond = max_bytes && total > max_bytes;

		if ((is_old || is_beyond) &&
		    !(spare && !strcmp(spare, one->name)) &&
		    unlinkat(one->dirfd, one->name, 0) == 0) {
			removed++;
			total -= one->bytes;
		}
		free(one->name);
	}
	free(profiles);
	return removed;
}
