/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A history for each user.  A delivered file belongs to the user, who may
 * change it, so it is never read again: the next one is made from a copy in a
 * private folder.  Files are named by numeric uid, from Slurm.
 */
#include "analyzer/sweep/gather/user_histories.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/history/history_beside.h"
#include "analyzer/sweep/gather/copy_bytes.h"
#include "analyzer/sweep/gather/put_file.h"
#include "analyzer/sweep/gather/gather.h"
#include "common/grow.h"
#include "common/units.h"

#define OWN_NAME ".sweep"
#define ENDING	 ".sqlite"

/* Newest runs kept for a user: 3 MB, and 0.2 s to read. */
enum { RUNS_OF_USER_MAX = 20000, DAY_SECONDS = 86400 };

/* A run of a user. */
struct item {
	const struct sw_tally *tally;
	const struct sw_sample_run *run;
};

struct adding {
	const struct sw_user_histories *histories;
	const struct sw_night *night;
	int folder, own, lock; /* descriptors */
	char own_path[PATH_MAX];
	struct item *items; /* sorted by user */
	size_t count;
};

static int compare_items(const void *a, const void *b)
{
	const struct item *one = a, *two = b;

	if (one->run->uid != two->run->uid)
		return one->run->uid < two->run->uid ? -1 : 1;
	return (one->run->job_id > two->run->job_id) -
	       (one->run->job_id < two->run->job_id);
}

/* Add the runs whose user is known from Slurm. */
static int add_items(struct adding *adding, const struct sw_tally *tally)
{
	const struct sw_sample *sample = &tally->sample;
	size_t i;

	for (i = 0; i < sample->count; i++) {
		if (sample->items[i].uid >= UINT32_MAX)
			continue;
		if (sw_grow(&adding->items, adding->count,
			    sizeof(*adding->items)) < 0)
			return -1;
		adding->items[adding->count++] =
			(struct item){ tally, &sample->items[i] };
	}
	return 0;
}

static int find_items(struct adding *adding)
{
	const struct sw_keyed *tallies = &adding->night->tallies;
	struct sw_tally **sorted = sw_tallies_sorted(tallies);
	size_t i;
	int rc = sorted ? 0 : -1;

	for (i = 0; rc == 0 && i < tallies->count; i++) {
		if (sorted[i]->of == SW_TALLY_GROUP)
			rc = add_items(adding, sorted[i]);
	}
	free(sorted);
	if (adding->count)
		qsort(adding->items, adding->count, sizeof(*adding->items),
		      compare_items);
	return rc;
}

/* Open the folder, and the private one in it. */
static int open_folders(struct adding *adding, struct sw_error *error)
{
	const char *folder = adding->histories->folder;
	struct stat status;

	adding->folder = sw_gather_open(folder, error);
	if (adding->folder < 0)
		return -1;
	if (fstat(adding->folder, &status) < 0)
		return sw_error_errno(error, "%s", folder);
	if (status.st_uid != geteuid()) {
		errno = EPERM;
		return sw_error_set(error,
				    "%s is owned by user %lu; only a "
				    "sweep of that user writes there",
				    folder, (unsigned long)status.st_uid);
	}
	if (snprintf(adding->own_path, sizeof(adding->own_path), "%s/" OWN_NAME,
		     folder) >= (int)sizeof(adding->own_path) - 32) {
		errno = ENAMETOOLONG;
		return sw_error_errno(error, "%s", folder);
	}
	if (mkdirat(adding->folder, OWN_NAME, 0700) < 0 && errno != EEXIST)
		return sw_error_errno(error, "%s", adding->own_path);
	adding->own = openat(adding->folder, OWN_NAME,
			     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (adding->own < 0 || fstat(adding->own, &status) < 0)
		return sw_error_errno(error, "%s", adding->own_path);
	if (status.st_uid == geteuid() && !(status.st_mode & 077))
		return 0;
	errno = EPERM;
	return sw_error_set(error, "%s: others than its owner can enter it",
			    adding->own_path);
}

static int lock(struct adding *adding, struct sw_error *error)
{
	adding->lock = openat(adding->own, "lock",
			      O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (adding->lock < 0 || flock(adding->lock, LOCK_EX) < 0)
		return sw_error_errno(error, "%s", adding->own_path);
	return 0;
}

static int add_run(struct sw_history *history, const struct item *item,
		   struct sw_error *error)
{
	const struct sw_sample_run *run = item->run;
	const struct sw_job_key key = {
		.job_id = run->job_id,
		.array_job_id = run->array_job_id,
		.array_task_id = run->array_task_id,
		.het_job_id = run->het_job_id,
		.het_component = run->het_component,
		.restart_count = run->restart,
		.uid = run->uid,
	};
	const struct sw_jobid id = sw_job_key_id(&key);
	char job[SW_JOBID_TEXT_SIZE];
	struct sw_history_run row = {
		.run = run->run,
		.cluster = item->tally->cluster,
		.user = item->tally->user,
		.job = job,
		.step = "",
		.group = item->tally->name,
		.label = item->tally->label,
		.source = SW_HISTORY_SACCT,
		.restart = (unsigned)run->restart,
	};

	sw_jobid_format(job, sizeof(job), &id);
	if (sw_history_add(history, &row, error) < 0)
		return -1;
	if (!run->is_recorded)
		return 0;
	/* The state is Slurm's nevertheless. */
	row.source = SW_HISTORY_SUMMARY;
	row.fingerprint = run->fingerprint;
	row.fingerprint_size = run->fingerprint_size;
	return sw_history_add(history, &row, error) < 0 ? -1 : 0;
}

static double oldest_seconds(const struct adding *adding)
{
	double days = adding->histories->keep_days;

	return days ? (double)adding->night->from_seconds - days * DAY_SECONDS
		    : 0;
}

static int add_runs(const struct adding *adding, struct sw_history *history,
		    const struct item *items, size_t count,
		    struct sw_error *error)
{
	size_t i;

	if (sw_history_begin(history, error) < 0)
		return -1;
	for (i = 0; i < count; i++) {
		if (add_run(history, &items[i], error) < 0)
			break;
	}
	if (i == count && sw_history_trim(history, oldest_seconds(adding),
					  RUNS_OF_USER_MAX, error) == 0)
		return sw_history_commit(history, error);
	sw_history_rollback(history);
	return -1;
}

static int update(const struct adding *adding, const struct item *items,
		  size_t count, struct sw_error *error)
{
	char path[PATH_MAX + 32];
	struct sw_history *history;
	int rc;

	snprintf(path, sizeof(path), "%s/%llu" ENDING, adding->own_path,
		 (unsigned long long)items->run->uid);
	history = sw_history_open(path, true, error);
	if (!history)
		return -1;
	rc = add_runs(adding, history, items, count, error);
	sw_history_close(history);
	return rc;
}

struct own {
	int fd;
	uid_t uid;
};

/* Write it completely before chown: then its mode is final. */
static int fill(int into, const void *context)
{
	const struct own *own = context;
	struct stat status;

	if (fstat(own->fd, &status) < 0 ||
	    sw_copy_bytes(own->fd, into, status.st_size) < 0 ||
	    fchmod(into, 0400) < 0 || fchown(into, own->uid, (gid_t)-1) < 0)
		return -1;
	return fsync(into);
}

static int hand_over(const struct adding *adding, uint64_t uid,
		     struct sw_error *error)
{
	struct own own = { .uid = (uid_t)uid };
	enum sw_own kind = SW_OWN_HISTORY;
	struct stat there;
	char name[32];
	int rc = -1, saved;

	snprintf(name, sizeof(name), "%llu" ENDING, (unsigned long long)uid);
	own.fd = openat(adding->own, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	/* The user may have changed the last one in any way; a link has no
	 * data. */
	if (fstatat(adding->folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	    (there.st_uid == own.uid || S_ISLNK(there.st_mode)))
		kind = SW_OWN_NONE;
	if (own.fd >= 0)
		rc = sw_put_file(adding->folder, name, kind, fill, &own);
	saved = errno;
	if (own.fd >= 0)
		close(own.fd);
	errno = saved;
	if (rc == 0)
		return 0;
	if (saved == EPERM)
		return sw_error_set(error,
				    "%s: this process cannot give a file to "
				    "user %llu, which needs root, or CAP_CHOWN "
				    "on a local file system",
				    adding->histories->folder,
				    (unsigned long long)uid);
	return sw_error_errno(error, "the history of user %llu in %s",
			      (unsigned long long)uid,
			      adding->histories->folder);
}

/* Return the first error; users with errors do not affect others. */
static int add_users(const struct adding *adding, size_t *users,
		     struct sw_error *error)
{
	const struct item *items = adding->items;
	struct sw_error own;
	size_t i, count;
	int rc = 0;

	for (i = 0; i < adding->count; i += count) {
		count = 1;
		while (i + count < adding->count &&
		       items[i + count].run->uid == items[i].run->uid)
			count++;
		if (update(adding, &items[i], count, &own) == 0 &&
		    hand_over(adding, items[i].run->uid, &own) == 0) {
			++*users;
			continue;
		}
		if (rc == 0)
			*error = own;
		rc = -1;
	}
	return rc;
}

/* Delete files of users without recent jobs. */
static void expire(const struct adding *adding)
{
	int fd = openat(adding->own, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat status;
	unsigned long uid;
	int length;

	while (dir && (entry = readdir(dir))) {
		length = 0;
		if (sscanf(entry->d_name, "%10lu" ENDING "%n", &uid, &length) !=
			    1 ||
		    !length || entry->d_name[length] ||
		    fstatat(adding->own, entry->d_name, &status,
			    AT_SYMLINK_NOFOLLOW) < 0 ||
		    (double)status.st_mtim.tv_sec >= oldest_seconds(adding))
			continue;
		unlinkat(adding->folder, entry->d_name, 0);
		unlinkat(adding->own, entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

int sw_user_histories_add(const struct sw_user_histories *histories,
			  const struct sw_night *night, size_t *users,
			  struct sw_error *error)
{
	struct adding adding = {
		.histories = histories,
		.night = night,
		.folder = -1,
		.own = -1,
		.lock = -1,
	};
	int rc;

	*users = 0;
	rc = open_folders(&adding, error);
	if (rc == 0)
		rc = lock(&adding, error);
	if (rc == 0 && find_items(&adding) < 0)
		rc = sw_error_errno(error, "histories of users");
	if (rc == 0)
		rc = add_users(&adding, users, error);
	if (adding.lock >= 0 && histories->keep_days)
		expire(&adding);
	free(adding.items);
	if (adding.lock >= 0)
		close(adding.lock);
	if (adding.own >= 0)
		close(adding.own);
	if (adding.folder >= 0)
		close(adding.folder);
	return rc;
}
