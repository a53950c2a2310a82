/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepwell rm: delete recordings of the calling user only; of a job, all files
 * of all nodes.  Files that are still being written are kept.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/recordings/choose.h"
#include "analyzer/recordings/store.h"
#include "analyzer/settings/settings.h"
#include "analyzer/verbs/verb.h"
#include "common/path.h"
#include "common/text.h"
#include "common/units.h"
#include "profiles/reader.h"

#define PART ".part"
#define TAIL ".tail"

struct request {
	char **operands;	/* paths come first once checked */
	int count, path_count;
	const char *older_than, *keep;
	uint64_t age_usec, keep_count; /* SW_MISSING: no condition */
	bool is_dry;
};

struct tally {
	size_t recordings, in_use, failed;
	uint64_t bytes;
};

/* The writer holds a lock on the file (profiles/reader.h). */
static bool is_being_written(int dirfd, const char *name)
{
	int fd = openat(dirfd, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool is_locked;

	if (fd < 0)
		return false;
	is_locked = flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
	close(fd);
	return is_locked;
}

/* Delete the tail left beside a file that was cut off. */
static void delete_tail(int dirfd, const char *part)
{
	char tail[NAME_MAX + 1];
	size_t length = strlen(part) - strlen(PART);

	snprintf(tail, sizeof(tail), "%.*s" TAIL, (int)length, part);
	unlinkat(dirfd, tail, 0);
}

/* Return -1 with errno; a folder of root could be replaced by a link. */
static int delete_in(int dirfd, const char *name, bool is_dry,
		     struct tally *tally)
{
	struct stat status;

	if (fstatat(dirfd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	if (!S_ISREG(status.st_mode) || status.st_uid != geteuid()) {
		errno = EPERM;
		return -1;
	}
	if (!is_dry && unlinkat(dirfd, name, 0) < 0)
		return -1;
	if (!is_dry && sw_has_suffix(name, PART))
		delete_tail(dirfd, name);
	tally->bytes += (uint64_t)status.st_size;
	return 0;
}

static int open_folder(const char *path, const char **name)
{
	char folder[PATH_MAX];

	*name = sw_path_name(path);
	if (sw_path_folder(path, folder, sizeof(folder)) < 0)
		return -1;
	return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void delete_file(const char *path, bool is_dry, struct tally *tally)
{
	const char *name;
	int dirfd = open_folder(path, &name);

	if (dirfd >= 0 && sw_has_suffix(name, PART) && is_being_written(dirfd, name)) {
		sw_complain(SW_EXIT_PARTIAL, "%s is still being written, so "
			    "it was kept", path);
		tally->in_use++;
	} else if (dirfd < 0 || delete_in(dirfd, name, is_dry, tally) < 0) {
		sw_complain(SW_EXIT_PARTIAL, "%s was not deleted: %s", path,
			    errno == EPERM ? "you do not own it"
					   : strerror(errno));
		tally->failed++;
	}
	if (dirfd >= 0)
		close(dirfd);
}

static void print_group(const struct sw_jobfiles_group *group, bool is_dry)
{
	char id[NAME_MAX + 1], shown[4 * NAME_MAX + 1];

	sw_jobfiles_id(group, id, sizeof(id));
	printf("%s %s\n", is_dry ? "would delete" : "deleted",
	       sw_shown(shown, sizeof(shown), id));
}

static void delete_group(const struct sw_jobfiles_group *group, bool is_dry,
			 struct tally *tally)
{
	size_t kept = tally->in_use + tally->failed, i;

	for (i = 0; i < group->count; i++)
		delete_file(group->paths[i], is_dry, tally);
	for (i = 0; i < group->earlier_count; i++)
		delete_file(group->earlier_paths[i], is_dry, tally);
	if (tally->in_use + tally->failed != kept)
		return;
	tally->recordings++;
	print_group(group, is_dry);
}

/* Apply age, and position in the list, with index newer recordings. */
static bool is_old(const struct request *request,
		   const struct sw_jobfiles_group *group, size_t index)
{
	if (!sw_is_missing(request->age_usec) &&
	    group->changed > time(NULL) - (time_t)(request->age_usec /
						   SW_USEC_PER_SEC))
		return false;
	return sw_is_missing(request->keep_count) ||
	       index >= request->keep_count;
}

/* Be strict before deleting: reject a name that several recordings have. */
static int check_word(const struct sw_jobfiles *files, const char *word)
{
	char ids[200] = "", id[NAME_MAX + 1];
	size_t i, named = 0;

	if (strpbrk(word, "*?["))
		return SW_EXIT_OK;
	for (i = 0; i < files->count; i++) {
		enum sw_meant meant = sw_recording_meant(&files->groups[i],
							 word);

		if (meant == SW_MEANT_BY_ID)
			return SW_EXIT_OK;
		if (meant == SW_MEANT_NOT)
			continue;
		sw_jobfiles_id(&files->groups[i], id, sizeof(id));
		if (named++ < 3)
			sw_text_add(ids, sizeof(ids), "%s%.60s",
				    named > 1 ? ", " : "", id);
	}
	return named < 2 ? SW_EXIT_OK :
	       sw_complain(SW_EXIT_USAGE, "rm: \"%s\" matches %zu recordings, "
			   "so nothing was deleted; name one by its id (%s%s), "
			   "or all: stepwell rm $(stepwell list --ids %s)",
			   word, named, ids, named > 3 ? ", ..." : "", word);
}

/* Delete a path only if the file is a recording. */
static int check_path(const char *path)
{
	const struct sw_reader_want want = { .no_series = true };
	struct sw_error error;
	struct sw_reader *reader = sw_reader_open_in(AT_FDCWD, path, true,
						     &want, &error);

	if (!reader)
		return sw_complain(SW_EXIT_FAILURE, "rm: nothing was deleted: "
				   "%s", error.text);
	sw_reader_close(reader);
	return SW_EXIT_OK;
}

/* Move paths to the front; return their number. */
static int sort_operands(struct request *request)
{
	int i, paths = 0;

	for (i = 0; i < request->count; i++) {
		char *word = request->operands[i];

		if (!sw_is_path(word))
			continue;
		request->operands[i] = request->operands[paths];
		request->operands[paths++] = word;
	}
	return paths;
}

/* Each operand must match something: a typo is not success. */
static int check_operands(struct request *request, struct sw_jobfiles *files)
{
	struct sw_error error;
	const char *unknown;
	int i, status = SW_EXIT_OK;

	request->path_count = sort_operands(request);
	for (i = 0; status == SW_EXIT_OK && i < request->count; i++)
		status = i < request->path_count ?
				 check_path(request->operands[i]) :
				 check_word(files, request->operands[i]);
	if (status != SW_EXIT_OK || !request->count)
		return status;
	unknown = sw_recordings_choose(files,
				       request->operands + request->path_count,
				       request->count - request->path_count);
	if (!unknown)
		return SW_EXIT_OK;
	sw_recordings_say_unknown(&error, files, unknown);
	return sw_complain(SW_EXIT_NOTHING_FOUND, "rm: nothing was deleted: "
			   "%s", error.text);
}

/* Delete a single named file, even if the job has more. */
static void delete_path(const char *path, bool is_dry, struct tally *tally)
{
	size_t kept = tally->in_use + tally->failed;
	char shown[4 * PATH_MAX + 1];

	delete_file(path, is_dry, tally);
	if (tally->in_use + tally->failed != kept)
		return;
	tally->recordings++;
	printf("%s %s\n", is_dry ? "would delete" : "deleted",
	       sw_shown(shown, sizeof(shown), path));
}

static int delete_all(const struct request *request,
		      const struct sw_jobfiles *files)
{
	struct tally tally = { 0 };
	size_t i;
	int word;

	for (word = 0; word < request->path_count; word++)
		delete_path(request->operands[word], request->is_dry, &tally);
	for (i = 0; i < files->count; i++) {
		if (is_old(request, &files->groups[i], i))
			delete_group(&files->groups[i], request->is_dry,
				     &tally);
	}
	printf("%zu recording%s, %s%s\n", tally.recordings,
	       tally.recordings == 1 ? "" : "s", sw_size_text(tally.bytes).s,
	       request->is_dry ? "; nothing was deleted (--dry-run)" : "");
	return tally.failed || tally.in_use ? SW_EXIT_PARTIAL : SW_EXIT_OK;
}

/* For root only its own folder: users delete their own recordings. */
static int find_own(struct sw_folders *folders,
		    const struct sw_settings *settings, struct sw_error *error)
{
	char own[PATH_MAX];

	if (geteuid() != 0)
		return sw_folders_init(folders, sw_settings_places(settings),
				       error);
	if (sw_store_folder(own, sizeof(own), error) < 0)
		return -1;
	return sw_folders_of(folders, own, sw_settings_places(settings),
			     error);
}

static int rm(struct request *request)
{
	struct sw_settings *settings;
	struct sw_folders folders = { 0 };
	struct sw_jobfiles files = { 0 };
	struct sw_error error;
	int status;

	settings = sw_load_settings(true);
	if (!settings)
		return SW_EXIT_FAILURE;
	if (find_own(&folders, settings, &error) < 0 ||
	    sw_jobfiles_init(&files, &folders, NULL, &error) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "rm: %s; nothing was "
				     "deleted", error.text);
	else
		status = check_operands(request, &files);
	if (status == SW_EXIT_OK)
		status = delete_all(request, &files);
	sw_jobfiles_fini(&files);
	sw_folders_fini(&folders);
	sw_settings_free(settings);
	return status;
}

static int check(struct request *request)
{
	request->age_usec = request->keep_count = SW_MISSING;
	if (request->older_than &&
	    sw_age_parse(request->older_than, &request->age_usec) < 0)
		return sw_complain(SW_EXIT_USAGE, "rm: \"%s\" is not an age "
				   "such as 30d, 2w or 12h, so nothing was "
				   "deleted", request->older_than);
	if (request->keep && sw_count_parse(request->keep, 0, UINT32_MAX,
					    &request->keep_count) < 0)
		return sw_complain(SW_EXIT_USAGE, "rm: --keep needs a number "
				   "of recordings, not \"%s\", so nothing was "
				   "deleted", request->keep);
	if (!request->count && !request->older_than && !request->keep)
		return sw_complain(SW_EXIT_USAGE, "rm: name recordings, or use "
				   "--older-than or --keep");
	return SW_EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct request request = { 0 };
	const struct sw_option options[] = {
		{ "older-than=AGE", NULL, &request.older_than,
		 "recordings that ended before that time, such as 30d, 2w or "
		 "12h" },
		{ "keep=NUMBER", NULL, &request.keep,
		 "all but the NUMBER newest recordings" },
		{ "dry-run", &request.is_dry, NULL,
		 "show what would be deleted, and delete nothing" },
		{ NULL, NULL, NULL, NULL },
	};
	int first = sw_options_parse(&sw_verb_rm, argc, argv, options);
	int status;

	if (first < 0)
		return sw_options_exit(first);
	request.operands = argv + first;
	request.count = argc - first;
	status = check(&request);
	return status == SW_EXIT_OK ? rm(&request) : status;
}

const struct sw_verb sw_verb_rm = {
	.name = "rm",
	.usage = "[OPTION]... [JOBID|FILE|ID|NAME]...",
	.help = "deletes recordings of your own",
	.run = run,
};
