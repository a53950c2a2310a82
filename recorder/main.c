/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell-recorder: the program that "stepwell run" hands over to. */
#include <stdio.h>

#include "config.h"
#include "recorder/foreground.h"
#include "recorder/options.h"
#include "recorder/destination.h"

int main(int argc, char **argv)
{
	struct sw_options options;
	struct sw_error error;

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
