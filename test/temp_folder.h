/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary folder of a test, and its recursive removal. */
#ifndef TEST_TEMP_FOLDER_H
#define TEST_TEMP_FOLDER_H

#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { TEMP_FOLDER_SIZE = 64 };

/* name: that of the test, to identify folders left by crashes. */
static inline void temp_folder_make(char path[TEMP_FOLDER_SIZE],
				    const char *name)
{
	snprintf(path, TEMP_FOLDER_SIZE, "/tmp/%.40s.XXXXXX", name);
	ck_assert_ptr_nonnull(mkdtemp(path));
}

/* The same, opened: the caller closes it. */
static inline int temp_folder_open(char path[TEMP_FOLDER_SIZE],
				   const char *name)
{
	int fd;

	temp_folder_make(path, name);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	return fd;
}

static inline int temp_folder_remove_one(const char *path,
					 const struct stat *status, int type,
					 struct FTW *ftw)
{
	(void)status;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void temp_folder_remove(const char *path)
{
	const int descriptors = 16;

	ck_assert_int_eq(nftw(path, temp_folder_remove_one, descriptors,
			      FTW_DEPTH | FTW_PHYS),
			 0);
}

#endif
