/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepwell-slurmdb: accepts the options of sacct(1) that stepwell uses, and
 * prints the same output, from slurmdbd by libslurm.
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "slurmdb/query.h"
#include "slurmdb/states.h"

enum { EXIT_USAGE = 2 };

enum choice {
	OPTION_HELP = 1, OPTION_VERSION, OPTION_HELPFORMAT, OPTION_ALWAYS,
	OPTION_DUPLICATES,
	OPTION_DELIMITER, OPTION_STATE, OPTION_START, OPTION_END, OPTION_FORMAT,
};

static const struct option_row {
	const char *name;
	int argument;
	enum choice choice;
	const char *help;
} rows[] = {
	{ "help", no_argument, OPTION_HELP, "print this" },
	{ "version", no_argument, OPTION_VERSION,
	  "print the release of Slurm that it is for" },
	{ "helpformat", no_argument, OPTION_HELPFORMAT,
	  "print the names of all fields" },
	{ "starttime", required_argument, OPTION_START,
	  "jobs that ended from then on, as utsSECONDS since 1970" },
	{ "endtime", required_argument, OPTION_END, "... until then" },
	{ "state", required_argument, OPTION_STATE,
	  "in these states (BF,CA,CD,DL,F,NF,OOM,PR,RQ,RS,RV,TO)" },
	{ "format", required_argument, OPTION_FORMAT, "these fields" },
	{ "delimiter", required_argument, OPTION_DELIMITER,
	  "what separates fields (|)" },
	{ "duplicates", no_argument, OPTION_DUPLICATES,
	  "all runs of jobs that were requeued" },
	{ "allusers", no_argument, OPTION_ALWAYS, "always so" },
	{ "parsable2", no_argument, OPTION_ALWAYS, "always so" },
	{ "noheader", no_argument, OPTION_ALWAYS, "always so" },
	{ "noconvert", no_argument, OPTION_ALWAYS, "always so" },
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

struct arguments {
	struct sw_slurmdb_query query;
	struct sw_slurmdb_format format;
	const char *states, *fields;
};

static void die(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

static void die(int status, const char *format, ...)
{
	va_list arguments;

	fputs("stepwell-slurmdb: error: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(status);
}

static void print_help(void)
{
	size_t i;

	puts("usage: stepwell-slurmdb --starttime utsN --endtime utsN "
	     "--state LIST --format LIST");
	for (i = 0; i < ROWS; i++)
		printf("  --%-12s %s\n", rows[i].name, rows[i].help);
}

static time_t read_time(const char *text)
{
	char *end = NULL;
	long long value = -1;

	errno = 0;
	if (!strncmp(text, "uts", 3))
		value = strtoll(text + 3, &end, 10);
	if (!end || end == text + 3 || *end || errno || value <= 0)
		die(EXIT_USAGE, "%s is not a time like uts1780000000", text);
	return (time_t)value;
}

static void take_option(struct arguments *to, enum choice choice)
{
	switch (choice) {
	case OPTION_HELP:
		print_help();
		exit(EXIT_SUCCESS);
	case OPTION_VERSION:
		printf("stepwell-slurmdb for Slurm %d.%02d.%d\n",
		       SLURM_VERSION_NUMBER >> 16,
		       SLURM_VERSION_NUMBER >> 8 & 0xff,
		       SLURM_VERSION_NUMBER & 0xff);
		exit(EXIT_SUCCESS);
	case OPTION_HELPFORMAT:
		sw_slurmdb_print_names(stdout);
		exit(EXIT_SUCCESS);
	case OPTION_DUPLICATES:
		to->query.has_all_runs = true;
		break;
	case OPTION_DELIMITER:
		to->format.delimiter = optarg;
		break;
	case OPTION_STATE:
		to->states = optarg;
		break;
	case OPTION_START:
		to->query.from = read_time(optarg);
		break;
	case OPTION_END:
		to->query.until = read_time(optarg);
		break;
	case OPTION_FORMAT:
		to->fields = optarg;
		break;
	case OPTION_ALWAYS:
		break;
	}
}

static void read_options(struct arguments *to, int argc, char **argv)
{
	struct option options[ROWS + 1];
	const char *unknown;
	int found;
	size_t i;

	memset(options, 0, sizeof(options));
	for (i = 0; i < ROWS; i++) {
		options[i].name = rows[i].name;
		options[i].has_arg = rows[i].argument;
		options[i].val = (int)rows[i].choice;
	}
	while ((found = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (found == '?')
			exit(EXIT_USAGE);
		take_option(to, (enum choice)found);
	}
	if (optind < argc || !to->query.from || !to->query.until ||
	    !to->states || !to->fields)
		die(EXIT_USAGE, "--starttime, --endtime, --state and --format "
		    "are needed; see --help");
	if (sw_slurmdb_format_read(&to->format, to->fields, &unknown) < 0)
		die(EXIT_USAGE, "unknown field: %s", unknown);
}

/* Get the names of resources and QOS, including deleted ones. */
static void get_names(struct arguments *to)
{
	slurmdb_tres_cond_t tres;
	slurmdb_qos_cond_t qos;

	memset(&tres, 0, sizeof(tres));
	memset(&qos, 0, sizeof(qos));
	tres.with_deleted = 1;
#ifdef QOS_COND_FLAG_WITH_DELETED
	qos.flags = QOS_COND_FLAG_WITH_DELETED;
#else
	qos.with_deleted = 1;
#endif
	to->format.tres_list = slurmdb_tres_get(to->query.connection, &tres);
	to->format.qos_list = slurmdb_qos_get(to->query.connection, &qos);
	if (!to->format.tres_list || !to->format.qos_list)
		die(EXIT_FAILURE, "the database did not answer: %s",
		    slurm_strerror(errno));
}

/* slurm_init() exits if there is no slurm.conf. */
static void connect_to_slurm(struct arguments *to)
{
	slurm_init(NULL);
	to->query.states = sw_slurmdb_states_read(to->states);
	if (!to->query.states)
		die(EXIT_USAGE, "unknown state in %s", to->states);
	if (slurm_conf.cluster_name) {
		to->query.clusters = slurm_list_create(NULL);
		slurm_list_append(to->query.clusters, slurm_conf.cluster_name);
	}
	errno = 0;
	to->query.connection = slurmdb_connection_get(NULL);
	if (errno || !to->query.connection)
		die(EXIT_FAILURE, "no connection to the database: %s",
		    slurm_strerror(errno));
	get_names(to);
}

int main(int argc, char **argv)
{
	struct arguments arguments;

	memset(&arguments, 0, sizeof(arguments));
	arguments.format.delimiter = "|";
	read_options(&arguments, argc, argv);
	connect_to_slurm(&arguments);
	if (sw_slurmdb_print_jobs(stdout, &arguments.query,
				  &arguments.format) < 0)
		die(EXIT_FAILURE, "the database did not answer: %s",
		    slurm_strerror(errno));
	if (fflush(stdout) != 0 || ferror(stdout))
		die(EXIT_FAILURE, "cannot write: %s", strerror(errno));
	slurmdb_connection_close(&arguments.query.connection);
	return EXIT_SUCCESS;
}
