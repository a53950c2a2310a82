/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lustre as the client of this node sees it, a row per mount: llite.*.stats,
 * which are of all users of the mount.  Aside, for they are gathered from the
 * servers' targets.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/kernel/kernlines.h"
#include "recorder/sources/source.h"

enum { MOUNTS_MAX = 16, NAME_SIZE = 64 };

enum {
	READ_BYTES, READ_CALLS, WRITE_BYTES, WRITE_CALLS, OPEN, CLOSE, GETATTR,
	FSYNC, COLUMNS,
};

static const struct sw_column columns[COLUMNS] = {
	[READ_BYTES] = { "read_bytes", "bytes", SW_KIND_COUNTER,
			 "Bytes read by programs." },
	[READ_CALLS] = { "read_calls", "count", SW_KIND_COUNTER,
			 "Reads by programs." },
	[WRITE_BYTES] = { "write_bytes", "bytes", SW_KIND_COUNTER,
			  "Bytes written by programs." },
	[WRITE_CALLS] = { "write_calls", "count", SW_KIND_COUNTER,
			  "Writes by programs." },
	[OPEN] = { "open", "count", SW_KIND_COUNTER, "Files opened." },
	[CLOSE] = { "close", "count", SW_KIND_COUNTER, "Files closed." },
	[GETATTR] = { "getattr", "count", SW_KIND_COUNTER,
		      "Attribute requests." },
	[FSYNC] = { "fsync", "count", SW_KIND_COUNTER, "Calls to fsync." },
};

/* What is counted, and of bytes also the sum. */
static const struct {
	const char *name;
	size_t samples;
	size_t sum;		/* COLUMNS: none */
} counters[] = {
	{ "read_bytes", READ_CALLS, READ_BYTES },
	{ "write_bytes", WRITE_CALLS, WRITE_BYTES },
	{ "open", OPEN, COLUMNS },
	{ "close", CLOSE, COLUMNS },
	{ "getattr", GETATTR, COLUMNS },
	{ "fsync", FSYNC, COLUMNS },
};

struct state {
	int fd;			/* the folder of the mounts */
	size_t count;
	char mount[MOUNTS_MAX][NAME_SIZE];	/* "scratch-ffff8801..." */
	struct sw_kernlines lines;
};

/* Since Lustre 2.12 in debugfs, which only root reads. */
static int open_folder(const struct sw_target *target)
{
	int fd = -1;

	if (target->sys_fd >= 0)
		fd = openat(target->sys_fd, "kernel/debug/lustre/llite",
			    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && target->proc_fd >= 0)
		fd = openat(target->proc_fd, "fs/lustre/llite",
			    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd;
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;
	struct dirent *item;
	DIR *folder;
	int fd;

	state->fd = open_folder(target);
	fd = state->fd < 0 ? -1 : fcntl(state->fd, F_DUPFD_CLOEXEC, 0);
	folder = fd < 0 ? NULL : fdopendir(fd);
	if (!folder) {
		if (fd >= 0)
			close(fd);
		return SW_READ_ABSENT;
	}
	while ((item = readdir(folder)) && state->count < MOUNTS_MAX) {
		if (item->d_name[0] == '.' ||
		    strlen(item->d_name) >= NAME_SIZE)
			continue;
		snprintf(state->mount[state->count++], NAME_SIZE, "%s",
			 item->d_name);
	}
	closedir(folder);
	qsort(state->mount, state->count, NAME_SIZE, compare);
	return state->count ? SW_READ_OK : SW_READ_ABSENT;
}

/*
 * "read_bytes 27 samples [bytes] 4096 4096 110592 ...": how many, the unit,
 * least, most, sum; a count alone ends behind "[reqs]" in older releases.
 */
static int take_line(char *line, uint64_t *values)
{
	char *space = strchr(line, ' '), *unit;
	uint64_t samples, sum[3];
	const char *p = space;
	size_t i;

	if (!space || sw_kern_next_u64(&p, &samples) < 0 ||
	    strncmp(p, " samples [", 10) != 0)
		return -1;
	unit = strchr(p, ']');
	if (!unit)
		return -1;
	*space = '\0';
	p = unit + 1;
	for (i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		if (strcmp(counters[i].name, line) != 0)
			continue;
		values[counters[i].samples] = samples;
		if (counters[i].sum == COLUMNS)
			continue;
		if (sw_kern_next_u64s(&p, sum, 3) < 0)
			return -1;
		values[counters[i].sum] = sum[2];
	}
	return 0;
}

/* What has never been done has no line: of a file that was read, a zero. */
static enum sw_read_status read_lines(struct state *state,
				      const struct sw_kernfile *file,
				      uint64_t *values)
{
	enum sw_read_status status;
	unsigned number = 0;
	char *line;

	memset(values, 0, COLUMNS * sizeof(*values));
	sw_kernlines_begin(&state->lines, file);
	for (;;) {
		status = sw_kernlines_next(&state->lines, &line);
		if (status != SW_READ_OK)
			return status;
		if (!line)
			return number ? SW_READ_OK : SW_READ_GARBAGE;
		number++;
		/* snapshot_time, and since 2.15 start_time and elapsed_time. */
		if (strstr(line, "_time ") && strstr(line, "secs"))
			continue;
		if (take_line(line, values) < 0)
			return SW_READ_GARBAGE;
	}
}

static enum sw_read_status read_mount(struct state *state, const char *mount,
				      uint64_t *values)
{
	enum sw_read_status status;
	struct sw_kernfile file;
	char path[NAME_SIZE + 8];

	snprintf(path, sizeof(path), "%s/stats", mount);
	status = sw_kernfile_open(&file, state->fd, path);
	if (status == SW_READ_OK)
		status = read_lines(state, &file, values);
	sw_kernfile_close(&file);
	return status;
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       struct sw_rows *rows)
{
	struct state *state = memory;
	enum sw_read_status worst = SW_READ_GONE, status;
	uint64_t values[COLUMNS], *row;
	size_t i;

	(void)target;
	for (i = 0; i < state->count; i++) {
		status = read_mount(state, state->mount[i], values);
		if (status == SW_READ_GARBAGE)
			worst = SW_READ_GARBAGE;
		row = status == SW_READ_OK ? sw_rows_add(rows, i) : NULL;
		if (row)
			memcpy(row, values, sizeof(values));
	}
	return rows->count ? SW_READ_OK : worst;
}

/* "scratch-ffff88012f8a5800": the file system, then the mount's own. */
static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	struct state *state = memory;
	const char *mount, *dash;

	if (index >= state->count)
		return false;
	mount = state->mount[index];
	dash = strrchr(mount, '-');
	snprintf(subject->kind, sizeof(subject->kind), "lustre");
	snprintf(subject->name, sizeof(subject->name), "%.*s",
		 dash ? (int)(dash - mount) : NAME_SIZE, mount);
	snprintf(subject->detail, sizeof(subject->detail), "lustre %s",
		 mount);
	return true;
}

static void close_source(void *memory)
{
	struct state *state = memory;

	if (state->fd >= 0)
		close(state->fd);
	state->fd = -1;
}

extern const struct sw_source sw_src_lustre;

const struct sw_source sw_src_lustre = {
	.name = "lustre",
	.backend = "llite.stats",
	.scope = SW_SCOPE_NODE,
	.cadence = SW_EVERY_TENTH,
	.is_out_of_process = true,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.rows_max = MOUNTS_MAX,
	.read_rows = read_source,
	.describe = describe,
	.absence = "no Lustre is mounted, or only root may read its counters",
	.close = close_source,
};
