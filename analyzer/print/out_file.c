/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write a file completely or not at all. */
#include "analyzer/print/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "common/path.h"
#include "common/units.h"

enum { TRIES = 16, MEMORY_MAJOR = 1, NULL_MINOR = 3, FULL_MINOR = 7 };

/* The caller's own descriptor that path refers to; -1 if none. */
static int named_descriptor(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t number;
	size_t i, length;

	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		length = strlen(folders[i]);
		if (!strncmp(path, folders[i], length) &&
		    sw_count_parse(path + length, 0, INT_MAX, &number) == 0)
			return (int)number;
	}
	return -1;
}

static int open_descriptor(struct sw_out_file *file, int number,
			   struct sw_error *error)
{
	const struct sw_out_request *request = file->request;
	struct stat status;
	int fd;

	if (number == STDOUT_FILENO) {
		file->stream = stdout;
		return 0;
	}
	fd = fcntl(number, F_DUPFD_CLOEXEC, 0);
	if (fd < 0 || fstat(fd, &status) < 0)
		return sw_error_errno(error, "%s", request->path);
	if (sw_is_input(&status, request->inputs, request->input_count)) {
		close(fd);
		errno = EINVAL;
		return sw_error_set(error, "%s is an input of this command",
				    request->path);
	}
	file->stream = fdopen(fd, "w");
	return file->stream ? 0 : sw_error_errno(error, "%s", request->path);
}

/* A pipe of the caller or root, a terminal, /dev/null or /dev/full. */
static bool is_stream(int fd, const struct stat *status)
{
	if (S_ISFIFO(status->st_mode))
		return status->st_uid == geteuid() || status->st_uid == 0;
	return S_ISCHR(status->st_mode) &&
	       (isatty(fd) ||
		(major(status->st_rdev) == MEMORY_MAJOR &&
		 (minor(status->st_rdev) == NULL_MINOR ||
		  minor(status->st_rdev) == FULL_MINOR)));
}

/* O_NONBLOCK: fail on a pipe without a reader instead of blocking. */
static int open_stream(struct sw_out_file *file, struct sw_error *error)
{
	const char *path = file->request->path;
	int fd = openat(file->dirfd, file->name,
			O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC |
				O_NOCTTY);
	struct stat status;

	if (fd < 0 && errno == ENXIO)
		return sw_error_set(error, "%s is a pipe without a reader",
				    path);
	if (fd < 0)
		return sw_error_errno(error, "%s", path);
	if (fstat(fd, &status) == 0 && is_stream(fd, &status) &&
	    fcntl(fd, F_SETFL, O_WRONLY) == 0)
		file->stream = fdopen(fd, "w");
	if (file->stream)
		return 0;
	close(fd);
	errno = EINVAL;
	return sw_error_set(error, "%s is not a regular file", path);
}

static bool may_be_stream(const struct sw_out_file *file)
{
	struct stat status;

	return fstatat(file->dirfd, file->name, &status,
		       AT_SYMLINK_NOFOLLOW) == 0 &&
	       (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode));
}

/* Keep the mode of the replaced file, if it is the caller's. */
static int keep_mode(const struct sw_out_file *file, int fd)
{
	if (!file->there.st_nlink || file->there.st_uid != geteuid())
		return 0;
	return fchmod(fd, file->there.st_mode & 0666);
}

static int create_temporary(struct sw_out_file *file)
{
	int fd = -1, i;

	/* A predictable name could be taken by another user. */
	for (i = 0; i < TRIES && (i == 0 || (fd < 0 && errno == EEXIST)); i++) {
		uint64_t number = 0;

		if (getrandom(&number, sizeof(number), 0) < 0)
			return -1;
		snprintf(file->temporary, sizeof(file->temporary),
			 ".%.200s.stepwell-%016llx", file->name,
			 (unsigned long long)number);
		fd = openat(file->dirfd, file->temporary,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				    O_CLOEXEC, 0666);
	}
	return fd;
}

static int open_beside(struct sw_out_file *file, struct sw_error *error)
{
	int fd = create_temporary(file);

	if (fd < 0) {
		file->temporary[0] = '\0';
		return sw_error_errno(error, "%s", file->request->path);
	}
	if (keep_mode(file, fd) == 0)
		file->stream = fdopen(fd, "w");
	if (file->stream)
		return 0;
	sw_error_errno(error, "%s", file->request->path);
	close(fd);
	unlinkat(file->dirfd, file->temporary, 0);
	return -1;
}

/* Use only the descriptor from here on: the path may be swapped. */
static int open_folder(struct sw_out_file *file, struct sw_error *error)
{
	const char *path = file->request->path, *name = sw_path_name(path);
	char folder[PATH_MAX];

	errno = EISDIR;
	if (*name && strcmp(name, ".") && strcmp(name, "..")) {
		errno = ENAMETOOLONG;
		if (strlen(name) < sizeof(file->name) &&
		    sw_path_folder(path, folder, sizeof(folder)) == 0) {
			strcpy(file->name, name);
			file->dirfd = open(folder,
					   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		}
	}
	return file->dirfd >= 0 ? 0 : sw_error_errno(error, "%s", path);
}

static int open_below(struct sw_out_file *file, struct sw_error *error)
{
	const struct sw_out_request *request = file->request;
	const struct sw_target target = {
		.dirfd = file->dirfd, .name = file->name,
		.path = request->path, .kind = request->kind,
		.is_forced = request->is_forced, .inputs = request->inputs,
		.input_count = request->input_count,
	};

	if (may_be_stream(file))
		return open_stream(file, error);
	if (sw_target_check(&target, &file->there, error) < 0)
		return -1;
	return open_beside(file, error);
}

static void close_folder(struct sw_out_file *file)
{
	int saved = errno;

	if (file->dirfd >= 0)
		close(file->dirfd);
	file->dirfd = -1;
	errno = saved;
}

int sw_out_file_try(const struct sw_out_request *request,
		    struct sw_error *error)
{
	struct sw_out_file file = { .request = request, .dirfd = -1 };
	int rc;

	if (named_descriptor(request->path) >= 0)
		return 0;
	rc = open_folder(&file, error);
	if (rc == 0 && !may_be_stream(&file))
		rc = open_below(&file, error);
	if (rc == 0 && file.stream)
		return sw_out_file_close(&file, false, error);
	close_folder(&file);
	return rc;
}

int sw_out_file_open(struct sw_out_file *file,
		     const struct sw_out_request *request,
		     struct sw_error *error)
{
	int number = named_descriptor(request->path), rc;

	*file = (struct sw_out_file){ .request = request, .dirfd = -1 };
	if (number >= 0)
		return open_descriptor(file, number, error);
	rc = open_folder(file, error);
	if (rc == 0)
		rc = open_below(file, error);
	if (rc < 0)
		close_folder(file);
	return rc;
}

/* Do not replace a file that appeared meanwhile. */
static int put_in_place(const struct sw_out_file *file)
{
	struct stat now;

	if (!file->there.st_nlink)
		return sw_rename_new(file->dirfd, file->temporary, file->name);
	if (fstatat(file->dirfd, file->name, &now, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	errno = ESTALE;
	if (now.st_ino != file->there.st_ino ||
	    now.st_dev != file->there.st_dev)
		return -1;
	return renameat(file->dirfd, file->temporary, file->dirfd, file->name);
}

int sw_out_file_close(struct sw_out_file *file, bool is_good,
		      struct sw_error *error)
{
	bool has_failed = fflush(file->stream) != 0 || ferror(file->stream);
	const char *path = file->request->path;
	int rc = 0;

	if (has_failed)
		rc = sw_error_errno(error, "%s: not written", path);
	if (file->stream != stdout && fclose(file->stream) != 0 && rc == 0)
		rc = sw_error_errno(error, "%s: not written", path);
	if (!file->temporary[0]) {
		close_folder(file);
		return rc;
	}
	if (rc == 0 && is_good && put_in_place(file) < 0)
		rc = sw_error_errno(error, "%s: not written", path);
	if (rc < 0 || !is_good)
		unlinkat(file->dirfd, file->temporary, 0);
	close_folder(file);
	return rc;
}
