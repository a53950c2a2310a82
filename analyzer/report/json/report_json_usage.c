/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON report's part on what a step or a node used. */
#include "analyzer/report/json/report_json.h"

static void add_cpu(struct json_object *step, const struct sw_view_cpu *cpu)
{
	struct json_object *object = sw_json_object(step, "cpu");

	sw_json_double(object, "allocated_cores", cpu->allocated_cores);
	sw_json_bool(object, "is_declared", cpu->is_declared);
	sw_json_seconds(object, "used_core_seconds", cpu->used_usec);
	sw_json_seconds(object, "user_seconds", cpu->user_usec);
	sw_json_seconds(object, "system_seconds", cpu->system_usec);
	sw_json_double(object, "efficiency", cpu->efficiency);
	sw_json_double(object, "mean_cores", cpu->mean_cores);
	sw_json_double(object, "peak_cores", cpu->peak_cores);
	sw_json_double(object, "demand_peak_cores", cpu->demand_peak_cores);
	sw_json_bool(object, "is_held_back", cpu->is_held_back);
	sw_json_seconds(object, "throttled_seconds", cpu->throttled_usec);
	sw_json_seconds(object, "run_queue_wait_seconds",
			cpu->run_queue_wait_usec);
	sw_json_text(object, "source", cpu->source);
}

static void add_memory(struct json_object *step,
		       const struct sw_view_memory *memory)
{
	struct json_object *object = sw_json_object(step, "memory");

	sw_json_number(object, "limit_bytes", memory->limit_bytes);
	sw_json_number(object, "requested_bytes", memory->requested_bytes);
	sw_json_number(object, "available_bytes", memory->available_bytes);
	sw_json_number(object, "need_bytes", memory->need_bytes);
	sw_json_number(object, "need_upper_bytes", memory->need_upper_bytes);
	sw_json_number(object, "floor_bytes", memory->floor_bytes);
	sw_json_number(object, "mapped_bytes", memory->mapped_bytes);
	sw_json_text(object, "need_source", memory->need_source);
	sw_json_bool(object, "need_is_lower_bound",
		     memory->need_is_lower_bound);
	sw_json_number(object, "peak_bytes", memory->peak_bytes);
	sw_json_number(object, "cache_bytes", memory->cache_bytes);
	sw_json_number(object, "swap_peak_bytes", memory->swap_peak_bytes);
	sw_json_number(object, "zswap_peak_bytes", memory->zswap_peak_bytes);
	sw_json_number(object, "huge_page_bytes", memory->huge_page_bytes);
	sw_json_number(object, "kernel_peak_bytes",
		       memory->kernel_peak_bytes);
	sw_json_number(object, "socket_peak_bytes",
		       memory->socket_peak_bytes);
	sw_json_number(object, "oom_kills", memory->oom_kills);
	sw_json_number(object, "limit_hits", memory->limit_hits);
	sw_json_text(object, "source", memory->source);
	sw_json_text(object, "node", memory->node);
}

static void add_io(struct json_object *step, const struct sw_view *view)
{
	struct json_object *io = sw_json_object(step, "io");
	struct json_object *pressure;

	sw_json_number(io, "read_bytes", view->io.read_bytes);
	sw_json_number(io, "written_bytes", view->io.written_bytes);
	sw_json_number(io, "call_read_bytes", view->io.call_read_bytes);
	sw_json_number(io, "call_written_bytes", view->io.call_written_bytes);
	sw_json_seconds(io, "stalled_seconds", view->io.stalled_usec);
	sw_json_text(io, "source", view->io.source);
	sw_json_mounts(io, view);
	sw_json_waits(io, view);
	pressure = sw_json_object(step, "pressure");
	sw_json_seconds(pressure, "cpu_some_seconds",
			view->pressure.cpu_some_usec);
	sw_json_seconds(pressure, "memory_some_seconds",
			view->pressure.memory_some_usec);
	sw_json_seconds(pressure, "memory_full_seconds",
			view->pressure.memory_full_usec);
	sw_json_seconds(pressure, "io_some_seconds",
			view->pressure.io_some_usec);
	sw_json_seconds(pressure, "io_full_seconds",
			view->pressure.io_full_usec);
}

void sw_json_usage(struct json_object *object, const struct sw_view *view)
{
	add_cpu(object, &view->cpu);
	add_memory(object, &view->memory);
	add_io(object, view);
	sw_json_gpus(object, view);
	sw_json_counters(object, &view->counters, view->elapsed_usec);
	sw_json_node(object, view);
}
