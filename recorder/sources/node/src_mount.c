/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NFS as seen by the client of this node, a row per mount: mountstats, which
 * include all users of a mount.  Read those of process 1: the recorder's unit
 * has its own mount namespace, with additional mounts of its writable
 * directories.
 */
#include <stdio.h>
#include <string.h>

#include "common/delta.h"
#include "recorder/kernel/kernlines.h"
#include "recorder/sources/source.h"

enum { MOUNTS_MAX = 64, NAME_SIZE = 256, TYPE_SIZE = 16 };

/* Columns of each operation, in this order */
enum { OPS, RTT, EXEC, OF_OP };

enum {
	NORMAL_READ, NORMAL_WRITE, DIRECT_READ, DIRECT_WRITE, SERVER_READ,
	SERVER_WRITE, BYTES,
	RETRANSMITS = BYTES, TIMEOUTS,
	READ, WRITE = READ + OF_OP, OPEN = WRITE + OF_OP,
	GETATTR = OPEN + OF_OP, LOOKUP = GETATTR + OF_OP,
	COMMIT = LOOKUP + OF_OP, ALL = COMMIT + OF_OP, COLUMNS = ALL + OF_OP,
};

#define OP(index, name, what) \
	[(index) + OPS] = { name ".ops", "count", SW_KIND_COUNTER, \
			    what " that were answered." }, \
	[(index) + RTT] = { name ".rtt_usec", "usec", SW_KIND_COUNTER, \
			    "Time from sending to the answer, summed." }, \
	[(index) + EXEC] = { name ".exec_usec", "usec", SW_KIND_COUNTER, \
			     "Time from the request to the answer, summed." }

static const struct sw_column columns[COLUMNS] = {
	[NORMAL_READ] = { "normal_read_bytes", "bytes", SW_KIND_COUNTER,
			  "Read by programs through the page cache." },
	[NORMAL_WRITE] = { "normal_write_bytes", "bytes", SW_KIND_COUNTER,
			   "Written by programs through the page cache." },
	[DIRECT_READ] = { "direct_read_bytes", "bytes", SW_KIND_COUNTER,
			  "Read by programs with O_DIRECT." },
	[DIRECT_WRITE] = { "direct_write_bytes", "bytes", SW_KIND_COUNTER,
			   "Written by programs with O_DIRECT." },
	[SERVER_READ] = { "server_read_bytes", "bytes", SW_KIND_COUNTER,
			  "Read from the server." },
	[SERVER_WRITE] = { "server_write_bytes", "bytes", SW_KIND_COUNTER,
			   "Written to the server." },
	[RETRANSMITS] = { "retransmits", "count", SW_KIND_COUNTER,
			  "Requests that were retransmitted." },
	[TIMEOUTS] = { "timeouts", "count", SW_KIND_COUNTER,
		       "Requests without an answer in time." },
	OP(READ, "read", "READ requests"),
	OP(WRITE, "write", "WRITE requests"),
	OP(OPEN, "open", "OPEN requests (NFSv4)"),
	OP(GETATTR, "getattr", "GETATTR requests"),
	OP(LOOKUP, "lookup", "LOOKUP and ACCESS requests"),
	OP(COMMIT, "commit", "COMMIT requests"),
	OP(ALL, "all", "Requests"),
};

static const struct {
	const char *name;
	size_t column;
} ops[] = {
	{ "READ", READ },	{ "WRITE", WRITE },
	{ "OPEN", OPEN },	{ "OPEN_NOATTR", OPEN },
	{ "GETATTR", GETATTR }, { "LOOKUP", LOOKUP },
	{ "ACCESS", LOOKUP },	{ "COMMIT", COMMIT },
};

struct mount {
	char device[NAME_SIZE];	/* "server:/export" */
	char name[NAME_SIZE];	/* "/home"; a space is \040 */
	char type[TYPE_SIZE];	/* "nfs4" */
	uint64_t age;		/* time since it was mounted, in this read */
	bool is_here;		/* in this read */
};

struct state {
	struct sw_kernfile file;
	struct sw_kernlines lines;
	size_t count;
	struct mount mount[MOUNTS_MAX];
	/* While reading: mount of the current lines */
	struct mount *now;	/* NULL: not recorded */
	uint64_t *values;	/* NULL until the row is added */
	bool has_ops;
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	if (sw_kernfile_open(&state->file, target->proc_fd, "1/mountstats") ==
	    SW_READ_OK)
		return SW_READ_OK;
	return sw_kernfile_open(&state->file, target->proc_fd,
				"self/mountstats");
}

/* Cut off the word at *text; NULL if empty or too long. */
static char *take_word(char **text, size_t size)
{
	char *word = *text, *space = strchr(word, ' ');

	if (space) {
		*space = '\0';
		*text = space + 1;
	} else {
		*text = word + strlen(word);
	}
	return *word && strlen(word) < size ? word : NULL;
}

static bool skip(char **text, const char *words)
{
	size_t length = strlen(words);

	if (strncmp(*text, words, length) != 0)
		return false;
	*text += length;
	return true;
}

static struct mount *find_mount(struct state *state, const char *device,
				const char *name, const char *type)
{
	struct mount *mount;
	size_t i;

	for (i = 0; i < state->count; i++) {
		mount = &state->mount[i];
		if (!strcmp(mount->name, name) &&
		    !strcmp(mount->device, device))
			return mount;
	}
	if (i == MOUNTS_MAX)
		return NULL;
	mount = &state->mount[state->count++];
	snprintf(mount->device, sizeof(mount->device), "%s", device);
	snprintf(mount->name, sizeof(mount->name), "%s", name);
	snprintf(mount->type, sizeof(mount->type), "%s", type);
	return mount;
}

/*
 * "device server:/export mounted on /home with fstype nfs4 statvers=1.1": skip
 * mounts of other types and those with overlong names.
 */
static int begin_mount(struct state *state, char *line, struct sw_rows *rows)
{
	char *device, *name, *type;

	state->now = NULL;
	state->values = NULL;
	state->has_ops = false;
	if (strncmp(line, "device ", 7) != 0)
		return strncmp(line, "no device ", 10) ? -1 : 0;
	skip(&line, "device ");
	device = take_word(&line, NAME_SIZE);
	if (!skip(&line, "mounted on "))
		return -1;
	name = take_word(&line, NAME_SIZE);
	if (!skip(&line, "with fstype "))
		return -1;
	type = take_word(&line, TYPE_SIZE);
	if (!device || !name || !type || strncmp(type, "nfs", 3) != 0 ||
	    !strcmp(type, "nfsd"))
		return 0;
	state->now = find_mount(state, device, name, type);
	if (!state->now)
		/* No room: counted as left out */
		sw_rows_add(rows, SW_MISSING);
	return 0;
}

/*
 * A file system mounted in several places is listed for each, with the same
 * values and the same time since it was mounted.
 */
static bool is_again(const struct state *state, uint64_t age)
{
	const struct mount *mount, *now = state->now;
	size_t i;

	for (i = 0; i < state->count; i++) {
		mount = &state->mount[i];
		if (mount != now && mount->is_here && mount->age == age &&
		    !strcmp(mount->device, now->device))
			return true;
	}
	return false;
}

static int take_age(struct state *state, const char *p, struct sw_rows *rows)
{
	uint64_t age;

	if (sw_kern_next_u64(&p, &age) < 0)
		return -1;
	if (is_again(state, age)) {
		state->now = NULL;
		return 0;
	}
	state->values = sw_rows_add(rows, (uint64_t)(state->now -
						     state->mount));
	state->now->age = age;
	state->now->is_here = state->values != NULL;
	return 0;
}

static void add_op(uint64_t *values, size_t column, const uint64_t *field)
{
	static const uint64_t usec_per_msec = 1000;

	values[column + OPS] = sw_sum_u64(values[column + OPS], field[0]);
	values[column + RTT] = sw_sum_u64(values[column + RTT],
					  field[6] * usec_per_msec);
	values[column + EXEC] = sw_sum_u64(values[column + EXEC],
					   field[7] * usec_per_msec);
}

/*
 * "READ: 10 10 0 1640 1049840 0 108 109 0": operations, transmissions,
 * timeouts, bytes sent and received, milliseconds queued, of round trips and in
 * total; errors since Linux 5.5.
 */
static int take_op(struct state *state, char *line)
{
	char *name = line + strspn(line, " \t"), *colon = strchr(name, ':');
	uint64_t field[8], *values = state->values;
	const char *p = colon ? colon + 1 : "";
	size_t i;

	if (!colon || sw_kern_next_u64s(&p, field, 8) < 0)
		return -1;
	*colon = '\0';
	add_op(values, ALL, field);
	values[RETRANSMITS] = sw_sum_u64(values[RETRANSMITS],
					 sw_excess_u64(field[1], field[0]));
	values[TIMEOUTS] = sw_sum_u64(values[TIMEOUTS], field[2]);
	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (!strcmp(ops[i].name, name))
			add_op(values, ops[i].column, field);
	}
	return 0;
}

/* Parse a further line of a mount; unknown ones are ignored. */
static int take_line(struct state *state, char *line, struct sw_rows *rows)
{
	if (!state->now)
		return 0;
	line += strspn(line, "\t ");
	if (!*line)
		return 0;
	if (skip(&line, "age:"))
		return state->values ? -1 : take_age(state, line, rows);
	if (!state->values)
		return 0;
	if (skip(&line, "bytes:")) {
		const char *p = line;

		return sw_kern_next_u64s(&p, state->values + NORMAL_READ,
					 BYTES);
	}
	if (!strcmp(line, "per-op statistics"))
		state->has_ops = true;
	else if (state->has_ops)
		return take_op(state, line);
	return 0;
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       struct sw_rows *rows)
{
	struct state *state = memory;
	enum sw_read_status status;
	char *line;
	size_t i;
	int rc;

	(void)target;
	for (i = 0; i < state->count; i++)
		state->mount[i].is_here = false;
	state->now = NULL;
	sw_kernlines_begin(&state->lines, &state->file);
	for (;;) {
		status = sw_kernlines_next(&state->lines, &line);
		if (status != SW_READ_OK || !line)
			return status;
		if (*line == '\t' || *line == ' ' || !*line)
			rc = take_line(state, line, rows);
		else
			rc = begin_mount(state, line, rows);
		if (rc < 0)
			return SW_READ_GARBAGE;
	}
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	const struct state *state = memory;
	const struct mount *mount;

	if (index >= state->count)
		return false;
	mount = &state->mount[index];
	snprintf(subject->kind, sizeof(subject->kind), "mount");
	snprintf(subject->name, sizeof(subject->name), "%s", mount->name);
	snprintf(subject->detail, sizeof(subject->detail), "%s %.238s",
		 mount->type, mount->device);
	return true;
}

const struct sw_source sw_src_mount = {
	.name = "mount",
	.backend = "proc.mountstats",
	.scope = SW_SCOPE_NODE,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.file_count = 1,
	.open = open_source,
	.rows_max = MOUNTS_MAX,
	.read_rows = read_source,
	.describe = describe,
	.absence = "no /proc/self/mountstats",
};
