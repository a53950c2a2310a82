/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON report: usage of a step or a node. */
#include "analyzer/report/json/report_json.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_sums.h"
#include "common/delta.h"

/* Waits found by sampling threads, longest first. */
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

static void add_bottleneck(struct json_object *object,
			   const struct sw_view_limits *limits)
{
	struct json_object *item, *seconds;
	struct sw_bottleneck bottleneck;
	enum sw_limit i;

	if (!sw_bottleneck_find(&bottleneck, limits))
		return;
	item = sw_json_object(object, "bottleneck");
	sw_json_text(item, "resource",
		     sw_limited_by_name(bottleneck.resource));
	sw_json_text(item, "limit", sw_limit_name(bottleneck.limit));
	sw_json_double(item, "share", bottleneck.share);
	seconds = sw_json_object(item, "seconds");
	for (i = 0; i < SW_LIMITS; i++) {
		if (limits->usec[i])
			sw_json_seconds(seconds, sw_limit_name(i),
					limits->usec[i]);
	}
	sw_json_text(item, "waits_source", limits->waits_source);
}

/* Without observed intervals: the bottleneck proven by sums. */
static void add_sums_bottleneck(struct json_object *object,
				const struct sw_view *view)
{
	struct sw_sums_bottleneck bottleneck;
	struct sw_bottleneck sampled;
	struct json_object *item;

	if (sw_bottleneck_find(&sampled, &view->limits) ||
	    !sw_sums_bottleneck_find(&bottleneck, view))
		return;
	item = sw_json_object(object, "bottleneck");
	sw_json_text(item, "resource",
		     sw_limited_by_name(bottleneck.resource));
	sw_json_double(item, "share", bottleneck.share);
	sw_json_text(item, "basis", "sums");
	sw_json_double(item, "confidence", SW_SUMS_CONFIDENCE);
}

/* Times are relative to the start of the step. */
static void add_phases(struct json_object *step, const struct sw_view *view)
{
	struct json_object *array, *item;
	size_t i;

	if (!view->phase_count)
		return;
	array = sw_json_array(step, "phases");
	for (i = 0; i < view->phase_count; i++) {
		const struct sw_phase *phase = &view->phases[i];

		item = sw_json_item(array);
		sw_json_seconds(item, "start_seconds",
				sw_excess_u64(phase->start_usec,
					      view->start_usec));
		sw_json_seconds(item, "end_seconds",
				sw_excess_u64(phase->end_usec,
					      view->start_usec));
		add_bottleneck(item, &phase->limits);
	}
}

void sw_json_usage(struct json_object *object, const struct sw_view *view,
		   const struct sw_ceilings *ceilings)
{
	add_bottleneck(object, &view->limits);
	add_sums_bottleneck(object, view);
	add_phases(object, view);
	sw_json_fields(sw_json_object(object, "cpu"), sw_cpu_fields,
		       &view->cpu);
	sw_json_fields(sw_json_object(object, "memory"), sw_memory_fields,
		       &view->memory);
	add_io(object, view);
	sw_json_gpus(object, view);
	sw_json_counters(object, &view->counters, view->elapsed_usec);
	sw_json_chosen(object, view);
	sw_json_roofline(object, view, ceilings);
	sw_json_node(object, view);
}
