/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copy the summaries of one node.  Concurrent copies from the same node take a
 * lock on its folder, which involves no network, so that an older copy never
 * replaces a newer one.
 */
#include "analyzer/sweep/gather/gather.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/sweep/gather/copy_bytes.h"
#include "analyzer/sweep/gather/copy_tail.h"
#include "analyzer/sweep/gather/put_file.h"
#include "analyzer/sweep/night/day_files.h"
#include "analyzer/sweep/night/times.h"
#include "common/escape.h"
#include "common/grow.h"
#include "common/open_file.h"
#include "common/text.h"

#define PART ".part"

enum { MODE = 0640 };

struct copying {
	const struct sw_gather *gather;
	struct sw_gathered *gathered;
	int from, into;
	uid_t owner; /* of the source folder */
	char oldest_day[SW_TIME_SIZE];
};

int sw_gather_open(const char *folder, struct sw_error *error)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0)
		return sw_error_errno(error, "%s", folder);
	if (!(status.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	close(fd);
	errno = EPERM;
	return sw_error_set(error,
			    "%s: others than its owner can write there, so "
			    "no summary in it counts",
			    folder);
}

static void complain(struct copying *copying, const char *name,
		     const char *what, const char *why)
{
	char text[512], shown[256];

	copying->gathered->refused++;
	snprintf(text, sizeof(text), "%s/%s: %s%snot copied: %s",
		 copying->gather->from,
		 sw_escape_ascii(shown, sizeof(shown), name), what,
		 *what ? " " : "", why);
	copying->gather->complain(copying->gather->context, text);
}

static void refuse(struct copying *copying, const char *name, const char *why)
{
	complain(copying, name, "", why);
}

/* Name of the same day's file in its other state (".part" or finished). */
static void other_name(char *other, size_t size, const char *name)
{
	if (sw_has_suffix(name, PART))
		snprintf(other, size, "%.*s",
			 (int)(strlen(name) - strlen(PART)), name);
	else
		snprintf(other, size, "%s" PART, name);
}

/* The writer renames a file when it is finished: try the other name, too. */
static int open_source(const struct copying *copying, char *name, size_t size)
{
	char other[NAME_MAX + 8];
	int fd = sw_open_file(copying->from, name, false);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	other_name(other, sizeof(other), name);
	fd = sw_open_file(copying->from, other, false);
	if (fd >= 0)
		snprintf(name, size, "%s", other);
	return fd;
}

static bool has_copy(const struct copying *copying, const char *name,
		     const struct stat *source)
{
	struct stat copy;

	return fstatat(copying->into, name, &copy, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(copy.st_mode) && copy.st_size == source->st_size &&
	       copy.st_mtim.tv_sec == source->st_mtim.tv_sec;
}

struct source {
	int fd;
	const struct stat *status;
};

/* Keep the times of the source, so that unchanged files are skipped. */
static int fill(int into, const void *context)
{
	const struct source *source = context;
	const struct timespec times[] = { source->status->st_mtim,
					  source->status->st_mtim };

	if (sw_copy_bytes(source->fd, into, source->status->st_size) < 0 ||
	    fchmod(into, MODE) < 0 || futimens(into, times) < 0)
		return -1;
	return fsync(into);
}

static int copy_open(const struct copying *copying, int from, const char *name,
		     const struct stat *status)
{
	const struct source source = { from, status };
	char other[NAME_MAX + 8];

	if (sw_put_file(copying->into, name, SW_OWN_PROFILE, fill, &source) < 0)
		return -1;
	other_name(other, sizeof(other), name);
	sw_drop_file(copying->into, other, SW_OWN_PROFILE);
	if (!sw_has_suffix(name, PART))
		sw_drop_tail(copying->into, name);
	return 0;
}

/* Copy the rows of the last minute; 1 if there are any. */
static int copy_tail(struct copying *copying, const char *name)
{
	int rc = sw_has_suffix(name, PART) ?
			 sw_copy_tail(copying->from, copying->into, name,
				      copying->owner) : 0;

	if (rc < 0)
		complain(copying, name, "its newest rows", strerror(errno));
	return rc;
}

/* Any other file would never be replaced again. */
static bool is_recording(int fd)
{
	enum sw_own kind = sw_own_file(fd);

	return kind == SW_OWN_PROFILE || kind == SW_OWN_EMPTY;
}

static void copy_file(struct copying *copying, const char *listed)
{
	char name[NAME_MAX + 8];
	struct stat source;
	int fd, tail;

	snprintf(name, sizeof(name), "%s", listed);
	tail = copy_tail(copying, name);
	fd = open_source(copying, name, sizeof(name));
	if (fd < 0 || fstat(fd, &source) < 0)
		refuse(copying, name, strerror(errno));
	else if (!S_ISREG(source.st_mode))
		refuse(copying, name, "not a regular file");
	else if (source.st_uid != copying->owner && source.st_uid != 0)
		refuse(copying, name, "not the file of the folder's owner");
	else if (!is_recording(fd))
		refuse(copying, name, "not a recording");
	else if (has_copy(copying, name, &source))
		*(tail > 0 ? &copying->gathered->copied :
			     &copying->gathered->unchanged) += 1;
	else if (copy_open(copying, fd, name, &source) < 0)
		refuse(copying, name, strerror(errno));
	else
		copying->gathered->copied++;
	if (fd >= 0)
		close(fd);
	/* The file now includes the block of the last copy. */
	if (tail == 0 && sw_has_suffix(name, PART))
		sw_drop_tail(copying->into, name);
}

static int copy_all(struct copying *copying)
{
	char **names = NULL;
	size_t count = 0, i;
	int fd = openat(copying->from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int rc = dir ? 0 : -1;

	/* Read all names first: files are renamed meanwhile. */
	while (rc == 0 && (entry = readdir(dir))) {
		if (!sw_is_day_file(entry->d_name) ||
		    !sw_day_file_is_within(entry->d_name, copying->oldest_day,
					   "9999-12-31"))
			continue;
		rc = sw_grow(&names, count, sizeof(*names));
		if (rc == 0)
			rc = (names[count++] = strdup(entry->d_name)) ? 0 : -1;
	}
	if (dir)
		closedir(dir);
	for (i = 0; i < count; i++) {
		if (rc == 0)
			copy_file(copying, names[i]);
		free(names[i]);
	}
	free(names);
	return rc;
}

static int prepare(struct copying *copying, struct sw_error *error)
{
	const struct sw_gather *gather = copying->gather;
	struct stat from, into;

	copying->from = sw_gather_open(gather->from, error);
	if (copying->from < 0)
		return -1;
	copying->into = sw_gather_open(gather->into, error);
	if (copying->into < 0)
		return -1;
	if (fstat(copying->from, &from) < 0 || fstat(copying->into, &into) < 0)
		return sw_error_errno(error, "%s", gather->into);
	if (from.st_dev == into.st_dev && from.st_ino == into.st_ino) {
		errno = EINVAL;
		return sw_error_set(error,
				    "%s: the recorder of this node writes "
				    "there itself; nothing is to be copied",
				    gather->into);
	}
	copying->owner = from.st_uid;
	sw_time_utc_day(copying->oldest_day, gather->oldest_seconds);
	if (flock(copying->from, LOCK_EX) < 0)
		return sw_error_errno(error, "%s", gather->from);
	return 0;
}

int sw_gather(struct sw_gathered *gathered, const struct sw_gather *gather,
	      struct sw_error *error)
{
	struct copying copying = {
		.gather = gather,
		.gathered = gathered,
		.from = -1,
		.into = -1,
	};
	int rc;

	*gathered = (struct sw_gathered){ 0, 0, 0 };
	rc = prepare(&copying, error);
	if (rc == 0 && copy_all(&copying) < 0)
		rc = sw_error_errno(error, "%s", gather->from);
	if (copying.from >= 0)
		close(copying.from);
	if (copying.into >= 0)
		close(copying.into);
	return rc;
}

void sw_gather_expire(const char *folder, uint64_t oldest_seconds)
{
	char oldest_day[SW_TIME_SIZE];
	DIR *dir = opendir(folder);
	struct dirent *entry;

	sw_time_utc_day(oldest_day, oldest_seconds);
	while (dir && (entry = readdir(dir))) {
		bool is_tail = sw_is_day_tail(entry->d_name);

		if ((sw_is_day_file(entry->d_name) || is_tail) &&
		    !sw_day_file_is_within(entry->d_name, oldest_day,
					   "9999-12-31"))
			sw_drop_file(dirfd(dir), entry->d_name,
				     is_tail ? SW_OWN_TAIL : SW_OWN_PROFILE);
	}
	if (dir)
		closedir(dir);
}
