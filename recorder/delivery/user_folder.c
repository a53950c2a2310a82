/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the deliverer's child.
 *
 * A user's directories below profile_dir.  Directories of other users are not
 * opened or queried, since they may be on a file system that hangs; so names
 * are checked with AT_STATX_DONT_SYNC (statx(2)) before they are opened.
 */
#include "recorder/delivery/user_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/users_folder.h"
#include "recorder/log/node_log.h"

enum { NAME_SIZE = SW_USER_FOLDER_NAME_SIZE };

static void put_name(char *name, uid_t uid, unsigned number)
{
	if (number == 0)
		snprintf(name, NAME_SIZE, "%" PRIu32, (uint32_t)uid);
	else
		snprintf(name, NAME_SIZE, "%" PRIu32 ".%u", (uint32_t)uid,
			 number);
}

static bool is_own(int top, int dirfd, const char *name, uid_t uid)
{
	struct statx status;

	return !sw_users_folder_fault(top, dirfd, name, uid, &status) &&
	       !(status.stx_mode & (S_IWGRP | S_IWOTH));
}

static bool is_usable(int top, const char *name, uid_t uid)
{
	return is_own(top, top, name, uid);
}

/* It may be unreadable, so that users cannot list the directories of others. */
static int open_top(const char *profile_dir)
{
	return open(profile_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int open_folder(int top, const char *name)
{
	return openat(top, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC |
		      O_NOFOLLOW);
}

static bool has_usable(int top, uid_t uid)
{
	char name[NAME_SIZE];
	unsigned i;

	for (i = 0; i < SW_USER_FOLDER_NAMES; i++) {
		put_name(name, uid, i);
		if (is_usable(top, name, uid))
			return true;
	}
	return false;
}

/* Create and chown a directory; profile_dir's setgid group is inherited. */
static bool give(int top, const char *name, uid_t uid, gid_t gid)
{
	struct stat status;
	bool is_given;
	int fd;

	if (mkdirat(top, name, 0750) < 0)
		return false;
	fd = open_folder(top, name);
	is_given = fd >= 0 && fstat(fd, &status) == 0 &&
		   status.st_uid == geteuid() &&
		   fchown(fd, uid, status.st_mode & S_ISGID ? (gid_t)-1 :
							      gid) == 0;
	if (fd >= 0)
		close(fd);
	/* If root is mapped to nobody there, leave the name to the user. */
	if (!is_given)
		unlinkat(top, name, AT_REMOVEDIR);
	return is_given;
}

/* Return a random number, so that the name cannot be guessed. */
static uint64_t draw(void)
{
	uint64_t number = 0;

	if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
		number = (uint64_t)getpid();
	return number;
}

static bool move_aside(int top, const char *name)
{
	char aside[NAME_SIZE + 48];

	snprintf(aside, sizeof(aside), "%s.not-its-owner.%016" PRIx64, name,
		 draw());
	if (renameat2(top, name, top, aside, RENAME_NOREPLACE) < 0)
		return false;
	sw_node_log("%s in the folder of profiles was not owned by the user of "
		    "that number, nor was any of \"%s.1\" to \".9\": it was "
		    "renamed to %s",
		    name, name, aside);
	return true;
}

static void put_spare(char *name, uid_t uid, const char *digits)
{
	snprintf(name, NAME_SIZE, "%" PRIu32 ".x%s", (uint32_t)uid, digits);
}

/* Find an existing spare directory; "" if there is none. */
static void find_spare(int top, uid_t uid, char *spare)
{
	int fd = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *item;
	char begin[NAME_SIZE];

	spare[0] = '\0';
	put_spare(begin, uid, "");
	while (dir && !spare[0] && (item = readdir(dir))) {
		if (strlen(item->d_name) < NAME_SIZE &&
		    !strncmp(item->d_name, begin, strlen(begin)) &&
		    is_usable(top, item->d_name, uid))
			snprintf(spare, NAME_SIZE, "%.*s", NAME_SIZE - 1,
				 item->d_name);
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

static void make_spare(int top, uid_t uid, gid_t gid, char *spare)
{
	char digits[20];

	find_spare(top, uid, spare);
	if (spare[0])
		return;
	snprintf(digits, sizeof(digits), "%016" PRIx64, draw());
	put_spare(spare, uid, digits);
	if (!give(top, spare, uid, gid)) {
		spare[0] = '\0';
		return;
	}
	sw_node_log("all ten names that a folder of user %" PRIu32 "'s can have "
		    "are taken by others and busy: %s was made for the "
		    "profiles", (uint32_t)uid, spare);
}

void sw_user_folder_give(const char *profile_dir, uid_t uid, gid_t gid,
			 char spare[SW_USER_FOLDER_NAME_SIZE])
{
	int top = open_top(profile_dir);
	char name[NAME_SIZE];
	bool is_given;
	unsigned i;

	spare[0] = '\0';
	if (top < 0)
		return;
	is_given = has_usable(top, uid);
	for (i = 0; i < SW_USER_FOLDER_NAMES && !is_given; i++) {
		put_name(name, uid, i);
		is_given = give(top, name, uid, gid);
		if (!is_given && errno != EEXIST)
			break;	/* another reason than the name */
	}
	/* A directory that is a mount point is busy (rename(2)). */
	for (i = 0; i < SW_USER_FOLDER_NAMES && !is_given &&
	     (errno == EEXIST || errno == EBUSY); i++) {
		put_name(name, uid, i);
		is_given = move_aside(top, name) && give(top, name, uid, gid);
	}
	if (!is_given && (errno == EEXIST || errno == EBUSY))
		make_spare(top, uid, gid, spare);
	close(top);
}

/* Return -1 if it is not usable. */
static int open_usable(int top, const char *name, uid_t uid)
{
	int fd = is_usable(top, name, uid) ? open_folder(top, name) : -1;

	if (fd < 0 || is_own(top, fd, "", uid))
		return fd;
	close(fd);
	return -1;
}

static int open_all(int top, uid_t uid, const char *spare, int *fds)
{
	char name[NAME_SIZE];
	unsigned i;
	int count = 0;

	for (i = 0; i < SW_USER_FOLDER_NAMES; i++) {
		put_name(name, uid, i);
		fds[count] = open_usable(top, name, uid);
		count += fds[count] >= 0;
	}
	if (spare[0]) {
		fds[count] = open_usable(top, spare, uid);
		count += fds[count] >= 0;
	}
	return count;
}

/*
 * Create the first free name.  If the new directory has another owner, the file
 * system mixes up users: remove it, or all names would be used up one by one.
 * Return -1 with errno.
 */
static int make_first(int top, uid_t uid)
{
	char name[NAME_SIZE];
	unsigned i;
	int fd;

	for (i = 0; i < SW_USER_FOLDER_NAMES; i++) {
		put_name(name, uid, i);
		if (mkdirat(top, name, 0750) < 0) {
			if (errno == EEXIST)
				continue;
			return -1;
		}
		fd = open_usable(top, name, uid);
		if (fd >= 0)
			return fd;
		if (unlinkat(top, name, AT_REMOVEDIR) == 0)
			errno = EPERM;
		return -1;
	}
	errno = ENOTDIR;
	return -1;
}

int sw_user_folders_open(const char *profile_dir, uid_t uid, const char *spare,
			 int fds[SW_USER_FOLDERS_MAX])
{
	int top = open_top(profile_dir), count, saved;

	if (top < 0)
		return -1;
	count = open_all(top, uid, spare, fds);
	if (count == 0) {
		fds[0] = make_first(top, uid);
		count = fds[0] < 0 ? -1 : 1;
	}
	saved = errno;
	close(top);
	errno = saved;
	return count;
}
