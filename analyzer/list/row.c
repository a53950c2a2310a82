/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fill a line of "stepwell list" from a judged job or run. */
#include "analyzer/list/row.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history_profile.h"
#include "analyzer/list/list_state.h"
#include "analyzer/print/json.h"
#include "analyzer/recordings/store.h"
#include "analyzer/report/words.h"
#include "analyzer/sweep/night/times.h"
#include "analyzer/view/bottleneck_words.h"
#include "common/grow.h"
#include "common/units.h"

enum { CELL_SIZE = 128, FINDINGS_SIZE = 2048 };

bool sw_list_is_text(enum sw_list_column_id id)
{
	return sw_list_columns[id].kind <= SW_LIST_TEXTS;
}

bool sw_list_is_real(enum sw_list_column_id id)
{
	return sw_list_columns[id].kind >= SW_LIST_REAL;
}

bool sw_list_is_missing(const struct sw_list_row *row,
			enum sw_list_column_id id)
{
	const union sw_list_value *value = &row->values[id];

	return sw_list_is_text(id) ? !value->text :
	       sw_list_is_real(id) ? isnan(value->real) :
				     sw_is_missing(value->number);
}

struct sw_list_row *sw_list_rows_add(struct sw_list_rows *rows)
{
	struct sw_list_row *row;
	unsigned id;

	if (sw_grow(&rows->items, rows->count, sizeof(*row)) < 0)
		return NULL;
	row = &rows->items[rows->count++];
	row->parts = NULL;
	row->is_borrowed = false;
	for (id = 0; id < SW_LIST_COLUMNS; id++) {
		if (sw_list_is_text(id))
			row->values[id].text = NULL;
		else if (sw_list_is_real(id))
			row->values[id].real = NAN;
		else
			row->values[id].number = SW_MISSING;
	}
	return row;
}

void sw_list_row_fini(struct sw_list_row *row)
{
	unsigned id;

	for (id = 0; id < SW_LIST_COLUMNS; id++) {
		if (sw_list_is_text(id) &&
		    (!row->is_borrowed || id == SW_LIST_DAY))
			free(row->values[id].text);
	}
	sw_json_free(row->parts);
}

void sw_list_rows_fini(struct sw_list_rows *rows)
{
	while (rows->count)
		sw_list_row_fini(&rows->items[--rows->count]);
	free(rows->items);
	rows->items = NULL;
}

int sw_list_set_text(struct sw_list_row *row, enum sw_list_column_id id,
		     const char *text)
{
	free(row->values[id].text);
	row->values[id].text = text ? strdup(text) : NULL;
	return text && !row->values[id].text ? -1 : 0;
}

/*
 * Format a job as its id, steps and nodes, with its user if several claim it,
 * and a run as its file.
 */
static int fill_ids(struct sw_list_row *row,
		    const struct sw_jobfiles_group *group,
		    const struct sw_job *job)
{
	char nodes[32] = "", whose[32] = "", id[NAME_MAX + 1];
	char shown[NAME_MAX + CELL_SIZE];

	sw_jobfiles_id(group, id, sizeof(id));
	if (job->node_count > 1)
		snprintf(nodes, sizeof(nodes), ", %zu nodes",
			 job->node_count);
	if (group->is_disputed)
		snprintf(whose, sizeof(whose), ", of user %llu",
			 (unsigned long long)group->uid);
	snprintf(shown, sizeof(shown), "%s (%zu step%s%s%s)", id,
		 job->step_count, job->step_count == 1 ? "" : "s", nodes,
		 whose);
	row->values[SW_LIST_UID].number = group->uid;
	if (sw_list_set_text(row, SW_LIST_PATH, group->paths[0]) < 0 ||
	    sw_list_set_text(row, SW_LIST_TRUST,
			     sw_trust_names[group->trust]) < 0 ||
	    sw_list_set_text(row, SW_LIST_ID, id) < 0)
		return -1;
	if (sw_is_missing(group->id.job))
		return sw_list_set_text(row, SW_LIST_ID_SHOWN, id);
	row->values[SW_LIST_JOB_ID].number = job->total.job.job_id;
	row->values[SW_LIST_NODE_COUNT].number = job->node_expected;
	return sw_list_set_text(row, SW_LIST_ID_SHOWN, shown) < 0 ? -1 :
	       sw_list_set_text(row, SW_LIST_CLUSTER, job->total.cluster);
}

static void fill_cpu(struct sw_list_row *row, const struct sw_view *view)
{
	const struct sw_view_cpu *cpu = &view->cpu;

	row->values[SW_LIST_CORES].real = cpu->allocated_cores;
	row->values[SW_LIST_EFFICIENCY].real = cpu->efficiency;
	row->values[SW_LIST_USED_CPU].number = cpu->used_usec;
	/* So that sums of both are of the same runs. */
	if (isfinite(cpu->efficiency))
		row->values[SW_LIST_ALLOCATED_CPU].number = (uint64_t)
			llround(cpu->allocated_cores *
				(double)view->elapsed_usec);
}

static int fill_memory(struct sw_list_row *row,
		       const struct sw_view_memory *memory)
{
	char need[96], of[SW_UNITS_TEXT_SIZE], words[CELL_SIZE];
	const char *reference;
	uint64_t bytes = sw_memory_reference(memory, &reference);

	row->values[SW_LIST_NEED].number = memory->need_bytes;
	row->values[SW_LIST_NEED_UPPER].number = memory->need_upper_bytes;
	if (!sw_is_missing(memory->need_bytes))
		row->values[SW_LIST_NEED_IS_LOWER_BOUND].number =
			memory->need_is_lower_bound;
	row->values[SW_LIST_MEMORY].number = bytes;
	sw_need_words(need, sizeof(need), memory);
	snprintf(words, sizeof(words), "%s of %s", need,
		 sw_size_format(of, sizeof(of), bytes));
	return sw_list_set_text(row, SW_LIST_NEED_WORDS, need) < 0 ? -1 :
	       sw_list_set_text(row, SW_LIST_MEMORY_WORDS, words);
}

static int fill_state(struct sw_list_row *row, const struct sw_view *view)
{
	char state[40], shown[CELL_SIZE];

	sw_list_state(shown, sizeof(shown), view);
	sw_list_short_state(state, sizeof(state), view);
	row->values[SW_LIST_EXIT_CODE].number = view->exit_code;
	row->values[SW_LIST_FAILED].number = sw_has_no_success(view);
	return sw_list_set_text(row, SW_LIST_STATE_SHOWN, shown) < 0 ||
	       sw_list_set_text(row, SW_LIST_STATE, state) < 0 ? -1 :
	       sw_list_set_text(row, SW_LIST_STATE_SOURCE,
				sw_list_state_source(view));
}

/* Unknown if there is none although parts of the recording were not read. */
static int fill_findings(struct sw_list_row *row,
			 const struct sw_loaded *loaded)
{
	const struct sw_findings *findings = &loaded->result.findings;
	char text[FINDINGS_SIZE] = "";
	size_t i, used = 0;

	if (!findings->count)
		return loaded->job.lacks_series ? 0 :
		       sw_list_set_text(row, SW_LIST_FINDINGS, "");
	for (i = 0; i < findings->count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%s", i ? " " : "",
					 findings->items[i].id);
	return sw_list_set_text(row, SW_LIST_FINDINGS, text) < 0 ||
	       sw_list_set_text(row, SW_LIST_FIRST_FINDING,
				findings->items[0].id) < 0 ? -1 :
	       sw_list_set_text(row, SW_LIST_SEVERITY, sw_severity_word(
					findings->items[0].severity));
}

static int fill_names(struct sw_list_row *row, const struct sw_job *job,
		      const struct sw_view *view,
		      const struct sw_group_rules *rules)
{
	struct sw_profile_run run;
	char limit[CELL_SIZE];

	sw_profile_run(&run, job, NULL, rules);
	sw_bottleneck_brief(limit, sizeof(limit), view);
	return sw_list_set_text(row, SW_LIST_NAME, view->name) < 0 ||
	       sw_list_set_text(row, SW_LIST_PROGRAM, view->program) < 0 ||
	       sw_list_set_text(row, SW_LIST_GROUP, run.group.group) < 0 ||
	       sw_list_set_text(row, SW_LIST_USER,
				run.user[0] ? run.user : NULL) < 0 ||
	       sw_list_set_text(row, SW_LIST_LIMITED_BY,
				strcmp(limit, "?") ? limit : NULL) < 0 ? -1 : 0;
}

int sw_list_fill_day(struct sw_list_row *row)
{
	uint64_t start = row->values[SW_LIST_START].number;
	char day[SW_TIME_SIZE];

	return sw_is_missing(start) ? 0 :
	       sw_list_set_text(row, SW_LIST_DAY,
				sw_time_day(day, start / SW_USEC_PER_SEC));
}

static int fill_times(struct sw_list_row *row, const struct sw_view *view)
{
	row->values[SW_LIST_START].number = view->start_realtime_usec;
	row->values[SW_LIST_ELAPSED].number = view->elapsed_usec;
	row->values[SW_LIST_TIME_LIMIT].number = view->requested_time_usec;
	return sw_list_fill_day(row);
}

static struct json_object *make_parts(const struct sw_job *job)
{
	struct json_object *parts = sw_json_new();
	struct json_object *array = sw_json_array(parts, "nodes");
	size_t i, j;

	for (i = 0; i < job->node_count; i++) {
		const struct sw_node *node = &job->nodes[i];

		/* List each file: a node may have several. */
		for (j = 0; j < node->file_count; j++) {
			struct json_object *file = sw_json_item(array);

			sw_json_text(file, "name", node->total.node);
			sw_json_text(file, "path", node->files[j].path);
		}
	}
	array = sw_json_array(parts, "steps");
	for (i = 0; i < job->step_count; i++) {
		const struct sw_view *view = &job->steps[i].view;
		struct json_object *step = sw_json_item(array);
		char state[40];

		sw_json_text(step, "id", view->step_id);
		sw_json_text(step, "state", sw_list_short_state(
				     state, sizeof(state), view));
		sw_json_text(step, "state_source",
			     sw_list_state_source(view));
	}
	return parts;
}

int sw_list_row_fill(struct sw_list_row *row,
		     const struct sw_jobfiles_group *group,
		     const struct sw_loaded *loaded,
		     const struct sw_group_rules *rules)
{
	const struct sw_view *view = loaded->result.view;

	row->values[SW_LIST_RUNS].number = 1;
	row->values[SW_LIST_READ].number = view->io.read_bytes;
	row->values[SW_LIST_WRITTEN].number = view->io.written_bytes;
	fill_cpu(row, view);
	if (loaded->result.job && !sw_is_missing(group->id.job))
		row->parts = make_parts(&loaded->job);
	return fill_ids(row, group, &loaded->job) < 0 ||
	       fill_names(row, &loaded->job, view, rules) < 0 ||
	       fill_times(row, view) < 0 || fill_state(row, view) < 0 ||
	       fill_memory(row, &view->memory) < 0 ||
	       fill_findings(row, loaded) < 0 ? -1 : 0;
}
