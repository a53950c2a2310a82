/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON report: network, mounts, energy and node. */
#include "analyzer/report/json/report_json.h"

/* Add an array of parts of one kind; nothing if it would be empty. */
static void add_each(struct json_object *object, const char *key,
		     const struct sw_field *fields, const void *parts,
		     size_t size, size_t count)
{
	struct json_object *array;
	size_t i;

	if (count == 0)
		return;
	array = sw_json_array(object, key);
	for (i = 0; i < count; i++)
		sw_json_fields(sw_json_item(array), fields,
			       (const char *)parts + i * size);
}

void sw_json_mounts(struct json_object *io, const struct sw_view *view)
{
	const struct sw_view_node *node = &view->nearby;

	add_each(io, "mounts", sw_mount_fields, node->mounts,
		 sizeof(*node->mounts), node->mount_count);
}

void sw_json_node(struct json_object *object, const struct sw_view *view)
{
	const struct sw_view_node *nearby = &view->nearby;
	const struct sw_view_surroundings *around = &nearby->around;
	struct json_object *node;

	if (!sw_is_missing(view->network.received_bytes))
		sw_json_fields(sw_json_object(object, "network"),
			       sw_network_fields, &view->network);
	if (!sw_is_missing(nearby->energy.node_uj))
		sw_json_fields(sw_json_object(object, "energy"),
			       sw_energy_fields, &nearby->energy);
	if (sw_is_missing(around->busy_usec) && nearby->link_count == 0 &&
	    nearby->reading_count == 0 &&
	    sw_is_missing(around->memory_read_bytes))
		return;
	node = sw_json_object(object, "node");
	sw_json_fields(node, sw_surroundings_fields, around);
	add_each(node, "links", sw_link_fields, nearby->links,
		 sizeof(*nearby->links), nearby->link_count);
	/* PAPI components configured by the site, and their events. */
	add_each(node, "papi", sw_reading_fields, nearby->readings,
		 sizeof(*nearby->readings), nearby->reading_count);
}
