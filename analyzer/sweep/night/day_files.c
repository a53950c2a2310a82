/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes' daily summary files. */
#include "analyzer/sweep/night/day_files.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/trust/profile_name.h"
#include "common/grow.h"
#include "common/path.h"

enum { DAY_LENGTH = 10 }; /* of "2026-11-22" */

static bool is_day(const char *name)
{
	static const char form[] = "dddd-dd-dd";
	size_t i;

	for (i = 0; i < DAY_LENGTH; i++) {
		if (form[i] == 'd' ? name[i] < '0' || name[i] > '9'
				   : name[i] != form[i])
			return false;
	}
	return true;
}

bool sw_is_day_file(const char *name)
{
	const char *node = name + DAY_LENGTH + 1;
	size_t length;

	if (!is_day(name) || name[DAY_LENGTH] != '.' ||
	    !sw_is_profile_name(name))
		return false;
	length = strspn(node, "0123456789abcdefghijklmnopqrstuvwxyz"
			      "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_");
	return length > 0 && (!strcmp(node + length, ".stepwell") ||
			      !strcmp(node + length, ".stepwell.part"));
}

bool sw_is_day_tail(const char *name)
{
	static const char tail[] = ".tail";
	char file[NAME_MAX + 1];
	int length = (int)strlen(name) - (int)strlen(tail);

	if (length <= 0 || strcmp(name + length, tail) != 0)
		return false;
	snprintf(file, sizeof(file), "%.*s", length, name);
	return sw_is_day_file(file);
}

bool sw_day_file_is_within(const char *path, const char *first_day,
			   const char *last_day)
{
	const char *name = sw_path_name(path);

	return strncmp(name, first_day, DAY_LENGTH) >= 0 &&
	       strncmp(name, last_day, DAY_LENGTH) <= 0;
}

/* Newest day first, then by node, then by folder. */
static int compare_files(const void *a, const void *b)
{
	const char *one = *(const char *const *)a;
	const char *two = *(const char *const *)b;
	int order = strncmp(sw_path_name(two), sw_path_name(one), DAY_LENGTH);

	if (!order)
		order = strcmp(sw_path_name(one), sw_path_name(two));
	return order ? order : strcmp(one, two);
}

static int add_file(struct sw_day_files *files, const char *folder,
		    const char *name)
{
	char *path;

	if (sw_grow(&files->paths, files->count, sizeof(*files->paths)) < 0 ||
	    asprintf(&path, "%s/%s", folder, name) < 0)
		return -1;
	files->paths[files->count++] = path;
	return 0;
}

static int add_folder(struct sw_day_files *files, DIR *dir, const char *folder)
{
	struct dirent *entry;
	int rc = 0;

	while (rc == 0 && (entry = readdir(dir))) {
		if (sw_is_day_file(entry->d_name))
			rc = add_file(files, folder, entry->d_name);
	}
	return rc;
}

int sw_day_files_init(struct sw_day_files *files, const struct sw_judge *judge,
		      void (*complain)(void *context, const char *folder),
		      void *context)
{
	const char *folder;
	size_t i;
	DIR *dir;
	int rc = 0;

	*files = (struct sw_day_files){ NULL, 0 };
	for (i = 0; rc == 0 && (folder = sw_judge_summary_dir(judge, i)); i++) {
		dir = opendir(folder);
		if (!dir) {
			complain(context, folder);
			continue;
		}
		rc = add_folder(files, dir, folder);
		closedir(dir);
	}
	if (files->count)
		qsort(files->paths, files->count, sizeof(*files->paths),
		      compare_files);
	return rc;
}

void sw_day_files_fini(struct sw_day_files *files)
{
	while (files->count)
		free(files->paths[--files->count]);
	free(files->paths);
	files->paths = NULL;
}
