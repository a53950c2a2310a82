/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decide how far a profile can be trusted. */
#include "analyzer/trust/judge.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/series/series.h"
#include "analyzer/trust/digests.h"
#include "common/grow.h"
#include "common/path.h"
#include "common/units.h"
#include "common/users_folder.h"
#include "config.h"

const char *const sw_trust_names[] = {
	[SW_TRUST_OWN] = "own", [SW_TRUST_PROVEN] = "proven",
	[SW_TRUST_CLAIM] = "claim", [SW_TRUST_NONE] = "none",
};

struct sw_judge {
	uid_t reader;
	char profile_dir[PATH_MAX];
	char **summary_dirs;
	size_t summary_dir_count;
	bool has_looked;		/* for summaries */
	struct sw_digests *digests;	/* NULL: none */
};

static int add_summary_dir(struct sw_judge *judge, const char *folder)
{
	if (sw_grow(&judge->summary_dirs, judge->summary_dir_count,
		    sizeof(*judge->summary_dirs)) < 0)
		return -1;
	judge->summary_dirs[judge->summary_dir_count] = strdup(folder);
	return judge->summary_dirs[judge->summary_dir_count++] ? 0 : -1;
}

static int add_summary_dirs(struct sw_judge *judge,
			    const struct sw_places *places)
{
	size_t i;

	for (i = 0; i < places->summary_dir_count; i++) {
		if (add_summary_dir(judge, places->summary_dirs[i]) < 0)
			return -1;
	}
	return i ? 0 : add_summary_dir(judge, sw_places_summaries(places));
}

const char *sw_places_summaries(const struct sw_places *places)
{
	return places && places->summaries_dir ? places->summaries_dir :
						 SPOOLDIR "/summaries";
}

struct sw_judge *sw_judge_new(const struct sw_places *places,
			      struct sw_error *error)
{
	static const struct sw_places defaults;
	struct sw_judge *judge = calloc(1, sizeof(*judge));

	if (!places)
		places = &defaults;
	if (!judge || add_summary_dirs(judge, places) < 0) {
		sw_error_set(error, "not enough memory");
		sw_judge_free(judge);
		return NULL;
	}
	judge->reader = geteuid();
	snprintf(judge->profile_dir, sizeof(judge->profile_dir), "%s",
		 places->profile_dir ? places->profile_dir :
				       SPOOLDIR "/profiles");
	return judge;
}

void sw_judge_free(struct sw_judge *judge)
{
	if (!judge)
		return;
	sw_digests_free(judge->digests);
	while (judge->summary_dir_count)
		free(judge->summary_dirs[--judge->summary_dir_count]);
	free(judge->summary_dirs);
	free(judge);
}

const char *sw_judge_profile_dir(const struct sw_judge *judge)
{
	return judge->profile_dir;
}

const char *sw_judge_summary_dir(const struct sw_judge *judge, size_t number)
{
	return number < judge->summary_dir_count ? judge->summary_dirs[number] :
						   NULL;
}

uint64_t sw_judge_name_uid(const char *name)
{
	const char *dot = strchr(name, '.');
	char digits[16];
	uint64_t uid;

	/* "1001.1" is used if another user has taken "1001", and "1001.x" with
	 * 16 digits if others have all of these. */
	if (dot && (dot[1] < '1' || dot[1] > '9' || dot[2] != '\0') &&
	    (dot[1] != 'x' || strspn(dot + 2, "0123456789abcdef") != 16 ||
	     dot[18] != '\0'))
		return SW_MISSING;
	if (snprintf(digits, sizeof(digits), "%.*s",
		     dot ? (int)(dot - name) : (int)strlen(name), name) >=
		    (int)sizeof(digits) ||
	    strspn(digits, "0123456789") != strlen(digits) ||
	    sw_count_parse(digits, 0, UINT32_MAX, &uid) < 0)
		return SW_MISSING;
	return uid;
}

uint64_t sw_judge_folder_uid(const struct sw_judge *judge, const char *path)
{
	size_t length = judge ? strlen(judge->profile_dir) : 0;
	const char *slash = strrchr(path, '/');
	char name[NAME_MAX + 1];

	if (!length || strncmp(path, judge->profile_dir, length) != 0 ||
	    path[length] != '/' || slash <= path + length ||
	    slash - (path + length + 1) > NAME_MAX)
		return SW_MISSING;
	snprintf(name, sizeof(name), "%.*s",
		 (int)(slash - (path + length + 1)), path + length + 1);
	return strchr(name, '/') ? SW_MISSING : sw_judge_name_uid(name);
}

/* Open a folder of summaries that others cannot write to; or -1. */
static int open_summaries(const char *folder, struct stat *status)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (fstat(fd, status) == 0 && !(status->st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	close(fd);
	return -1;
}

static const struct sw_digests *find_digests(struct sw_judge *judge)
{
	struct stat status;
	size_t i;
	int fd;

	if (judge->has_looked)
		return judge->digests;
	judge->has_looked = true;
	for (i = 0; i < judge->summary_dir_count; i++) {
		fd = open_summaries(judge->summary_dirs[i], &status);
		if (fd < 0)
			continue;
		judge->digests = sw_digests_add(judge->digests, fd,
						judge->summary_dirs[i],
						status.st_uid);
		close(fd);
	}
	return judge->digests;
}

/* Find the summary folder that this is, and its status; -1 if none. */
static int find_summaries(const struct sw_judge *judge, const char *folder,
			  struct stat *status)
{
	struct stat here;
	size_t i;
	int fd;

	if (!judge || stat(folder, &here) < 0)
		return -1;
	for (i = 0; i < judge->summary_dir_count; i++) {
		fd = open_summaries(judge->summary_dirs[i], status);
		if (fd >= 0 && here.st_dev == status->st_dev &&
		    here.st_ino == status->st_ino)
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

bool sw_judge_is_summaries(struct sw_judge *judge, const char *folder)
{
	struct stat status;
	int fd = find_summaries(judge, folder, &status);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool sw_judge_is_summary(struct sw_judge *judge, const char *path)
{
	char folder[PATH_MAX];
	struct stat status, file;
	bool is_theirs;
	int fd;

	if (sw_path_folder(path, folder, sizeof(folder)) < 0)
		return false;
	fd = find_summaries(judge, folder, &status);
	if (fd < 0)
		return false;
	is_theirs = fstatat(fd, sw_path_name(path), &file,
			    AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(file.st_mode) &&
		    (file.st_uid == status.st_uid || file.st_uid == 0);
	close(fd);
	return is_theirs;
}

static enum sw_trust refuse(struct sw_verdict *verdict, const char *why)
{
	snprintf(verdict->because, sizeof(verdict->because), "%s", why);
	return SW_TRUST_NONE;
}

static enum sw_trust refuse_owner(struct sw_verdict *verdict)
{
	char why[SW_VERDICT_SIZE];

	if (sw_is_missing(verdict->uid))
		snprintf(why, sizeof(why), "user %llu owns it, and it does not "
			 "name the job's owner",
			 (unsigned long long)verdict->owner);
	else
		snprintf(why, sizeof(why), "user %llu owns it, but it claims "
			 "to be of user %llu's job",
			 (unsigned long long)verdict->owner,
			 (unsigned long long)verdict->uid);
	return refuse(verdict, why);
}

/* A run without Slurm has no summary. */
static enum sw_trust compare(struct sw_judge *judge,
			     const struct sw_reader *reader,
			     struct sw_verdict *verdict)
{
	struct sw_series row = sw_series_open(reader, "identity", 0);
	const char *origin = sw_series_text(&row, 0, "origin");
	const struct sw_digest_question what = {
		.cluster = sw_series_text(&row, 0, "cluster"),
		.node = sw_series_text(&row, 0, "node"),
		.job_id = sw_series_at(&row, 0, "job_id"),
		.uid = verdict->uid,
		.digest = sw_reader_origin(reader)->digest,
	};

	if (!origin || strcmp(origin, "slurm") != 0)
		return SW_TRUST_CLAIM;
	switch (sw_digests_ask(find_digests(judge), &what)) {
	case SW_DIGEST_SAME:
		return SW_TRUST_PROVEN;
	case SW_DIGEST_OTHER:
		return refuse(verdict, "the recorder's digest of this job and "
			      "node belongs to another file");
	case SW_DIGEST_FOREIGN:
		return refuse(verdict, "the recorder knows the job as another "
			      "user's");
	default:
		return SW_TRUST_CLAIM;
	}
}

static enum sw_trust judge_reader(struct sw_judge *judge, uint64_t folder_uid,
				  const struct sw_reader *reader,
				  struct sw_verdict *verdict)
{
	struct sw_series row = sw_series_open(reader, "identity", 0);
	bool is_of_folder = sw_is_missing(folder_uid) ||
			    (verdict->owner == folder_uid);

	verdict->uid = sw_series_at(&row, 0, "uid");
	/* Trust root's own file, unless it is in a user's folder. */
	if (sw_is_missing(folder_uid) && (verdict->owner == judge->reader ||
					  verdict->owner == 0))
		return SW_TRUST_OWN;
	if (!is_of_folder || verdict->uid != verdict->owner)
		return refuse_owner(verdict);
	if (verdict->owner == judge->reader)
		return SW_TRUST_OWN;
	return compare(judge, reader, verdict);
}

/* Open the folder of a user, which has to be real; AT_FDCWD for any user. */
static int open_folder(const char *path, uint64_t uid, struct sw_error *error)
{
	char folder[PATH_MAX];
	int fd;

	if (sw_is_missing(uid))
		return AT_FDCWD;
	if (sw_path_folder(path, folder, sizeof(folder)) < 0)
		return sw_error_errno(error, "%s", path);
	fd = sw_users_folder_open(folder, (uint32_t)uid);
	if (fd >= 0)
		return fd;
	errno = ENOTDIR;
	sw_error_set(error, "%s: not a folder of user %llu, so nothing in it "
		     "counts", folder, (unsigned long long)uid);
	return -1;
}

struct sw_reader *sw_judge_open(struct sw_judge *judge, const char *path,
				const struct sw_reader_want *want,
				struct sw_verdict *verdict,
				struct sw_error *error)
{
	uint64_t folder_uid = sw_judge_folder_uid(judge, path);
	struct sw_reader_want more = { .has_digest = judge != NULL };
	int dirfd = open_folder(path, folder_uid, error), saved;
	struct sw_reader *reader;

	*verdict = (struct sw_verdict){
		.trust = SW_TRUST_OWN, .owner = SW_MISSING, .uid = SW_MISSING,
	};
	if (dirfd == -1)
		return NULL;
	if (want) {
		more = *want;
		more.has_digest |= judge != NULL;
	}
	reader = sw_reader_open_in(dirfd, path, dirfd == AT_FDCWD, &more,
				   error);
	saved = errno;
	if (dirfd != AT_FDCWD)
		close(dirfd);
	errno = saved;
	if (!reader)
		return NULL;
	verdict->owner = sw_reader_origin(reader)->owner;
	if (judge)
		verdict->trust = judge_reader(judge, folder_uid, reader,
					      verdict);
	return reader;
}
