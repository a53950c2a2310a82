/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell backtest: waste and failures of each method on past runs. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history_beside.h"
#include "analyzer/backtest/backtest.h"
#include "analyzer/backtest/backtest_print.h"
#include "analyzer/settings/settings.h"
#include "analyzer/verbs/group_names.h"
#include "analyzer/verbs/verb.h"
#include "common/text.h"
#include "common/units.h"

#define HOW_TO_FILL "\"stepwell run\" and \"stepwell import\" add runs " \
	"to it"

/* Parsed options. */
struct request {
	const struct sw_method *method;	/* NULL: all */
	struct sw_policy policy;
	struct sw_replay_options replay;
	struct sw_trace_options trace;
	const char *trace_path;		/* NULL: the history */
	bool is_of_steps, has_workflows, is_csv, is_json;
};

struct word {
	const char *text;
	int value;
};

static const struct word risks[] = {
	{ "low", SW_RISK_LOW }, { "medium", SW_RISK_MEDIUM },
	{ "high", SW_RISK_HIGH }, { NULL, 0 },
};

static const struct word inputs[] = {
	{ "any", SW_TRACE_INPUT_ANY }, { "known", SW_TRACE_INPUT_KNOWN },
	{ "none", SW_TRACE_INPUT_NONE }, { NULL, 0 },
};

static const struct word protocols[] = {
	{ "online", SW_REPLAY_ONLINE }, { "sizey", SW_REPLAY_SIZEY },
	{ NULL, 0 },
};

/* Value of a word, or -1 after an error; the first value if text is NULL. */
static int take_word(const char *option, const char *text,
		     const struct word *words)
{
	char list[128] = "";
	const struct word *word;

	if (!text)
		return words->value;
	for (word = words; word->text; word++) {
		if (!strcmp(word->text, text))
			return word->value;
		sw_text_add(list, sizeof(list), "%s%s", *list ? ", " : "",
			    word->text);
	}
	sw_complain(SW_EXIT_USAGE, "backtest: --%s %s: must be one of %s",
		    option, text, list);
	return -1;
}

static int take_method(struct request *request, const char *text)
{
	const struct sw_method *const *method;
	char list[256] = "";

	if (!text)
		return 0;
	request->method = sw_method_find(text);
	if (request->method)
		return 0;
	for (method = sw_methods; *method; method++)
		sw_text_add(list, sizeof(list), "%s%s", *list ? ", " : "",
			    (*method)->name);
	sw_complain(SW_EXIT_USAGE, "backtest: no method \"%s\"; there are %s",
		    text, list);
	return -1;
}

struct words {
	const char *method, *risk, *time_to_failure, *input;
	const char *protocol, *seed, *node_memory;
};

static int take_numbers(struct request *request, const struct words *words)
{
	uint64_t bytes;

	if (words->seed && sw_count_parse(words->seed, 0, UINT64_MAX,
					  &request->replay.seed) < 0) {
		sw_complain(SW_EXIT_USAGE, "backtest: --seed %s: not a whole "
			    "number", words->seed);
		return -1;
	}
	if (words->node_memory) {
		if (sw_size_parse(words->node_memory, &bytes) < 0) {
			sw_complain(SW_EXIT_USAGE, "backtest: --node-memory "
				    "%s: not a size like 256G",
				    words->node_memory);
			return -1;
		}
		request->policy.cap_bytes = (double)bytes;
	}
	if (words->time_to_failure) {
		char *end;
		double value = strtod(words->time_to_failure, &end);

		if (end == words->time_to_failure || *end ||
		    !(value >= 0 && value <= 1)) {
			sw_complain(SW_EXIT_USAGE, "backtest: "
				    "--time-to-failure %s: not a share from 0 "
				    "to 1", words->time_to_failure);
			return -1;
		}
		request->policy.time_to_failure = value;
	}
	return 0;
}

static int take_options(struct request *request, const struct words *words)
{
	int risk = words->risk ? take_word("risk", words->risk, risks) :
				 (int)request->policy.risk;
	int input = take_word("input", words->input, inputs);
	int order = take_word("protocol", words->protocol, protocols);

	request->replay.is_warm_only = true;
	if (risk < 0 || input < 0 || order < 0)
		return -1;
	request->policy.risk = (enum sw_risk)risk;
	request->trace.input = (enum sw_trace_input)input;
	request->replay.order = (enum sw_replay_order)order;
	/* Sizey's protocol takes the need from the column "rss". */
	request->trace.is_of_rss = order == SW_REPLAY_SIZEY;
	if (take_method(request, words->method) < 0)
		return -1;
	return take_numbers(request, words);
}

static void print(const struct request *request,
		  const struct sw_backtest_table *backtest)
{
	const struct sw_backtest_page page = {
		.backtest = backtest, .policy = &request->policy,
		.runs = request->trace_path ? "tasks" :
			request->is_of_steps ? "steps" : "jobs",
		.groups = request->trace_path ? "workflows" : "groups",
		.has_workflows = request->has_workflows,
	};

	if (request->is_csv)
		sw_backtest_print_csv(&page);
	else if (request->is_json)
		sw_backtest_print_json(&page);
	else
		sw_backtest_print_text(&page);
}

static int replay(struct request *request, const struct sw_trace *trace)
{
	struct sw_backtest_table backtest;
	int status = SW_EXIT_OK;

	if (isnan(request->policy.cap_bytes))
		request->policy.cap_bytes = sw_backtest_cap(trace);
	if (sw_backtest_all(&backtest, trace, request->method,
			    &request->policy, &request->replay) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "backtest: %s",
				     strerror(errno));
	else if (!backtest.sides[0].result.total.tasks)
		status = sw_complain(SW_EXIT_NOTHING_FOUND, "backtest: nothing "
				     "to replay: none of %zu runs in %zu "
				     "groups began after another of its group "
				     "had ended, with both needs known",
				     trace->rows.read,
				     trace->group_count);
	else
		print(request, &backtest);
	sw_backtest_all_fini(&backtest);
	return status;
}

static int backtest_trace(struct request *request)
{
	struct sw_trace trace;
	struct sw_error error;
	int status;

	if (sw_trace_init(&trace, request->trace_path, &request->trace,
			  &error) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	else
		status = replay(request, &trace);
	if (trace.rows.impossible) {
		sw_complain(SW_EXIT_PARTIAL, "%zu rows with impossible values "
			    "were ignored; the first is %s",
			    trace.rows.impossible, trace.rows.first_impossible);
		if (status == SW_EXIT_OK)
			status = SW_EXIT_PARTIAL;
	}
	sw_trace_fini(&trace);
	return status;
}

static int complain_of_history(const struct sw_error *error)
{
	bool is_damaged = errno == EUCLEAN;

	return sw_complain(SW_EXIT_FAILURE, "%s%s", error->text, is_damaged ?
			   "; \"stepwell import\" moves it aside and rebuilds "
			   "it from recordings" : "");
}

static int backtest_group(struct request *request, struct sw_history *history,
			  const char *group)
{
	struct sw_trace trace;
	struct sw_error error;
	int status;

	if (sw_backtest_past(&trace, history, group, request->is_of_steps,
			     request->trace.input, &error) < 0)
		status = complain_of_history(&error);
	else if (!trace.rows.read)
		status = sw_complain(SW_EXIT_NOTHING_FOUND, "backtest: the "
				     "history has no %s yet; " HOW_TO_FILL,
				     request->is_of_steps ? "steps" : "jobs");
	else
		status = replay(request, &trace);
	sw_trace_fini(&trace);
	return status;
}

static int complain_of_name(struct sw_history *history, const char *what,
			    const struct sw_error *error)
{
	char text[512];

	snprintf(text, sizeof(text), "%s", error->text);
	sw_group_names_add_similar(text, sizeof(text), history, what);
	return sw_complain(SW_EXIT_NOTHING_FOUND, "%s", text);
}

static int backtest_history(struct request *request, const char *path,
			    const char *folder, const char *what)
{
	struct sw_error error;
	struct sw_history *history = sw_history_open_both(
		path, folder, &sw_history_patient, &error);
	char *group = NULL;
	int status;

	if (!history && errno == ENOENT)
		return sw_complain(SW_EXIT_NOTHING_FOUND, "backtest: there is "
				   "no history at %s yet; " HOW_TO_FILL, path);
	if (!history)
		return complain_of_history(&error);
	if (!what || sw_history_find_group(history, what, &group, &error) == 0)
		status = backtest_group(request, history, group);
	else if (errno == ENOENT)
		status = complain_of_name(history, what, &error);
	else
		status = complain_of_history(&error);
	free(group);
	sw_history_close(history);
	return status;
}

/* Settings of the site apply unless an option replaces them. */
static int backtest(struct request *request, const struct words *words,
		    const char *what)
{
	struct sw_error error;
	struct sw_settings *settings = sw_load_settings(true);
	char path[PATH_MAX];
	int status;

	if (!settings)
		return SW_EXIT_FAILURE;
	request->policy = *sw_settings_policy(settings);
	if (take_options(request, words) < 0)
		status = SW_EXIT_USAGE;
	else if (request->trace_path)
		status = backtest_trace(request);
	else if (sw_history_path(sw_settings_history_file(settings), false,
				 path, sizeof(path), &error) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	else
		status = backtest_history(request, path,
					  sw_settings_user_history_dir(settings),
					  what);
	sw_settings_free(settings);
	return status;
}

static int print_methods(void)
{
	const struct sw_method *const *method;

	for (method = sw_methods; *method; method++)
		puts((*method)->name);
	return SW_EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct request request = { 0 };
	struct words words = { 0 };
	bool is_all = false;
	const struct sw_option options[] = {
		{ "trace=FILE", NULL, &request.trace_path,
		 "replay this trace (CSV) instead of the history" },
		{ "method=NAME", NULL, &words.method,
		  "only this method; \"list\" prints the names" },
		{ "risk=LEVEL", NULL, &words.risk,
		 "stepwell's own advice at low, medium or high risk" },
		{ "time-to-failure=SHARE", NULL, &words.time_to_failure,
		 "share of its run time after which an attempt fails, 0 to 1" },
		{ "input=WHEN", NULL, &words.input,
		 "which input sizes may be used: any, known (before the run) "
		 "or none" },
		{ "protocol=NAME", NULL, &words.protocol, "online or sizey" },
		{ "seed=NUMBER", NULL, &words.seed,
		 "seed of the random order of --protocol sizey" },
		{ "node-memory=SIZE", NULL, &words.node_memory,
		 "memory of the largest node" },
		{ "all", &is_all, NULL, "all jobs of the history" },
		{ "steps", &request.is_of_steps, NULL,
		 "replay steps, not whole jobs" },
		{ "workflows", &request.has_workflows, NULL,
		 "also print a table for each workflow or group" },
		{ "csv", &request.is_csv, NULL, "print CSV" },
		{ "json", &request.is_json, NULL, "print JSON" },
		{ NULL, NULL, NULL, NULL },
	};
	int first = sw_options_parse(&sw_verb_backtest, argc, argv, options);

	if (first < 0)
		return sw_options_exit(first);
	if (argc - first + is_all + (request.trace_path != NULL) > 1)
		return sw_complain(SW_EXIT_USAGE, "backtest: name one of "
				   "GROUP, --all and --trace FILE");
	if (request.is_csv && request.is_json)
		return sw_complain(SW_EXIT_USAGE, "backtest: --csv and --json "
				   "exclude each other");
	if (words.method && !strcmp(words.method, "list"))
		return print_methods();
	return backtest(&request, &words, first < argc ? argv[first] : NULL);
}

const struct sw_verb sw_verb_backtest = {
	.name = "backtest",
	.usage = "[OPTION]... [GROUP | --all | --trace FILE]",
	.help = "what other memory requests would have wasted, and which runs "
		"they would have killed",
	.manual = "stepwell-backtest(1)",
	.run = run,
};
