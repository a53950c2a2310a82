/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: topology's child.
 *
 * The node's topology from the files of /sys.  A container or a kernel may lack
 * some; their values are then missing.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/topology/topology.h"

enum {
	TEXT_SIZE = 4096,
	PATH_SIZE = 320,
	CACHE_INDEXES = 10,
	LAST_LEVEL = 3,
	CLASS_SHIFT = 16,
	CLASS_DISPLAY = 0x03,
	CLASS_ACCELERATOR = 0x12,
};

int sw_topology_reserve(struct sw_topology *topology, size_t count)
{
	free(topology->pus);
	topology->pus = calloc(count, sizeof(*topology->pus));
	topology->pu_count = topology->pus ? count : 0;
	return topology->pus ? 0 : -1;
}

void sw_topology_fini(struct sw_topology *topology)
{
	free(topology->pus);
	memset(topology, 0, sizeof(*topology));
}

static int compare_pus(const void *a, const void *b)
{
	const struct sw_topology_pu *one = a, *two = b;

	return one->pu < two->pu ? -1 : one->pu > two->pu;
}

void sw_topology_sort(struct sw_topology *topology)
{
	qsort(topology->pus, topology->pu_count, sizeof(*topology->pus),
	      compare_pus);
}

static uint64_t *part_of(struct sw_topology_pu *pu, size_t offset)
{
	return (uint64_t *)((char *)pu + offset);
}

/* Set an inconsistent lowest unit to missing. */
static void check_lowest(struct sw_topology *topology, size_t offset)
{
	struct sw_topology_pu key, *found;
	uint64_t *lowest;
	size_t i;

	for (i = 0; i < topology->pu_count; i++) {
		lowest = part_of(&topology->pus[i], offset);
		key.pu = *lowest;
		found = bsearch(&key, topology->pus, topology->pu_count,
				sizeof(key), compare_pus);
		if (!found || *part_of(found, offset) != *lowest)
			*lowest = SW_MISSING;
	}
}

static int compare_numbers(uint64_t one, uint64_t two)
{
	return one < two ? -1 : one > two;
}

/* Order as in hwloc: package by package, and in each cache by cache. */
static int compare_places(const void *a, const void *b)
{
	const struct sw_topology_pu *one = a, *two = b;
	int order = compare_numbers(one->package, two->package);

	if (!order)
		order = compare_numbers(one->l3, two->l3);
	if (!order)
		order = compare_numbers(one->core, two->core);
	return order ? order : compare_pus(one, two);
}

/* Units of one object are adjacent. */
static void number(struct sw_topology *topology, size_t offset)
{
	uint64_t lowest, before = SW_MISSING, next = 0;
	size_t i;

	for (i = 0; i < topology->pu_count; i++) {
		uint64_t *part = part_of(&topology->pus[i], offset);

		lowest = *part;
		if (sw_is_missing(lowest))
			continue;
		next += lowest != before;
		*part = next - 1;
		before = lowest;
	}
}

/*
 * If core, l3 and package of each unit are the lowest unit in them, replace
 * these by the numbers of the objects.
 */
static void number_objects(struct sw_topology *topology)
{
	static const size_t offsets[] = {
		offsetof(struct sw_topology_pu, core),
		offsetof(struct sw_topology_pu, l3),
		offsetof(struct sw_topology_pu, package),
	};
	size_t i;

	sw_topology_sort(topology);
	for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		check_lowest(topology, offsets[i]);
	qsort(topology->pus, topology->pu_count, sizeof(*topology->pus),
	      compare_places);
	for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		number(topology, offsets[i]);
	sw_topology_sort(topology);
}

static int read_list(int sys_fd, const char *path, struct sw_cpus *cpus)
{
	char text[TEXT_SIZE];

	if (sw_kernfile_slurp(sys_fd, path, text, sizeof(text)) != SW_READ_OK)
		return -1;
	return sw_cpus_parse(cpus, text);
}

/* Return the lowest CPU of a list; kernels before 5.3 use another name. */
static uint64_t lowest_of(int sys_fd, uint64_t cpu, const char *name,
			  const char *old_name)
{
	char path[PATH_SIZE];
	struct sw_cpus cpus;

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%" PRIu64 "/%s",
		 cpu, name);
	if (read_list(sys_fd, path, &cpus) == 0)
		return sw_cpus_first(&cpus);
	return old_name ? lowest_of(sys_fd, cpu, old_name, NULL) : SW_MISSING;
}

static uint64_t lowest_of_l3(int sys_fd, uint64_t cpu)
{
	char path[PATH_SIZE], text[32];
	int i;

	for (i = 0; i < CACHE_INDEXES; i++) {
		snprintf(path, sizeof(path), "devices/system/cpu/cpu%" PRIu64
			 "/cache/index%d/level", cpu, i);
		if (sw_kernfile_slurp(sys_fd, path, text, sizeof(text)) !=
		    SW_READ_OK)
			break;
		if (atoi(text) != LAST_LEVEL)
			continue;
		snprintf(path, sizeof(path), "cache/index%d/shared_cpu_list",
			 i);
		return lowest_of(sys_fd, cpu, path, NULL);
	}
	return SW_MISSING;
}

static void take_nodes(struct sw_topology *topology, int sys_fd)
{
	struct sw_cpus nodes, cpus;
	char path[PATH_SIZE];
	unsigned node;
	size_t i;

	if (read_list(sys_fd, "devices/system/node/online", &nodes) < 0)
		return;
	for (node = 0; node < SW_CPUS_MAX; node++) {
		if (!sw_cpus_has(&nodes, node))
			continue;
		snprintf(path, sizeof(path), "devices/system/node/node%u/"
			 "cpulist", node);
		if (read_list(sys_fd, path, &cpus) < 0)
			continue;
		for (i = 0; i < topology->pu_count; i++) {
			if (sw_cpus_has(&cpus, topology->pus[i].pu))
				topology->pus[i].numa = node;
		}
	}
}

int sw_topology_by_sysfs(struct sw_topology *topology, int sys_fd,
			 struct sw_error *error)
{
	struct sw_cpus online;
	uint64_t cpu;
	size_t i = 0;

	if (read_list(sys_fd, "devices/system/cpu/online", &online) < 0 ||
	    sw_cpus_count(&online) == 0)
		return sw_error_set(error, "devices/system/cpu/online of /sys "
				    "cannot be read");
	if (sw_topology_reserve(topology, sw_cpus_count(&online)) < 0)
		return sw_error_errno(error, "topology");
	for (cpu = 0; cpu < SW_CPUS_MAX; cpu++) {
		if (!sw_cpus_has(&online, cpu))
			continue;
		topology->pus[i++] = (struct sw_topology_pu){
			.pu = cpu,
			.core = lowest_of(sys_fd, cpu,
					  "topology/core_cpus_list",
					  "topology/thread_siblings_list"),
			.l3 = lowest_of_l3(sys_fd, cpu),
			.numa = SW_MISSING,
			.package = lowest_of(sys_fd, cpu,
					     "topology/package_cpus_list",
					     "topology/core_siblings_list"),
		};
	}
	take_nodes(topology, sys_fd);
	number_objects(topology);
	strcpy(topology->source, "sysfs");
	return 0;
}

/* Read a number such as 0x030200; -1 means missing. */
static uint64_t read_attribute(int sys_fd, const char *device,
			       const char *name)
{
	char path[PATH_SIZE], text[32], *end;
	uint64_t value;

	snprintf(path, sizeof(path), "bus/pci/devices/%s/%s", device, name);
	if (sw_kernfile_slurp(sys_fd, path, text, sizeof(text)) !=
	    SW_READ_OK || text[0] < '0' || text[0] > '9')
		return SW_MISSING;
	value = strtoull(text, &end, 0);
	return *end == '\n' || *end == '\0' ? value : SW_MISSING;
}

static void take_device(struct sw_topology *topology, int sys_fd,
			const char *address)
{
	uint64_t class_code = read_attribute(sys_fd, address, "class");
	struct sw_topology_device *device;

	if (sw_is_missing(class_code) ||
	    (class_code >> CLASS_SHIFT != CLASS_DISPLAY &&
	     class_code >> CLASS_SHIFT != CLASS_ACCELERATOR))
		return;
	if (topology->device_count == SW_TOPOLOGY_DEVICES_MAX) {
		topology->skipped_devices++;
		return;
	}
	device = &topology->device[topology->device_count++];
	strcpy(device->address, address);
	device->class_code = class_code;
	device->vendor = read_attribute(sys_fd, address, "vendor");
	device->device = read_attribute(sys_fd, address, "device");
	device->numa = read_attribute(sys_fd, address, "numa_node");
}

static int compare_devices(const void *a, const void *b)
{
	const struct sw_topology_device *one = a, *two = b;

	return strcmp(one->address, two->address);
}

void sw_topology_find_devices(struct sw_topology *topology, int sys_fd)
{
	int fd = openat(sys_fd, "bus/pci/devices",
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *item;

	if (!folder) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((item = readdir(folder))) {
		if (item->d_name[0] != '.' &&
		    strlen(item->d_name) < sizeof(topology->device[0].address))
			take_device(topology, sys_fd, item->d_name);
	}
	closedir(folder);
	qsort(topology->device, topology->device_count,
	      sizeof(topology->device[0]), compare_devices);
}
