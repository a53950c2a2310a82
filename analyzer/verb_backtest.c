/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell backtest: what each method would have wasted and broken. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/backtest.h"
#include "analyzer/paragraph.h"
#include "analyzer/verb.h"
#include "common/units.h"

enum { METHOD_WIDTH = 16, WORKFLOW_WIDTH = 20 };

/* What the options say. */
struct request {
	const struct sw_method *method;	/* NULL: all */
	struct sw_policy policy;
	struct sw_replay_options replay;
	struct sw_trace_options trace;
	bool is_csv, is_json;
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

/* The value of a word, or -1 after having complained; NULL text: the first. */
static int take_word(const char *option, const char *text,
		     const struct word *words)
{
	char list[128] = "";
	const struct word *word;

	if (!text)
		return words->value;
	for (word = words; word->text; word++) {
		size_t length = strlen(list);

		if (!strcmp(word->text, text))
			return word->value;
		snprintf(list + length, sizeof(list) - length, "%s%s",
			 length ? ", " : "", word->text);
	}
	sw_complain(SW_EXIT_USAGE, "backtest: --%s %s: there is %s", option,
		    text, list);
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
	for (method = sw_methods; *method; method++) {
		size_t length = strlen(list);

		snprintf(list + length, sizeof(list) - length, "%s%s",
			 length ? ", " : "", (*method)->name);
	}
	sw_complain(SW_EXIT_USAGE, "backtest: no method \"%s\"; there is %s",
		    text, list);
	return -1;
}

struct words {
	const char *trace, *method, *risk, *time_to_failure, *input;
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
	int risk = take_word("risk", words->risk, risks);
	int input = take_word("input", words->input, inputs);
	int order = take_word("protocol", words->protocol, protocols);

	request->policy = sw_policy_default;
	request->replay.is_warm_only = true;
	if (risk < 0 || input < 0 || order < 0)
		return -1;
	request->policy.risk = (enum sw_risk)risk;
	request->trace.input = (enum sw_trace_input)input;
	request->replay.order = (enum sw_replay_order)order;
	/* The need of Sizey's protocol is the column "rss". */
	request->trace.is_of_rss = order == SW_REPLAY_SIZEY;
	if (take_method(request, words->method) < 0)
		return -1;
	return take_numbers(request, words);
}

static void print_csv_field(const char *text)
{
	char shown[1024];

	sw_shown(shown, sizeof(shown), text);
	if (!strpbrk(shown, ",\"")) {
		fputs(shown, stdout);
		return;
	}
	putchar('"');
	for (text = shown; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

static void print_csv_row(const struct sw_method *method, const char *workflow,
			  const struct sw_backtest_row *row)
{
	printf("%s,", method->name);
	print_csv_field(workflow);
	printf(",%zu,%.6g,%zu,%zu,", row->tasks, row->wasted_gib_hours,
	       row->failures, row->failed_tasks);
	if (!isnan(row->mean_ratio))
		printf("%.6g", row->mean_ratio);
	putchar('\n');
}

static void print_ratio(double ratio, const char *format)
{
	if (isnan(ratio))
		printf(" %8s", "-");
	else
		printf(format, ratio);
}

static void print_row(const struct sw_method *method, const char *workflow,
		      const struct sw_backtest_row *row)
{
	const struct sw_report_style style = sw_style_of_stdout();

	printf("%-*s ", METHOD_WIDTH, method->name);
	sw_text_print_cell(stdout, workflow, WORKFLOW_WIDTH, &style);
	printf(" %7zu %12.4g %8zu %7.3f%%", row->tasks, row->wasted_gib_hours,
	       row->failures,
	       row->tasks ? 100.0 * (double)row->failed_tasks /
				    (double)row->tasks : 0.0);
	print_ratio(row->mean_ratio, " %8.2f");
	print_ratio(row->median_ratio, " %8.2f");
	print_ratio(row->quality * 100, " %6.1f%%");
	putchar('\n');
}

static void print_header(const struct request *request)
{
	if (request->is_csv) {
		puts("method,workflow,tasks,wastage_gib_h,failures,"
		     "failed_tasks,mean_ratio");
		return;
	}
	printf("%-*s %-*s %7s %12s %8s %8s %8s %8s %7s\n", METHOD_WIDTH,
	       "method", WORKFLOW_WIDTH, "workflow", "tasks", "wasted GiBh",
	       "failures", "failed", "mean", "median", "MAQ");
}

static void print_result(const struct request *request,
			 const struct sw_method *method,
			 const struct sw_trace *trace,
			 const struct sw_backtest_result *result)
{
	void (*print)(const struct sw_method *method, const char *workflow,
		      const struct sw_backtest_row *row) =
		request->is_csv ? print_csv_row : print_row;
	size_t i;

	for (i = 0; i < result->count; i++)
		print(method, trace->workflows[i], &result->rows[i]);
	if (!request->is_csv && result->count > 1)
		print(method, "all", &result->total);
}

static int run_method(const struct request *request,
		      const struct sw_method *method,
		      const struct sw_trace *trace)
{
	struct sw_backtest_result result;

	if (sw_backtest_init(&result, trace, method, &request->policy,
			     &request->replay) < 0) {
		sw_backtest_fini(&result);
		return sw_complain(SW_EXIT_FAILURE, "backtest: %s",
				   strerror(errno));
	}
	print_result(request, method, trace, &result);
	sw_backtest_fini(&result);
	return SW_EXIT_OK;
}

static int run_methods(const struct request *request,
		       const struct sw_trace *trace)
{
	const struct sw_method *const *method;
	int status = SW_EXIT_OK;

	print_header(request);
	if (request->method)
		return run_method(request, request->method, trace);
	for (method = sw_methods; *method && status == SW_EXIT_OK; method++)
		status = run_method(request, *method, trace);
	return status;
}

static int backtest_trace(struct request *request, const char *path)
{
	struct sw_trace trace;
	struct sw_error error;
	int status;

	if (sw_trace_init(&trace, path, &request->trace, &error) < 0) {
		status = sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	} else {
		if (isnan(request->policy.cap_bytes))
			request->policy.cap_bytes = sw_backtest_cap(&trace);
		status = run_methods(request, &trace);
	}
	sw_trace_fini(&trace);
	return status;
}

static int run(int argc, char **argv)
{
	struct request request = { 0 };
	struct words words = { 0 };
	const struct sw_option options[] = {
		{ "csv", &request.is_csv }, { NULL, NULL },
	};
	const struct sw_value_option values[] = {
		{ "trace", &words.trace },
		{ "method", &words.method },
		{ "risk", &words.risk },
		{ "time-to-failure", &words.time_to_failure },
		{ "input", &words.input },
		{ "protocol", &words.protocol },
		{ "seed", &words.seed },
		{ "node-memory", &words.node_memory },
		{ NULL, NULL },
	};
	int first = sw_options_parse_values(argc, argv, options, values);

	if (first < 0 || take_options(&request, &words) < 0)
		return SW_EXIT_USAGE;
	if (!words.trace || first < argc)
		return sw_complain(SW_EXIT_USAGE, "backtest: --trace FILE");
	return backtest_trace(&request, words.trace);
}

const struct sw_verb sw_verb_backtest = {
	.name = "backtest",
	.usage = "--trace FILE [--method M] [--csv]",
	.help = "replays past runs: what each method wastes and breaks",
	.run = run,
};
