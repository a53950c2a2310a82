/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Group profiles by job. */
#include "analyzer/recordings/jobfiles.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/recordings/jobfile.h"
#include "analyzer/recordings/jobrun.h"
#include "analyzer/recordings/store.h"
#include "common/grow.h"

struct scan {
	struct sw_jobfile *files;
	size_t count;
	const struct sw_jobid *id;	/* NULL: all */
	bool is_exact;		/* number in the name must match */
	bool is_any_name;	/* names without a number match any job */
	struct sw_jobfiles *into;	/* receives ignored files */
};

/*
 * Return false if the name rules out that the file is of the job.  Elements and
 * components have their own numbers, never below that of the whole job.
 */
static bool may_be(const struct scan *scan, const char *path)
{
	uint64_t job, start;

	if (!scan->id)
		return true;
	if (!sw_jobfile_parse_name(path, &job, &start))
		return scan->is_any_name;
	return scan->is_exact ? job == scan->id->job : job >= scan->id->job;
}

static bool is_meant(const struct sw_jobid *wanted,
		     const struct sw_jobfile *file)
{
	struct sw_jobid id = sw_job_key_id(&file->job);

	if (!wanted)
		return true;
	if (sw_is_missing(id.job))
		return false;
	/* An element also matches by Slurm's own number for it. */
	if (wanted->job == file->job.job_id && wanted->job != id.job &&
	    !sw_jobid_is_part(wanted))
		return true;
	return sw_jobid_covers(wanted, &id);
}

static int ignore(struct scan *scan, const struct sw_jobfile *file)
{
	struct sw_jobfiles *into = scan->into;
	struct sw_jobfiles_ignored *ignored =
		&into->ignored[into->ignored_count];

	if (into->ignored_count++ >= SW_IGNORED_MAX)
		return 0;
	ignored->path = strdup(file->path);
	if (!ignored->path)
		return -1;
	memcpy(ignored->because, file->verdict.because,
	       sizeof(ignored->because));
	return 0;
}

/* Take ownership of the file, or free it. */
static int keep_file(struct scan *scan, struct sw_jobfile *file)
{
	bool counts = !file->is_summary && is_meant(scan->id, file);
	int rc = 0;

	if (counts && file->verdict.trust == SW_TRUST_NONE) {
		counts = false;
		rc = ignore(scan, file);
	}
	if (counts)
		scan->count++;
	else
		free(file->path);
	return rc;
}

static int add_file(struct scan *scan, const struct sw_store_entry *entry,
		    const struct sw_folders *folders)
{
	struct sw_jobfile *file;
	uint64_t job;

	if (!may_be(scan, entry->path))
		return 0;
	if (sw_grow(&scan->files, scan->count, sizeof(*scan->files)) < 0)
		return -1;
	file = &scan->files[scan->count];
	memset(file, 0, sizeof(*file));
	file->path = strdup(entry->path);
	if (!file->path)
		return -1;
	file->changed = entry->changed;
	file->stamp = entry->stamp;
	file->order = scan->count;
	if (!sw_jobfile_parse_name(file->path, &job, &file->start))
		file->start = 0;
	sw_jobfile_read_indexed(file, folders->judge, folders->index);
	return keep_file(scan, file);
}

/*
 * Only a named folder has to be readable: any other may be somebody else's, and
 * must not prevent reading the rest.
 */
static int list_folder(struct sw_store *store, struct sw_jobfiles *into,
		       const struct sw_folders *folders,
		       const struct sw_folder *folder, struct sw_error *error)
{
	struct sw_error why;

	if (sw_store_list_of(store, folder->path, folder->uid, &why) == 0)
		return 0;
	if (folders->is_named || errno == ENOMEM) {
		*error = why;
		return -1;
	}
	if (into->unlisted_count++ == 0)
		into->unlisted = why;
	return 0;
}

static int scan_folder(struct scan *scan, const struct sw_folders *folders,
		       const struct sw_folder *folder, struct sw_error *error)
{
	struct sw_store store;
	size_t i;
	int rc = 0;

	if (list_folder(&store, scan->into, folders, folder, error) < 0)
		return -1;
	for (i = 0; rc == 0 && i < store.count; i++)
		rc = add_file(scan, &store.entries[i], folders);
	sw_store_fini(&store);
	return rc < 0 ? sw_error_set(error, "not enough memory") : 0;
}

static int scan_folders(struct scan *scan, const struct sw_folders *folders,
			struct sw_error *error)
{
	size_t i;

	for (i = 0; i < folders->count; i++) {
		if (scan_folder(scan, folders, &folders->items[i],
				error) < 0)
			return -1;
	}
	return 0;
}

static void drop_files(struct scan *scan)
{
	size_t i;

	for (i = 0; i < scan->count; i++)
		free(scan->files[i].path);
	free(scan->files);
	scan->files = NULL;
	scan->count = 0;
}

/* True if all matches are a single job that is no element or component. */
static bool is_whole(const struct scan *scan)
{
	size_t i;

	for (i = 0; i < scan->count; i++) {
		struct sw_jobid id = sw_job_key_id(&scan->files[i].job);

		if (sw_jobid_is_part(&id))
			return false;
	}
	return scan->count > 0;
}

/*
 * Try the number in the name first: finding the elements of an array requires
 * opening every later job's file.
 */
static int scan_for(struct scan *scan, const struct sw_folders *folders,
		    struct sw_error *error)
{
	if (scan->id && !sw_jobid_is_part(scan->id)) {
		scan->is_exact = true;
		if (scan_folders(scan, folders, error) < 0)
			return -1;
		if (is_whole(scan))
			return 0;
		drop_files(scan);
		sw_jobfiles_drop_ignored(scan->into);
		scan->is_exact = false;
	}
	return scan_folders(scan, folders, error);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_jobs(const struct sw_jobfile *one,
			const struct sw_jobfile *two)
{
	int order = strcmp(one->cluster, two->cluster);

	if (!order)
		order = compare_numbers(one->job.job_id, two->job.job_id);
	if (!order)
		order = compare_numbers(one->verdict.uid, two->verdict.uid);
	if (!order && sw_is_missing(one->job.job_id))
		order = compare_numbers(one->order, two->order);
	return order;
}

/*
 * Sort by job and user, then node, then start.  For copies in two folders put
 * the most trusted first, then the newest.
 */
static int compare_files(const void *a, const void *b)
{
	const struct sw_jobfile *one = a, *two = b;
	int order = compare_jobs(one, two);

	if (!order)
		order = strcmp(one->node, two->node);
	if (!order)
		order = compare_numbers(one->realtime_usec,
					two->realtime_usec);
	if (!order)
		order = compare_numbers(one->boottime_usec,
					two->boottime_usec);
	if (!order)
		order = (int)one->verdict.trust - (int)two->verdict.trust;
	if (!order)
		order = (two->changed > one->changed) -
			(two->changed < one->changed);
	return order ? order : compare_numbers(one->order, two->order);
}

static int add_path(char ***paths, size_t *count,
		    const struct sw_jobfile *file)
{
	if (sw_grow(paths, *count, sizeof(**paths)) < 0)
		return -1;
	(*paths)[*count] = strdup(file->path);
	if (!(*paths)[*count])
		return -1;
	(*count)++;
	return 0;
}

/* The recorder's spool and a user's folder may both have it for a while. */
static bool is_copy(const struct sw_jobfile *file,
		    const struct sw_jobfile *other)
{
	return !sw_is_missing(file->realtime_usec) &&
	       !strcmp(file->node, other->node) &&
	       file->realtime_usec == other->realtime_usec &&
	       file->boottime_usec == other->boottime_usec;
}

/* Keep each file once, in front.  Return the number kept. */
static size_t drop_copies(struct sw_jobfile *files, size_t count)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++) {
		struct sw_jobfile file = files[i];

		if (kept && is_copy(&file, &files[kept - 1]))
			continue;
		files[i] = files[kept];
		files[kept++] = file;
	}
	return kept;
}

/*
 * Collect the files of the job's newest run: a node that had no step of the job
 * for a long time has several.
 */
static int fill_group(struct sw_jobfiles_group *group,
		      struct sw_jobfile *files, size_t count)
{
	size_t i, newest;

	group->id = sw_job_key_id(&files[0].job);
	group->raw_job = files[0].job.job_id;
	group->uid = files[0].verdict.uid;
	group->is_unread = true;
	snprintf(group->cluster, sizeof(group->cluster), "%s",
		 files[0].cluster);
	snprintf(group->name, sizeof(group->name), "%s", files[0].name);
	count = drop_copies(files, count);
	group->earlier_runs = sw_jobrun_split(files, count, &newest);
	group->changed = files[0].changed;
	group->stamp = files[0].stamp;
	for (i = 0; i < count; i++) {
		if (i && i < newest)
			group->stamp = sw_index_combine(group->stamp,
							files[i].stamp);
		if ((i < newest ? add_path(&group->paths, &group->count,
					   &files[i]) :
				  add_path(&group->earlier_paths,
					   &group->earlier_count,
					   &files[i])) < 0)
			return -1;
		if (i < newest && files[i].changed > group->changed)
			group->changed = files[i].changed;
		if (files[i].verdict.trust > group->trust)
			group->trust = files[i].verdict.trust;
		if (i < newest && !files[i].is_unread)
			group->is_unread = false;
	}
	return 0;
}

static int compare_newest(const void *a, const void *b)
{
	const struct sw_jobfiles_group *one = a, *two = b;

	if (one->changed != two->changed)
		return one->changed < two->changed ? 1 : -1;
	return strcmp(two->paths[0], one->paths[0]);
}

static int group_files(struct sw_jobfiles *files, struct scan *scan)
{
	size_t i, next;

	files->groups = calloc(scan->count ? scan->count : 1,
			       sizeof(*files->groups));
	if (!files->groups)
		return -1;
	for (i = 0; i < scan->count; i = next) {
		for (next = i + 1; next < scan->count &&
		     !compare_jobs(&scan->files[i], &scan->files[next]);
		     next++)
			;
		/* Counted first, so that a failure frees it. */
		files->count++;
		if (fill_group(&files->groups[files->count - 1],
			       &scan->files[i], next - i) < 0)
			return -1;
		if (files->count > 1)
			sw_jobfiles_compare(
				&files->groups[files->count - 2],
				&files->groups[files->count - 1]);
	}
	if (files->count)
		qsort(files->groups, files->count, sizeof(*files->groups),
		      compare_newest);
	return 0;
}

/* An unreadable file of root belongs to the user of the job's other files. */
static void find_whose(struct scan *scan)
{
	size_t i, j;

	for (i = 0; i < scan->count; i++) {
		struct sw_jobfile *file = &scan->files[i], *other;

		if (!file->is_unread || file->verdict.trust != SW_TRUST_OWN)
			continue;
		for (j = 0; j < scan->count; j++) {
			other = &scan->files[j];
			if (!other->is_unread &&
			    other->job.job_id == file->job.job_id &&
			    !strcmp(other->cluster, file->cluster))
				file->verdict.uid = other->verdict.uid;
		}
	}
}

int sw_jobfiles_init(struct sw_jobfiles *files,
		     const struct sw_folders *folders,
		     const struct sw_jobid *id, struct sw_error *error)
{
	struct scan scan = {
		.id = id, .is_any_name = folders->is_named, .into = files,
	};
	int rc;

	memset(files, 0, sizeof(*files));
	rc = scan_for(&scan, folders, error);
	find_whose(&scan);
	if (rc == 0 && scan.count)
		qsort(scan.files, scan.count, sizeof(*scan.files),
		      compare_files);
	if (rc == 0 && group_files(files, &scan) < 0) {
		sw_jobfiles_fini(files);
		rc = sw_error_set(error, "not enough memory");
	}
	drop_files(&scan);
	return rc;
}

/* Newest trusted file of a folder. */
static int find_newest_in(struct scan *one, const struct sw_folders *folders,
			  const struct sw_store *store, const time_t *after)
{
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < store->count && !one->count &&
	     (!after || store->entries[i].changed > *after); i++)
		rc = add_file(one, &store->entries[i], folders);
	return rc;
}

/* Newest file of all folders; its path is NULL if there is none. */
static int find_newest(struct sw_jobfile *newest,
		       const struct sw_folders *folders,
		       struct sw_jobfiles *into, struct sw_error *error)
{
	struct scan one = { .into = into };
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < folders->count; i++) {
		struct sw_store store;

		if (list_folder(&store, into, folders, &folders->items[i],
				error) < 0)
			return -1;
		rc = find_newest_in(&one, folders, &store,
				    newest->path ? &newest->changed : NULL);
		sw_store_fini(&store);
		if (one.count) {
			free(newest->path);
			*newest = one.files[0];
			one.count = 0;
		}
	}
	free(one.files);
	return rc < 0 ? sw_error_set(error, "not enough memory") : 0;
}

int sw_jobfiles_newest(struct sw_jobfiles *files,
		       const struct sw_folders *folders,
		       struct sw_error *error)
{
	struct sw_jobfile newest = { 0 };
	struct scan one = { .files = &newest, .count = 1, .into = files };
	struct sw_jobid id;
	int rc;

	memset(files, 0, sizeof(*files));
	rc = find_newest(&newest, folders, files, error);
	if (rc == 0 && newest.path && !sw_is_missing(newest.job.job_id)) {
		id = sw_job_key_id(&newest.job);
		sw_jobfiles_drop_ignored(files);
		rc = sw_jobfiles_init(files, folders, &id, error);
	} else if (rc == 0 && newest.path && group_files(files, &one) < 0) {
		rc = sw_error_set(error, "not enough memory");
	}
	free(newest.path);
	return rc;
}
