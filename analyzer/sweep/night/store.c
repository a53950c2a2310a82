/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of nights. */
#include "analyzer/sweep/night/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/print/messages.h"
#include "analyzer/print/out_file.h"
#include "analyzer/recordings/store.h"
#include "analyzer/sweep/night/times.h"
#include "common/open_file.h"

/* A night of a large cluster is some 10 MB; larger files are rejected. */
#define NIGHT_BYTES_MAX ((off_t)4 << 30)

#define LOCK_NAME "lock"

enum { DAY_LENGTH = 10 };	/* of "2026-11-22" */

int sw_sweep_folder(const char *setting, char *path, size_t size,
		    struct sw_error *error)
{
	char own[PATH_MAX];
	int length;

	if (setting) {
		length = snprintf(path, size, "%s", setting);
	} else {
		if (sw_store_folder(own, sizeof(own), error) < 0)
			return -1;
		length = snprintf(path, size, "%s/sweep", own);
	}
	if (length >= 0 && (size_t)length < size)
		return 0;
	errno = ENAMETOOLONG;
	return sw_error_errno(error, "the folder of past nights");
}

/* Create missing folders of the path, with the last one private. */
int sw_sweep_make_folder(const char *folder, struct sw_error *error)
{
	char path[PATH_MAX], *at;

	snprintf(path, sizeof(path), "%s", folder);
	for (at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			return sw_error_errno(error, "%s", path);
		*at = '/';
	}
	if (mkdir(path, 0750) < 0 && errno != EEXIST)
		return sw_error_errno(error, "%s", path);
	return 0;
}

/*
 * Use a lock of the process rather than of the open file: a child that has not
 * reached its exec when this process is killed would keep the latter.
 */
int sw_sweep_lock(const char *folder, struct sw_error *error)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int dirfd, fd = -1;

	if (sw_sweep_make_folder(folder, error) < 0)
		return -1;
	dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd >= 0)
		fd = openat(dirfd, LOCK_NAME, O_RDWR | O_CREAT | O_CLOEXEC |
			    O_NOFOLLOW, 0640);
	if (dirfd >= 0)
		close(dirfd);
	if (fd < 0)
		return sw_error_errno(error, "%s", folder);
	if (fcntl(fd, F_SETLK, &whole) == 0)
		return fd;
	close(fd);
	if (errno != EACCES && errno != EAGAIN)
		return sw_error_errno(error, "%s", folder);
	errno = EBUSY;
	return sw_error_set(error, "%s: another sweep is writing there, so "
			    "this one has ended", folder);
}

void sw_sweep_unlock(int fd)
{
	if (fd >= 0)
		close(fd);
}

static uint8_t *read_all(int fd, size_t *size)
{
	struct stat status;
	uint8_t *bytes = NULL;
	ssize_t got = 1;
	size_t done = 0;

	if (fstat(fd, &status) < 0)
		return NULL;
	errno = EFBIG;
	if (status.st_size <= NIGHT_BYTES_MAX)
		bytes = malloc((size_t)status.st_size + 1);
	while (bytes && done < (size_t)status.st_size && got > 0) {
		got = read(fd, bytes + done, (size_t)status.st_size - done);
		if (got > 0)
			done += (size_t)got;
	}
	if (bytes && got < 0) {
		free(bytes);
		return NULL;
	}
	*size = done;
	return bytes;
}

static int complain_of_night(const char *path, struct sw_error *error)
{
	if (errno == EINVAL)
		return sw_error_set(error, "%s: damaged, or no night of a "
				    "sweep", path);
	if (errno == ENOTSUP)
		return sw_error_set(error, "%s: of another version of "
				    "stepwell", path);
	return sw_error_errno(error, "%s", path);
}

int sw_night_load(struct sw_night *night, const char *path,
		  struct sw_error *error)
{
	int fd = sw_open_regular(path), rc;
	uint8_t *bytes;
	size_t size = 0;

	if (fd < 0)
		return sw_error_errno(error, "%s", path);
	bytes = read_all(fd, &size);
	close(fd);
	if (!bytes)
		return sw_error_errno(error, "%s", path);
	rc = sw_night_read(night, bytes, size);
	free(bytes);
	return rc < 0 ? complain_of_night(path, error) : 0;
}

struct sw_out_request sw_night_request(const char *path)
{
	return (struct sw_out_request){ .path = path, .kind = SW_OWN_NIGHT };
}

int sw_night_save(const struct sw_night *night,
		  const struct sw_out_request *request, struct sw_error *error)
{
	size_t size = 0;
	uint8_t *bytes = sw_night_write(night, &size);
	struct sw_out_file file;
	bool is_good;

	if (!bytes)
		return sw_error_errno(error, "%s", request->path);
	if (sw_out_file_open(&file, request, error) < 0) {
		free(bytes);
		return -1;
	}
	is_good = fwrite(bytes, 1, size, file.stream) == size;
	free(bytes);
	return sw_out_file_close(&file, is_good, error);
}

void sw_sweep_path(char *path, size_t size, const char *folder,
		   uint64_t from_seconds)
{
	char day[SW_TIME_SIZE];

	snprintf(path, size, "%s/%s.sweep", folder,
		 sw_time_day(day, from_seconds));
}

/* Add a night that was so many days before this one. */
static int add_night(struct sw_past *past, const struct sw_night *earlier,
		     int days, const struct sw_night *night)
{
	if (sw_month_add(&past->month, earlier) < 0)
		return -1;
	if (days > SW_PAST_DAYS)
		return 0;
	past->nights++;
	if (sw_trails_add(&past->trails, earlier, night) < 0)
		return -1;
	return sw_night_merge(&past->night, earlier);
}

static int load_one(struct sw_past *past, const char *path, int days,
		    const struct sw_night *night, struct sw_error *error)
{
	struct sw_night earlier;
	struct sw_error cause;
	int rc = 0;

	if (access(path, F_OK) < 0)
		return 0;
	sw_night_init(&earlier, NULL);
	if (sw_night_load(&earlier, path, &cause) < 0)
		sw_complain(SW_EXIT_OK, "%s; nothing is compared with that "
			    "night", cause.text);
	else
		rc = add_night(past, &earlier, days, night);
	sw_night_fini(&earlier);
	return rc < 0 ? sw_error_errno(error, "past nights") : 0;
}

int sw_past_load(struct sw_past *past, const char *folder,
		 const struct sw_night *night,
		 const struct sw_settings *settings, struct sw_error *error)
{
	char path[PATH_MAX];
	int rc = 0, i;

	*past = (struct sw_past){ .nights = 0 };
	sw_night_init(&past->night, settings);
	for (i = 1; folder && rc == 0 && i < SW_MONTH_DAYS; i++) {
		sw_sweep_path(path, sizeof(path), folder,
			      sw_time_midnight(night->from_seconds, -i));
		rc = load_one(past, path, i, night, error);
	}
	if (rc == 0 && sw_month_add(&past->month, night) < 0)
		rc = sw_error_errno(error, "past nights");
	sw_month_settle(&past->month);
	sw_trails_settle(&past->trails);
	if (rc < 0)
		sw_past_fini(past);
	return rc;
}

void sw_past_fini(struct sw_past *past)
{
	sw_night_fini(&past->night);
	sw_month_fini(&past->month);
	sw_trails_fini(&past->trails);
}

/* "2026-11-22.sweep" */
static bool is_of_a_day(const char *name)
{
	unsigned year, month, day;
	int length = 0;

	return sscanf(name, "%4u-%2u-%2u%n", &year, &month, &day,
		      &length) == 3 && length == DAY_LENGTH &&
	       !strcmp(name + length, ".sweep");
}

bool sw_sweep_is_night(int dirfd, const char *name)
{
	int fd = sw_open_file(dirfd, name, false);
	bool is_night = fd >= 0 && sw_own_file(fd) == SW_OWN_NIGHT;

	if (fd >= 0)
		close(fd);
	return is_night;
}

/* Delete the night, and its page of "sweep --submit". */
static void expire_day(int dirfd, const char *name)
{
	char page[DAY_LENGTH + 8];

	if (!sw_sweep_is_night(dirfd, name))
		return;
	snprintf(page, sizeof(page), "%.*s.page", DAY_LENGTH, name);
	unlinkat(dirfd, page, 0);
	unlinkat(dirfd, name, 0);
}

void sw_sweep_expire(const char *folder, uint64_t before_seconds, int days)
{
	char oldest[SW_TIME_SIZE];
	DIR *dir = opendir(folder);
	struct dirent *entry;
	sw_time_day(oldest, sw_time_midnight(before_seconds, -days));
	while (dir && (entry = readdir(dir))) {
		if (is_of_a_day(entry->d_name) &&
		    strcmp(entry->d_name, oldest) < 0)
			expire_day(dirfd(dir), entry->d_name);
	}
	if (dir)
		closedir(dir);
}
