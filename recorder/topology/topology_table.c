/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of a profile that describe the topology of the node. */
#include <string.h>

#include "common/clock.h"
#include "common/missing.h"
#include "recorder/tables/tables.h"
#include "recorder/topology/topology_load.h"

enum { PU, CORE, L3, NUMA, PACKAGE, PU_COLUMNS };

static const struct sw_column pu_columns[PU_COLUMNS] = {
	[PU] = { "pu", "", SW_KIND_KEY, "The hardware thread, by the kernel's "
		 "CPU number; the last row of each counts." },
	[CORE] = { "core", "", SW_KIND_STATE,
		   "Its core, as hwloc numbers them: package by package." },
	[L3] = { "l3", "", SW_KIND_STATE, "Its cache of the third level, "
		 "likewise." },
	[NUMA] = { "numa", "", SW_KIND_STATE, "Its NUMA node, by the "
		   "kernel's number." },
	[PACKAGE] = { "package", "", SW_KIND_STATE, "Its socket." },
};

const struct sw_table sw_topology_table = {
	.name = "topology",
	.scope = SW_SCOPE_NODE,
	.source = "hwloc",
	.columns = pu_columns,
	.column_count = PU_COLUMNS,
};

enum { SOURCE, REASON, DIGEST, SKIPPED_DEVICES, CPU_MODEL, NODE_COLUMNS };

static const struct sw_column node_columns[NODE_COLUMNS] = {
	[SOURCE] = { "source", "", SW_KIND_TEXT, "hwloc, or sysfs." },
	[REASON] = { "reason", "", SW_KIND_TEXT, "Why not hwloc." },
	[DIGEST] = { "xml_digest", "", SW_KIND_TEXT,
		     "XXH3-128 of hwloc's XML, which the node keeps." },
	[SKIPPED_DEVICES] = { "skipped_devices", "count", SW_KIND_GAUGE,
			       "Accelerators beyond the limit." },
	[CPU_MODEL] = { "cpu_model", "", SW_KIND_TEXT,
			"The processor, as hwloc names it." },
};

const struct sw_table sw_topology_node_table = {
	.name = "topology.node",
	.scope = SW_SCOPE_NODE,
	.source = "hwloc",
	.columns = node_columns,
	.column_count = NODE_COLUMNS,
};

enum { ADDRESS, CLASS, VENDOR, DEVICE, DEVICE_NUMA, DEVICE_COLUMNS };

static const struct sw_column device_columns[DEVICE_COLUMNS] = {
	[ADDRESS] = { "address", "", SW_KIND_TEXT,
		      "Its address on the PCI bus." },
	[CLASS] = { "class", "", SW_KIND_STATE,
		    "0x03....: display; "
		    "0x12....: accelerator." },
	[VENDOR] = { "vendor", "", SW_KIND_STATE, "Its PCI vendor." },
	[DEVICE] = { "device", "", SW_KIND_STATE, "Its PCI device." },
	[DEVICE_NUMA] = { "numa", "", SW_KIND_STATE, "Its NUMA node." },
};

const struct sw_table sw_topology_devices_table = {
	.name = "topology.devices",
	.scope = SW_SCOPE_NODE,
	.source = "hwloc",
	.columns = device_columns,
	.column_count = DEVICE_COLUMNS,
};

/* Define a table, with the source that its rows were read from. */
static int define(struct sw_writer *writer, const struct sw_topology *topology,
		  const struct sw_table *table)
{
	struct sw_table read = *table;

	read.source = topology->source;
	return sw_writer_table(writer, &read, NULL);
}

static const char *or_none(const char *text)
{
	return text[0] ? text : NULL;
}

static void write_pus(const struct sw_topology *topology,
		      struct sw_writer *writer, uint64_t now)
{
	int table = define(writer, topology, &sw_topology_table);
	size_t i;

	for (i = 0; table >= 0 && i < topology->pu_count; i++) {
		const struct sw_topology_pu *pu = &topology->pus[i];
		const union sw_value values[PU_COLUMNS] = {
			[PU].number = pu->pu,
			[CORE].number = pu->core,
			[L3].number = pu->l3,
			[NUMA].number = pu->numa,
			[PACKAGE].number = pu->package,
		};

		sw_writer_row(writer, table, values, now);
	}
}

static void write_devices(const struct sw_topology *topology,
			  struct sw_writer *writer, uint64_t now)
{
	int table = topology->device_count == 0 ? -1 :
		    define(writer, topology, &sw_topology_devices_table);
	size_t i;

	for (i = 0; table >= 0 && i < topology->device_count; i++) {
		const struct sw_topology_device *device = &topology->device[i];
		const union sw_value values[DEVICE_COLUMNS] = {
			[ADDRESS].text = device->address,
			[CLASS].number = device->class_code,
			[VENDOR].number = device->vendor,
			[DEVICE].number = device->device,
			[DEVICE_NUMA].number = device->numa,
		};

		sw_writer_row(writer, table, values, now);
	}
}

void sw_topology_write(const struct sw_topology *topology,
		       struct sw_writer *writer)
{
	const union sw_value values[NODE_COLUMNS] = {
		[SOURCE].text = topology->source,
		[REASON].text = or_none(topology->reason),
		[DIGEST].text = or_none(topology->digest),
		[SKIPPED_DEVICES].number = topology->skipped_devices,
		[CPU_MODEL].text = or_none(topology->cpu_model),
	};
	uint64_t now = sw_clock_boottime_usec();
	int table;

	if (topology->pu_count == 0)
		return;
	write_pus(topology, writer, now);
	write_devices(topology, writer, now);
	table = define(writer, topology, &sw_topology_node_table);
	if (table >= 0)
		sw_writer_row(writer, table, values, now);
}
