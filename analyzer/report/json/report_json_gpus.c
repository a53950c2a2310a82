/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON report: gpus[]. */
#include "analyzer/report/json/report_json.h"

void sw_json_gpus(struct json_object *object, const struct sw_view *view)
{
	struct json_object *array;
	size_t i;

	sw_json_number(object, "allocated_gpus", view->allocated_gpus);
	if (!view->gpu_count)
		return;
	array = sw_json_array(object, "gpus");
	for (i = 0; i < view->gpu_count; i++)
		sw_json_fields(sw_json_item(array), sw_gpu_fields,
			       &view->gpus[i]);
}
