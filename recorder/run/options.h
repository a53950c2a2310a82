/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of "stepwell run", as passed to the recorder. */
#ifndef SW_RECORDER_OPTIONS_H
#define SW_RECORDER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/jobid.h"
#include "recorder/run/attach.h"

enum { SW_CPUS_MILLI_MAX = 1000000000 };	/* a million CPUs */

/* Numbers are SW_MISSING and strings NULL if the option was not given. */
struct sw_options {
	const char *name;
	uint64_t cpus_milli;
	uint64_t memory_bytes;
	uint64_t time_usec;
	uint64_t period_usec;
	uint64_t input_bytes;		/* from the environment */
	const char *input_reason;	/* why it could not be read */
	const char *counters, *components, *events_file;
	const char *output;
	const char *reporter;
	struct sw_attach attach; /* in place of the command; pid 0: none */
	bool is_attached;
	bool has_members;	/* further processes on stdin */
	const char *job_of; /* "lsf"; NULL: no job */
	struct sw_jobid job;
	uint64_t node_count; /* of that job */
	const char *limits_note; /* how its request was determined */
	bool is_foreground;
	bool is_forced;
	bool has_report;
	bool is_help;
	bool is_version;
	char **command;		/* NULL-terminated, part of argv */
};

/*
 * Parse argv; strings point into it.  With --help or --version, the rest is
 * ignored.  Return 0, or -1 with *error: a usage error.
 */
int sw_options_parse(struct sw_options *options, int argc, char **argv,
		     struct sw_error *error);

/* Print the help text to standard output.  Return -1 on a write error. */
int sw_options_help(void);

#endif
