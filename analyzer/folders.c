/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folders that profiles are looked for in. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/jobfiles.h"
#include "analyzer/store.h"
#include "common/units.h"

#ifndef SPOOLDIR
#define SPOOLDIR "/var/spool/stepwell"
#endif

static int add(struct sw_folders *folders, const char *parent,
	       const char *name, uint64_t uid, struct sw_error *error)
{
	struct sw_folder *grown;
	int length;

	grown = realloc(folders->items,
			(folders->count + 1) * sizeof(*grown));
	if (!grown)
		return sw_error_set(error, "not enough memory");
	folders->items = grown;
	grown = &folders->items[folders->count];
	length = snprintf(grown->path, sizeof(grown->path), "%s%s%s", parent,
			  name ? "/" : "", name ? name : "");
	grown->uid = uid;
	/* A path that is too long is of no folder. */
	if (length > 0 && (size_t)length < sizeof(grown->path))
		folders->count++;
	return 0;
}

/* profile_dir/UID of every user, for root. */
static int add_users(struct sw_folders *folders, const char *profile_dir,
		     struct sw_error *error)
{
	DIR *dir = opendir(profile_dir);
	struct dirent *item;
	uint64_t uid;
	int rc = 0;

	if (!dir)
		return 0;
	while (rc == 0 && (item = readdir(dir))) {
		if (sw_count_parse(item->d_name, 0, UINT32_MAX, &uid) == 0)
			rc = add(folders, profile_dir, item->d_name, uid,
				 error);
	}
	closedir(dir);
	return rc;
}

int sw_folders_init(struct sw_folders *folders,
		    const struct sw_settings *settings, struct sw_error *error)
{
	const char *profile_dir = sw_settings_profile_dir(settings);
	uid_t uid = geteuid();
	char own[PATH_MAX], name[24];
	int rc = 0;

	memset(folders, 0, sizeof(*folders));
	/* root need not have a home. */
	if (sw_store_folder(own, sizeof(own), error) == 0)
		rc = add(folders, own, NULL, SW_MISSING, error);
	else if (uid != 0)
		return -1;
	if (!profile_dir)
		profile_dir = SPOOLDIR "/profiles";
	snprintf(name, sizeof(name), "%lu", (unsigned long)uid);
	if (rc == 0 && uid != 0)
		rc = add(folders, profile_dir, name, uid, error);
	if (rc == 0 && uid == 0)
		rc = add_users(folders, profile_dir, error);
	if (rc == 0 && uid == 0)
		rc = add(folders, SPOOLDIR "/node", NULL, SW_MISSING, error);
	if (rc < 0)
		sw_folders_fini(folders);
	return rc;
}

int sw_folders_of(struct sw_folders *folders, const char *path,
		  struct sw_error *error)
{
	memset(folders, 0, sizeof(*folders));
	return add(folders, path, NULL, SW_MISSING, error);
}

void sw_folders_fini(struct sw_folders *folders)
{
	free(folders->items);
	memset(folders, 0, sizeof(*folders));
}
