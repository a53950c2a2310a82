/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepwell-recorder: the program executed by "stepwell run", and with --node
 * the recorder of all Slurm steps on a node.
 */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "recorder/daemon/node.h"
#include "recorder/run/destination.h"
#include "recorder/run/foreground.h"
#include "recorder/run/options.h"

static int run_node(int argc, char **argv)
{
	struct sw_node_options options;

	if (sw_node_options_parse(&options, argc, argv) < 0)
		return SW_EXIT_USAGE;
	if (options.has_presets)
		return sw_node_tell_presets(&options);
	if (options.has_failed_calls)
		return sw_node_tell_failed_calls();
	return options.is_help ? 0 : sw_node_run(&options);
}

int main(int argc, char **argv)
{
	struct sw_options options;
	struct sw_error error;

	if (argc > 1 && strcmp(argv[1], "--node") == 0)
		return run_node(argc, argv);
	if (sw_options_parse(&options, argc, argv, &error) < 0) {
		fprintf(stderr, "stepwell: %s\n", error.text);
		return SW_EXIT_USAGE;
	}
	if (options.is_help)
		return sw_options_help() < 0 ? SW_EXIT_FAILURE : 0;
	if (options.is_version) {
		puts(PACKAGE_NAME " " PACKAGE_VERSION);
		return fflush(stdout) == 0 ? 0 : SW_EXIT_FAILURE;
	}
	return sw_foreground_run(&options);
}
