/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON report's gpus[]. */
#include <math.h>

#include "analyzer/report/json/report_json.h"

static void add_errors(struct json_object *item,
		       const struct sw_view_gpu *gpu)
{
	struct json_object *object = sw_json_object(item, "errors");

	sw_json_number(object, "ecc_corrected", gpu->ecc_corrected);
	sw_json_number(object, "ecc_uncorrected", gpu->ecc_uncorrected);
	sw_json_number(object, "xids", gpu->xids);
	sw_json_number(object, "last_xid", gpu->last_xid);
	sw_json_number(object, "rows_remapped", gpu->rows_remapped);
	sw_json_number(object, "pages_retired", gpu->pages_retired);
	if (!sw_is_missing(gpu->is_remap_pending))
		sw_json_bool(object, "is_remap_pending",
			     gpu->is_remap_pending == 1);
	if (!sw_is_missing(gpu->has_remap_failed))
		sw_json_bool(object, "has_remap_failed",
			     gpu->has_remap_failed == 1);
	sw_json_number(object, "status", gpu->status);
}

static void add_gpu(struct json_object *array, const struct sw_view_gpu *gpu)
{
	struct json_object *item = sw_json_item(array);

	sw_json_text(item, "name", gpu->name);
	sw_json_text(item, "model", gpu->model[0] ? gpu->model : NULL);
	sw_json_text(item, "uuid", gpu->uuid[0] ? gpu->uuid : NULL);
	sw_json_text(item, "node", gpu->node);
	sw_json_text(item, "source", gpu->source);
	sw_json_bool(item, "is_mig", gpu->is_mig);
	sw_json_bool(item, "is_used", gpu->is_used);
	sw_json_number(item, "processes", gpu->processes);
	sw_json_double(item, "busy", gpu->busy_ratio);
	sw_json_double(item, "own_busy", gpu->own_busy_ratio);
	sw_json_double(item, "memory_busy", gpu->memory_busy_ratio);
	sw_json_number(item, "memory_bytes", gpu->memory_total_bytes);
	sw_json_number(item, "memory_peak_bytes", gpu->memory_used_bytes);
	sw_json_number(item, "own_memory_peak_bytes", gpu->own_memory_bytes);
	sw_json_double(item, "mean_watts", gpu->mean_watts);
	if (!sw_is_missing(gpu->energy_mj))
		sw_json_double(item, "energy_joules",
			       (double)gpu->energy_mj / 1000);
	sw_json_number(item, "celsius_max", gpu->celsius_max);
	sw_json_double(item, "slowed", gpu->slowed_ratio);
	sw_json_double(item, "power_capped", gpu->power_capped_ratio);
	sw_json_number(item, "pcie_sent_bytes", gpu->pcie_sent_bytes);
	sw_json_number(item, "pcie_received_bytes", gpu->pcie_received_bytes);
	sw_json_number(item, "nvlink_sent_bytes", gpu->nvlink_sent_bytes);
	sw_json_number(item, "nvlink_received_bytes",
		       gpu->nvlink_received_bytes);
	add_errors(item, gpu);
}

void sw_json_gpus(struct json_object *object, const struct sw_view *view)
{
	struct json_object *array;
	size_t i;

	sw_json_number(object, "given_gpus", view->given_gpus);
	if (!view->gpu_count)
		return;
	array = sw_json_array(object, "gpus");
	for (i = 0; i < view->gpu_count; i++)
		add_gpu(array, &view->gpus[i]);
}
