/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the JSON report; only report_json*.c include this. */
#ifndef SW_ANALYZER_REPORT_JSON_H
#define SW_ANALYZER_REPORT_JSON_H

#include "analyzer/print/json.h"
#include "analyzer/report/report.h"
#include "analyzer/view/fields.h"

/*
 * Add a part of a view by its table of fields, up to a row that the report
 * handles itself; return the row after that.
 */
const struct sw_field *sw_json_fields(struct json_object *object,
				      const struct sw_field *fields,
				      const void *part);

/* Usage of a step or a node: cpu, memory, io, pressure, network ... */
void sw_json_usage(struct json_object *object, const struct sw_view *view,
		   const struct sw_ceilings *ceilings);

/* The node's GPUs, if any: a part of the usage. */
void sw_json_gpus(struct json_object *object, const struct sw_view *view);

/* "placements" of a step: where its tasks ran, on each of its nodes. */
void sw_json_placements(struct json_object *step,
			const struct sw_view *const *views, size_t count);
/* Counters of a task, or sums; nothing if nothing was counted. */
void sw_json_counters(struct json_object *object,
		      const struct sw_view_counters *counters,
		      uint64_t elapsed_usec);

void sw_json_chosen(struct json_object *object, const struct sw_view *view);
void sw_json_roofline(struct json_object *object, const struct sw_view *view,
		      const struct sw_ceilings *ceilings);

/* Usage of the node: io.mounts[], then network, energy and node. */
void sw_json_mounts(struct json_object *io, const struct sw_view *view);
void sw_json_node(struct json_object *object, const struct sw_view *view);

/* Slurm's ids of the job, into "job". */
void sw_json_job_id(struct json_object *object, const struct sw_result *result);

/* Slurm's record of a job's or step's end, or why there is none. */
void sw_json_record(struct json_object *object, const struct sw_view *view,
		    const struct sw_job *job);

/* "steps", "tasks" and "nodes" of a job. */
void sw_json_job_parts(struct json_object *root,
		       const struct sw_result *result);

#endif
