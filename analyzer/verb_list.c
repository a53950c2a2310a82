/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell list: one line per job, or per recording of a run. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "analyzer/jobfiles.h"
#include "analyzer/json.h"
#include "analyzer/loaded.h"
#include "analyzer/paragraph.h"
#include "analyzer/store.h"
#include "analyzer/verb.h"
#include "analyzer/words.h"
#include "common/units.h"

struct request {
	bool is_json, is_ids, is_today;
};

enum { ID_WIDTH = 32, NAME_WIDTH = 14, NEED_WIDTH = 20 };

static const char *short_state(const struct sw_view *view)
{
	static const char *const words[] = {
		[SW_STATE_UNKNOWN] = "open",
		[SW_STATE_COMPLETED] = "ok",
		[SW_STATE_FAILED] = "failed",
		[SW_STATE_KILLED] = "killed",
	};

	return words[view->state];
}

/* A job by its id, steps and nodes; a run by its file. */
static void format_id(char *buf, size_t size,
		      const struct sw_jobfiles_group *group,
		      const struct sw_job *job)
{
	char id[SW_JOBID_TEXT_SIZE], nodes[32] = "";

	if (sw_is_missing(group->id.job)) {
		sw_store_id(group->paths[0], buf, size);
		return;
	}
	if (job->node_count > 1)
		snprintf(nodes, sizeof(nodes), ", %zu nodes",
			 job->node_count);
	snprintf(buf, size, "%s (%zu step%s%s)",
		 sw_jobid_format(id, sizeof(id), &group->id), job->step_count,
		 job->step_count == 1 ? "" : "s", nodes);
}

static void print_line(const struct sw_jobfiles_group *group,
		       const struct sw_loaded *loaded)
{
	const struct sw_report_style style = sw_style_of_stdout();
	const struct sw_view *view = loaded->result.view;
	const struct sw_findings *findings = &loaded->result.findings;
	char id[NAME_MAX + 1], when[64];
	char elapsed[SW_UNITS_TEXT_SIZE], need[96];
	char of[SW_UNITS_TEXT_SIZE], cpu[16] = "?";
	const char *reference;

	format_id(id, sizeof(id), group, &loaded->job);
	if (!isnan(view->cpu.efficiency))
		snprintf(cpu, sizeof(cpu), "%.0f%%",
			 view->cpu.efficiency * 100);
	sw_text_print_cell(stdout, id, ID_WIDTH, &style);
	putchar(' ');
	sw_text_print_cell(stdout, sw_name_of(view), NAME_WIDTH, &style);
	printf(" %-19s %-7s %11s %5s %*s of %-9s %s\n",
	       sw_realtime_words(when, sizeof(when),
				 view->start_realtime_usec),
	       short_state(view),
	       sw_elapsed_format(elapsed, sizeof(elapsed),
				 view->elapsed_usec),
	       cpu,
	       NEED_WIDTH, sw_need_words(need, sizeof(need), &view->memory),
	       sw_size_format(of, sizeof(of),
			      sw_memory_reference(&view->memory, &reference)),
	       findings->count ? findings->items[0].id : "-");
}

static void add_job(struct json_object *item,
		    const struct sw_jobfiles_group *group,
		    const struct sw_job *job)
{
	struct json_object *array;
	char id[SW_JOBID_TEXT_SIZE];
	size_t i, j;

	sw_json_text(item, "id", sw_jobid_format(id, sizeof(id), &group->id));
	sw_json_text(item, "cluster", job->total.cluster);
	sw_json_number(item, "job_id", job->total.job_id);
	sw_json_number(item, "node_count", job->node_expected);
	array = sw_json_array(item, "nodes");
	for (i = 0; i < job->node_count; i++) {
		const struct sw_node *node = &job->nodes[i];

		/* An item for each file: a node may have several. */
		for (j = 0; j < node->file_count; j++) {
			struct json_object *file = sw_json_item(array);

			sw_json_text(file, "name", node->total.node);
			sw_json_text(file, "path", node->files[j].path);
		}
	}
	array = sw_json_array(item, "steps");
	for (i = 0; i < job->step_count; i++) {
		struct json_object *step = sw_json_item(array);

		sw_json_text(step, "id", job->steps[i].view.step_id);
		sw_json_text(step, "state", short_state(&job->steps[i].view));
	}
}

static void add_item(struct json_object *array,
		     const struct sw_jobfiles_group *group,
		     const struct sw_loaded *loaded)
{
	struct json_object *item = sw_json_item(array);
	const struct sw_view *view = loaded->result.view;
	char id[NAME_MAX + 1];
	const char *reference;

	if (loaded->result.job && !sw_is_missing(group->id.job)) {
		add_job(item, group, &loaded->job);
	} else {
		sw_store_id(group->paths[0], id, sizeof(id));
		sw_json_text(item, "id", id);
	}
	sw_json_text(item, "path", group->paths[0]);
	sw_json_text(item, "name", view->name);
	sw_json_text(item, "state", short_state(view));
	sw_json_seconds(item, "start", view->start_realtime_usec);
	sw_json_seconds(item, "elapsed_seconds", view->elapsed_usec);
	sw_json_double(item, "cpu_efficiency", view->cpu.efficiency);
	sw_json_number(item, "need_bytes", view->memory.need_bytes);
	sw_json_number(item, "need_upper_bytes",
		       view->memory.need_upper_bytes);
	if (!sw_is_missing(view->memory.need_upper_bytes))
		sw_json_bool(item, "need_is_lower_bound",
			     view->memory.need_is_lower_bound);
	sw_json_number(item, "memory_bytes",
		       sw_memory_reference(&view->memory, &reference));
	if (loaded->result.findings.count)
		sw_json_text(item, "first_finding",
			     loaded->result.findings.items[0].id);
}

/* Returns whether the whole entry could be shown. */
static bool show(const struct sw_jobfiles_group *group,
		 const struct sw_settings *settings, struct json_object *array)
{
	struct sw_loaded loaded;
	struct sw_error error;
	bool is_whole = false;

	if (sw_loaded_init(&loaded, (const char *const *)group->paths,
			   group->count, NULL, settings, &error) < 0) {
		sw_complain(SW_EXIT_PARTIAL, "%s", error.text);
	} else {
		if (array)
			add_item(array, group, &loaded);
		else
			print_line(group, &loaded);
		is_whole = !sw_job_is_partial(&loaded.job);
		if (!is_whole)
			sw_complain(SW_EXIT_PARTIAL, "%s: parts of the file "
				    "are damaged, so its line may lack "
				    "something; \"stepwell verify\" says which",
				    group->paths[0]);
	}
	sw_loaded_fini(&loaded);
	return is_whole;
}

static time_t start_of_today(void)
{
	time_t now = time(NULL);
	struct tm local;

	if (!localtime_r(&now, &local))
		return 0;
	local.tm_hour = local.tm_min = local.tm_sec = 0;
	return mktime(&local);
}

static int print_ids(const struct sw_jobfiles *files, bool is_today)
{
	time_t today = start_of_today();
	char id[NAME_MAX + 1];
	size_t i;

	for (i = 0; i < files->count; i++) {
		const struct sw_jobfiles_group *group = &files->groups[i];

		if (is_today && group->changed < today)
			break;
		if (sw_is_missing(group->id.job))
			sw_store_id(group->paths[0], id, sizeof(id));
		else
			sw_jobid_format(id, sizeof(id), &group->id);
		puts(sw_shown((char[4 * NAME_MAX + 1]){ 0 }, 4 * NAME_MAX + 1,
			      id));
	}
	return i ? SW_EXIT_OK : SW_EXIT_NOTHING_FOUND;
}

static int show_all(const struct sw_jobfiles *files, const char *folder,
		    const struct request *request,
		    const struct sw_settings *settings)
{
	struct json_object *root = NULL, *array = NULL;
	int status = SW_EXIT_NOTHING_FOUND;
	time_t today = start_of_today();
	size_t i;

	if (request->is_json) {
		root = sw_json_new();
		sw_json_text(root, "schema", "stepwell.list/1");
		array = sw_json_array(root, "recordings");
	}
	for (i = 0; i < files->count; i++) {
		if (request->is_today && files->groups[i].changed < today)
			break;
		if (!request->is_json && status == SW_EXIT_NOTHING_FOUND)
			printf("%-*s %-*s %-19s %-7s %11s %5s %*s    %-9s "
			       "%s\n", ID_WIDTH, "id", NAME_WIDTH, "name",
			       "start", "state", "elapsed", "CPU", NEED_WIDTH,
			       "memory", "", "finding");
		if (!show(&files->groups[i], settings, array))
			status = SW_EXIT_PARTIAL;
		else if (status == SW_EXIT_NOTHING_FOUND)
			status = SW_EXIT_OK;
	}
	if (root)
		sw_json_print(stdout, root);
	if (status == SW_EXIT_NOTHING_FOUND)
		sw_complain(SW_EXIT_NOTHING_FOUND, "nothing recorded%s in %s",
			    request->is_today ? " today" : "", folder);
	return status;
}

static int list(const struct sw_folders *folders, const struct request *request,
		const struct sw_settings *settings)
{
	struct sw_jobfiles files;
	struct sw_error error;
	int status;

	if (sw_jobfiles_init(&files, folders, NULL, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	if (request->is_ids)
		status = print_ids(&files, request->is_today);
	else
		status = show_all(&files, folders->count ?
				  folders->items[0].path : "any folder",
				  request, settings);
	sw_jobfiles_fini(&files);
	return status;
}

static int run(int argc, char **argv)
{
	struct request request = { false };
	const struct sw_option options[] = {
		{ "json", &request.is_json, "print JSON" },
		{ "ids", &request.is_ids, "print the ids alone, one a line" },
		{ "today", &request.is_today,
		 "leave out what was recorded before today" },
		{ NULL, NULL, NULL },
	};
	int first = sw_options_parse(&sw_verb_list, argc, argv, options, NULL),
	    status;
	struct sw_settings *settings;
	struct sw_folders folders;
	struct sw_error error;

	if (first < 0)
		return sw_options_exit(first);
	if (argc - first > 1)
		return sw_complain(SW_EXIT_USAGE, "list: one folder at a time");
	if (request.is_ids && request.is_json)
		return sw_complain(SW_EXIT_USAGE, "list: --ids and --json "
				   "exclude each other");
	settings = sw_load_settings(true);
	if (!settings)
		return SW_EXIT_FAILURE;
	if ((first < argc ? sw_folders_of(&folders, argv[first], &error) :
			    sw_folders_init(&folders, settings, &error)) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	else
		status = list(&folders, &request, settings);
	sw_folders_fini(&folders);
	sw_settings_free(settings);
	return status;
}

const struct sw_verb sw_verb_list = {
	.name = "list",
	.usage = "[OPTION]... [FOLDER]",
	.help = "one line per job or recording, the newest first",
	.run = run,
};
