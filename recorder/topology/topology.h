/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the node is made of: each processing unit with its core, last-level
 * cache, NUMA node and package, and where the accelerators are.  Read from
 * hwloc, or where that is not to be had from /sys, once per boot.
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
 * A hardware thread.  Cores, caches and packages are numbered as hwloc does
 * (its L#): package by package, and in each in the order of their lowest unit;
 * NUMA nodes as the kernel does (hwloc's P#); SW_MISSING where there is none,
 * or nobody knows.
 */
struct sw_topology_pu {
	uint64_t pu;		/* the kernel's CPU number */
	uint64_t core, l3, numa, package;
};

/* A GPU or another accelerator on the PCI bus. */
struct sw_topology_device {
	char address[16];	/* "0000:3b:00.0" */
	uint64_t class_code, vendor, device;
	uint64_t numa;		/* SW_MISSING: the firmware does not say */
};

struct sw_topology {
	char source[16];	/* "hwloc", "sysfs"; "": nothing is known */
	char reason[128];	/* why not hwloc; "" */
	char digest[SW_DIGEST_SIZE];	/* of hwloc's XML; "": there is none */
	char cpu_model[64];	/* hwloc's CPUModel; "": nobody says */
	struct sw_topology_pu *pus;	/* by number */
	size_t pu_count;
	struct sw_topology_device device[SW_TOPOLOGY_DEVICES_MAX];
	size_t device_count;
	uint64_t skipped_devices;
};

/*
 * By hwloc: of this machine, or of a description in its own words
 * ("package:2 core:4 pu:2"), or of an XML file of its own.  Never binds the
 * caller elsewhere, looks at no device.  The XML goes into xml_fd where that is
 * not -1.  0, or -1 with *error.  Slow (a load takes 1 to 100 ms) and without
 * a bound on memory: call it in a short child.
 */
struct sw_topology_origin {
	const char *synthetic, *xml;	/* both NULL: this machine */
};
int sw_topology_by_hwloc(struct sw_topology *topology,
			 const struct sw_topology_origin *origin, int xml_fd,
			 struct sw_error *error);

/* By the files below sys_fd: some reads per CPU.  0, or -1 with *error. */
int sw_topology_by_sysfs(struct sw_topology *topology, int sys_fd,
			 struct sw_error *error);

/* GPUs and accelerators below sys_fd's bus/pci; does not touch the devices. */
void sw_topology_find_devices(struct sw_topology *topology, int sys_fd);

/*
 * For both of these: room for count units, zeroed; the units in the order of
 * their numbers; and, where core, l3 and package of each are the lowest unit
 * in them, in their place the objects' numbers.
 */
int sw_topology_reserve(struct sw_topology *topology, size_t count);
void sw_topology_sort(struct sw_topology *topology);
void sw_topology_number(struct sw_topology *topology);

/* Free what it holds, and zero it. */
void sw_topology_fini(struct sw_topology *topology);

#endif
