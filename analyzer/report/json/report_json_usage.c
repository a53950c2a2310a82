/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON report's part on what a step or a node used. */
#include "analyzer/report/json/report_json.h"

/* As looks found threads waiting, the longest first. */
static void add_waits(struct json_object *object, const struct sw_view_io *io)
{
	struct json_object *array = sw_json_array(object, "waits");
	size_t i;

	for (i = 0; i < io->wait_count; i++)
		sw_json_fields(sw_json_item(array), sw_wait_fields,
			       &io->waits[i]);
}

static void add_io(struct json_object *step, const struct sw_view *view)
{
	struct json_object *object = sw_json_object(step, "io");
	const struct sw_view_io *io = &view->io;
	const struct sw_field *waited;

	waited = sw_json_fields(object, sw_io_fields, io);
	sw_json_mounts(object, view);
	if (!sw_is_missing(io->waited_usec)) {
		sw_json_fields(object, waited, io);
		add_waits(object, io);
	}
	sw_json_fields(sw_json_object(step, "pressure"), sw_pressure_fields,
		       &view->pressure);
}

void sw_json_usage(struct json_object *object, const struct sw_view *view)
{
	sw_json_fields(sw_json_object(object, "cpu"), sw_cpu_fields,
		       &view->cpu);
	sw_json_fields(sw_json_object(object, "memory"), sw_memory_fields,
		       &view->memory);
	add_io(object, view);
	sw_json_gpus(object, view);
	sw_json_counters(object, &view->counters, view->elapsed_usec);
	sw_json_node(object, view);
}
