/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Energy of the node's processors and memory by powercap (RAPL of Intel and
 * AMD), a row per zone; readable by root only.  The counters wrap, under load
 * after minutes: each read adds the difference to the previous one.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/delta.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

enum {
	PACKAGES_MAX = 16,	/* intel-rapl:0 ... */
	PARTS_MAX = 5,		/* intel-rapl:0:0: core, uncore, dram, psys */
	ZONES_MAX = 32,
	NAME_SIZE = 32,
};

enum { ENERGY, COLUMNS };

static const struct sw_column columns[COLUMNS] = {
	[ENERGY] = { "energy_uj", "uJ", SW_KIND_COUNTER,
		     "The zone's counter, with overflows added up." },
};

struct zone {
	struct sw_kernfile file;
	char folder[NAME_SIZE];		/* "intel-rapl:0:1" */
	char name[NAME_SIZE];		/* "package-0", "dram" */
	uint64_t range;			/* maximum value of the counter */
	uint64_t last, total;
};

struct state {
	size_t count;
	struct zone zone[ZONES_MAX];
};

/* Read the zone's name; "?"  if not available. */
static void read_name(int fd, const char *folder, char *name, size_t size)
{
	char path[NAME_SIZE + 8], text[64];

	snprintf(path, sizeof(path), "%s/name", folder);
	if (sw_kernfile_slurp(fd, path, text, sizeof(text)) != SW_READ_OK)
		text[0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	snprintf(name, size, "%.31s", text[0] ? text : "?");
}

/* Return false if there is no such zone. */
static bool add_zone(struct state *state, int fd, const char *folder)
{
	struct zone *zone = &state->zone[state->count];
	char path[NAME_SIZE + 24];
	struct sw_kernfile range;

	if (state->count == ZONES_MAX || faccessat(fd, folder, F_OK, 0) < 0)
		return false;
	snprintf(path, sizeof(path), "%s/energy_uj", folder);
	if (sw_kernfile_open(&zone->file, fd, path) != SW_READ_OK)
		return true;
	zone->range = SW_MISSING;
	snprintf(path, sizeof(path), "%s/max_energy_range_uj", folder);
	if (sw_kernfile_open(&range, fd, path) == SW_READ_OK)
		sw_kernfile_number(&range, &zone->range);
	sw_kernfile_close(&range);
	snprintf(zone->folder, sizeof(zone->folder), "%s", folder);
	read_name(fd, folder, zone->name, sizeof(zone->name));
	zone->last = zone->total = SW_MISSING;
	state->count++;
	return true;
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;
	char folder[NAME_SIZE];
	unsigned i, j;
	int fd = -1;

	if (target->sys_fd >= 0)
		fd = openat(target->sys_fd, "class/powercap",
			    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return SW_READ_ABSENT;
	for (i = 0; i < PACKAGES_MAX; i++) {
		snprintf(folder, sizeof(folder), "intel-rapl:%u", i);
		if (!add_zone(state, fd, folder))
			break;
		for (j = 0; j < PARTS_MAX; j++) {
			snprintf(folder, sizeof(folder), "intel-rapl:%u:%u", i,
				 j);
			if (!add_zone(state, fd, folder))
				break;
		}
	}
	close(fd);
	return state->count ? SW_READ_OK : SW_READ_ABSENT;
}

static enum sw_read_status read_zone(void *memory, size_t index,
				     uint64_t *values)
{
	struct zone *zone = &((struct state *)memory)->zone[index];
	uint64_t now = SW_MISSING, grown;
	enum sw_read_status status = sw_kernfile_number(&zone->file, &now);

	if (status != SW_READ_OK)
		return status;
	if (sw_is_missing(now))
		return SW_READ_GARBAGE;
	grown = sw_is_missing(zone->last) ? now :
		sw_delta_u64(now, zone->last);
	/* It wrapped: once, since it is read more often than that. */
	if (sw_is_missing(grown))
		grown = sw_add_u64(sw_delta_u64(zone->range, zone->last), now);
	zone->total = sw_sum_u64(zone->total, grown);
	zone->last = now;
	values[ENERGY] = zone->total;
	return SW_READ_OK;
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       struct sw_rows *rows)
{
	struct state *state = memory;

	(void)target;
	return sw_rows_each(rows, state->count, read_zone, memory);
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	const struct state *state = memory;

	if (index >= state->count)
		return false;
	snprintf(subject->kind, sizeof(subject->kind), "zone");
	snprintf(subject->name, sizeof(subject->name), "%s",
		 state->zone[index].name);
	snprintf(subject->detail, sizeof(subject->detail), "%s",
		 state->zone[index].folder);
	return true;
}

static void close_source(void *memory)
{
	struct state *state = memory;
	size_t i;

	for (i = 0; i < state->count; i++)
		sw_kernfile_close(&state->zone[i].file);
	state->count = 0;
}

const struct sw_source sw_src_energy = {
	.name = "energy",
	.backend = "powercap",
	.scope = SW_SCOPE_NODE,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.rows_max = ZONES_MAX,
	.read_rows = read_source,
	.describe = describe,
	.absence = "no energy counters (powercap) that this user may read",
	.close = close_source,
};
