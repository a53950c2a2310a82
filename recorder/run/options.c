/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of "stepwell run": one table for parser and help text. */
#include "recorder/run/options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/escape.h"
#include "common/missing.h"
#include "common/text.h"
#include "common/units.h"
#include "recorder/log/say.h"
#include "recorder/sampler/period.h"
#include "recorder/tables/identity.h"

#define NOT_STARTED "the command was not started"

enum { QUOTED_SIZE = 64 };

struct option_row {
	const char *name;
	char letter;		/* as in sbatch; '\0': none */
	const char *argument;	/* NULL: none */
	const char *help;	/* NULL: internal option */
	int (*set)(struct sw_options *options, const char *value);
	const char *expected;	/* accepted values, for messages */
};

/* Parse "4" or "0.5" to thousandths of a CPU, independent of the locale. */
static int cpus_parse(const char *text, uint64_t *milli)
{
	uint64_t value = 0, unit = 1000;
	bool is_fraction = false;
	const char *p;

	for (p = text; *p; p++) {
		if (*p == '.' && !is_fraction && p != text && p[1]) {
			is_fraction = true;
			continue;
		}
		if (*p < '0' || *p > '9')
			goto invalid;
		if (!is_fraction)
			value = value * 10 + (uint64_t)(*p - '0') * 1000;
		else
			value += (uint64_t)(*p - '0') * (unit /= 10);
		if (value > SW_CPUS_MILLI_MAX)
			goto invalid;
	}
	if (value == 0)
		goto invalid;
	*milli = value;
	return 0;
invalid:
	errno = EINVAL;
	return -1;
}

static int set_name(struct sw_options *options, const char *value)
{
	options->name = value;
	return *value ? 0 : -1;
}

static int set_cpus(struct sw_options *options, const char *value)
{
	return cpus_parse(value, &options->cpus_milli);
}

static int set_memory(struct sw_options *options, const char *value)
{
	return sw_size_parse(value, &options->memory_bytes);
}

static int set_time(struct sw_options *options, const char *value)
{
	return sw_time_limit_parse(value, &options->time_usec);
}

static int set_period(struct sw_options *options, const char *value)
{
	uint64_t period;

	if (sw_period_parse(value, &period) < 0 ||
	    period < SW_PERIOD_USEC_MIN || period > SW_PERIOD_USEC_MAX)
		return -1;
	options->period_usec = period;
	return 0;
}

/* Invalid counters are reported later, and the command runs. */
static int set_counters(struct sw_options *options, const char *value)
{
	options->counters = value;
	return 0;
}

static int set_components(struct sw_options *options, const char *value)
{
	options->components = value;
	return 0;
}

static int set_events_file(struct sw_options *options, const char *value)
{
	options->events_file = value;
	return *value ? 0 : -1;
}

static int set_output(struct sw_options *options, const char *value)
{
	options->output = value;
	return *value ? 0 : -1;
}

static int set_reporter(struct sw_options *options, const char *value)
{
	options->reporter = value;
	return *value ? 0 : -1;
}

static int set_force(struct sw_options *options, const char *value)
{
	(void)value;
	options->is_forced = true;
	return 0;
}

static int set_brief(struct sw_options *options, const char *value)
{
	(void)value;
	options->has_report = true;
	return 0;
}

static int set_no_report(struct sw_options *options, const char *value)
{
	(void)value;
	options->has_report = false;
	return 0;
}

static int set_foreground(struct sw_options *options, const char *value)
{
	(void)value;
	options->is_foreground = true;
	return 0;
}

static int set_attach(struct sw_options *options, const char *value)
{
	options->is_attached = true;
	return sw_attach_parse(&options->attach, value);
}

static int set_members(struct sw_options *options, const char *value)
{
	(void)value;
	options->is_attached = options->has_members = true;
	return 0;
}

/* "12" or "12_3", from LSF */
static int set_lsf_job(struct sw_options *options, const char *value)
{
	char text[SW_JOBID_TEXT_SIZE + 4];

	options->job_of = "lsf";
	if (sw_jobid_parse(value, &options->job) < 0 || options->job.step[0])
		return -1;
	snprintf(text, sizeof(text), "job %s", sw_jobid_text(&options->job).s);
	sw_say_of(text);
	return 0;
}

static int set_limits_note(struct sw_options *options, const char *value)
{
	options->limits_note = value;
	return 0;
}

static int set_nodes(struct sw_options *options, const char *value)
{
	char *end;

	errno = 0;
	options->node_count = strtoull(value, &end, 10);
	return *value < '1' || *value > '9' || *end || errno ? -1 : 0;
}

static int set_help(struct sw_options *options, const char *value)
{
	(void)value;
	options->is_help = true;
	return 0;
}

static int set_version(struct sw_options *options, const char *value)
{
	(void)value;
	options->is_version = true;
	return 0;
}

static const struct option_row rows[] = {
	{ .name = "name", .letter = 'J', .argument = "NAME", .set = set_name,
	  .expected = "a name of at least one character",
	  .help = "name of the recording (default: the program's name)" },
	{ .name = "cpus", .letter = 'c', .argument = "NUMBER", .set = set_cpus,
	  .expected = "a number of CPUs above 0, such as 4 or 0.5",
	  .help = "CPUs that the command is meant to use" },
	{ .name = "mem", .argument = "SIZE", .set = set_memory,
	  .expected = "a size above 0, such as 500M, 12G or 1.5T",
	  .help = "memory that the command is meant to need" },
	{ .name = "time", .letter = 't', .argument = "LIMIT", .set = set_time,
	  .expected = "a time above 0, such as 30, 1:30:00 or 2-12",
	  .help = "time that the command is meant to take, as in sbatch" },
	{ .name = "period", .argument = "TIME", .set = set_period,
	  .expected = "a time from 10ms to 1h, such as 500ms, 1s or 1m",
	  .help = "fixed time between samples (default: 100ms for the first\n"
		  "two seconds, then 1s, longer in runs of hours)" },
	{ .name = "counters", .argument = "NAMES", .set = set_counters,
	  .help = "counters of the processor, at most 8, by PAPI's names or\n"
		  "its own: PAPI_DP_OPS,PAPI_TOT_INS,spr::TOPDOWN:SLOTS" },
	{ .name = "papi-events-file", .argument = "FILE",
	  .set = set_events_file, .expected = "the name of a file",
	  .help = "\nPAPI's names from this file, not from PAPI's own" },
	{ .name = "papi-components", .argument = "NAMES",
	  .set = set_components,
	  .help = "\ncomponents of PAPI to read of the node, at most 8" },
	{ .name = "output", .argument = "FILE", .set = set_output,
	  .expected = "the name of a file",
	  .help = "the profile (default: a new file in\n"
		  "$XDG_STATE_HOME/stepwell, ~/.local/state/stepwell)" },
	{ .name = "force", .set = set_force,
	  .help = "replace FILE if it exists" },
	{ .name = "brief", .set = set_brief,
	  .help = "end with a brief report on standard error (default)" },
	{ .name = "no-report", .set = set_no_report,
	  .help = "record only" },
	{ .name = "help", .set = set_help, .help = "show this" },
	{ .name = "version", .set = set_version, .help = "show the version" },
	{ .name = "foreground", .set = set_foreground },
	{ .name = "reporter", .argument = "PATH", .set = set_reporter,
	  .expected = "the path of stepwell" },
	{ .name = "attach", .argument = "PID:TICKS", .set = set_attach,
	  .expected = "a process and its start" },
	{ .name = "members", .set = set_members },
	{ .name = "lsf-job", .argument = "ID", .set = set_lsf_job,
	  .expected = "a job of LSF, such as 12 or 12_3" },
	{ .name = "limits-note", .argument = "TEXT", .set = set_limits_note },
	{ .name = "nodes", .argument = "NUMBER", .set = set_nodes,
	  .expected = "a number of nodes" },
};

enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

static int complain_option(char **argv, int status, struct sw_error *error)
{
	char quoted[QUOTED_SIZE];

	sw_escape_terminal(quoted, sizeof(quoted), argv[optind - 1]);
	return sw_error_set(error, "run: option '%s' %s; " NOT_STARTED
			    " (stepwell run --help)", quoted,
			    status == ':' ? "needs a value" :
					    "is unknown, is ambiguous or takes "
					    "no value");
}

static int complain_value(const struct option_row *row, const char *value,
			  struct sw_error *error)
{
	char quoted[QUOTED_SIZE];

	sw_escape_terminal(quoted, sizeof(quoted), value);
	return sw_error_set(error, "run: --%s '%s' is not %s; " NOT_STARTED,
			    row->name, quoted, row->expected);
}

static void fill_names(struct option *names, char *letters, size_t size)
{
	int i;

	snprintf(letters, size, "+:hV");
	for (i = 0; i < ROW_COUNT; i++) {
		names[i].name = rows[i].name;
		names[i].has_arg = rows[i].argument ? required_argument :
						      no_argument;
		if (rows[i].letter)
			sw_text_add(letters, size, "%c%s", rows[i].letter,
				    rows[i].argument ? ":" : "");
	}
}

/* Return the row of an option letter, or -1. */
static int find_letter(int letter)
{
	int i;

	for (i = 0; i < ROW_COUNT; i++) {
		if (rows[i].letter && rows[i].letter == letter)
			return i;
	}
	return -1;
}

static int parse_rows(struct sw_options *options, int argc, char **argv,
		      struct sw_error *error)
{
	struct option names[ROW_COUNT + 1] = { { 0 } };
	char letters[3 * ROW_COUNT + 8];
	int found;

	fill_names(names, letters, sizeof(letters));
	opterr = 0;
	optind = 0;
	while (!options->is_help && !options->is_version) {
		int status = getopt_long(argc, argv, letters, names, &found);

		if (status == -1)
			break;
		options->is_help |= status == 'h';
		options->is_version |= status == 'V';
		if (status == 'h' || status == 'V')
			break;
		if (status != 0)
			found = find_letter(status);
		if (found < 0)
			return complain_option(argv, status, error);
		if (rows[found].set(options, optarg) < 0)
			return complain_value(&rows[found], optarg, error);
	}
	return 0;
}

/* Read the input size from the environment; an invalid value is not fatal. */
static void take_input(struct sw_options *options)
{
	const char *text = getenv(SW_INPUT_WORD);

	options->input_bytes = SW_MISSING;
	if (!text || sw_bytes_parse(text, &options->input_bytes) == 0)
		return;
	options->input_reason = SW_INPUT_REASON;
	sw_say("%s; the size of the input is not recorded", SW_INPUT_REASON);
}

int sw_options_parse(struct sw_options *options, int argc, char **argv,
		     struct sw_error *error)
{
	*options = (struct sw_options){
		.cpus_milli = SW_MISSING,
		.memory_bytes = SW_MISSING,
		.time_usec = SW_MISSING,
		.period_usec = SW_MISSING,
		.node_count = SW_MISSING,
		.has_report = true,
	};
	if (parse_rows(options, argc, argv, error) < 0)
		return -1;
	if (options->is_help || options->is_version)
		return 0;
	if (!options->is_foreground)
		return sw_error_set(error, "the recorder is started by "
				    "\"stepwell run\", not directly; nothing "
				    "was recorded");
	if (optind >= argc || !argv[optind][0])
		return sw_error_set(error, "run: no command given, so there "
				    "is nothing to record (stepwell run "
				    "[OPTION...] -- COMMAND...)");
	options->command = argv + optind;
	take_input(options);
	return 0;
}

static void help_row(const struct option_row *row)
{
	const char *text = row->help, *end;
	char left[32], letter[8];

	if (!text)
		return;
	snprintf(letter, sizeof(letter), "    ");
	if (row->letter)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	snprintf(left, sizeof(left), "%s--%s%s%s", letter, row->name,
		 row->argument ? " " : "", row->argument ? row->argument : "");
	while ((end = strchr(text, '\n'))) {
		printf("  %-20s %.*s\n", left, (int)(end - text), text);
		left[0] = '\0';
		text = end + 1;
	}
	printf("  %-20s %s\n", left, text);
}

int sw_options_help(void)
{
	int i;

	printf("Usage: stepwell run [OPTION...] -- COMMAND [ARGUMENT...]\n"
	       "Record COMMAND and end with a brief report on standard error.  "
	       "A pipe is\n"
	       "recorded whole by: stepwell run -- sh -c 'A | B'\n"
	       "\n");
	for (i = 0; i < ROW_COUNT; i++)
		help_row(&rows[i]);
	printf("\n"
	       "The exit status is COMMAND's: 127 if it was not found, 126 if "
	       "it could not be\n"
	       "executed, 128+N if signal N killed it; 2 for a usage error, 1 "
	       "if --output FILE\n"
	       "could not be created. See stepwell-run(1) for details.\n");
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : -1;
}
