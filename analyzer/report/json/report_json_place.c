/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON report: placement of tasks and their memory. */
#include "analyzer/report/json/report_json.h"

static void add_parts(struct json_object *item, const char *key,
		      const struct sw_placement *placement,
		      const struct sw_cpus *cpus, enum sw_place_part part)
{
	struct json_object *array;
	struct sw_cpus parts;
	uint64_t i;

	sw_place_parts(placement, cpus, part, &parts);
	if (sw_cpus_count(&parts) == 0)
		return;
	array = sw_json_array(item, key);
	for (i = 0; i < SW_CPUS_MAX; i++) {
		if (sw_cpus_has(&parts, i))
			sw_json_append_number(array, i);
	}
}

/* Add the parts by their hwloc names. */
static void add_names(struct json_object *item,
		      const struct sw_placement *placement,
		      const struct sw_cpus *cpus)
{
	struct json_object *array = NULL;
	char name[512];
	size_t i;

	for (i = 0; i < SW_PLACE_NAMES; i++) {
		sw_place_name(name, sizeof(name), placement, cpus, i);
		if (!name[0])
			continue;
		if (!array)
			array = sw_json_array(item, "hwloc");
		sw_json_append_text(array, name);
	}
}

static void add_task(struct json_object *array,
		     const struct sw_placement *placement,
		     const struct sw_place_task *task)
{
	struct json_object *item = sw_json_item(array);
	size_t count = sw_cpus_count(&task->cpus);
	const struct sw_field *rest;

	rest = sw_json_fields(item, sw_place_task_fields, task);
	if (count) {
		sw_json_text(item, "cpus", task->cpus_text);
		sw_json_number(item, "cpu_count", count);
	}
	add_parts(item, "sockets", placement, &task->cpus, SW_PART_PACKAGE);
	add_parts(item, "numa_nodes", placement, &task->cpus, SW_PART_NUMA);
	add_names(item, placement, &task->cpus);
	sw_json_fields(item, rest, task);
}

/* Add the node's number of parts of a kind; nothing if unknown. */
static void add_count(struct json_object *object, const char *key,
		      const struct sw_placement *placement,
		      enum sw_place_part part)
{
	size_t count = sw_place_count(placement, part);

	if (count)
		sw_json_number(object, key, count);
}

static void add_topology(struct json_object *parent,
			 const struct sw_placement *placement)
{
	struct json_object *object;

	if (!placement->pu_count)
		return;
	object = sw_json_object(parent, "topology");
	sw_json_text(object, "source", placement->source);
	sw_json_text(object, "xml_digest", placement->digest);
	sw_json_text(object, "cpu_model", placement->cpu_model);
	sw_json_number(object, "cpus", placement->pu_count);
	add_count(object, "cores", placement, SW_PART_CORE);
	add_count(object, "l3_caches", placement, SW_PART_L3);
	add_count(object, "numa_nodes", placement, SW_PART_NUMA);
	add_count(object, "sockets", placement, SW_PART_PACKAGE);
}

static bool is_known(const struct sw_placement *placement)
{
	return placement->task_count || placement->memory_count;
}

static void add_placement(struct json_object *object,
			  const struct sw_view *view)
{
	const struct sw_placement *placement = &view->placement;
	struct json_object *array;
	size_t i;

	sw_json_text(object, "node", view->node);
	if (placement->has_step_cpus)
		sw_json_number(object, "allowed_cpus",
			       sw_cpus_count(&placement->step_cpus));
	add_topology(object, placement);
	if (placement->task_count) {
		array = sw_json_array(object, "tasks");
		for (i = 0; i < placement->task_count; i++)
			add_task(array, placement, &placement->tasks[i]);
	}
	if (!placement->memory_count)
		return;
	array = sw_json_array(object, "memory");
	for (i = 0; i < placement->memory_count; i++) {
		struct json_object *item = sw_json_item(array);

		sw_json_number(item, "numa_node", placement->memory[i].numa);
		sw_json_number(item, "anon_bytes",
			       placement->memory[i].anon_bytes);
		sw_json_number(item, "file_bytes",
			       placement->memory[i].file_bytes);
	}
}

void sw_json_placements(struct json_object *step,
			const struct sw_view *const *views, size_t count)
{
	struct json_object *array = NULL;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!is_known(&views[i]->placement))
			continue;
		if (!array)
			array = sw_json_array(step, "placements");
		add_placement(sw_json_item(array), views[i]);
	}
}
