/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON report's network, mounts, energy and node. */
#include <math.h>

#include "analyzer/report/json/report_json.h"

void sw_json_mounts(struct json_object *io, const struct sw_view *view)
{
	const struct sw_view_node *node = &view->nearby;
	struct json_object *array, *item;
	size_t i;

	if (node->mount_count == 0)
		return;
	array = sw_json_array(io, "mounts");
	for (i = 0; i < node->mount_count; i++) {
		const struct sw_view_mount *mount = &node->mounts[i];

		item = sw_json_item(array);
		sw_json_text(item, "name", mount->name);
		sw_json_text(item, "detail", mount->detail);
		sw_json_number(item, "read_bytes", mount->read_bytes);
		sw_json_number(item, "written_bytes", mount->written_bytes);
		sw_json_number(item, "reads", mount->reads);
		sw_json_number(item, "writes", mount->writes);
		sw_json_number(item, "opens", mount->opens);
		sw_json_number(item, "getattrs", mount->getattrs);
		sw_json_number(item, "requests", mount->requests);
		sw_json_seconds(item, "read_seconds", mount->read_usec);
		sw_json_seconds(item, "write_seconds", mount->write_usec);
		sw_json_seconds(item, "request_seconds", mount->request_usec);
		sw_json_number(item, "retransmits", mount->retransmits);
	}
}

void sw_json_waits(struct json_object *object, const struct sw_view *view)
{
	const struct sw_view_io *io = &view->io;
	struct json_object *array, *item;
	size_t i;

	if (sw_is_missing(io->waited_usec))
		return;
	sw_json_seconds(object, "waited_seconds", io->waited_usec);
	sw_json_seconds(object, "waited_idle_seconds", io->waited_idle_usec);
	sw_json_seconds(object, "waited_thread_seconds",
			io->waited_thread_usec);
	sw_json_text(object, "waited_source", io->waited_source);
	array = sw_json_array(object, "waits");
	for (i = 0; i < io->wait_count; i++) {
		const struct sw_view_wait *wait = &io->waits[i];

		item = sw_json_item(array);
		sw_json_text(item, "name", wait->name);
		sw_json_text(item, "detail", wait->detail);
		sw_json_seconds(item, "stalled_seconds", wait->waited_usec);
		sw_json_seconds(item, "idle_seconds",
				wait->waited_idle_usec);
		sw_json_seconds(item, "thread_seconds",
				wait->waited_thread_usec);
	}
}

static void add_link(struct json_object *array,
		     const struct sw_view_link *link)
{
	struct json_object *item = sw_json_item(array);

	sw_json_text(item, "kind", link->kind);
	sw_json_text(item, "name", link->name);
	sw_json_text(item, "detail", link->detail);
	sw_json_number(item, "received_bytes", link->received_bytes);
	sw_json_number(item, "sent_bytes", link->sent_bytes);
	sw_json_number(item, "errors", link->errors);
	sw_json_number(item, "bits_per_second", link->bits_per_sec);
	sw_json_double(item, "busiest_ratio", link->busiest_ratio);
	sw_json_seconds(item, "full_seconds", link->full_usec);
}

static void add_network(struct json_object *parent,
			const struct sw_view_network *network)
{
	struct json_object *object;

	if (sw_is_missing(network->received_bytes))
		return;
	object = sw_json_object(parent, "network");
	sw_json_number(object, "received_bytes", network->received_bytes);
	sw_json_number(object, "received_packets", network->received_packets);
	sw_json_number(object, "sent_bytes", network->sent_bytes);
	sw_json_number(object, "sent_packets", network->sent_packets);
	sw_json_number(object, "loopback_received_bytes",
		       network->loopback_received_bytes);
	sw_json_number(object, "loopback_sent_bytes",
		       network->loopback_sent_bytes);
	sw_json_text(object, "source", network->source);
}

static void add_energy(struct json_object *parent,
		       const struct sw_view_energy *energy)
{
	struct json_object *object;

	if (sw_is_missing(energy->node_uj))
		return;
	object = sw_json_object(parent, "energy");
	sw_json_double(object, "node_joules", (double)energy->node_uj / 1e6);
	sw_json_double(object, "cpu_share", energy->cpu_share);
	sw_json_double(object, "estimated_joules",
		       sw_is_missing(energy->step_uj) ? NAN :
			       (double)energy->step_uj / 1e6);
}

void sw_json_node(struct json_object *object, const struct sw_view *view)
{
	const struct sw_view_node *nearby = &view->nearby;
	const struct sw_view_surroundings *around = &nearby->around;
	struct json_object *node, *links;
	size_t i;

	add_network(object, &view->network);
	add_energy(object, &nearby->energy);
	if (sw_is_missing(around->busy_usec) && nearby->link_count == 0 &&
	    sw_is_missing(around->memory_read_bytes))
		return;
	node = sw_json_object(object, "node");
	sw_json_seconds(node, "busy_core_seconds", around->busy_usec);
	sw_json_seconds(node, "others_core_seconds", around->others_usec);
	sw_json_seconds(node, "idle_core_seconds", around->idle_usec);
	sw_json_seconds(node, "iowait_core_seconds", around->iowait_usec);
	sw_json_seconds(node, "steal_core_seconds", around->steal_usec);
	sw_json_number(node, "available_bytes", around->available_bytes);
	sw_json_number(node, "memory_read_bytes", around->memory_read_bytes);
	sw_json_number(node, "memory_written_bytes",
		       around->memory_written_bytes);
	if (nearby->link_count == 0)
		return;
	links = sw_json_array(node, "links");
	for (i = 0; i < nearby->link_count; i++)
		add_link(links, &nearby->links[i]);
}
