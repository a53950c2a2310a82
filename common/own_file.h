/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protect files that a command did not write: identify a file by its first
 * bytes, and decide whether a command's output may replace it.
 */
#ifndef SW_COMMON_OWN_FILE_H
#define SW_COMMON_OWN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "common/error.h"

/* In the head of each page, and at the beginning of each night. */
#define SW_PAGE_MARK  "<meta name=\"generator\" content=\"stepwell\"/>"
#define SW_NIGHT_MARK "stepwell.sweep\n"

enum sw_own {
	SW_OWN_NONE,	/* not written by stepwell, or unreadable */
	SW_OWN_EMPTY,	/* a regular file of 0 bytes */
	SW_OWN_PAGE,	/* HTML */
	SW_OWN_PROFILE,
	SW_OWN_TAIL,	/* the newest rows of a profile */
	SW_OWN_NIGHT,	/* of a sweep */
	SW_OWN_HISTORY,
};

/* fd must be open for reading; its offset is unchanged. */
enum sw_own sw_own_file(int fd);

/* A file to be written, and the inputs it must not be. */
struct sw_target {
	int dirfd;
	const char *name;	/* below dirfd, without a slash */
	const char *path;	/* for messages */
	enum sw_own kind;	/* kind that will be written */
	bool is_forced;		/* --force */
	const char *const *inputs;	/* paths; NULL entries are skipped */
	size_t input_count;
};

/*
 * May the target be written?  It may if it does not exist, is empty, or is of
 * the same kind and owned by the caller or the folder's owner; with is_forced
 * also any regular file that is not stepwell's data.  An input is always
 * refused.  *there is the existing file, with st_nlink 0 if there is none.
 * Returns 0, or -1 with *error and errno, EEXIST if --force would help.
 */
int sw_target_check(const struct sw_target *target, struct stat *there,
		    struct sw_error *error);

/* Is the file of status one of the paths? */
bool sw_is_input(const struct stat *status, const char *const *inputs,
		 size_t count);

/* rename(2) below dirfd that fails with EEXIST if to exists. */
int sw_rename_new(int dirfd, const char *from, const char *to);

#endif
