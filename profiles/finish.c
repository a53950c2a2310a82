/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of a profile's files.  An existing profile is never overwritten unless
 * that was requested, whatever the file system supports.
 */
#include "profiles/finish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/own_file.h"

static bool is_there(int dirfd, const char *name)
{
	struct stat status;

	return fstatat(dirfd, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static int refuse_existing(const struct sw_profile_names *names,
			   struct sw_error *error)
{
	const char *const all[] = { names->name, names->part, names->tail };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!is_there(names->dirfd, all[i]))
			continue;
		errno = EEXIST;
		return sw_error_set(error, "%s already exists", all[i]);
	}
	return 0;
}

int sw_names_make(struct sw_profile_names *names, int dirfd, const char *name,
		  bool is_replacing, struct sw_error *error)
{
	size_t length = strnlen(name, NAME_MAX);

	if (length == 0 || length + sizeof(".part") > NAME_MAX ||
	    strchr(name, '/') || strcmp(name, ".") == 0 ||
	    strcmp(name, "..") == 0) {
		errno = EINVAL;
		return sw_error_set(error, "not a file name: %.100s", name);
	}
	names->dirfd = dirfd;
	names->is_replacing = is_replacing;
	memcpy(names->name, name, length + 1);
	snprintf(names->part, sizeof(names->part), "%.*s.part",
		 NAME_MAX - 5, name);
	snprintf(names->tail, sizeof(names->tail), "%.*s.tail",
		 NAME_MAX - 5, name);
	if (!is_replacing)
		return refuse_existing(names, error);
	return 0;
}

void sw_names_remove_part(const struct sw_profile_names *names)
{
	unlinkat(names->dirfd, names->part, 0);
}

void sw_names_remove_tail(const struct sw_profile_names *names)
{
	unlinkat(names->dirfd, names->tail, 0);
}

static int rename_part(const struct sw_profile_names *names)
{
	if (names->is_replacing)
		return renameat(names->dirfd, names->part, names->dirfd,
				names->name);
	return sw_rename_new(names->dirfd, names->part, names->name);
}

int sw_names_finish(const struct sw_profile_names *names,
		    struct sw_error *error)
{
	if (rename_part(names) == 0) {
		sw_names_remove_tail(names);
		return 0;
	}
	if (errno == ENOENT)
		return sw_error_set(
			error, "the profile is lost: %s or its folder was "
			       "removed while it was being written",
			       names->part);
	return sw_error_errno(error,
			      "the profile is complete but stays in %s",
			      names->part);
}
