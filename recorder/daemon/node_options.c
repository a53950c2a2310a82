/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of "stepwell-recorder --node". */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/protocol.h"
#include "config.h"
#include "recorder/daemon/node.h"

enum option_id {
	NODE = 'n', DETACH = 'd', CLOSE = 'C', SOCKET = 's', SPOOL = 'S', PROFILES = 'p',
	REPORTER = 'r', SETTINGS = 'e', SUMMARIES = 'u', OFF = 'o', DROP = 'D',
	CONF = 'c', PROCESSES = 'P', PRESETS = 'a', FAILED_CALLS = 'F',
	HELP = 'h',
};

enum { PROCESSES_MIN = 64, PROCESSES_MAX = 32768 };

static const struct option long_options[] = {
	{ "node", no_argument, NULL, NODE },
	{ "detach", no_argument, NULL, DETACH },
	{ "close", no_argument, NULL, CLOSE },
	{ "socket", required_argument, NULL, SOCKET },
	{ "spool", required_argument, NULL, SPOOL },
	{ "profile-dir", required_argument, NULL, PROFILES },
	{ "reporter", required_argument, NULL, REPORTER },
	{ "summaries", required_argument, NULL, SUMMARIES },
	{ "settings", required_argument, NULL, SETTINGS },
	{ "off-file", required_argument, NULL, OFF },
	{ "drop-file", required_argument, NULL, DROP },
	{ "slurm-conf", required_argument, NULL, CONF },
	{ "processes", required_argument, NULL, PROCESSES },
	{ "presets", no_argument, NULL, PRESETS },
	{ "failed-calls", no_argument, NULL, FAILED_CALLS },
	{ "help", no_argument, NULL, HELP },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
	"Usage: stepwell-recorder --node [OPTION...]\n"
	"Record every Slurm step on this node, as announced by the Slurm "
	"plugin.\n\n"
	"      --detach            leave the caller's session, cgroup and "
	"files\n"
	"      --close             end and deliver the recordings in the "
	"spool, and exit:\n"
	"                          for the removal from the node\n"
	"      --socket PATH       listen here (" SW_SOCKET_PATH ")\n"
	"      --spool DIR         profiles until they are delivered\n"
	"                          (" SPOOLDIR "/node)\n"
	"      --profile-dir DIR   deliver each user's profiles to DIR/UID\n"
	"                          (as the settings say, else\n"
	"                          " SPOOLDIR "/profiles)\n"
	"      --reporter PATH     the stepwell "
	"program, for job reports\n"
	"                          (" BINDIR "/stepwell)\n"
	"      --summaries DIR     of each step and profile, as DIR's owner\n"
	"                          (" SPOOLDIR "/summaries)\n"
	"      --settings PATH     " SYSCONFDIR "/stepwell/stepwell.yaml\n"
	"      --off-file PATH     exit when "
	"this file exists (" SW_OFF_PATH ")\n"
	"      --drop-file PATH    ends of "
	"steps while no recorder was running\n"
	"                          "
	"(" SW_DROP_PATH ")\n"
	"      --slurm-conf PATH   names the "
	"cluster\n"
	"                          "
	"(/etc/slurm/slurm.conf)\n"
	"      --processes N       to follow "
	"by BPF at a time, of all jobs\n"
	"                          (32768)\n"
	"      --presets           print how many presets of PAPI count "
	"here, and which\n"
	"      --failed-calls      print which failed calls of programs can "
	"be\n"
	"                          seen here, and why not all\n"
	"      --help              this text\n";

/* Return where the option's argument is stored; NULL: no argument. */
static const char **word_of(struct sw_node_options *options, int id)
{
	switch (id) {
	case SOCKET:
		return &options->socket_path;
	case SPOOL:
		return &options->spool;
	case PROFILES:
		return &options->profile_dir;
	case REPORTER:
		return &options->reporter;
	case SUMMARIES:
		return &options->summaries;
	case SETTINGS:
		return &options->settings;
	case OFF:
		return &options->off_path;
	case DROP:
		return &options->drop_path;
	case CONF:
		return &options->slurm_conf;
	default:
		return NULL;
	}
}

static int parse_count(unsigned *count)
{
	char *end;
	unsigned long number = strtoul(optarg, &end, 10);

	if (*end || number < PROCESSES_MIN || number > PROCESSES_MAX) {
		fprintf(stderr, "stepwell-recorder: %s: not a number from %d "
			"to %d\n", optarg, PROCESSES_MIN, PROCESSES_MAX);
		return -1;
	}
	*count = (unsigned)number;
	return 0;
}

static int parse_one(struct sw_node_options *options, int id)
{
	const char **word = word_of(options, id);

	if (word && optarg[0] != '/') {
		fprintf(stderr, "stepwell-recorder: %s: not an absolute "
			"path\n", optarg);
		return -1;
	}
	if (word)
		*word = optarg;
	else if (id == PROCESSES)
		return parse_count(&options->processes_max);
	else if (id == DETACH)
		options->is_detached = true;
	else if (id == CLOSE)
		options->is_closing = true;
	else if (id == PRESETS)
		options->has_presets = true;
	else if (id == FAILED_CALLS)
		options->has_failed_calls = true;
	else if (id == HELP)
		options->is_help = true;
	else if (id != NODE)
		return -1;	/* getopt_long() has printed the reason */
	return 0;
}

int sw_node_options_parse(struct sw_node_options *options, int argc,
			  char **argv)
{
	int id;

	*options = (struct sw_node_options){
		.socket_path = SW_SOCKET_PATH,
		.spool = SPOOLDIR "/node",
		.reporter = BINDIR "/stepwell",
		.summaries = SPOOLDIR "/summaries",
		.settings = SYSCONFDIR "/stepwell/stepwell.yaml",
		.off_path = SW_OFF_PATH,
		.drop_path = SW_DROP_PATH,
	};
	while ((id = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (parse_one(options, id) < 0)
			return -1;
	}
	if (optind < argc) {
		fprintf(stderr, "stepwell-recorder: %s: unexpected argument\n",
			argv[optind]);
		return -1;
	}
	if (options->is_help)
		fputs(help, stdout);
	return 0;
}
