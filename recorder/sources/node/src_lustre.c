/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lustre as seen by the client of this node, a row per mount: llite.*.stats,
 * which include all users of the mount.  Out of process, since these are
 * gathered from the servers' targets.
 */
#include <stdio.h>
#include <string.h>

#include "recorder/kernel/kernlines.h"
#include "recorder/sources/node/members.h"
#include "recorder/sources/source.h"

enum { MOUNTS_MAX = 16 };

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

/* Columns for the number of samples, and for the sum of bytes */
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
	struct sw_members mounts;	/* "scratch-ffff8801..." */
	struct sw_kernlines lines;
};

static void add_mount(struct sw_members *mounts, const char *name)
{
	if (mounts->count < MOUNTS_MAX && strlen(name) < SW_MEMBER_SIZE)
		strcpy(mounts->name[mounts->count++], name);
}

/* Since Lustre 2.12 in debugfs, readable by root only */
static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	sw_members_open(&state->mounts, target->sys_fd,
			"kernel/debug/lustre/llite", add_mount);
	if (state->mounts.fd < 0)
		sw_members_open(&state->mounts, target->proc_fd,
				"fs/lustre/llite", add_mount);
	return state->mounts.count ? SW_READ_OK : SW_READ_ABSENT;
}

/*
 * "read_bytes 27 samples [bytes] 4096 4096 110592 ...": count, unit, minimum,
 * maximum, sum; in older releases, a mere count ends after "[reqs]".
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

/* Operations that never happened have no line: 0 if the file was read. */
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
		/* snapshot_time; since 2.15 also start_time and elapsed_time */
		if (strstr(line, "_time ") && strstr(line, "secs"))
			continue;
		if (take_line(line, values) < 0)
			return SW_READ_GARBAGE;
	}
}

static enum sw_read_status read_mount(void *memory, size_t index,
				      uint64_t *values)
{
	struct state *state = memory;
	enum sw_read_status status;
	struct sw_kernfile file;
	char path[SW_MEMBER_SIZE + 8];

	snprintf(path, sizeof(path), "%s/stats", state->mounts.name[index]);
	status = sw_kernfile_open(&file, state->mounts.fd, path);
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

	(void)target;
	return sw_rows_each(rows, state->mounts.count, read_mount, memory);
}

/* "scratch-ffff88012f8a5800": file system, then an id of the mount */
static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	struct state *state = memory;
	const char *mount, *dash;

	if (index >= state->mounts.count)
		return false;
	mount = state->mounts.name[index];
	dash = strrchr(mount, '-');
	snprintf(subject->kind, sizeof(subject->kind), "lustre");
	snprintf(subject->name, sizeof(subject->name), "%.*s",
		 dash ? (int)(dash - mount) : SW_MEMBER_SIZE, mount);
	snprintf(subject->detail, sizeof(subject->detail), "lustre %s",
		 mount);
	return true;
}

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
	.close = sw_members_close,
};
