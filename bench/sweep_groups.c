/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/sweep_groups FOLDER: aggregate the steps of all summaries in a folder
 * by user and job name, by the code of the sweep (reader, texts, sketches):
 * their number, their use, and the 95th percentiles of their memory and time.
 * Prints one line per group; the last line is its own cost: CPU seconds and
 * MiB.
 *
 * A file's rows are sorted by group before they are added, so that a group's
 * sketches are in the cache for all of its rows.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyzer/keyed/texts.h"
#include "common/grow.h"
#include "common/quantiles.h"
#include "common/units.h"
#include "profiles/reader.h"

enum { SLOTS = 1 << 14 }; /* for some thousand groups */

/* Numbers, followed by a text. */
enum column { UID, USED, NEED, START, END, COLUMNS };

struct group {
	uint64_t steps, used_usec;
	struct sw_quantiles need, elapsed;
};

struct group_key {
	uint64_t uid, name; /* name: a text's number plus 1 */
};

struct groups {
	struct sw_texts texts;
	struct group_key slots[SLOTS];
	uint32_t at[SLOTS]; /* index in items */
	struct group_key *keys;
	struct group *items;
	size_t count;
	/* For the current file. */
	uint32_t *group_of_row, *order, *starts;
	size_t row_room;
};

static int add_group(struct groups *groups, const struct group_key *key)
{
	if (groups->count == SLOTS / 2 ||
	    sw_grow(&groups->items, groups->count, sizeof(*groups->items)) <
		    0 ||
	    sw_grow(&groups->keys, groups->count, sizeof(*groups->keys)) < 0)
		return -1;
	groups->items[groups->count] = (struct group){ .steps = 0 };
	groups->keys[groups->count++] = *key;
	return 0;
}

/* Return the group's number; -1: too many groups. */
static int64_t find_group(struct groups *groups, uint64_t uid, uint32_t name)
{
	const struct group_key key = { uid, (uint64_t)name + 1 };
	uint64_t hash = (uid << 32 ^ name) * 0x9e3779b97f4a7c15u;
	size_t slot = (size_t)(hash >> 50);

	for (; groups->slots[slot].name; slot = (slot + 1) % SLOTS) {
		if (groups->slots[slot].uid == key.uid &&
		    groups->slots[slot].name == key.name)
			return groups->at[slot];
	}
	if (add_group(groups, &key) < 0)
		return -1;
	groups->slots[slot] = key;
	groups->at[slot] = (uint32_t)groups->count - 1;
	return groups->at[slot];
}

static int find_columns(const struct sw_reader_table *table,
			const uint64_t *number[COLUMNS],
			const char *const **names)
{
	static const char *const wanted[COLUMNS] = {
		"uid",
		"usage_usec",
		"need_bytes",
		"start_realtime_usec",
		"end_realtime_usec",
	};
	const struct sw_reader_column *column;
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		column = sw_reader_find_column(table, wanted[i]);
		if (!column || !column->numbers)
			return -1;
		number[i] = column->numbers;
	}
	column = sw_reader_find_column(table, "job_name");
	*names = column ? column->texts : NULL;
	return *names ? 0 : -1;
}

static int find_groups(struct groups *groups, const uint64_t *uids,
		       const char *const *names, size_t rows)
{
	const char *last = NULL;
	uint32_t name = SW_TEXT_NONE;
	int64_t group;
	size_t i;

	for (i = 0; i < rows; i++) {
		if (!last || names[i] != last) {
			last = names[i];
			name = sw_texts_add(&groups->texts, last ? last : "");
		}
		group = find_group(groups, uids[i], name);
		if (group < 0 || name == SW_TEXT_NONE)
			return -1;
		groups->group_of_row[i] = (uint32_t)group;
	}
	return 0;
}

/* Order the rows by group; starts[g] ends as the end of group g in order. */
static int order_rows(struct groups *groups, size_t rows)
{
	uint32_t *starts = calloc(groups->count + 1, sizeof(*starts));
	uint32_t at = 0, count;
	size_t i;

	if (!starts)
		return -1;
	free(groups->starts);
	groups->starts = starts;
	for (i = 0; i < rows; i++)
		starts[groups->group_of_row[i]]++;
	for (i = 0; i < groups->count; i++) {
		count = starts[i];
		starts[i] = at;
		at += count;
	}
	for (i = 0; i < rows; i++)
		groups->order[starts[groups->group_of_row[i]]++] = (uint32_t)i;
	return 0;
}

static int add_row(struct group *group, const uint64_t *number[COLUMNS],
		   size_t row)
{
	group->steps++;
	group->used_usec += number[USED][row];
	if (sw_quantiles_add(&group->need, number[NEED][row]) < 0)
		return -1;
	return sw_quantiles_add(&group->elapsed,
				(number[END][row] - number[START][row]) /
					SW_USEC_PER_SEC);
}

static int make_room(struct groups *groups, size_t rows)
{
	if (rows <= groups->row_room)
		return 0;
	free(groups->group_of_row);
	free(groups->order);
	groups->group_of_row = malloc(rows * sizeof(*groups->group_of_row));
	groups->order = malloc(rows * sizeof(*groups->order));
	groups->row_room = rows;
	return groups->group_of_row && groups->order ? 0 : -1;
}

static int add_table(struct groups *groups, const struct sw_reader_table *table)
{
	const uint64_t *number[COLUMNS];
	const char *const *names;
	size_t i, at = 0;

	if (find_columns(table, number, &names) < 0 ||
	    make_room(groups, table->row_count) < 0 ||
	    find_groups(groups, number[UID], names, table->row_count) < 0 ||
	    order_rows(groups, table->row_count) < 0)
		return -1;
	for (i = 0; i < groups->count; i++) {
		for (; at < groups->starts[i]; at++) {
			if (add_row(&groups->items[i], number,
				    groups->order[at]) < 0)
				return -1;
		}
	}
	return 0;
}

static int add_file(struct groups *groups, const char *folder, const char *name)
{
	static const char *const columns[] = {
		"uid",
		"usage_usec",
		"need_bytes",
		"start_realtime_usec",
		"end_realtime_usec",
		"job_name",
		NULL,
	};
	static const struct sw_reader_only only = {
		.table = "step_summaries",
		.columns = columns,
		.passes_texts = true,
	};
	const struct sw_reader_want want = { .no_series = true, .only = &only };
	char path[4096];
	struct sw_error error;
	struct sw_reader *reader;
	int rc;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	reader = sw_reader_open_in(AT_FDCWD, path, true, &want, &error);
	if (!reader) {
		fprintf(stderr, "%s: %s\n", path, error.text);
		return -1;
	}
	rc = add_table(groups, sw_reader_find(reader, only.table));
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

	for (i = 0; i < groups->count; i++) {
		const struct group_key *key = &groups->keys[i];
		const struct group *group = &groups->items[i];

		printf("%llu %s %llu %llu %llu %llu\n",
		       (unsigned long long)key->uid,
		       sw_texts_at(&groups->texts, (uint32_t)key->name - 1),
		       (unsigned long long)group->steps,
		       (unsigned long long)group->used_usec,
		       (unsigned long long)sw_quantiles_at(&group->need, 95,
							   100),
		       (unsigned long long)sw_quantiles_at(&group->elapsed, 95,
							   100));
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
