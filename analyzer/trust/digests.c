/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Digests of profiles from the summaries.  Rows are small: a site may keep
 * those of all its nodes for months.
 */
#include "analyzer/trust/digests.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/trust/profile_name.h"
#include "common/grow.h"
#include "common/path.h"
#include "common/search.h"
#include "profiles/reader.h"

struct row {
	uint64_t job_id, uid;
	uint32_t cluster, node;		/* indices of names */
	char digest[SW_DIGEST_SIZE];
};

struct sw_digests {
	struct row *rows;
	size_t count;
	char **names;
	size_t name_count;
};

/* Columns needed from a table. */
struct columns {
	const uint64_t *job_id, *uid;
	const char *const *cluster, *const *digest;
};

/* Find or add a name; names are grouped, so compare with the last only. */
static bool add_name(struct sw_digests *digests, const char *name,
		     uint32_t *number)
{
	char **name_of;

	if (*number < digests->name_count &&
	    !strcmp(digests->names[*number], name))
		return true;
	if (sw_grow(&digests->names, digests->name_count,
		    sizeof(*digests->names)) < 0)
		return false;
	name_of = &digests->names[digests->name_count];
	*name_of = strdup(name);
	if (!*name_of)
		return false;
	*number = (uint32_t)digests->name_count++;
	return true;
}

static const uint64_t *numbers(const struct sw_reader_table *table,
			       const char *name)
{
	const struct sw_reader_column *column =
		sw_reader_find_column(table, name);

	return column ? column->numbers : NULL;
}

static const char *const *texts(const struct sw_reader_table *table,
				const char *name)
{
	const struct sw_reader_column *column =
		sw_reader_find_column(table, name);

	return column ? column->texts : NULL;
}

static bool add_rows(struct sw_digests *digests,
		     const struct sw_reader_table *table, const char *node)
{
	const struct columns columns = {
		numbers(table, "job_id"), numbers(table, "uid"),
		texts(table, "cluster"), texts(table, "digest"),
	};
	uint32_t cluster = SW_NO_ID, here = SW_NO_ID;
	size_t i;

	if (!columns.job_id || !columns.uid || !columns.digest)
		return true;
	if (!add_name(digests, node, &here))
		return false;
	for (i = 0; i < table->row_count; i++) {
		const char *name = columns.cluster ? columns.cluster[i] : NULL;
		struct row *row;

		if (!columns.digest[i])
			continue;
		if (!add_name(digests, name ? name : "", &cluster) ||
		    sw_grow(&digests->rows, digests->count, sizeof(*row)) < 0)
			return false;
		row = &digests->rows[digests->count];
		*row = (struct row){ columns.job_id[i], columns.uid[i],
				     cluster, here, "" };
		snprintf(row->digest, sizeof(row->digest), "%s",
			 columns.digest[i]);
		digests->count++;
	}
	return true;
}

void sw_digests_node(const char *path, char *node, size_t size)
{
	const char *dot = strchr(sw_path_name(path), '.');

	snprintf(node, size, "%s", dot ? dot + 1 : "");
	node[strcspn(node, ".")] = '\0';
}

static bool add_file(struct sw_digests *digests, int dirfd, const char *path,
		     uint64_t owner)
{
	const struct sw_reader_want want = { .no_series = true };
	struct sw_reader *reader = sw_reader_open_in(dirfd, path, false, &want,
						     NULL);
	const struct sw_reader_table *table = NULL;
	char node[NAME_MAX + 1];
	bool is_done = true;
	uint64_t whose;

	if (!reader)
		return true;
	whose = sw_reader_origin(reader)->owner;
	if (whose == owner || whose == 0)
		table = sw_reader_find(reader, "profiles");
	sw_digests_node(path, node, sizeof(node));
	if (table)
		is_done = add_rows(digests, table, node);
	sw_reader_close(reader);
	return is_done;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *one = a, *two = b;

	return one->job_id < two->job_id ? -1 : one->job_id > two->job_id;
}

struct sw_digests *sw_digests_add(struct sw_digests *digests, int dirfd,
				  const char *folder, uint64_t owner)
{
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	bool is_done;
	char path[PATH_MAX];
	struct dirent *item;

	if (!digests)
		digests = calloc(1, sizeof(*digests));
	is_done = digests != NULL;
	while (is_done && dir && (item = readdir(dir))) {
		if (sw_is_profile_name(item->d_name) &&
		    snprintf(path, sizeof(path), "%s/%s", folder,
			     item->d_name) < (int)sizeof(path))
			is_done = add_file(digests, dirfd, path, owner);
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	if (!is_done) {
		sw_digests_free(digests);
		return NULL;
	}
	if (digests->count)
		qsort(digests->rows, digests->count, sizeof(*digests->rows),
		      compare_rows);
	return digests;
}

void sw_digests_free(struct sw_digests *digests)
{
	if (!digests)
		return;
	while (digests->name_count)
		free(digests->names[--digests->name_count]);
	free(digests->names);
	free(digests->rows);
	free(digests);
}

static bool is_below(const void *row, const void *job_id)
{
	return ((const struct row *)row)->job_id < *(const uint64_t *)job_id;
}

/* First row of the job, or its place. */
static size_t find_job(const struct sw_digests *digests, uint64_t job_id)
{
	return sw_lower_bound(digests->rows, digests->count,
			      sizeof(*digests->rows), is_below, &job_id);
}

/* An unknown name is compatible with any other. */
static bool is_same_name(const char *one, const char *two)
{
	return !one || !*one || !*two || !strcmp(one, two);
}

/* "n1.cluster.org" is n1. */
static bool is_same_node(const char *one, const char *two)
{
	size_t length = one ? strcspn(one, ".") : 0;

	return strlen(two) == length && !strncmp(sw_text(one), two, length);
}

enum sw_digest_answer sw_digests_ask(const struct sw_digests *digests,
				     const struct sw_digest_question *what)
{
	size_t i = digests ? find_job(digests, what->job_id) : 0;
	bool has_foreign = false, has_other = false, has_own = false;

	for (; digests && i < digests->count &&
	     digests->rows[i].job_id == what->job_id; i++) {
		const struct row *row = &digests->rows[i];

		if (!is_same_name(what->cluster, digests->names[row->cluster]))
			continue;
		if (row->uid != what->uid) {
			has_foreign = true;
			continue;
		}
		has_own = true;
		if (!strcmp(row->digest, what->digest))
			return SW_DIGEST_SAME;
		has_other |= is_same_node(what->node,
					  digests->names[row->node]);
	}
	if (has_other)
		return SW_DIGEST_OTHER;
	return has_foreign && !has_own ? SW_DIGEST_FOREIGN : SW_DIGEST_UNKNOWN;
}
