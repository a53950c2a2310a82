/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read a batch script, and replace it atomically.  Fail unless it is a regular
 * file with a single name: no symbolic or hard link.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/script/script.h"
#include "common/open_file.h"
#include "common/whole.h"

/* Slurm's default limit (max_script_size in slurm.conf(5)). */
enum { SIZE_MAX_BYTES = 4 << 20, COPIES_MAX = 10000 };

static int read_all(int fd, struct sw_script_file *file)
{
	size_t room = (size_t)file->status.st_size;
	ssize_t got;

	file->text = malloc(room + 1);
	if (!file->text)
		return -1;
	while (file->length < room) {
		got = read(fd, file->text + file->length, room - file->length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		file->length += (size_t)got;
	}
	file->text[file->length] = '\0';
	return 0;
}

int sw_script_load(struct sw_script_file *file, const char *path,
		   struct sw_error *error)
{
	int fd = sw_open_file(AT_FDCWD, path, true);
	int rc = -1;

	memset(file, 0, sizeof(*file));
	if (fd < 0 || fstat(fd, &file->status) < 0) {
		sw_error_errno(error, "%s", path);
	} else if (!S_ISREG(file->status.st_mode)) {
		errno = EINVAL;
		sw_error_set(error, "%s: not a regular file", path);
	} else if (file->status.st_size > SIZE_MAX_BYTES) {
		errno = EFBIG;
		sw_error_set(error, "%s: larger than 4 MiB, the largest script "
			     "that Slurm accepts", path);
	} else if (read_all(fd, file) < 0) {
		sw_error_errno(error, "%s", path);
		sw_script_file_fini(file);
	} else {
		rc = 0;
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

void sw_script_file_fini(struct sw_script_file *file)
{
	int saved = errno;

	free(file->text);
	memset(file, 0, sizeof(*file));
	errno = saved;
}

static int refuse_links(const struct sw_script_file *file, const char *path,
			struct sw_error *error)
{
	struct stat now;

	if (lstat(path, &now) < 0)
		return sw_error_errno(error, "%s", path);
	errno = EINVAL;
	if (S_ISLNK(now.st_mode))
		return sw_error_set(error, "%s: a symbolic link, so it was "
				    "not changed; name the file itself", path);
	if (now.st_nlink > 1)
		return sw_error_set(error, "%s: the file has %ju names (hard "
				    "links), and the others would keep the old "
				    "text, so it was not changed", path,
				    (uintmax_t)now.st_nlink);
	if (now.st_ino != file->status.st_ino ||
	    now.st_dev != file->status.st_dev ||
	    now.st_size != file->status.st_size ||
	    now.st_mtim.tv_sec != file->status.st_mtim.tv_sec ||
	    now.st_mtim.tv_nsec != file->status.st_mtim.tv_nsec)
		return sw_error_set(error, "%s: changed by someone else in the "
				    "meantime, so it was not changed", path);
	return 0;
}

/* Write the new text next to the old file, with its mode and owner. */
static int write_new(const struct sw_script_file *file, const char *path,
		     const struct sw_script_text *text,
		     struct sw_error *error)
{
	const mode_t mode = file->status.st_mode & 07777;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct stat now;
	int rc = -1;

	if (fd < 0)
		return sw_error_errno(error, "%s", path);
	if (sw_write_whole(fd, text->text, text->length, 0) < 0 ||
	    fsync(fd) < 0 || fstat(fd, &now) < 0)
		sw_error_errno(error, "%s", path);
	else if ((now.st_uid != file->status.st_uid ||
		  now.st_gid != file->status.st_gid) &&
		 fchown(fd, file->status.st_uid, file->status.st_gid) < 0)
		sw_error_errno(error, "the owner of the script cannot be "
			       "preserved, so it was not changed");
	else if (fchmod(fd, mode) < 0)
		sw_error_errno(error, "%s", path);
	else
		rc = 0;
	if (close(fd) < 0 && rc == 0)
		rc = sw_error_errno(error, "%s", path);
	if (rc < 0)
		unlink(path);
	return rc;
}

/* Link the old file to the first free name. */
static int keep_old(struct sw_script_file *file, const char *path,
		    struct sw_error *error)
{
	unsigned i;

	for (i = 1; i <= COPIES_MAX; i++) {
		snprintf(file->kept, sizeof(file->kept), "%s.orig-%u", path,
			 i);
		if (link(path, file->kept) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	return sw_error_errno(error, "%s: no copy of the original can be kept, "
			      "so it was not changed", file->kept);
}

int sw_script_save(struct sw_script_file *file, const char *path,
		   const struct sw_script_text *text, struct sw_error *error)
{
	char temporary[PATH_MAX];

	/* Longer than the name of the kept file. */
	if (snprintf(temporary, sizeof(temporary), "%s.stepwell-%ld", path,
		     (long)getpid()) >= (int)sizeof(temporary)) {
		errno = ENAMETOOLONG;
		return sw_error_errno(error, "%s", path);
	}
	if (refuse_links(file, path, error) < 0 ||
	    write_new(file, temporary, text, error) < 0)
		return -1;
	if (refuse_links(file, path, error) < 0 ||
	    keep_old(file, path, error) < 0) {
		unlink(temporary);
		return -1;
	}
	if (rename(temporary, path) < 0) {
		sw_error_errno(error, "%s: not changed", path);
		unlink(temporary);
		unlink(file->kept);
		return -1;
	}
	return 0;
}
