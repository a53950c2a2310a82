/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traffic of the node's memory controllers, a row per processor package: of all
 * jobs, including caches and prefetching.  The controllers count bursts of 64
 * bytes; reading them interrupts a CPU of each package, so that is done rarely.
 *
 * Events are named as in the kernel for Intel (arch/x86/events/intel/
 * uncore_snbep.c, uncore_snb.c); for AMD from Zen 4 on, where the kernel has no
 * names, as in tools/perf/pmu-events/arch/x86/amdzen4/memory-controller.json.
 * Not tested on any of them, for lack of hardware.
 */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/delta.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/pmu/pmu.h"
#include "recorder/sources/pmu/uncore.h"
#include "recorder/sources/source.h"

enum {
	CONTROLLERS_MAX = 64,
	PACKAGES_MAX = 16,
	EVENTS_MAX = 4,
};

static const double burst_bytes = 64;

enum { READ, WRITTEN, COLUMNS };

static const struct sw_column columns[COLUMNS] = {
	[READ] = { "read_bytes", "bytes", SW_KIND_COUNTER,
		   "Bytes read from memory, by anyone on the node." },
	[WRITTEN] = { "written_bytes", "bytes", SW_KIND_COUNTER,
		      "Bytes written to memory, likewise." },
};

/* Controllers named NAME or NAME_number, and their events */
struct kind {
	const char *name;
	bool has_terms; /* false: the kernel knows the event names */
	struct {
		int column;
		const char *text;
	} events[EVENTS_MAX];
};

/* The first kind found is used: free-running counters would count the same. */
static const struct kind kinds[] = {
	{ "uncore_imc",
	  false,
	  { { READ, "cas_count_read" }, { WRITTEN, "cas_count_write" } } },
	{ "uncore_imc",
	  false,
	  { { READ, "cas_count_read_sch0" },
	    { READ, "cas_count_read_sch1" },
	    { WRITTEN, "cas_count_write_sch0" },
	    { WRITTEN, "cas_count_write_sch1" } } },
	{ "uncore_imc_free_running",
	  false,
	  { { READ, "read" }, { WRITTEN, "write" } } },
	{ "uncore_imc_free_running",
	  false,
	  { { READ, "data_read" }, { WRITTEN, "data_write" } } },
	{ "uncore_imc",
	  false,
	  { { READ, "data_reads" }, { WRITTEN, "data_writes" } } },
	{ "amd_umc",
	  true,
	  { { READ, "event=0x0a,rdwrmask=0x1" },
	    { WRITTEN, "event=0x0a,rdwrmask=0x2" } } },
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* A controller as read by one CPU: its events are a group. */
struct controller {
	struct sw_pmu_group group;
	double bytes[EVENTS_MAX]; /* per count */
	size_t package;		  /* index */
};

struct state {
	const struct kind *kind;
	size_t count;
	struct controller controllers[CONTROLLERS_MAX];
	size_t package_count;
	uint64_t packages[PACKAGES_MAX]; /* physical package ids */
};

/* Match "uncore_imc" or "uncore_imc_12". */
static bool is_of_kind(const char *folder, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(folder, name, length) != 0)
		return false;
	folder += length;
	if (*folder == '\0')
		return true;
	return *folder == '_' && folder[1] != '\0' &&
	       folder[1 + strspn(folder + 1, "0123456789")] == '\0';
}

/* Return the index of a CPU's package; PACKAGES_MAX: there are too many. */
static size_t package_of(struct state *state, int sys_fd, int cpu)
{
	char path[96];
	struct sw_kernfile file;
	uint64_t number = 0;
	size_t i;

	snprintf(path, sizeof(path),
		 "devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
	if (sw_kernfile_open(&file, sys_fd, path) == SW_READ_OK &&
	    sw_kernfile_number(&file, &number) != SW_READ_OK)
		number = 0;
	sw_kernfile_close(&file);
	for (i = 0; i < state->package_count; i++) {
		if (state->packages[i] == number)
			return i;
	}
	if (i < PACKAGES_MAX)
		state->packages[state->package_count++] = number;
	return i;
}

/* Get an event of a box, and the bytes per count.  Return 0 or -1. */
static int describe_event(const struct kind *kind,
			  const struct sw_uncore_box *box, size_t i,
			  struct perf_event_attr *attr, double *bytes)
{
	*bytes = burst_bytes;
	if (kind->has_terms)
		return sw_uncore_encode(box, kind->events[i].text, attr);
	if (sw_uncore_event(box, kind->events[i].text, attr, bytes) < 0)
		return -1;
	return isnan(*bytes) ? -1 : 0;
}

/* Return false, with nothing open, if the box is unknown or refused. */
static bool open_events(const struct kind *kind,
			const struct sw_uncore_box *box, int cpu,
			struct controller *controller)
{
	struct perf_event_attr attr;
	size_t i;

	memset(controller, 0, sizeof(*controller));
	for (i = 0; i < EVENTS_MAX && kind->events[i].text; i++) {
		if (describe_event(kind, box, i, &attr, &controller->bytes[i]) <
			    0 ||
		    sw_pmu_group_add_node(&controller->group, &attr, cpu) < 0)
			break;
	}
	if (i == EVENTS_MAX || !kind->events[i].text)
		return true;
	sw_pmu_group_close(&controller->group);
	return false;
}

static void add_box(struct state *state, const struct kind *kind, int sys_fd,
		    const struct sw_uncore_box *box)
{
	struct controller *controller;
	size_t i;

	for (i = 0; i < box->cpu_count; i++) {
		if (state->count == CONTROLLERS_MAX)
			return;
		controller = &state->controllers[state->count];
		if (!open_events(kind, box, box->cpus[i], controller))
			return;
		controller->package = package_of(state, sys_fd, box->cpus[i]);
		if (controller->package == PACKAGES_MAX)
			sw_pmu_group_close(&controller->group);
		else
			state->count++;
	}
}

static void add_boxes(struct state *state, const struct kind *kind, int sys_fd,
		      DIR *devices)
{
	const struct dirent *entry;
	struct sw_uncore_box box;

	rewinddir(devices);
	while ((entry = readdir(devices)) != NULL) {
		if (!is_of_kind(entry->d_name, kind->name) ||
		    sw_uncore_box_open(&box, dirfd(devices), entry->d_name) < 0)
			continue;
		add_box(state, kind, sys_fd, &box);
		sw_uncore_box_close(&box);
	}
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;
	int fd = sw_uncore_devices(target->sys_fd);
	DIR *devices = fd >= 0 ? fdopendir(fd) : NULL;
	size_t i;

	if (!devices) {
		if (fd >= 0)
			close(fd);
		return SW_READ_ABSENT;
	}
	for (i = 0; i < KINDS && state->count == 0; i++) {
		state->kind = &kinds[i];
		add_boxes(state, &kinds[i], target->sys_fd, devices);
	}
	closedir(devices);
	return state->count ? SW_READ_OK : SW_READ_ABSENT;
}

/* Add to the row of its package. */
static enum sw_read_status read_controller(struct state *state,
					   struct controller *controller,
					   uint64_t *values)
{
	enum sw_read_status status = sw_pmu_group_read(&controller->group);
	uint64_t count;
	size_t i;

	for (i = 0; status == SW_READ_OK && i < controller->group.count; i++) {
		uint64_t *value = &values[state->kind->events[i].column];

		count = sw_pmu_group_value(&controller->group, (unsigned)i);
		if (sw_is_missing(count))
			return SW_READ_ABSENT;
		*value +=
			(uint64_t)llround((double)count * controller->bytes[i]);
	}
	return status;
}

static enum sw_read_status
read_source(void *memory, const struct sw_target *target, struct sw_rows *rows)
{
	struct state *state = memory;
	uint64_t sums[PACKAGES_MAX][COLUMNS] = { 0 }, *values;
	enum sw_read_status status[PACKAGES_MAX] = { SW_READ_OK }, one;
	enum sw_read_status worst = SW_READ_GONE;
	size_t i, package;

	(void)target;
	for (i = 0; i < state->count; i++) {
		package = state->controllers[i].package;
		one = read_controller(state, &state->controllers[i],
				      sums[package]);
		if (one != SW_READ_OK)
			status[package] = one;
	}
	for (i = 0; i < state->package_count; i++) {
		if (status[i] == SW_READ_GARBAGE)
			worst = SW_READ_GARBAGE;
		/* Without one of its controllers, the sum is wrong. */
		values = status[i] == SW_READ_OK ? sw_rows_add(rows, i) : NULL;
		if (values)
			memcpy(values, sums[i], sizeof(sums[i]));
	}
	return rows->count ? SW_READ_OK : worst;
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	const struct state *state = memory;
	size_t i, count = 0;

	if (index >= state->package_count)
		return false;
	for (i = 0; i < state->count; i++)
		count += state->controllers[i].package == index;
	snprintf(subject->kind, sizeof(subject->kind), "package");
	snprintf(subject->name, sizeof(subject->name), "package-%llu",
		 (unsigned long long)state->packages[index]);
	snprintf(subject->detail, sizeof(subject->detail),
		 "%zu memory controllers (%s)", count, state->kind->name);
	return true;
}

static void close_source(void *memory)
{
	struct state *state = memory;

	while (state->count > 0)
		sw_pmu_group_close(&state->controllers[--state->count].group);
}

const struct sw_source sw_src_dram = {
	.name = "dram",
	.backend = "uncore",
	.scope = SW_SCOPE_NODE,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.rows_max = PACKAGES_MAX,
	.read_rows = read_source,
	.describe = describe,
	.absence = "no counters of memory controllers that the kernel knows "
		   "and this user may read",
	.close = close_source,
};
