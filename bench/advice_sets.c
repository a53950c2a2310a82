/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads sets of past tasks; unreadable sets are reported and skipped. */
#include "bench/advice_sets.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const file_names[] = { "tasks.csv.gz", "tasks.csv", NULL };

/* Return true if list, comma-separated names, contains name. */
static bool is_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (*list) {
		size_t next = strcspn(list, ",");

		if (next == length && !strncmp(list, name, length))
			return true;
		list += next + (list[next] == ',');
	}
	return false;
}

/* Return a copy of the last component of a path. */
static char *name_of(const char *path)
{
	size_t length = strlen(path), first;

	while (length > 1 && path[length - 1] == '/')
		length--;
	for (first = length; first && path[first - 1] != '/'; first--)
		;
	return strndup(path + first, length - first);
}

static int add_file(struct advice_sets *sets, const char *path,
		    const char *named_after,
		    const struct sw_trace_options *options)
{
	struct advice_set *items = reallocarray(sets->items, sets->count + 1,
						sizeof(*items));
	struct advice_set set = { .name = name_of(named_after) };
	struct sw_error error;
	int rc = -1;

	if (!items || !set.name)
		sw_error_errno(&error, "%s", path);
	else
		rc = sw_trace_init(&set.trace, path, options, &error);
	if (rc == 0 && !set.trace.count)
		rc = sw_error_set(&error, "%s: none of its %zu rows can be "
				  "replayed", path, set.trace.rows.read);
	if (items)
		sets->items = items;
	if (rc == 0) {
		sets->items[sets->count++] = set;
		return 0;
	}
	fprintf(stderr, "bench_advice: left out: %s\n", error.text);
	sets->left_out++;
	sw_trace_fini(&set.trace);
	free(set.name);
	return -1;
}

/* 1: added, 0: there is no such file, -1: a file cannot be read. */
static int add_tasks_of(struct advice_sets *sets, const char *folder,
			const struct sw_trace_options *options)
{
	const char *const *file_name;
	char path[PATH_MAX];

	for (file_name = file_names; *file_name; file_name++) {
		snprintf(path, sizeof(path), "%s/%s", folder, *file_name);
		if (access(path, F_OK) == 0)
			return add_file(sets, path, folder, options) < 0 ? -1 :
									   1;
	}
	return 0;
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int add_folder(struct advice_sets *sets, const char *folder,
		      const struct sw_trace_options *options)
{
	struct dirent **entries;
	char path[PATH_MAX];
	int count, i, added = add_tasks_of(sets, folder, options);

	if (added)
		return added;
	count = scandir(folder, &entries, is_shown, alphasort);
	if (count < 0) {
		fprintf(stderr, "bench_advice: %s: %s\n", folder,
			strerror(errno));
		return -1;
	}
	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		if (add_tasks_of(sets, path, options) > 0)
			added = 1;
		free(entries[i]);
	}
	free(entries);
	if (!added)
		fprintf(stderr, "bench_advice: %s: no tasks.csv or "
			"tasks.csv.gz to use in it or in its folders\n",
			folder);
	return added;
}

static bool is_folder(const char *path)
{
	DIR *folder = opendir(path);

	if (!folder)
		return false;
	closedir(folder);
	return true;
}

int advice_sets_add(struct advice_sets *sets, const char *path,
		    const struct sw_trace_options *options,
		    const char *fixed_on)
{
	size_t first = sets->count;

	if (is_folder(path))
		add_folder(sets, path, options);
	else
		add_file(sets, path, path, options);
	if (sets->count == first)
		return -1;
	for (; first < sets->count; first++)
		sets->items[first].is_fixed_on =
			is_listed(fixed_on, sets->items[first].name);
	return 0;
}

void advice_sets_fini(struct advice_sets *sets)
{
	size_t i;

	for (i = 0; i < sets->count; i++) {
		sw_trace_fini(&sets->items[i].trace);
		free(sets->items[i].name);
	}
	free(sets->items);
	*sets = (struct advice_sets){ 0 };
}

size_t advice_sets_tasks(const struct advice_sets *sets)
{
	size_t tasks = 0, i;

	for (i = 0; i < sets->count; i++)
		tasks += sets->items[i].trace.count;
	return tasks;
}
