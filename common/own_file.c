/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protect files that a command did not write. */
#include "common/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEAD_SIZE = 1024 };

/* Magic bytes (see profiles/layout.h); those of a page are in its head. */
static const struct {
	enum sw_own kind;
	const char *mark, *words;
	bool is_within;
} kinds[] = {
	{ SW_OWN_PROFILE, "SWF1", "a recording", false },
	{ SW_OWN_TAIL, "SWT1", "a recording", false },
	{ SW_OWN_NIGHT, SW_NIGHT_MARK, "a night of a sweep", false },
	{ SW_OWN_HISTORY, "SQLite format 3", "a database", false },
	{ SW_OWN_PAGE, SW_PAGE_MARK, "a page of stepwell", true },
};

enum { KIND_COUNT = sizeof(kinds) / sizeof(kinds[0]) };

enum sw_own sw_own_file(int fd)
{
	char head[HEAD_SIZE + 1];
	ssize_t got = pread(fd, head, HEAD_SIZE, 0);
	size_t i;

	if (got == 0)
		return SW_OWN_EMPTY;
	if (got < 0)
		return SW_OWN_NONE;
	head[got] = '\0';
	for (i = 0; i < KIND_COUNT; i++) {
		if (kinds[i].is_within ?
			    !strncmp(head, "<!DOCTYPE html>", 15) &&
				    strstr(head, kinds[i].mark) != NULL :
			    !strncmp(head, kinds[i].mark,
				     strlen(kinds[i].mark)))
			return kinds[i].kind;
	}
	return SW_OWN_NONE;
}

static const char *words_of(enum sw_own kind)
{
	size_t i;

	for (i = 0; i < KIND_COUNT; i++) {
		if (kinds[i].kind == kind)
			return kinds[i].words;
	}
	return "a file";
}

bool sw_is_input(const struct stat *status, const char *const *inputs,
		 size_t count)
{
	struct stat input;
	size_t i;

	for (i = 0; i < count; i++) {
		if (inputs[i] && stat(inputs[i], &input) == 0 &&
		    input.st_dev == status->st_dev &&
		    input.st_ino == status->st_ino)
			return true;
	}
	return false;
}

/* Data that nobody means to lose, even with --force. */
static bool is_data(enum sw_own kind)
{
	return kind != SW_OWN_NONE && kind != SW_OWN_EMPTY &&
	       kind != SW_OWN_PAGE;
}

/* Files that the folder's owner could replace anyway count as own. */
static bool is_own(const struct sw_target *target, const struct stat *status)
{
	struct stat folder;

	if (status->st_uid == geteuid())
		return true;
	if (target->dirfd == AT_FDCWD ? stat(".", &folder) < 0 :
					fstat(target->dirfd, &folder) < 0)
		return false;
	return folder.st_uid == status->st_uid;
}

/* Report why the regular file may not be replaced. */
static int judge(const struct sw_target *target, const struct stat *status,
		 enum sw_own kind, struct sw_error *error)
{
	bool is_input = sw_is_input(status, target->inputs,
				    target->input_count);

	errno = EINVAL;
	if (is_input)
		return sw_error_set(error, "%s is an input of this command, "
				    "so it was not replaced; name another file",
				    target->path);
	if (kind != target->kind && is_data(kind))
		return sw_error_set(error, "%s is %s, so it was not replaced; "
				    "name another file", target->path,
				    words_of(kind));
	if (target->is_forced || kind == SW_OWN_EMPTY ||
	    (kind == target->kind && is_own(target, status)))
		return 0;
	errno = EEXIST;
	if (kind == target->kind)
		return sw_error_set(error, "%s is %s, but of another user, so "
				    "it was not replaced (--force replaces it)",
				    target->path, words_of(kind));
	return sw_error_set(error, "%s exists and is not %s, so it was not "
			    "replaced (--force replaces it)", target->path,
			    words_of(target->kind));
}

static int check_kind(const struct sw_target *target, struct stat *there,
		      struct sw_error *error)
{
	int fd = openat(target->dirfd, target->name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC |
				O_NOCTTY);
	enum sw_own kind = SW_OWN_NONE;

	if (fd < 0 && errno != EACCES)
		return sw_error_errno(error, "%s", target->path);
	if (fd >= 0) {
		/* It may have been replaced since it was examined. */
		if (fstat(fd, there) == 0 && S_ISREG(there->st_mode))
			kind = sw_own_file(fd);
		close(fd);
	}
	if (S_ISREG(there->st_mode))
		return judge(target, there, kind, error);
	errno = EINVAL;
	return sw_error_set(error, "%s is not a regular file", target->path);
}

int sw_target_check(const struct sw_target *target, struct stat *there,
		    struct sw_error *error)
{
	if (fstatat(target->dirfd, target->name, there,
		    AT_SYMLINK_NOFOLLOW) < 0) {
		*there = (struct stat){ .st_nlink = 0 };
		return errno == ENOENT ? 0 : sw_error_errno(error, "%s",
							    target->path);
	}
	if (S_ISREG(there->st_mode))
		return check_kind(target, there, error);
	if (S_ISDIR(there->st_mode)) {
		errno = EISDIR;
		return sw_error_errno(error, "%s", target->path);
	}
	errno = S_ISLNK(there->st_mode) ? ELOOP : EINVAL;
	return S_ISLNK(there->st_mode) ?
		       sw_error_set(error, "%s is a symbolic link; name the "
				    "file itself", target->path) :
		       sw_error_set(error, "%s is not a regular file",
				    target->path);
}

/* Fallback for file systems that cannot rename without replacing. */
static int link_and_unlink(int dirfd, const char *from, const char *to)
{
	if (linkat(dirfd, from, dirfd, to, 0) < 0)
		return -1;
	return unlinkat(dirfd, from, 0);
}

int sw_rename_new(int dirfd, const char *from, const char *to)
{
	int status = renameat2(dirfd, from, dirfd, to, RENAME_NOREPLACE);

	if (status < 0 && (errno == EINVAL || errno == ENOSYS))
		status = link_and_unlink(dirfd, from, to);
	return status;
}
