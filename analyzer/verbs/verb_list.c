/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell list: one line per job, or per recording of a run. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/print/json.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/print/text_table.h"
#include "analyzer/recordings/choose.h"
#include "analyzer/recordings/store.h"
#include "analyzer/report/loaded.h"
#include "analyzer/report/words.h"
#include "analyzer/settings/settings.h"
#include "analyzer/sweep/night/times.h"
#include "analyzer/verbs/list_state.h"
#include "analyzer/verbs/verb.h"
#include "analyzer/view/bottleneck_words.h"
#include "common/grow.h"
#include "common/units.h"

/* Limit on decoded values of a job for one line. */
#define VALUES_BYTES_MAX ((size_t)128 << 20)

struct request {
	bool is_json, is_ids, is_today, is_without_sacct;
	char **words;		/* recordings; none: all */
	int word_count;
	const struct sw_settings *settings;
	struct sw_judge *judge;
	struct sw_history *history;	/* NULL: none */
};

enum {
	ID, NAME, START, STATE, ELAPSED, CPU, MEMORY, LIMIT, FINDING, COLUMNS,
	CELL_SIZE = 128, ID_WIDTH = 40,
};

static const struct sw_text_table_column columns[COLUMNS] = {
	[ID] = { "id", ID_WIDTH, false },
	[NAME] = { "name", 20, false },
	[START] = { "start", 19, false },
	[STATE] = { "state", 16, false },
	[ELAPSED] = { "elapsed", 11, true },
	[CPU] = { "CPU", 5, true },
	[MEMORY] = { "memory", 34, false },
	[LIMIT] = { "limited by", 24, false },
	[FINDING] = { "finding", 0, false },
};

/* Output for a recording, printed when all have been read. */
struct entry {
	uint64_t start_usec;
	char cells[COLUMNS][CELL_SIZE];
	struct json_object *item;
};

struct entries {
	struct entry *items;
	size_t count;
};

/*
 * Format a job as its id, steps and nodes, with its user if several claim it,
 * and a run as its file.
 */
static void format_id(char *buf, size_t size,
		      const struct sw_jobfiles_group *group,
		      const struct sw_job *job)
{
	char nodes[32] = "", whose[32] = "";

	if (sw_is_missing(group->id.job)) {
		sw_store_id(group->paths[0], buf, size);
		return;
	}
	if (job->node_count > 1)
		snprintf(nodes, sizeof(nodes), ", %zu nodes",
			 job->node_count);
	if (group->is_disputed)
		snprintf(whose, sizeof(whose), ", of user %llu",
			 (unsigned long long)group->uid);
	snprintf(buf, size, "%s (%zu step%s%s%s)",
		 sw_jobid_text(&group->id).s, job->step_count,
		 job->step_count == 1 ? "" : "s", nodes, whose);
}

/* Finding at the top of its report, or NULL. */
static const struct sw_finding *first_finding(const struct sw_loaded *loaded)
{
	const struct sw_findings *findings = &loaded->result.findings;

	return findings->count ? &findings->items[0] : NULL;
}

static void fill_cells(struct entry *entry,
		       const struct sw_jobfiles_group *group,
		       const struct sw_loaded *loaded)
{
	const struct sw_view *view = loaded->result.view;
	const struct sw_finding *first = first_finding(loaded);
	char need[96], of[SW_UNITS_TEXT_SIZE];
	const char *reference;

	format_id(entry->cells[ID], CELL_SIZE, group, &loaded->job);
	snprintf(entry->cells[NAME], CELL_SIZE, "%s", sw_name_of(view));
	sw_realtime_words(entry->cells[START], CELL_SIZE,
			  view->start_realtime_usec);
	sw_list_state(entry->cells[STATE], CELL_SIZE, view);
	sw_elapsed_format(entry->cells[ELAPSED], CELL_SIZE,
			  view->elapsed_usec);
	strcpy(entry->cells[CPU], "?");
	if (!isnan(view->cpu.efficiency))
		snprintf(entry->cells[CPU], CELL_SIZE, "%.0f%%",
			 view->cpu.efficiency * 100);
	sw_size_format(of, sizeof(of),
		       sw_memory_reference(&view->memory, &reference));
	snprintf(entry->cells[MEMORY], CELL_SIZE, "%s of %s",
		 sw_need_words(need, sizeof(need), &view->memory), of);
	sw_bottleneck_brief(entry->cells[LIMIT], CELL_SIZE, view);
	snprintf(entry->cells[FINDING], CELL_SIZE, "%s",
		 first ? first->id :
		 loaded->job.lacks_series ? "?" : "-");
}

static void add_job(struct json_object *item,
		    const struct sw_jobfiles_group *group,
		    const struct sw_job *job)
{
	struct json_object *array;
	size_t i, j;

	sw_json_text(item, "id", sw_jobid_text(&group->id).s);
	sw_json_text(item, "cluster", job->total.cluster);
	sw_json_number(item, "job_id", job->total.job.job_id);
	sw_json_number(item, "node_count", job->node_expected);
	array = sw_json_array(item, "nodes");
	for (i = 0; i < job->node_count; i++) {
		const struct sw_node *node = &job->nodes[i];

		/* List each file: a node may have several. */
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
		sw_list_add_state(step, &job->steps[i].view);
	}
}

static struct json_object *make_item(const struct sw_jobfiles_group *group,
				     const struct sw_loaded *loaded)
{
	const struct sw_finding *first = first_finding(loaded);
	struct json_object *item = sw_json_new();
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
	sw_json_number(item, "uid", group->uid);
	sw_json_text(item, "trust", sw_trust_names[group->trust]);
	sw_json_text(item, "name", view->name);
	sw_list_add_state(item, view);
	sw_json_seconds(item, "start", view->start_realtime_usec);
	sw_json_seconds(item, "elapsed_seconds", view->elapsed_usec);
	sw_json_double(item, "cpu_efficiency", view->cpu.efficiency);
	sw_json_number(item, "need_bytes", view->memory.need_bytes);
	sw_json_number(item, "need_upper_bytes",
		       view->memory.need_upper_bytes);
	if (!sw_is_missing(view->memory.need_bytes))
		sw_json_bool(item, "need_is_lower_bound",
			     view->memory.need_is_lower_bound);
	sw_json_number(item, "memory_bytes",
		       sw_memory_reference(&view->memory, &reference));
	if (first)
		sw_json_text(item, "first_finding", first->id);
	return item;
}

static int add_entry(struct entries *entries,
		     const struct sw_jobfiles_group *group,
		     const struct sw_loaded *loaded, bool is_json)
{
	struct entry *entry;

	if (sw_grow(&entries->items, entries->count, sizeof(*entry)) < 0)
		return -1;
	entry = &entries->items[entries->count++];
	memset(entry, 0, sizeof(*entry));
	entry->start_usec = loaded->result.view->start_realtime_usec;
	if (is_json)
		entry->item = make_item(group, loaded);
	else
		fill_cells(entry, group, loaded);
	return 0;
}

/*
 * Read an entry; return true if it is complete.  A line needs less than a
 * report, so very large recordings are shown without samples.
 */
static bool take(struct entries *entries,
		 const struct sw_jobfiles_group *group,
		 const struct request *request, const struct sw_acct *acct)
{
	const struct sw_job_files files = {
		.paths = (const char *const *)group->paths,
		.count = group->count, .uid = group->uid,
		.judge = request->judge,
		.values_max_bytes = VALUES_BYTES_MAX, .is_short = true,
	};
	struct sw_loaded loaded;
	struct sw_error error;
	bool is_whole = false;

	if (sw_loaded_read(&loaded, &files, &error) == 0 &&
	    sw_loaded_judge(&loaded, acct, request->history,
			    request->settings, &error) == 0)
		is_whole = true;
	if (!is_whole) {
		sw_complain(SW_EXIT_PARTIAL, "%s", error.text);
	} else if (add_entry(entries, group, &loaded,
			     request->is_json) < 0) {
		is_whole = false;
		sw_complain(SW_EXIT_PARTIAL, "%s: not enough memory for its "
			    "line", group->paths[0]);
	} else {
		is_whole = !sw_job_is_partial(&loaded.job);
		if (!is_whole)
			sw_complain_partial(&loaded.job, "its line");
	}
	sw_loaded_fini(&loaded);
	/* Files that another user left in the folder are no failure. */
	return is_whole || group->trust != SW_TRUST_OWN;
}

/* Newest first, by the start time that the table shows. */
static int compare_entries(const void *a, const void *b)
{
	const struct entry *one = a, *two = b;
	/* Adding one makes missing values the oldest. */
	uint64_t start_one = one->start_usec + 1;
	uint64_t start_two = two->start_usec + 1;

	if (start_one != start_two)
		return start_one < start_two ? 1 : -1;
	return strcmp(one->cells[ID], two->cells[ID]);
}

/* Fit columns to their contents; rows that are too wide are folded. */
static void fit_columns(struct sw_text_table_column *fitted,
			const struct entries *entries)
{
	unsigned widest, columns_of_cell;
	size_t i, j;

	memcpy(fitted, columns, sizeof(columns));
	for (j = 0; j < FINDING; j++) {
		widest = (unsigned)strlen(columns[j].head);
		for (i = 0; i < entries->count; i++) {
			char shown[4 * CELL_SIZE + 1];

			sw_shown(shown, sizeof(shown),
				 entries->items[i].cells[j]);
			columns_of_cell = sw_text_columns(shown);
			if (columns_of_cell > widest)
				widest = columns_of_cell;
		}
		if (widest < fitted[j].width)
			fitted[j].width = widest;
	}
}

static void print_table(const struct entries *entries)
{
	const struct sw_report_style style = sw_style_of_stdout();
	struct sw_text_table_column fitted[COLUMNS];
	const char *cells[COLUMNS];
	struct sw_text_table table;
	size_t i, j;

	fit_columns(fitted, entries);
	sw_text_table_init(&table, stdout, fitted, COLUMNS, 0, &style);
	for (i = 0; i < entries->count; i++) {
		for (j = 0; j < COLUMNS; j++)
			cells[j] = entries->items[i].cells[j];
		sw_text_table_row(&table, cells);
	}
}

static void add_ignored(struct json_object *root,
			const struct sw_jobfiles *files)
{
	struct json_object *array = sw_json_array(root, "ignored"), *item;
	size_t i;

	for (i = 0; i < files->ignored_count && i < SW_IGNORED_MAX; i++) {
		item = sw_json_item(array);
		sw_json_text(item, "path", files->ignored[i].path);
		sw_json_text(item, "because", files->ignored[i].because);
	}
	sw_json_number(root, "ignored_count", files->ignored_count);
}

static void print_json(const struct entries *entries,
		       const struct sw_jobfiles *files)
{
	struct json_object *root = sw_json_new(), *array;
	size_t i;

	sw_json_text(root, "schema", "stepwell.list/1");
	array = sw_json_array(root, "recordings");
	for (i = 0; i < entries->count; i++)
		sw_json_append(array, entries->items[i].item);
	add_ignored(root, files);
	sw_json_print(stdout, root);
}

/* How many of the groups, the newest first. */
static size_t count_shown(const struct sw_jobfiles *files, bool is_today)
{
	time_t today = (time_t)sw_time_midnight((uint64_t)time(NULL), 0);
	size_t i;

	for (i = 0; i < files->count; i++) {
		if (is_today && files->groups[i].changed < today)
			break;
	}
	return i;
}

static int print_ids(const struct sw_jobfiles *files, bool is_today)
{
	size_t i, count = count_shown(files, is_today);
	char id[NAME_MAX + 1], shown[4 * NAME_MAX + 1];

	for (i = 0; i < count; i++) {
		sw_jobfiles_id(&files->groups[i], id, sizeof(id));
		puts(sw_shown(shown, sizeof(shown), id));
	}
	return count ? SW_EXIT_OK : SW_EXIT_NOTHING_FOUND;
}

/* Ask Slurm how they ended; nothing if it does not know. */
static void ask_slurm(struct sw_acct *acct, const struct sw_jobfiles *files,
		      size_t count)
{
	struct sw_error error;

	if (sw_loaded_ask_all(acct, files, count, &error) < 0 &&
	    errno != ENOENT)
		sw_complain(SW_EXIT_OK, "the final states of jobs in Slurm are "
			    "not known: %s", error.text);
}

static int show_all(const struct sw_jobfiles *files, const char *folder,
		    const struct request *request)
{
	size_t i, count = count_shown(files, request->is_today);
	int status = SW_EXIT_NOTHING_FOUND;
	struct entries entries = { 0 };
	struct sw_acct acct = { 0 };

	if (!request->is_without_sacct)
		ask_slurm(&acct, files, count);
	for (i = 0; i < count; i++) {
		if (!take(&entries, &files->groups[i], request, &acct))
			status = SW_EXIT_PARTIAL;
		else if (status == SW_EXIT_NOTHING_FOUND)
			status = SW_EXIT_OK;
	}
	if (entries.count)
		qsort(entries.items, entries.count, sizeof(*entries.items),
		      compare_entries);
	if (request->is_json)
		print_json(&entries, files);
	else if (entries.count)
		print_table(&entries);
	free(entries.items);
	sw_acct_fini(&acct);
	if (status == SW_EXIT_NOTHING_FOUND)
		sw_complain(SW_EXIT_NOTHING_FOUND, "nothing recorded%s in %s",
			    request->is_today ? " today" : "", folder);
	return status;
}

static int list(const struct sw_folders *folders, struct request *request,
		const struct sw_jobfiles *files)
{
	int status;

	request->judge = folders->judge;
	if (request->is_ids)
		return print_ids(files, request->is_today);
	request->history = sw_loaded_history(request->settings);
	status = show_all(files, folders->count ? folders->items[0].path :
						  "any folder", request);
	sw_history_close(request->history);
	return status;
}

/*
 * List a folder, or (NULL) all folders of the user.  A name means a folder in
 * the working directory only if there is no such recording.
 */
static int list_folder(struct request *request, const char *folder)
{
	const struct sw_places *places = sw_settings_places(request->settings);
	struct sw_jobfiles files = { 0 };
	struct sw_error error, unknown;
	struct sw_folders folders;
	const char *word = NULL;
	int status;

	if ((folder ? sw_folders_of(&folders, folder, places, &error) :
		      sw_folders_init(&folders, places, &error)) < 0 ||
	    sw_jobfiles_init(&files, &folders, NULL, &error) < 0) {
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	} else if ((word = sw_recordings_choose(&files, request->words,
						request->word_count))) {
		sw_recordings_say_unknown(&unknown, &files, word);
		status = SW_EXIT_NOTHING_FOUND;
	} else {
		status = list(&folders, request, &files);
	}
	sw_folders_complain(&folders);
	sw_jobfiles_complain(&files, folders.judge);
	sw_jobfiles_fini(&files);
	sw_folders_fini(&folders);
	if (word && !folder && word == request->words[0] &&
	    sw_is_folder(word)) {
		request->words++;
		request->word_count--;
		return list_folder(request, word);
	}
	return word ? sw_complain(status, "%s", unknown.text) : status;
}

/* The first word, if it is a path; one that is no folder is an error. */
static const char *take_folder(char **words, int count)
{
	return count && sw_is_path(words[0]) ? words[0] : NULL;
}

static int run(int argc, char **argv)
{
	struct request request = { false };
	const struct sw_option options[] = {
		{ "json", &request.is_json, NULL, "print JSON" },
		{ "ids", &request.is_ids, NULL,
		 "print only the ids, one per line" },
		{ "today", &request.is_today, NULL,
		 "leave out what was recorded before today" },
		{ "no-sacct", &request.is_without_sacct, NULL,
		 "do not ask sacct for the final states of jobs" },
		{ NULL, NULL, NULL, NULL },
	};
	int first = sw_options_parse(&sw_verb_list, argc, argv, options),
	    status;
	const char *folder;
	struct sw_settings *settings;

	if (first < 0)
		return sw_options_exit(first);
	folder = take_folder(argv + first, argc - first);
	request.words = argv + first + (folder ? 1 : 0);
	request.word_count = argc - first - (folder ? 1 : 0);
	if (request.is_ids && request.is_json)
		return sw_complain(SW_EXIT_USAGE, "list: --ids and --json "
				   "exclude each other");
	settings = sw_load_settings(true);
	if (!settings)
		return SW_EXIT_FAILURE;
	request.settings = settings;
	status = list_folder(&request, folder);
	sw_settings_free(settings);
	return status;
}

const struct sw_verb sw_verb_list = {
	.name = "list",
	.usage = "[OPTION]... [FOLDER] [JOBID|ID|NAME]...",
	.help = "one line per job or recording, newest first",
	.run = run,
};
