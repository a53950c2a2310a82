/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON report: kernel and hardware counters. */
#include "analyzer/report/json/report_json.h"
#include "common/units.h"

static void add_widths(struct json_object *parent, const char *key,
		       const uint64_t *counts)
{
	static const char *const names[SW_FP_WIDTHS] = {
		"scalar", "128_bits", "256_bits", "512_bits",
	};
	struct json_object *object = NULL;
	size_t i;

	for (i = 0; i < SW_FP_WIDTHS; i++) {
		if (sw_is_missing(counts[i]))
			continue;
		if (!object)
			object = sw_json_object(parent, key);
		sw_json_number(object, names[i], counts[i]);
	}
}

static void add_hardware(struct json_object *parent,
			 const struct sw_view_counters *counters,
			 uint64_t elapsed_usec)
{
	struct json_object *object = sw_json_object(parent, "hardware");
	const struct sw_field *rest;

	rest = sw_json_fields(object, sw_hardware_fields, counters);
	sw_json_double(object, "counted_share", sw_counters_share(counters));
	sw_json_fields(object, rest, counters);
	sw_json_double(object, "instructions_per_cycle",
		       sw_counters_ipc(counters));
	sw_json_double(object, "llc_misses_per_1000_instructions",
		       sw_counters_llc_rate(counters));
	sw_json_double(object, "stalled_share", sw_counters_stalled(counters));
	sw_json_double(object, "fp_operations", sw_counters_flops(counters));
	if (!sw_is_missing(elapsed_usec) && elapsed_usec)
		sw_json_double(object, "fp_operations_per_second",
			       sw_counters_flops(counters) * SW_USEC_PER_SEC /
			       (double)elapsed_usec);
	sw_json_double(object, "fp_vector_share",
		       sw_counters_vector(counters));
	add_widths(object, "fp_double_instructions", counters->fp_double);
	add_widths(object, "fp_single_instructions", counters->fp_single);
}

void sw_json_counters(struct json_object *object,
		      const struct sw_view_counters *counters,
		      uint64_t elapsed_usec)
{
	if (sw_counters_has_kernel(counters))
		sw_json_fields(sw_json_object(object, "counters"),
			       sw_kernel_fields, counters);
	if (sw_counters_has_hardware(counters))
		add_hardware(object, counters, elapsed_usec);
}

/* "chosen_counters": the requested events, in the order of the request. */
void sw_json_chosen(struct json_object *object, const struct sw_view *view)
{
	struct json_object *array, *item;
	size_t i;

	if (!view->chosen_count)
		return;
	array = sw_json_array(object, "chosen_counters");
	for (i = 0; i < view->chosen_count; i++) {
		const struct sw_view_chosen *chosen = &view->chosen[i];

		item = sw_json_item(array);
		sw_json_text(item, "name", chosen->name);
		sw_json_double(item, "value", chosen->value);
		sw_json_double(item, "per_second",
			       sw_chosen_rate(chosen, view->elapsed_usec));
		sw_json_double(item, "per_second_and_task",
			       sw_chosen_task_rate(chosen, view->elapsed_usec));
		sw_json_double(item, "counted_share", sw_chosen_share(chosen));
		sw_json_number(item, "tasks", chosen->tasks);
		sw_json_text(item, "missing", chosen->why);
	}
}

/* "roofline": operations and bytes read, with the node's peak values. */
void sw_json_roofline(struct json_object *object, const struct sw_view *view,
		      const struct sw_ceilings *ceilings)
{
	struct json_object *item;
	struct sw_roofline roofline;

	sw_roofline_init(&roofline, view, ceilings);
	if (!sw_roofline_is_known(&roofline))
		return;
	item = sw_json_object(object, "roofline");
	sw_json_double(item, "fp_operations_per_second",
		       roofline.flops_per_sec);
	sw_json_text(item, "fp_operations_source", roofline.flops_of);
	sw_json_double(item, "least_bytes_per_fp_operation",
		       roofline.bytes_per_flop);
	sw_json_text(item, "bytes_source", roofline.bytes_of);
	sw_json_double(item, "node_fp_operations_per_second",
		       roofline.node.flops_per_sec);
	sw_json_double(item, "node_memory_bytes_per_second",
		       roofline.node.bytes_per_sec);
	sw_json_double(item, "node_bytes_per_fp_operation",
		       sw_ceilings_balance(&roofline.node));
}
