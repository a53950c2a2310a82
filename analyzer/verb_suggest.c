/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell suggest: what to ask for next time. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/import.h"
#include "analyzer/suggest.h"
#include "analyzer/verb.h"
#include "common/units.h"

struct request {
	const char *what;	/* job, group or script */
	const char *group, *dialect, *risk, *input;
	bool is_json;
	const struct sw_dialect *words;		/* of the dialect */
	struct sw_advice_options options;
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

/* Bytes, or with a unit behind them. */
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

	if (!strcmp(name, "json")) {
		request->is_json = true;
		name = sw_dialects[0]->name;
	}
	request->words = sw_dialect_find(name);
	if (request->words)
		return SW_EXIT_OK;
	return sw_complain(SW_EXIT_USAGE, "suggest: no dialect \"%s\"; there "
			   "are sbatch, srun, lsf, nextflow, snakemake and "
			   "json", name);
}

/* Something can be said: advice, or that all fits. */
static bool has_advice(const struct sw_advice *advice)
{
	size_t i;

	for (i = 0; i < advice->count; i++) {
		if (!advice->suggestions[i].is_refused)
			return true;
	}
	return false;
}

static int show(const struct request *request, const struct sw_advice *advice,
		bool is_partial)
{
	struct sw_report_style style = sw_style_of_stdout();
	struct sw_ask ask;

	sw_ask_init(&ask, advice);
	if (request->is_json)
		sw_suggest_json(stdout, &ask);
	else
		sw_suggest_text(stdout, &ask, request->words, &style);
	if (is_partial)
		return SW_EXIT_PARTIAL;
	return has_advice(advice) ? SW_EXIT_OK : SW_EXIT_NOTHING_FOUND;
}

static int complain_history(const struct sw_error *error)
{
	if (errno == ENOENT)
		return sw_complain(SW_EXIT_NOTHING_FOUND, "%s; \"stepwell "
				   "import\" takes past runs from recordings, "
				   "sacct, Nextflow or CSV", error->text);
	return sw_complain(errno == ENOTUNIQ ? SW_EXIT_USAGE :
			   SW_EXIT_FAILURE, "%s", error->text);
}

static int suggest(const struct request *request,
		   const struct sw_settings *settings)
{
	struct sw_history *history;
	struct sw_advice advice;
	struct sw_error error;
	int status;

	history = sw_import_ready(settings, &error);
	if (!history)
		return complain_history(&error);
	if (sw_advice_init(&advice, history, request->group ? request->group :
			   request->what, settings, &request->options,
			   &error) < 0) {
		status = complain_history(&error);
	} else {
		status = show(request, &advice,
			      sw_history_was_damaged(history));
		sw_advice_fini(&advice);
	}
	sw_history_close(history);
	return status;
}

static int check(struct request *request, int operands)
{
	int status = read_risk(request);

	if (status == SW_EXIT_OK)
		status = read_input(request);
	if (status == SW_EXIT_OK)
		status = read_dialect(request);
	if (status != SW_EXIT_OK)
		return status;
	if (operands > 1 || (operands == 0 && !request->group))
		return sw_complain(SW_EXIT_USAGE, "suggest: name one job, "
				   "group or script");
	return SW_EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct request request = { .what = NULL };
	const struct sw_option options[] = {
		{ "json", &request.is_json }, { NULL, NULL },
	};
	const struct sw_value_option values[] = {
		{ "group", &request.group },
		{ "dialect", &request.dialect },
		{ "risk", &request.risk },
		{ "input", &request.input }, { NULL, NULL },
	};
	struct sw_settings *settings;
	struct sw_error error;
	int first, status;

	first = sw_options_parse_values(argc, argv, options, values);
	if (first < 0)
		return SW_EXIT_USAGE;
	request.what = first < argc ? argv[first] : NULL;
	status = check(&request, argc - first);
	if (status != SW_EXIT_OK)
		return status;
	settings = sw_settings_load(NULL, &error);
	if (!settings)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	status = suggest(&request, settings);
	sw_settings_free(settings);
	return status;
}

const struct sw_verb sw_verb_suggest = {
	.name = "suggest",
	.usage = "[--dialect NAME] [--risk low|medium|high]\n"
		 "                         [--input BYTES] [--group GROUP] "
		 "[--json]\n"
		 "                         JOBID|GROUP",
	.help = "what to ask for next time, from past runs",
	.run = run,
};
