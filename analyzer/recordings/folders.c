/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders to search for profiles. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/recordings/jobfiles.h"
#include "analyzer/recordings/store.h"
#include "common/grow.h"
#include "common/users_folder.h"
#include "config.h"

static int add(struct sw_folders *folders, const char *parent,
	       const char *name, uint64_t uid, struct sw_error *error)
{
	struct sw_folder *folder;
	int length;

	if (sw_grow(&folders->items, folders->count, sizeof(*folder)) < 0)
		return sw_error_set(error, "not enough memory");
	folder = &folders->items[folders->count];
	length = snprintf(folder->path, sizeof(folder->path), "%s%s%s", parent,
			  name ? "/" : "", name ? name : "");
	folder->uid = uid;
	/* No folder has a path that is too long. */
	if (length > 0 && (size_t)length < sizeof(folder->path))
		folders->count++;
	return 0;
}

static void skip(struct sw_folders *folders, const char *name,
		 const char *why)
{
	if (folders->skipped_count++ == 0) {
		snprintf(folders->skipped, sizeof(folders->skipped), "%s",
			 name);
		folders->skipped_because = why;
	}
}

/*
 * A user's folder is a real one owned by that user; ignore folders of that name
 * made by others.
 */
static int add_user(struct sw_folders *folders, int dirfd, const char *name,
		    uint64_t uid, struct sw_error *error)
{
	struct statx status;
	const char *why = sw_users_folder_fault(dirfd, dirfd, name,
						(uint32_t)uid, &status);

	if (!status.stx_mask)
		return 0;
	if (!why)
		return add(folders, sw_judge_profile_dir(folders->judge),
			   name, uid, error);
	skip(folders, name, why);
	return 0;
}

/* All users, for root. */
static int add_users(struct sw_folders *folders, int dirfd,
		     struct sw_error *error)
{
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *item;
	uint64_t uid;
	int rc = 0;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && rc == 0 && (item = readdir(dir))) {
		uid = sw_judge_name_uid(item->d_name);
		if (!sw_is_missing(uid))
			rc = add_user(folders, dirfd, item->d_name, uid,
				      error);
	}
	if (dir)
		closedir(dir);
	return rc;
}

/* Open folders by name: the parent may not be listed by others. */
static int add_own(struct sw_folders *folders, int dirfd, uid_t uid,
		   struct sw_error *error)
{
	char name[24];
	unsigned i;
	int rc = 0;

	for (i = 0; rc == 0 && i <= 9; i++) {
		snprintf(name, sizeof(name), i ? "%lu.%u" : "%lu",
			 (unsigned long)uid, i);
		rc = add_user(folders, dirfd, name, uid, error);
	}
	return rc;
}

/* Folders below profile_dir, and the spool of this node. */
static int add_delivered(struct sw_folders *folders, struct sw_error *error)
{
	int dirfd = open(sw_judge_profile_dir(folders->judge),
			 O_PATH | O_DIRECTORY | O_CLOEXEC), rc = 0;
	uid_t uid = geteuid();

	if (dirfd >= 0)
		rc = uid == 0 ? add_users(folders, dirfd, error) :
				add_own(folders, dirfd, uid, error);
	if (dirfd >= 0)
		close(dirfd);
	if (rc == 0 && uid == 0)
		rc = add(folders, SPOOLDIR "/node", NULL, SW_MISSING, error);
	return rc;
}

int sw_folders_init(struct sw_folders *folders,
		    const struct sw_places *places, struct sw_error *error)
{
	char own[PATH_MAX];
	int rc = 0;

	memset(folders, 0, sizeof(*folders));
	/* root may have no home. */
	if (sw_store_folder(own, sizeof(own), error) == 0)
		rc = add(folders, own, NULL, SW_MISSING, error);
	else if (geteuid() != 0)
		return -1;
	if (rc == 0)
		folders->judge = sw_judge_new(places, error);
	if (rc == 0)
		rc = folders->judge ? add_delivered(folders, error) : -1;
	if (rc < 0)
		sw_folders_fini(folders);
	return rc;
}

int sw_folders_of(struct sw_folders *folders, const char *path,
		  const struct sw_places *places, struct sw_error *error)
{
	memset(folders, 0, sizeof(*folders));
	folders->is_named = true;
	folders->judge = sw_judge_new(places, error);
	if (!folders->judge)
		return -1;
	return add(folders, path, NULL, SW_MISSING, error);
}

void sw_folders_fini(struct sw_folders *folders)
{
	free(folders->items);
	sw_judge_free(folders->judge);
	memset(folders, 0, sizeof(*folders));
}
