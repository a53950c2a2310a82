/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/sweep_groups FOLDER: aggregate the steps of all summaries in a folder
 * by user and job name, by the code of the sweep (reader, texts, sketches):
 * their number, their use, and the 95th percentiles of their memory and time.
 * Prints one line per group; the last line is its own cost: CPU seconds and
 * MiB.
 *
 * Rows of a few files are sorted by group before they are added, so that a
 * group's sketches are in the cache for all of its rows.
 */
#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyzer/keyed/texts.h"
#include "common/grow.h"
#include "common/quantiles.h"
#include "common/units.h"
#include "profiles/reader.h"

enum {
	SLOTS = 1 << 14,      /* for some thousand groups */
	BATCH_ROWS = 1 << 16, /* to sort at a time */
	KEPT_BYTES = 8 << 20,
};

/* Numbers, followed by a text. */
enum column { UID, USED, NEED, START, END, COLUMNS };

struct group {
	uint64_t steps, used_usec;
	struct sw_quantiles need, elapsed;
};

struct group_key {
	uint64_t uid, name; /* name: a text's number plus 1 */
};

/* What is added up of a row. */
struct row {
	uint64_t used_usec, need, elapsed;
};

struct groups {
	struct sw_texts texts;
	struct sw_texts_seen seen;
	struct group_key slots[SLOTS];
	uint32_t at[SLOTS]; /* index in items */
	struct group_key *keys;
	struct group *items;
	size_t count;
	/* Rows that are not yet added, and the same by group. */
	uint32_t group_of_row[BATCH_ROWS];
	struct row rows[BATCH_ROWS], sorted[BATCH_ROWS];
	size_t row_count;
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

static int add_row(struct group *group, const struct row *row)
{
	group->steps++;
	group->used_usec += row->used_usec;
	if (sw_quantiles_add(&group->need, row->need) < 0)
		return -1;
	return sw_quantiles_add(&group->elapsed, row->elapsed);
}

/* Sort the rows; ends[g] is the end of group g. */
static void sort_rows(struct groups *groups, uint32_t *ends)
{
	uint32_t at = 0, count;
	size_t i;

	for (i = 0; i < groups->row_count; i++)
		ends[groups->group_of_row[i]]++;
	for (i = 0; i < groups->count; i++) {
		count = ends[i];
		ends[i] = at;
		at += count;
	}
	for (i = 0; i < groups->row_count; i++)
		groups->sorted[ends[groups->group_of_row[i]]++] =
			groups->rows[i];
}

/* Add the rows of the batch to their groups. */
static int add_rows(struct groups *groups)
{
	uint32_t *ends = calloc(groups->count + 1, sizeof(*ends));
	size_t i, at = 0;
	int rc = ends ? 0 : -1;

	if (ends)
		sort_rows(groups, ends);
	for (i = 0; rc == 0 && i < groups->count; i++) {
		for (; rc == 0 && at < ends[i]; at++)
			rc = add_row(&groups->items[i], &groups->sorted[at]);
	}
	free(ends);
	groups->row_count = 0;
	return rc;
}

static int add_table(struct groups *groups, const struct sw_reader_table *table)
{
	const uint64_t *number[COLUMNS];
	const char *const *names;
	uint32_t name;
	int64_t group;
	size_t i;

	if (find_columns(table, number, &names) < 0)
		return -1;
	groups->seen = (struct sw_texts_seen){ 0 };
	for (i = 0; i < table->row_count; i++) {
		name = sw_texts_add_seen(&groups->texts, &groups->seen,
					 names[i] ? names[i] : "");
		group = name == SW_TEXT_NONE ?
				-1 : find_group(groups, number[UID][i], name);
		if (group < 0 || (groups->row_count == BATCH_ROWS &&
				  add_rows(groups) < 0))
			return -1;
		groups->group_of_row[groups->row_count] = (uint32_t)group;
		groups->rows[groups->row_count++] = (struct row){
			.used_usec = number[USED][i],
			.need = number[NEED][i],
			.elapsed = (number[END][i] - number[START][i]) /
				   SW_USEC_PER_SEC,
		};
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
	if (rc == 0)
		rc = add_rows(groups);
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

	/* Keep the memory of a file for the next one. */
	mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
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
