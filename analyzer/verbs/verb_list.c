/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell list: one line per job, or per recording of a run. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/list/list_index.h"
#include "analyzer/list/list_print.h"
#include "analyzer/list/order.h"
#include "analyzer/list/select.h"
#include "analyzer/list/sums.h"
#include "analyzer/print/json.h"
#include "analyzer/recordings/choose.h"
#include "analyzer/report/loaded.h"
#include "analyzer/settings/settings.h"
#include "analyzer/sweep/night/times.h"
#include "analyzer/verbs/report_user.h"
#include "analyzer/verbs/verb.h"

/* Limit on decoded values of a job for one line. */
#define VALUES_BYTES_MAX ((size_t)128 << 20)

/* The newest jobs, whose final state Slurm may not have had before. */
enum { ASKED_MAX = 1000 };

struct request {
	bool is_json, is_csv, is_ids, is_today, is_without_sacct;
	enum sw_list_by by;
	struct sw_list_format format, order;
	bool has_format;	/* was given */
	bool needs_day;		/* of each run */
	struct sw_list_select select;
	char **words;		/* recordings; none: all */
	int word_count;
	const struct sw_settings *settings;
	struct sw_judge *judge;
	struct sw_history *history;	/* NULL: none */
	struct sw_index *index;		/* NULL: none */
};

/* Runs that were read and chosen. */
struct listed {
	struct sw_list_rows rows;
	size_t undated;		/* left out, as their start is not known */
};

/* Only JSON without --format has the nodes and steps of a job. */
static bool wants_parts(const struct request *request)
{
	return request->is_json && !request->has_format;
}

/* Keep the last row, which is filled, if it is chosen. */
static void choose_last(struct listed *listed, const struct request *request)
{
	struct sw_list_row *row = &listed->rows.items[listed->rows.count - 1];

	if (sw_list_selects(&request->select, row, &listed->undated))
		return;
	sw_list_row_fini(row);
	listed->rows.count--;
}

static int add_row(struct listed *listed,
		   const struct sw_jobfiles_group *group,
		   const struct sw_loaded *loaded,
		   const struct request *request)
{
	struct sw_list_row *row = sw_list_rows_add(&listed->rows);

	if (!row)
		return -1;
	if (sw_list_row_fill(row, group, loaded,
			     sw_settings_group_rules(request->settings)) < 0) {
		sw_list_row_fini(row);
		listed->rows.count--;
		return -1;
	}
	/* A message on missing parts has to be repeated. */
	if (!sw_job_is_partial(&loaded->job))
		sw_list_keep(request->index,
			     sw_list_stamp(group, !request->is_without_sacct),
			     row);
	choose_last(listed, request);
	return 0;
}

/*
 * Take the line from the index; false if it is not there, or if sacct may know
 * the final state of the job by now.
 */
static bool recall(struct listed *listed,
		   const struct sw_jobfiles_group *group,
		   const struct request *request, bool is_asked)
{
	struct sw_list_row *row = sw_list_rows_add(&listed->rows);
	uint64_t stamp = sw_list_stamp(group, !request->is_without_sacct);

	if (row && sw_list_recall(request->index, stamp, row,
				  wants_parts(request)) &&
	    (!request->needs_day || sw_list_fill_day(row) == 0) &&
	    (!is_asked || sw_is_missing(group->id.job) ||
	     !strcmp(row->values[SW_LIST_STATE_SOURCE].text, "sacct"))) {
		choose_last(listed, request);
		return true;
	}
	if (row) {
		sw_list_row_fini(row);
		listed->rows.count--;
	}
	return false;
}

/*
 * Read a job or run; return true if it is complete.  A line needs less than a
 * report, so very large recordings are shown without samples.
 */
static bool take(struct listed *listed,
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
	} else if (add_row(listed, group, &loaded, request) < 0) {
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

static void print_json(struct sw_list_rows *rows,
		       const struct request *request,
		       const struct sw_jobfiles *files)
{
	static const char *const names[] = {
		[SW_LIST_BY_RUN] = "recordings",
		[SW_LIST_BY_GROUP] = "groups",
		[SW_LIST_BY_DAY] = "days",
	};
	struct json_object *root = sw_json_new();

	sw_json_text(root, "schema", "stepwell.list/1");
	sw_list_add_json(sw_json_array(root, names[request->by]), rows,
			 &request->format, wants_parts(request));
	add_ignored(root, files);
	sw_json_print(stdout, root);
}

/* The number of groups listed, the newest first. */
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

/*
 * Ask Slurm how those that are marked ended; nothing if it does not know.
 */
static void ask_slurm(struct sw_acct *acct, const struct sw_jobfiles *files,
		      const bool *is_marked, size_t count)
{
	struct sw_jobfiles asked = {
		.groups = calloc(count + 1, sizeof(*asked.groups)),
	};
	struct sw_error error;
	size_t i;

	for (i = 0; asked.groups && i < count; i++) {
		if (is_marked[i])
			asked.groups[asked.count++] = files->groups[i];
	}
	if (asked.count &&
	    sw_loaded_ask_all(acct, &asked, asked.count, &error) < 0 &&
	    errno != ENOENT)
		sw_complain(SW_EXIT_OK, "the final states of jobs in Slurm are "
			    "not known: %s", error.text);
	free(asked.groups);
}

/*
 * Take what the index has, then ask Slurm about the others, and read them.
 * Return SW_EXIT_OK, or SW_EXIT_PARTIAL.
 */
static int take_all(struct listed *listed, const struct sw_jobfiles *files,
		    const struct request *request, size_t count)
{
	bool *is_left = calloc(count + 1, sizeof(*is_left));
	struct sw_acct acct = { 0 };
	int status = SW_EXIT_OK;
	size_t i;

	if (!is_left)
		return sw_complain(SW_EXIT_PARTIAL, "list: not enough memory");
	for (i = 0; i < count; i++)
		is_left[i] = !recall(listed, &files->groups[i], request,
				     !request->is_without_sacct &&
				     i < ASKED_MAX);
	if (!request->is_without_sacct)
		ask_slurm(&acct, files, is_left, count);
	for (i = 0; i < count; i++) {
		if (!is_left[i] ||
		    (!acct.count && recall(listed, &files->groups[i], request,
					   false)))
			continue;
		if (!take(listed, &files->groups[i], request, &acct))
			status = SW_EXIT_PARTIAL;
	}
	sw_acct_fini(&acct);
	free(is_left);
	return status;
}

static int print_rows(struct sw_list_rows *runs, const struct request *request,
		      const struct sw_jobfiles *files)
{
	struct sw_list_rows sums = { 0 }, *rows = runs;
	int rc = 0;

	if (request->by != SW_LIST_BY_RUN) {
		rc = sw_list_add_up(&sums, runs, request->by);
		rows = &sums;
	}
	sw_list_sort(rows, &request->order);
	if (rc == 0 && request->is_json)
		print_json(rows, request, files);
	else if (rc == 0 && request->is_csv)
		sw_list_print_csv(rows, &request->format);
	else if (rc == 0 && rows->count)
		sw_list_print_text(rows, &request->format);
	sw_list_rows_fini(&sums);
	return rc < 0 ? sw_complain(SW_EXIT_FAILURE, "list: not enough memory") :
			SW_EXIT_OK;
}

static int complain_nothing(const struct request *request, const char *folder,
			    size_t read)
{
	return sw_complain(SW_EXIT_NOTHING_FOUND, read ?
			   "none of the recordings%s in %s is chosen by the "
			   "options" : "nothing recorded%s in %s",
			   !request->is_today ? "" : read ? " of today" :
			   " today", folder);
}

/* Lines that are not shown now, or of another answer of sacct, are kept. */
static void mark_used(struct sw_index *index, const struct sw_jobfiles *files)
{
	struct sw_unpack entry;
	size_t i;

	for (i = 0; i < files->count; i++) {
		sw_index_find(index, sw_list_stamp(&files->groups[i], false),
			      &entry);
		sw_index_find(index, sw_list_stamp(&files->groups[i], true),
			      &entry);
	}
}

static int show_all(const struct sw_jobfiles *files, const char *folder,
		    const struct request *request)
{
	size_t count = count_shown(files, request->is_today);
	struct listed listed = { .rows = { 0 } };
	int status = take_all(&listed, files, request, count), printed;

	if (sw_index_is_changed(request->index))
		mark_used(request->index, files);
	if (listed.undated)
		sw_complain(SW_EXIT_OK, "list: %zu recording%s without a known "
			    "start left out", listed.undated,
			    listed.undated == 1 ? "" : "s");
	if (status == SW_EXIT_OK && !listed.rows.count)
		status = complain_nothing(request, folder, count);
	printed = print_rows(&listed.rows, request, files);
	sw_list_rows_fini(&listed.rows);
	return printed == SW_EXIT_OK ? status : printed;
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
 * Find all recordings.  The index is of the user's own folders: those that are
 * named may be any number.
 */
static int find_all(struct request *request, const char *folder,
		    struct sw_folders *folders, struct sw_jobfiles *files,
		    struct sw_error *error)
{
	const struct sw_places *places = sw_settings_places(request->settings);

	request->index = NULL;
	if ((folder ? sw_folders_of(folders, folder, places, error) :
		      sw_folders_init(folders, places, error)) < 0)
		return -1;
	if (!folder)
		request->index = sw_list_index_open(request->settings);
	folders->index = request->index;
	if (sw_jobfiles_init(files, folders, NULL, error) < 0)
		return -1;
	/* Then others than these will not be asked for. */
	if (request->word_count)
		mark_used(request->index, files);
	return 0;
}

/*
 * List a folder, or (NULL) all folders of the user.  A name means a folder in
 * the working directory only if there is no such recording.
 */
static int list_folder(struct request *request, const char *folder)
{
	struct sw_jobfiles files = { 0 };
	struct sw_error error, unknown;
	struct sw_folders folders;
	const char *word = NULL;
	int status;

	if (find_all(request, folder, &folders, &files, &error) < 0) {
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
	sw_index_close(request->index);
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

/* The values of options, as given. */
struct texts {
	const char *by, *format, *sort, *since, *until, *user;
};

static int parse_columns(struct request *request, const struct texts *texts,
			 struct sw_error *error)
{
	request->by = SW_LIST_BY_RUN;
	if (texts->by && sw_list_by_parse(&request->by, texts->by, error) < 0)
		return -1;
	if (request->is_json || request->is_csv)
		sw_list_format_all(&request->format, request->by);
	else
		sw_list_format_default(&request->format, request->by);
	sw_list_order_default(&request->order, request->by);
	request->has_format = texts->format != NULL;
	if (texts->format &&
	    sw_list_format_parse(&request->format, request->by, texts->format,
				 error) < 0)
		return -1;
	if (texts->sort && sw_list_format_parse(&request->order, request->by,
						texts->sort, error) < 0)
		return -1;
	request->needs_day = request->by == SW_LIST_BY_DAY ||
			     sw_list_format_has(&request->format, SW_LIST_DAY) ||
			     sw_list_format_has(&request->order, SW_LIST_DAY);
	return 0;
}

static int parse_time(uint64_t *seconds, const char *text,
		      struct sw_error *error)
{
	*seconds = SW_MISSING;
	if (!text || sw_time_parse(text, (uint64_t)time(NULL), seconds) == 0)
		return 0;
	return sw_error_set(error, "\"%s\" is not a time, such as 2026-11-22, "
			    "yesterday or now-2days", text);
}

static int parse_select(struct request *request, const struct texts *texts,
			struct sw_error *error)
{
	struct sw_list_select *select = &request->select;

	select->uid = SW_MISSING;
	if (texts->user) {
		select->uid = sw_uid_of_user(texts->user);
		if (sw_is_missing(select->uid))
			return sw_error_set(error, "there is no user \"%s\" on "
					    "this machine", texts->user);
	}
	return parse_time(&select->since_seconds, texts->since, error) < 0 ||
	       parse_time(&select->until_seconds, texts->until, error) < 0 ?
		       -1 : sw_list_select_check(select, error);
}

static int check(struct request *request, const struct texts *texts)
{
	struct sw_error error;

	if (request->is_ids + request->is_json + request->is_csv > 1)
		return sw_complain(SW_EXIT_USAGE, "list: --ids, --csv and "
				   "--json exclude each other");
	if (request->is_ids && (texts->by || texts->format || texts->sort ||
				texts->since || texts->until || texts->user ||
				request->select.states || request->select.name ||
				request->select.findings))
		return sw_complain(SW_EXIT_USAGE, "list: --ids reads no "
				   "recording, so it takes only --today; use "
				   "--csv --format id");
	if (parse_columns(request, texts, &error) < 0 ||
	    parse_select(request, texts, &error) < 0)
		return sw_complain(SW_EXIT_USAGE, "list: %s", error.text);
	return SW_EXIT_OK;
}

static int start(struct request *request, char **words, int count)
{
	const char *folder = take_folder(words, count);
	struct sw_settings *settings = sw_load_settings(true);
	int status;

	if (!settings)
		return SW_EXIT_FAILURE;
	request->words = words + (folder ? 1 : 0);
	request->word_count = count - (folder ? 1 : 0);
	request->settings = settings;
	status = list_folder(request, folder);
	sw_settings_free(settings);
	return status;
}

static int run(int argc, char **argv)
{
	struct request request = { false };
	struct texts texts = { NULL };
	const struct sw_option options[] = {
		{ "format=COLUMNS", NULL, &texts.format,
		 "print these columns: \"id,name%30,cpu\"; \"+user\" adds to "
		 "the usual ones; \"help\" lists them" },
		{ "sort=COLUMNS", NULL, &texts.sort,
		 "sort by these; \"-cpu\" is descending" },
		{ "by=WHAT", NULL, &texts.by, "a line for each run, group or "
		 "day" },
		{ "state=STATES", NULL, &request.select.states,
		 "only these states: ok, failed, TIMEOUT, ..." },
		{ "since=TIME", NULL, &texts.since,
		 "only runs that ended at TIME or later" },
		{ "until=TIME", NULL, &texts.until,
		 "only runs that started before TIME" },
		{ "user=USER", NULL, &texts.user, "only runs of this user" },
		{ "name=PATTERN", NULL, &request.select.name,
		 "only runs of this name" },
		{ "findings=IDS", NULL, &request.select.findings,
		 "only runs with one of these findings: oom, io.stalled, ..." },
		{ "json", &request.is_json, NULL, "print JSON" },
		{ "csv", &request.is_csv, NULL, "print CSV" },
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

	if (first < 0)
		return sw_options_exit(first);
	if (texts.format && !strcmp(texts.format, "help")) {
		sw_list_columns_print();
		return SW_EXIT_OK;
	}
	status = check(&request, &texts);
	return status == SW_EXIT_OK ?
		       start(&request, argv + first, argc - first) : status;
}

const struct sw_verb sw_verb_list = {
	.name = "list",
	.usage = "[OPTION]... [FOLDER] [JOBID|RANGE|ID|NAME]...",
	.help = "one line per job or recording, newest first",
	.manual = "stepwell-list(1)",
	.run = run,
};
