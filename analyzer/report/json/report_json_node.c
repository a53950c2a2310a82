/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON report's network, mounts, energy and node. */
#include "analyzer/report/json/report_json.h"

void sw_json_mounts(struct json_object *io, const struct sw_view *view)
{
	const struct sw_view_node *node = &view->nearby;
	struct json_object *array;
	size_t i;

	if (node->mount_count == 0)
		return;
	array = sw_json_array(io, "mounts");
	for (i = 0; i < node->mount_count; i++)
		sw_json_fields(sw_json_item(array), sw_mount_fields,
			       &node->mounts[i]);
}

void sw_json_node(struct json_object *object, const struct sw_view *view)
{
	const struct sw_view_node *nearby = &view->nearby;
	const struct sw_view_surroundings *around = &nearby->around;
	struct json_object *node, *links;
	size_t i;

	if (!sw_is_missing(view->network.received_bytes))
		sw_json_fields(sw_json_object(object, "network"),
			       sw_network_fields, &view->network);
	if (!sw_is_missing(nearby->energy.node_uj))
		sw_json_fields(sw_json_object(object, "energy"),
			       sw_energy_fields, &nearby->energy);
	if (sw_is_missing(around->busy_usec) && nearby->link_count == 0 &&
	    sw_is_missing(around->memory_read_bytes))
		return;
	node = sw_json_object(object, "node");
	sw_json_fields(node, sw_surroundings_fields, around);
	if (nearby->link_count == 0)
		return;
	links = sw_json_array(node, "links");
	for (i = 0; i < nearby->link_count; i++)
		sw_json_fields(sw_json_item(links), sw_link_fields,
			       &nearby->links[i]);
}
