/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell import: past runs from files into the history. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/history/history_regroup.h"
#include "analyzer/import/import.h"
#include "analyzer/print/json.h"
#include "analyzer/recordings/index.h"
#include "analyzer/verbs/verb.h"
#include "common/units.h"

/* Longest wait for the history at the end of a run. */
enum { WAIT_OF_RUN_MSEC = 500 };

struct request {
	bool is_quiet, is_json, is_rebuild, is_of_run, takes_claims;
	char **operands;
	int count;
};

/* Print what was skipped, and why. */
static void say_skipped(const struct sw_import *import)
{
	char where[256], text[256];
	size_t i;

	for (i = 0; i < import->reason_count; i++) {
		const struct sw_import_reason *reason = &import->reasons[i];

		fputs("stepwell: skipped", stderr);
		if (reason->count > 1)
			fprintf(stderr, ", %zu times", reason->count);
		fprintf(stderr, ": %s", sw_shown(text, sizeof(text),
						 reason->text));
		/* Do not repeat a file that the reason already names. */
		if (!strstr(reason->text, reason->where))
			fprintf(stderr, " (%s%s)",
				sw_shown(where, sizeof(where), reason->where),
				reason->count > 1 ? " first" : "");
		fputc('\n', stderr);
	}
	if (import->impossible)
		fprintf(stderr, "stepwell: %zu impossible value%s ignored\n",
			import->impossible, import->impossible == 1 ? " was" :
							      "s were");
	if (import->unitless)
		fprintf(stderr, "stepwell: the memory request of %zu run%s "
			"without a unit is in MB, reserved for each %s "
			"(stepwell.yaml: lsf: unit_for_limits, "
			"reserve_per_task)\n", import->unitless,
			import->unitless == 1 ? "" : "s",
			sw_settings_lsf(import->settings)->reserves_per_task ?
				"slot" : "host");
	if (import->sampled)
		fprintf(stderr, "stepwell: the memory of %zu run%s is sacct's "
			"MaxRSS: samples of the largest task, so peaks between "
			"them are missing; recordings replace it\n",
			import->sampled, import->sampled == 1 ? "" : "s");
	if (import->unbounded)
		fprintf(stderr, "stepwell: how many tasks a node had is unknown "
			"for %zu run%s (sacct's column NTasks), so the memory "
			"requested counts as needed\n", import->unbounded,
			import->unbounded == 1 ? "" : "s");
}

static void say(const struct sw_import *import, size_t total, size_t moved)
{
	const size_t jobs = import->rows - import->steps;

	/* A run of the history is a job or a step. */
	printf("%s run%s (%zu job%s or task%s, %zu step%s of jobs): %zu new, "
	       "%zu replaced, %zu skipped (better data already in the "
	       "history); %s in the history\n",
	       sw_count_text(import->rows).s,
	       import->rows == 1 ? "" : "s", jobs,
	       jobs == 1 ? "" : "s", jobs == 1 ? "" : "s", import->steps,
	       import->steps == 1 ? "" : "s", import->added,
	       import->replaced, import->completed,
	       sw_count_text(total).s);
	if (import->merged)
		printf("%zu of them were merged with another of this import: "
		       "the same job, or the same workflow, task and id, with "
		       "the same start\n", import->merged);
	if (moved)
		printf("%zu run%s moved to another group\n", moved,
		       moved == 1 ? "" : "s");
	say_skipped(import);
}

static void print_json(const struct sw_import *import, size_t total,
		       size_t moved)
{
	struct json_object *root = sw_json_new(), *array, *item;
	size_t i;

	sw_json_text(root, "schema", "stepwell.import/1");
	sw_json_number(root, "runs", import->rows);
	sw_json_number(root, "steps", import->steps);
	sw_json_number(root, "new", import->added);
	sw_json_number(root, "replaced", import->replaced);
	sw_json_number(root, "kept", import->completed);
	sw_json_number(root, "merged", import->merged);
	sw_json_number(root, "sampled_memory", import->sampled);
	sw_json_number(root, "impossible_values", import->impossible);
	sw_json_number(root, "regrouped", moved);
	sw_json_number(root, "in_history", total);
	array = sw_json_array(root, "skipped");
	for (i = 0; i < import->reason_count; i++) {
		item = sw_json_item(array);
		sw_json_text(item, "because", import->reasons[i].text);
		sw_json_number(item, "count", import->reasons[i].count);
		sw_json_text(item, "first_location", import->reasons[i].where);
	}
	sw_json_print(stdout, root);
}

static int take_folder(struct sw_import *import, const char *path,
		       struct sw_error *error)
{
	struct sw_folders folders;
	int rc = sw_folders_of(&folders, path, sw_settings_places(import->settings), error);

	if (rc == 0)
		rc = sw_import_folders(import, &folders, error);
	sw_folders_fini(&folders);
	return rc;
}

static int take(struct sw_import *import, const char *what,
		struct sw_error *error)
{
	struct stat status;

	if (stat(what, &status) < 0) {
		sw_import_skip(import, strerror(errno), what);
		return 0;
	}
	return S_ISDIR(status.st_mode) ? take_folder(import, what, error) :
					 sw_import_file(import, what, error);
}

/* Continue on failure: the recordings are usable without limits. */
static void take_limits(struct sw_import *import,
			const struct request *request)
{
	struct sw_error error;

	if (sw_import_accounting(import, &error) < 0 && !request->is_quiet)
		sw_complain(SW_EXIT_OK, "time limits of recorded jobs are not "
			    "known: %s", error.text);
}

static int take_all(struct sw_import *import, const struct request *request,
		    struct sw_error *error)
{
	int i;

	if ((!request->count || request->is_rebuild) &&
	    sw_import_own(import, error) < 0)
		return -1;
	for (i = 0; i < request->count; i++) {
		if (take(import, request->operands[i], error) < 0)
			return -1;
	}
	if (sw_import_finish(import, error) < 0)
		return -1;
	if (request->count && !request->is_rebuild)
		return 0;
	sw_import_beside(import);
	take_limits(import, request);
	return 0;
}

static int finish(struct sw_import *import, const struct request *request)
{
	struct sw_error error;
	size_t total = 0, moved = 0;

	if ((request->is_rebuild &&
	     sw_history_regroup(import->history,
				sw_settings_group_rules(import->settings),
				&moved, &error) < 0) ||
	    sw_history_count(import->history, &total, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	if (request->is_json)
		print_json(import, total, moved);
	else if (!request->is_quiet)
		say(import, total, moved);
	if (import->rows)
		return import->skipped ? SW_EXIT_PARTIAL : SW_EXIT_OK;
	return import->skipped || !request->count ? SW_EXIT_NOTHING_FOUND :
						    SW_EXIT_OK;
}

/*
 * Import.  If the history turns out to be damaged, move it aside, create it
 * again and repeat the import.
 */
static int take_twice(struct sw_import *import, const char *path,
		      const struct request *request, struct sw_error *error)
{
	const struct sw_import empty = *import;
	int rc = take_all(import, request, error);

	if (rc == 0 || errno != EUCLEAN)
		return rc;
	sw_history_close(import->history);
	sw_numbered_fini(&import->seen);
	*import = empty;
	import->history = sw_history_replace(path, error);
	if (!import->history)
		return -1;
	return sw_import_own(import, error) < 0 ? -1 :
	       take_all(import, request, error);
}

/* The recording can still be imported later. */
static int complain_of_run(const struct request *request,
			   const struct sw_error *error)
{
	return sw_complain(SW_EXIT_FAILURE, "%s; run \"stepwell import %s\" "
			   "later", error->text,
			   request->count ? request->operands[0] : "");
}

/* Import this recording only; leave a damaged history for others to repair. */
static int import_run(const char *path, const struct request *request,
		      struct sw_import *import)
{
	const struct sw_history_access access = {
		.is_to_write = true, .leaves_damaged = true,
		.wait_msec = WAIT_OF_RUN_MSEC,
	};
	struct sw_error error;
	int rc = -1;

	import->history = sw_history_open_as(path, &access, &error);
	if (import->history)
		rc = take_all(import, request, &error);
	sw_history_close(import->history);
	sw_numbered_fini(&import->seen);
	return rc == 0 ? SW_EXIT_OK : complain_of_run(request, &error);
}

static int import_into(const char *path, const struct request *request,
		       struct sw_import *import)
{
	struct sw_error error;
	int status, rc = 0;

	import->history = sw_history_open(path, true, &error);
	if (!import->history)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	/* Most of its contents came from recordings. */
	if (sw_history_was_damaged(import->history) && request->count)
		rc = sw_import_own(import, &error);
	if (rc == 0)
		rc = take_twice(import, path, request, &error);
	status = rc == 0 ? finish(import, request) :
		 sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	/* Runs that are listed may have another past now. */
	sw_index_forget();
	sw_history_close(import->history);
	sw_numbered_fini(&import->seen);
	return status;
}

static int import_all(const struct request *request, const char *user,
		      const char *cluster)
{
	struct sw_import import = {
		.user = user, .cluster = cluster,
		.takes_claims = request->takes_claims,
	};
	struct sw_settings *settings;
	struct sw_error error;
	char path[PATH_MAX];
	int status;

	/* The report of the run has already printed the warnings. */
	settings = sw_load_settings(!request->is_of_run);
	if (!settings)
		return SW_EXIT_FAILURE;
	import.settings = settings;
	if (request->is_of_run && !sw_settings_has_history_of_runs(settings))
		status = SW_EXIT_OK;
	else if (sw_history_path(sw_settings_history_file(settings), true,
				 path, sizeof(path), &error) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	else
		status = request->is_of_run ?
			 import_run(path, request, &import) :
			 import_into(path, request, &import);
	sw_settings_free(settings);
	return status;
}

static int run(int argc, char **argv)
{
	struct request request = { .is_quiet = false };
	const char *user = NULL, *cluster = NULL;
	const struct sw_option options[] = {
		{ "user=NAME", NULL, &user,
		 "user of these runs, where the file does not say" },
		{ "cluster=NAME", NULL, &cluster,
		 "cluster of these runs, where the file does not say" },
		{ "quiet", &request.is_quiet, NULL, "print errors only" },
		{ "json", &request.is_json, NULL, "print JSON" },
		{ "rebuild", &request.is_rebuild, NULL,
		  "import all recordings again, and regroup all runs" },
		{ "claims", &request.takes_claims, NULL,
		  "also accept what users' own files claim about them" },
		{ "of-run", &request.is_of_run, NULL, NULL },
		{ NULL, NULL, NULL, NULL },
	};
	int first =
		sw_options_parse(&sw_verb_import, argc, argv, options);

	if (first < 0)
		return sw_options_exit(first);
	request.operands = argv + first;
	request.count = argc - first;
	return import_all(&request, user, cluster);
}

const struct sw_verb sw_verb_import = {
	.name = "import",
	.usage = "[OPTION]... [FILE|FOLDER]...",
	.help = "adds past runs to the history, from recordings, sacct, "
		"Nextflow or CSV",
	.manual = "stepwell-import(1)",
	.run = run,
};
