/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The topology of the node: each processing unit with its core, last-level
 * cache, NUMA node and package, and the location of accelerators.  Read from
 * hwloc, or from /sys if that is not available, once per boot.
 */
#ifndef SW_RECORDER_TOPOLOGY_H
#define SW_RECORDER_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include "common/cpus.h"
#include "common/error.h"
#include "profiles/digest.h"

enum {
	SW_TOPOLOGY_DEVICES_MAX = 64,
	SW_TOPOLOGY_KEY_SIZE = 512,
};

/*
 * A hardware thread.  Cores, caches and packages are numbered as in hwloc (its
 * L#): package by package, and in each in the order of their lowest unit; NUMA
 * nodes as in the kernel (hwloc's P#); SW_MISSING if absent or not known.
 */
struct sw_topology_pu {
	uint64_t pu;		/* CPU number of the kernel */
	uint64_t core, l3, numa, package;
};

/* A GPU or another accelerator on the PCI bus. */
struct sw_topology_device {
	char address[16];	/* "0000:3b:00.0" */
	uint64_t class_code, vendor, device;
	uint64_t numa;		/* SW_MISSING: not provided by the firmware */
};

struct sw_topology {
	char source[16];	/* "hwloc", "sysfs"; "": not known */
	char reason[128];	/* why not hwloc, or "" */
	char digest[SW_DIGEST_SIZE];	/* of hwloc's XML; "": none */
	char cpu_model[64];	/* hwloc's CPUModel; "": not known */
	struct sw_topology_pu *pus;	/* sorted by number */
	size_t pu_count;
	struct sw_topology_device device[SW_TOPOLOGY_DEVICES_MAX];
	size_t device_count;
	uint64_t skipped_devices;
};

/*
 * Read the topology from hwloc: of this machine, of a synthetic description
 * ("package:2 core:4 pu:2"), or of an hwloc XML file.  Does not change the
 * caller's binding and accesses no device.  The XML is written to xml_fd unless
 * that is -1.  Return 0, or -1 with *error.  Slow (a load takes 1 to 100 ms),
 * and the memory is not limited: call it in a short-lived child.
 */
struct sw_topology_origin {
	const char *synthetic, *xml;	/* both NULL: this machine */
};
int sw_topology_by_hwloc(struct sw_topology *topology,
			 const struct sw_topology_origin *origin, int xml_fd,
			 struct sw_error *error);

/* Read some files per CPU below sys_fd.  Return 0, or -1 with *error. */
int sw_topology_by_sysfs(struct sw_topology *topology, int sys_fd,
			 struct sw_error *error);

/* Find GPUs and accelerators in bus/pci below sys_fd, without device access. */
void sw_topology_find_devices(struct sw_topology *topology, int sys_fd);

/*
 * For both of these: allocate count zeroed units, and sort the units by number.
 */
int sw_topology_reserve(struct sw_topology *topology, size_t count);
void sw_topology_sort(struct sw_topology *topology);

/* Free its memory and zero it. */
void sw_topology_fini(struct sw_topology *topology);

#endif
