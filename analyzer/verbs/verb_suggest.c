/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell suggest: requests for the next run. */
#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/accounting/sacct.h"
#include "analyzer/history/history_profile.h"
#include "analyzer/import/import.h"
#include "analyzer/script/script.h"
#include "analyzer/suggest/advice_words.h"
#include "analyzer/suggest/suggest.h"
#include "analyzer/verbs/group_names.h"
#include "analyzer/verbs/verb.h"
#include "common/escape.h"
#include "common/jobid.h"
#include "common/missing.h"
#include "common/path.h"
#include "common/units.h"

struct request {
	const char *what;	/* job, group or script */
	const char *group, *dialect, *risk, *input;
	const char *apply;	/* script to change; NULL */
	const char *script;	/* script with the request; NULL: a job's */
	bool is_json, is_write;
	bool is_list;		/* no operand */
	const struct sw_dialect *words;		/* name of the dialect */
	struct sw_advice_options options;
	struct sw_run asked;	/* requested by the script */
	struct sw_job_group job_group;	/* group of the script */
};

static int read_risk(struct request *request)
{
	static const char *const risks[] = {
		[SW_RISK_LOW] = "low", [SW_RISK_MEDIUM] = "medium",
		[SW_RISK_HIGH] = "high",
	};
	size_t i;

	if (!request->risk)
		return SW_EXIT_OK;
	for (i = 0; i < sizeof(risks) / sizeof(risks[0]); i++) {
		if (strcmp(request->risk, risks[i]) != 0)
			continue;
		request->options.has_risk = true;
		request->options.risk = (enum sw_risk)i;
		return SW_EXIT_OK;
	}
	return sw_complain(SW_EXIT_USAGE, "suggest: --risk is low, medium or "
			   "high, not \"%s\"", request->risk);
}

/* Parse bytes, or a size with a unit. */
static int read_input(struct request *request)
{
	uint64_t bytes;

	request->options.input_bytes = NAN;
	if (!request->input)
		return SW_EXIT_OK;
	if (sw_count_parse(request->input, 1, INT64_MAX, &bytes) < 0 &&
	    sw_size_parse(request->input, &bytes) < 0)
		return sw_complain(SW_EXIT_USAGE, "suggest: --input is a size "
				   "in bytes, or like 40G, not \"%s\"",
				   request->input);
	request->options.input_bytes = (double)bytes;
	return SW_EXIT_OK;
}

static int read_dialect(struct request *request)
{
	const char *name = request->dialect ? request->dialect :
			   sw_dialects[0]->name;
	char names[SW_DIALECT_NAMES_SIZE];

	if (!strcmp(name, "json")) {
		request->is_json = true;
		name = sw_dialects[0]->name;
	}
	request->words = sw_dialect_find(name);
	if (request->words)
		return SW_EXIT_OK;
	return sw_complain(SW_EXIT_USAGE, "suggest: no dialect \"%s\"; there "
			   "are %s and json", name, sw_dialect_names(names));
}

static int print_dialects(void)
{
	const struct sw_dialect *const *dialect;

	for (dialect = sw_dialects; *dialect; dialect++)
		puts((*dialect)->name);
	puts("json");
	return SW_EXIT_OK;
}

/* True if there is advice, including that everything fits. */
static bool has_advice(const struct sw_advice *advice)
{
	size_t i;

	for (i = 0; i < advice->count; i++) {
		if (!advice->suggestions[i].is_withheld)
			return true;
	}
	return false;
}

static void print(const struct request *request, const struct sw_request *next)
{
	struct sw_report_style style = sw_style_of_stdout();

	if (request->is_json)
		sw_suggest_json(stdout, next);
	else
		sw_suggest_text(stdout, next, request->dialect ?
				request->words : sw_dialect_of(next->advice),
				&style);
}

/* The diff cannot show why there is no advice: print it to stderr. */
static void say_refusals(const struct sw_advice *advice)
{
	char text[SW_ADVICE_WORDS_SIZE];
	size_t i;

	for (i = 0; i < advice->count; i++) {
		if (*sw_refusal_words(text, sizeof(text), advice, i))
			sw_complain(SW_EXIT_OK, "%s", text);
	}
}

/* It cannot show why a request is raised, either. */
static void say_raises(const struct sw_request *next)
{
	size_t i;

	for (i = 0; i < SW_RESOURCES; i++) {
		const struct sw_request_item *item = &next->items[i];

		if (item->is_change && !sw_is_missing(item->now) &&
		    item->next > item->now)
			sw_complain(SW_EXIT_OK, "%s is raised: %s",
				    sw_resource_word((enum sw_resource)i),
				    item->suggestion->why);
	}
}

static int show(const struct request *request, const struct sw_advice *advice,
		bool is_partial)
{
	struct sw_request next;
	int status = SW_EXIT_OK;

	sw_request_init(&next, advice);
	if (request->apply) {
		say_refusals(advice);
		say_raises(&next);
		status = sw_suggest_apply(request->apply, &next,
					  request->is_write);
	} else {
		print(request, &next);
	}
	if (status != SW_EXIT_OK)
		return status;
	if (!has_advice(advice))
		return SW_EXIT_NOTHING_FOUND;
	return is_partial ? SW_EXIT_PARTIAL : SW_EXIT_OK;
}

static int complain_history(const struct request *request,
			    struct sw_history *history,
			    const struct sw_error *error)
{
	const char *what = request->group ? request->group : request->what;
	char text[512];

	snprintf(text, sizeof(text), "%s", error->text);
	if (errno == ENOENT && history && what) {
		sw_group_names_add_similar(text, sizeof(text), history, what);
		errno = ENOENT;
	}
	if (errno == ENOENT && request->script && !request->group)
		return sw_complain(SW_EXIT_NOTHING_FOUND, "nothing is known "
				   "yet about \"%s\", the job group of %s; "
				   "submit it as it is, import past runs with "
				   "\"stepwell import\", or name another group "
				   "with --group (%s)",
				   request->job_group.group, request->script,
				   text);
	if (errno == ENOENT)
		return sw_complain(SW_EXIT_NOTHING_FOUND, "%s%s \"stepwell "
				   "import\" adds past runs from recordings, "
				   "sacct, Nextflow or CSV", text,
				   text[strlen(text) - 1] == '?' ? "" : ";");
	return sw_complain(errno == ENOTUNIQ ? SW_EXIT_USAGE :
			   SW_EXIT_FAILURE, "%s", error->text);
}

/* Read the script's requests and find its job group. */
static void take_script(struct request *request, const struct sw_script *script,
			const struct sw_group_rules *rules)
{
	const struct passwd *entry = getpwuid(geteuid());
	const char *name = sw_script_value(script, SW_SCRIPT_JOB_NAME);
	const struct sw_job_names names = {
		.user = entry ? entry->pw_name : "",
		.name = name ? name : sw_path_name(request->script),
		.partition = sw_script_value(script, SW_SCRIPT_PARTITION),
		.comment = sw_script_value(script, SW_SCRIPT_COMMENT),
	};

	sw_script_request(script, &request->asked);
	request->options.request = &request->asked;
	request->options.request_name = request->script;
	sw_job_group_find(&request->job_group, rules, &names);
	if (!request->what)
		request->what = request->job_group.group;
}

static int read_script(struct request *request,
		       const struct sw_settings *settings)
{
	struct sw_script_file file;
	struct sw_script script;
	struct sw_error error;
	int rc;

	if (sw_script_load(&file, request->script, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	rc = sw_script_init(&script, file.text, file.length, &error);
	sw_script_file_fini(&file);
	if (rc < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s: %s", request->script,
				   error.text);
	take_script(request, &script, sw_settings_group_rules(settings));
	sw_script_fini(&script);
	return SW_EXIT_OK;
}

static bool read_group(struct sw_job *job, const struct sw_folders *folders,
		       const struct sw_jobfiles_group *group)
{
	const struct sw_job_files files = {
		.paths = (const char *const *)group->paths,
		.count = group->count,
		.judge = folders->judge, .uid = group->uid,
	};
	struct sw_error error;

	return sw_job_read(job, &files, &error) == 0;
}

/* Advise on a recorded job that is not in the history yet. */
static int advise_recorded(const struct request *request,
			   struct sw_advice *advice,
			   struct sw_history *history,
			   const struct sw_settings *settings,
			   const struct sw_jobid *id)
{
	struct sw_advice_options options = request->options;
	struct sw_folders folders = { 0 };
	struct sw_jobfiles files = { 0 };
	struct sw_profile_run run;
	struct sw_error error;
	struct sw_job job;
	int rc = -1;

	if (sw_folders_init(&folders, sw_settings_places(settings), &error) == 0 &&
	    sw_jobfiles_init(&files, &folders, id, &error) == 0 &&
	    files.count && read_group(&job, &folders, &files.groups[0])) {
		sw_profile_run(&run, &job, NULL,
			       sw_settings_group_rules(settings));
		options.own = &run.row;
		if (!sw_profile_run_refused(&job) && !sw_job_is_partial(&job))
			rc = sw_advice_init(advice, history, run.row.job,
					    settings, &options, &error);
		sw_job_fini(&job);
	}
	sw_jobfiles_fini(&files);
	sw_folders_fini(&folders);
	return rc;
}

/* Advise on an array element given by Slurm's own job number; return 0 or -1. */
static int advise_element(const struct request *request,
			  struct sw_advice *advice, struct sw_history *history,
			  const struct sw_settings *settings,
			  const struct sw_jobid *number)
{
	struct sw_error error;
	struct sw_acct acct;
	int rc = -1;

	if (sw_jobid_is_part(number) ||
	    sw_acct_query(&acct, number, &error) < 0)
		return -1;
	if (sw_jobid_compare(&acct.rows[0].id, number) != 0)
		rc = sw_advice_init(advice, history,
				    sw_jobid_text(&acct.rows[0].id).s, settings,
				    &request->options, &error);
	sw_acct_fini(&acct);
	return rc;
}

/* A script's job group may be another user's, or have no runs yet. */
static int advise(const struct request *request, struct sw_advice *advice,
		  struct sw_history *history,
		  const struct sw_settings *settings, struct sw_error *error)
{
	const char *what = request->group ? request->group : request->what;
	struct sw_error other;
	struct sw_jobid id;

	if (sw_advice_init(advice, history, what, settings, &request->options,
			   error) == 0)
		return 0;
	if (errno != ENOENT)
		return -1;
	if (what == request->job_group.group &&
	    sw_advice_init(advice, history, request->job_group.label, settings,
			   &request->options, &other) == 0)
		return 0;
	if (!request->group && sw_jobid_parse(what, &id) == 0 && !id.step[0] &&
	    (advise_recorded(request, advice, history, settings, &id) == 0 ||
	     advise_element(request, advice, history, settings, &id) == 0))
		return 0;
	errno = ENOENT;
	return -1;
}

static void print_groups(const struct sw_group_names *names)
{
	char runs[64], folded[64], shown[512];
	size_t i;

	for (i = 0; i < names->count; i++) {
		snprintf(runs, sizeof(runs), "%zu run%s", names->items[i].runs,
			 names->items[i].runs == 1 ? "" : "s");
		snprintf(folded, sizeof(folded), " (%zu names)",
			 names->items[i].names);
		printf("%-12s %s%s\n", runs,
		       sw_escape_terminal(shown, sizeof(shown),
					  names->items[i].name),
		       names->items[i].names > 1 ? folded : "");
	}
}

static void print_groups_json(const struct sw_group_names *names)
{
	struct json_object *root = sw_json_new(), *array, *item;
	size_t i;

	sw_json_text(root, "schema", "stepwell.groups/1");
	array = sw_json_array(root, "groups");
	for (i = 0; i < names->count; i++) {
		item = sw_json_item(array);
		sw_json_text(item, "group", names->items[i].name);
		sw_json_number(item, "runs", names->items[i].runs);
		if (names->items[i].names > 1)
			sw_json_number(item, "names", names->items[i].names);
	}
	sw_json_print(stdout, root);
}

/* Without a name, list the groups. */
static int list_groups(const struct request *request,
		       struct sw_history *history,
		       const struct sw_settings *settings)
{
	struct sw_group_names names;
	struct sw_error error;
	int status = SW_EXIT_OK;

	if (sw_group_names_init_folded(
		    &names, history, sw_settings_policy(settings), &error) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	else if (request->is_json)
		print_groups_json(&names);
	else
		print_groups(&names);
	if (status == SW_EXIT_OK && !names.count)
		status = sw_complain(SW_EXIT_NOTHING_FOUND, "the history has "
				     "no jobs yet; \"stepwell import\" adds "
				     "past runs from recordings, sacct, "
				     "Nextflow or CSV");
	sw_group_names_fini(&names);
	return status;
}

static int ask_history(const struct request *request,
		       const struct sw_settings *settings)
{
	struct sw_history *history;
	struct sw_advice advice;
	struct sw_error error;
	int status;

	history = sw_import_ready(settings, &error);
	if (!history)
		return complain_history(request, NULL, &error);
	if (request->is_list) {
		status = list_groups(request, history, settings);
		sw_history_close(history);
		return status;
	}
	if (advise(request, &advice, history, settings, &error) < 0) {
		status = complain_history(request, history, &error);
	} else {
		status = show(request, &advice,
			      sw_history_was_damaged(history));
		sw_advice_fini(&advice);
	}
	sw_history_close(history);
	return status;
}

static int suggest(struct request *request, const struct sw_settings *settings)
{
	int status = request->script ? read_script(request, settings) :
				       SW_EXIT_OK;

	return status == SW_EXIT_OK ? ask_history(request, settings) : status;
}

/* True for an existing file, unless the word is a job id. */
static bool is_script(const char *what)
{
	struct sw_jobid id;
	struct stat status;

	if (strchr(what, '/') && access(what, F_OK) == 0)
		return true;
	return sw_jobid_parse(what, &id) < 0 && stat(what, &status) == 0 &&
	       S_ISREG(status.st_mode);
}

/* Tell the script from the job group among the operands. */
static int find_script(struct request *request)
{
	if (request->is_write && !request->apply)
		return sw_complain(SW_EXIT_USAGE, "suggest: --write needs "
				   "--apply SCRIPT");
	if (request->apply && (request->is_json || request->dialect))
		return sw_complain(SW_EXIT_USAGE, "suggest: --apply prints a "
				   "diff; --json and --dialect exclude it");
	request->script = request->apply;
	if (!request->apply && request->what && is_script(request->what)) {
		request->script = request->what;
		request->what = NULL;
	}
	return SW_EXIT_OK;
}

static int check(struct request *request, int operands)
{
	int status = find_script(request);

	request->options.is_exact = request->group != NULL;
	if (status == SW_EXIT_OK)
		status = read_risk(request);
	if (status == SW_EXIT_OK)
		status = read_input(request);
	if (status == SW_EXIT_OK)
		status = read_dialect(request);
	if (status != SW_EXIT_OK)
		return status;
	if (operands > 1)
		return sw_complain(SW_EXIT_USAGE, "suggest: name one job, "
				   "group or script");
	request->is_list = operands == 0 && !request->group &&
		!request->script;
	return SW_EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct request request = { .what = NULL };
	char names[SW_DIALECT_NAMES_SIZE];
	const struct sw_option options[] = {
		{ "group=GROUP", NULL, &request.group,
		 "the job group to base advice on, or a pattern" },
		{ "apply=SCRIPT", NULL, &request.apply,
		 "print the change to SCRIPT as a diff" },
		{ "dialect=NAME", NULL, &request.dialect,
		 strcat(sw_dialect_names(names), " or json") },
		{ "risk=LEVEL", NULL, &request.risk, "low, medium or high" },
		{ "input=BYTES", NULL, &request.input,
		 "size of the input of the next run" },
		{ "json", &request.is_json, NULL, "print JSON" },
		{ "write", &request.is_write, NULL,
		 "with --apply: change SCRIPT; the original is kept beside it" },
		{ NULL, NULL, NULL, NULL },
	};
	struct sw_settings *settings;
	int first, status;

	first = sw_options_parse(&sw_verb_suggest, argc, argv, options);
	if (first < 0)
		return sw_options_exit(first);
	if (request.dialect && !strcmp(request.dialect, "list"))
		return print_dialects();
	request.what = first < argc ? argv[first] : NULL;
	status = check(&request, argc - first);
	if (status != SW_EXIT_OK)
		return status;
	settings = sw_load_settings(true);
	if (!settings)
		return SW_EXIT_FAILURE;
	status = suggest(&request, settings);
	sw_settings_free(settings);
	return status;
}

const struct sw_verb sw_verb_suggest = {
	.name = "suggest",
	.usage = "[OPTION]... [JOBID|GROUP|SCRIPT]",
	.help = "what to request next time, from past runs",
	.manual = "stepwell-suggest(1)",
	.run = run,
};
