/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is written as a whole or not at all. */
#include "analyzer/print/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether it is there, and no file that could be replaced. */
static bool is_special(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static bool is_link(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* Who may read the one that is replaced may read this one, and nobody else. */
static int keep_mode(int fd, const char *path)
{
	struct stat status;

	if (lstat(path, &status) < 0)
		return 0;
	return fchmod(fd, status.st_mode & 0777);
}

static int open_beside(struct sw_out_file *file, struct sw_error *error)
{
	int fd;

	if (snprintf(file->temporary, sizeof(file->temporary),
		     "%s.stepwell-%ld", file->path, (long)getpid()) >=
	    (int)sizeof(file->temporary)) {
		errno = ENAMETOOLONG;
		return sw_error_errno(error, "%s", file->path);
	}
	fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		  0666);
	if (fd < 0)
		return sw_error_errno(error, "%s", file->path);
	if (keep_mode(fd, file->path) == 0)
		file->stream = fdopen(fd, "w");
	if (file->stream)
		return 0;
	sw_error_errno(error, "%s", file->path);
	close(fd);
	unlink(file->temporary);
	return -1;
}

int sw_out_file_open(struct sw_out_file *file, const char *path,
		     struct sw_error *error)
{
	file->path = path;
	file->temporary[0] = '\0';
	file->stream = NULL;
	if (!strcmp(path, "-")) {
		file->stream = stdout;
		return 0;
	}
	if (is_special(path)) {
		file->stream = fopen(path, "we");
		return file->stream ? 0 :
				      sw_error_errno(error, "%s", path);
	}
	if (is_link(path)) {
		errno = ELOOP;
		return sw_error_set(error, "%s is a symbolic link; name the "
				    "file itself", path);
	}
	return open_beside(file, error);
}

int sw_out_file_close(struct sw_out_file *file, bool is_good,
		      struct sw_error *error)
{
	bool has_failed = fflush(file->stream) != 0 || ferror(file->stream);
	int rc = 0;

	if (has_failed)
		rc = sw_error_errno(error, "%s: not written", file->path);
	if (file->stream != stdout && fclose(file->stream) != 0 && rc == 0)
		rc = sw_error_errno(error, "%s: not written", file->path);
	if (!file->temporary[0])
		return rc;
	if (rc == 0 && is_good && rename(file->temporary, file->path) < 0)
		rc = sw_error_errno(error, "%s: not written", file->path);
	if (rc < 0 || !is_good)
		unlink(file->temporary);
	return rc;
}
