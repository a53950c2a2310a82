/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/sweep_groups FOLDER: the steps of all summaries in a folder by user
 * and job name, with the means of the sweep: how many there are, what they
 * used, and the 95th percentiles of their memory and time.  One line for each
 * group; the last one is what that cost: CPU seconds and MiB.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyzer/sketch/quantiles.h"
#include "analyzer/summaries/step_rows.h"
#include "common/units.h"

struct group {
	struct sw_keyed_entry entry;
	uint64_t key[2]; /* user and name */
	uint64_t steps, used_usec;
	struct sw_quantiles need, elapsed;
};

struct groups {
	struct sw_texts texts;
	struct sw_keyed by_key;
	uint64_t steps;
};

static struct group *find_group(struct groups *groups,
				const struct sw_step_row *row)
{
	const uint64_t key[2] = {row->n[SW_STEP_UID], row->name};
	struct group *group = (struct group *)sw_keyed_find(
		&groups->by_key, (const char *)key, sizeof(key));

	if (group)
		return group;
	group = calloc(1, sizeof(*group));
	if (!group)
		return NULL;
	memcpy(group->key, key, sizeof(key));
	group->entry =
		(struct sw_keyed_entry){(const char *)group->key, sizeof(key)};
	return sw_keyed_put(&groups->by_key, &group->entry) < 0 ? NULL : group;
}

static int take(void *context, const struct sw_step_row *row)
{
	struct groups *groups = context;
	struct group *group = find_group(groups, row);

	if (!group)
		return -1;
	groups->steps++;
	group->steps++;
	group->used_usec += row->n[SW_STEP_USAGE_USEC];
	if (sw_quantiles_add(&group->need, row->n[SW_STEP_NEED_BYTES]) < 0)
		return -1;
	return sw_quantiles_add(&group->elapsed, (row->n[SW_STEP_END_USEC] -
						  row->n[SW_STEP_START_USEC]) /
							 SW_USEC_PER_SEC);
}

static int add_file(struct groups *groups, const char *folder, const char *name)
{
	const struct sw_step_rows_taker taker = {
		.texts = &groups->texts,
		.has_names = true,
		.take = take,
		.context = groups,
	};
	char path[4096];
	struct sw_error error;
	struct sw_reader *reader;
	size_t unnamed = 0;
	int rc;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	reader = sw_reader_open(path, &error);
	if (!reader) {
		fprintf(stderr, "%s: %s\n", path, error.text);
		return -1;
	}
	rc = sw_step_rows_read(&taker, reader, path, &unnamed);
	sw_reader_close(reader);
	return rc;
}

static int add_folder(struct groups *groups, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int rc = dir ? 0 : -1;

	while (rc == 0 && (entry = readdir(dir))) {
		if (entry->d_name[0] != '.')
			rc = add_file(groups, folder, entry->d_name);
	}
	if (dir)
		closedir(dir);
	return rc;
}

static void print(const struct groups *groups)
{
	size_t i;

	for (i = 0; i < groups->by_key.room; i++) {
		const struct group *group =
			(const struct group *)groups->by_key.slots[i];

		if (group)
			printf("%llu %s %llu %llu %llu %llu\n",
			       (unsigned long long)group->key[0],
			       sw_texts_at(&groups->texts,
					   (uint32_t)group->key[1]),
			       (unsigned long long)group->steps,
			       (unsigned long long)group->used_usec,
			       (unsigned long long)sw_quantiles_at(&group->need,
								   95, 100),
			       (unsigned long long)sw_quantiles_at(
				       &group->elapsed, 95, 100));
	}
}

static double seconds(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	static struct groups groups;
	struct rusage usage;

	if (argc != 2) {
		fputs("usage: sweep_groups FOLDER\n", stderr);
		return 2;
	}
	if (add_folder(&groups, argv[1]) < 0) {
		perror(argv[1]);
		return 1;
	}
	print(&groups);
	getrusage(RUSAGE_SELF, &usage);
	printf("cost %.4f %ld\n",
	       seconds(&usage.ru_utime) + seconds(&usage.ru_stime),
	       usage.ru_maxrss / 1024);
	return 0;
}
