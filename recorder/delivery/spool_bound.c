/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remove profiles from a full spool; nothing if out of memory. */
#include "recorder/delivery/spool_bound.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/units.h"

enum { PROFILES_MAX = 65536, REMOVED_MAX = 1000 };

struct profile {
	char *name;
	const struct sw_spooled *spooled; /* NULL: unknown owner */
	uint64_t changed_nsec, bytes;
};

/* Consecutive entries of an array: a job's profiles, or a user's jobs */
struct holder {
	size_t first, end;
	uint64_t bytes;
};

struct spool {
	size_t count, job_count, user_count;
	uint64_t bytes;
	struct profile profile[PROFILES_MAX];
	struct holder job[PROFILES_MAX], user[PROFILES_MAX];
};

static int compare_names(const void *a, const void *b)
{
	const struct sw_spooled *one = a, *two = b;

	return strcmp(one->name, two->name);
}

static int compare_numbers(uint64_t one, uint64_t two)
{
	return (one > two) - (one < two);
}

static int compare_users(const struct profile *one, const struct profile *two)
{
	if (!one->spooled || !two->spooled)
		return !!one->spooled - !!two->spooled;
	return compare_numbers(one->spooled->uid, two->spooled->uid);
}

static int compare_jobs(const struct profile *one, const struct profile *two)
{
	int order = compare_users(one, two);

	if (order || !one->spooled)
		return order;
	return compare_numbers(one->spooled->job_id, two->spooled->job_id);
}

/* Sort by user, job and age. */
static int compare(const void *a, const void *b)
{
	const struct profile *one = a, *two = b;
	int order = compare_jobs(one, two);

	return order ? order
		     : compare_numbers(one->changed_nsec, two->changed_nsec);
}

static bool is_profile(const char *name)
{
	const char *suffix = strrchr(name, '.');

	return suffix && !strcmp(suffix, ".stepwell");
}

static void take(struct spool *spool, const char *name,
		 const struct stat *status, const struct sw_spooled *spooled,
		 size_t count)
{
	const struct sw_spooled key = { .name = name }, *of = NULL;
	struct profile *profile = &spool->profile[spool->count];

	if (count)
		of = bsearch(&key, spooled, count, sizeof(key), compare_names);
	if (of && of->is_leaving)
		return;
	*profile = (struct profile){
		.name = strdup(name),
		.spooled = of,
		.changed_nsec = (uint64_t)status->st_mtim.tv_sec *
					SW_NSEC_PER_USEC * SW_USEC_PER_SEC +
				(uint64_t)status->st_mtim.tv_nsec,
		.bytes = (uint64_t)status->st_blocks * 512,
	};
	if (!profile->name)
		return;
	spool->count++;
	spool->bytes += profile->bytes;
}

static void list(struct spool *spool, int spool_fd,
		 const struct sw_spooled *spooled, size_t count)
{
	int fd = openat(spool_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *item;
	struct stat status;

	while (dir && spool->count < PROFILES_MAX && (item = readdir(dir))) {
		if (is_profile(item->d_name) &&
		    fstatat(spool_fd, item->d_name, &status,
			    AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(status.st_mode))
			take(spool, item->d_name, &status, spooled, count);
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

/* Sum up per job and per user. */
static void add_up(struct spool *spool)
{
	struct profile *profile = spool->profile;
	size_t i;

	qsort(profile, spool->count, sizeof(*profile), compare);
	for (i = 0; i < spool->count; i++) {
		bool is_user =
			!i || compare_users(&profile[i - 1], &profile[i]);

		if (is_user || compare_jobs(&profile[i - 1], &profile[i]))
			spool->job[spool->job_count++].first = i;
		if (is_user)
			spool->user[spool->user_count++].first =
				spool->job_count - 1;
		spool->job[spool->job_count - 1].end = i + 1;
		spool->job[spool->job_count - 1].bytes += profile[i].bytes;
		spool->user[spool->user_count - 1].end = spool->job_count;
		spool->user[spool->user_count - 1].bytes += profile[i].bytes;
	}
}

static struct holder *find_most(struct holder *holders, size_t first,
				size_t end)
{
	struct holder *most = &holders[first];
	size_t i;

	for (i = first; i < end; i++) {
		if (holders[i].bytes > most->bytes)
			most = &holders[i];
	}
	return most;
}

/* Choose the next to remove, and stop counting it even if that fails. */
static const struct profile *choose(struct spool *spool)
{
	struct holder *user = find_most(spool->user, 0, spool->user_count);
	struct holder *job = find_most(spool->job, user->first, user->end);
	const struct profile *profile = &spool->profile[job->first++];

	job->bytes -= profile->bytes;
	user->bytes -= profile->bytes;
	spool->bytes -= profile->bytes;
	return profile;
}

void sw_spool_bound(int spool_fd, struct sw_spooled *spooled, size_t count,
		    uint64_t max_bytes,
		    void (*removed)(void *context,
				    const struct sw_spooled *which),
		    void *context)
{
	struct spool *spool = max_bytes ? calloc(1, sizeof(*spool)) : NULL;
	const struct profile *profile;
	size_t i;

	if (!spool)
		return;
	if (count)
		qsort(spooled, count, sizeof(*spooled), compare_names);
	list(spool, spool_fd, spooled, count);
	if (spool->bytes > max_bytes)
		add_up(spool);
	for (i = 0; i < REMOVED_MAX && spool->bytes > max_bytes; i++) {
		profile = choose(spool);
		if (unlinkat(spool_fd, profile->name, 0) == 0)
			removed(context, profile->spooled);
	}
	for (i = 0; i < spool->count; i++)
		free(spool->profile[i].name);
	free(spool);
}
