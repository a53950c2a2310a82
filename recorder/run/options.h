/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of "stepwell run", as the recorder gets them. */
#ifndef SW_RECORDER_OPTIONS_H
#define SW_RECORDER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/jobid.h"
#include "recorder/run/attach.h"

enum { SW_CPUS_MILLI_MAX = 1000000000 };	/* a million CPUs */

/* Numbers are SW_MISSING and strings NULL where the option was not given. */
struct sw_options {
	const char *name;
	uint64_t cpus_milli;
	uint64_t memory_bytes;
	uint64_t time_usec;
	uint64_t period_usec;
	uint64_t input_bytes;		/* of the environment */
	const char *input_reason;	/* why that was not read */
	const char *counters, *components, *events_file;
	const char *output;
	const char *reporter;
	struct sw_attach attach; /* in place of the command; pid 0: none */
	bool is_attached;
	bool has_members;	/* more processes of it come by stdin */
	const char *job_of; /* "lsf"; NULL: it is of no job */
	struct sw_jobid job;
	uint64_t node_count; /* of that job */
	const char *limits_note; /* how its request was read */
	bool is_foreground;
	bool is_forced;
	bool has_report;
	bool is_help;
	bool is_version;
	char **command;		/* NULL-terminated, part of argv */
};

/*
 * Parse argv; strings point into it.  With --help or --version what else was
 * given is not looked at.  Returns 0, or -1 with *error: a usage error.
 */
int sw_options_parse(struct sw_options *options, int argc, char **argv,
		     struct sw_error *error);

/* Print the help text to standard output; -1 when it could not be written. */
int sw_options_help(void);

#endif
