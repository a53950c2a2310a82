/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Huge pages of a step: the hugetlb.* files of its cgroup, which memory.* does
 * not include.  A row per page size.  Absent without the controller.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

enum { CURRENT, MAX, RESERVED, EVENTS_MAX, COLUMNS };

enum { SIZES_MAX = 8, SIZE_TEXT = 16 };

#define UNLIMITED ((uint64_t)INT64_MAX / 2)

static const struct sw_column columns[COLUMNS] = {
	[CURRENT] = { "hugetlb.current", "bytes", SW_KIND_GAUGE,
		      "Huge pages in use; not part of memory.current." },
	[MAX] = { "hugetlb.max", "bytes", SW_KIND_GAUGE,
		  "The limit; missing: none." },
	[RESERVED] = { "hugetlb.rsvd.current", "bytes", SW_KIND_GAUGE,
		       "Huge pages reserved, in use or not." },
	[EVENTS_MAX] = { "hugetlb.events.max", "count", SW_KIND_COUNTER,
			 "Times the limit refused a huge page." },
};

struct size {
	char text[SIZE_TEXT];		/* "2MB" */
	struct sw_kernfile file[COLUMNS];
};

struct state {
	size_t count;
	struct size size[SIZES_MAX];
};

static void open_size(struct size *size, int cgroup_fd)
{
	static const char *const names[COLUMNS] = {
		[CURRENT] = "current", [MAX] = "max",
		[RESERVED] = "rsvd.current", [EVENTS_MAX] = "events",
	};
	char name[64];
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		snprintf(name, sizeof(name), "hugetlb.%s.%s", size->text,
			 names[i]);
		sw_kernfile_open(&size->file[i], cgroup_fd, name);
	}
}

/* Matches "hugetlb.2MB.current", but not "hugetlb.2MB.rsvd.current". */
static bool take_size(char *text, const char *name)
{
	const char *dot;

	if (strncmp(name, "hugetlb.", 8) != 0)
		return false;
	dot = strchr(name + 8, '.');
	if (!dot || strcmp(dot, ".current") != 0 || dot == name + 8 ||
	    dot - name - 8 >= SIZE_TEXT)
		return false;
	memcpy(text, name + 8, (size_t)(dot - name - 8));
	text[dot - name - 8] = '\0';
	return true;
}

/* Sort by size, independent of the directory order: 2MB before 1GB. */
static bool is_before(const struct size *one, const struct size *two)
{
	size_t a = strlen(one->text), b = strlen(two->text);
	char unit_a = one->text[a > 2 ? a - 2 : 0];
	char unit_b = two->text[b > 2 ? b - 2 : 0];

	/* Alphabetical order is wrong for K. */
	if (unit_a != unit_b)
		return unit_a == 'K' || (unit_a == 'M' && unit_b == 'G');
	return a != b ? a < b : strcmp(one->text, two->text) < 0;
}

static void sort(struct state *state)
{
	size_t i, j;

	for (i = 1; i < state->count; i++) {
		for (j = i; j > 0 && is_before(&state->size[j],
					       &state->size[j - 1]); j--) {
			struct size one = state->size[j];

			state->size[j] = state->size[j - 1];
			state->size[j - 1] = one;
		}
	}
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;
	int fd = openat(target->cgroup_fd, ".", O_RDONLY | O_DIRECTORY |
			O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *item;
	size_t i;

	if (!folder) {
		if (fd >= 0)
			close(fd);
		return SW_READ_ABSENT;
	}
	while (state->count < SIZES_MAX && (item = readdir(folder)))
		state->count += take_size(state->size[state->count].text,
					  item->d_name);
	closedir(folder);
	sort(state);
	for (i = 0; i < state->count; i++)
		open_size(&state->size[i], target->cgroup_fd);
	return state->count ? SW_READ_OK : SW_READ_ABSENT;
}

static enum sw_read_status read_size(const struct size *size,
				     uint64_t *values)
{
	static const struct sw_kernkey keys[] = { { "max", EVENTS_MAX } };
	enum sw_read_status status;

	sw_kernfile_number(&size->file[MAX], &values[MAX]);
	/* Some kernels write "max" as a large number. */
	if (values[MAX] > UNLIMITED)
		values[MAX] = SW_MISSING;
	sw_kernfile_number(&size->file[RESERVED], &values[RESERVED]);
	status = sw_kernfile_keyed(&size->file[EVENTS_MAX], keys, 1, values);
	if (status == SW_READ_GARBAGE)
		return status;
	return sw_kernfile_number(&size->file[CURRENT], &values[CURRENT]);
}

static enum sw_read_status read_rows(void *memory,
				     const struct sw_target *target,
				     struct sw_rows *rows)
{
	enum sw_read_status status = SW_READ_OK;
	struct state *state = memory;
	uint64_t *values;
	size_t i;

	(void)target;
	for (i = 0; i < state->count && status == SW_READ_OK; i++) {
		values = sw_rows_add(rows, i);
		if (values)
			status = read_size(&state->size[i], values);
	}
	return status;
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	const struct state *state = memory;

	if (index >= state->count)
		return false;
	strcpy(subject->kind, "page_size");
	strcpy(subject->name, state->size[index].text);
	return true;
}

static void close_source(void *memory)
{
	struct state *state = memory;
	size_t i, j;

	for (i = 0; i < state->count; i++) {
		for (j = 0; j < COLUMNS; j++)
			sw_kernfile_close(&state->size[i].file[j]);
	}
}

const struct sw_source sw_src_hugetlb = {
	.name = "hugetlb",
	.backend = "cgroup.v2",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.rows_max = SIZES_MAX,
	.read_rows = read_rows,
	.describe = describe,
	.absence = "no hugetlb controller in the command's cgroup",
	.close = close_source,
};
