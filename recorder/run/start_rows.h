/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first rows of a run's profile: its identity, and how it is observed. */
#ifndef SW_RECORDER_START_ROWS_H
#define SW_RECORDER_START_ROWS_H

#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "profiles/writer.h"
#include "recorder/cgroup/available.h"
#include "recorder/run/options.h"

struct sw_programs;

struct sw_start_rows {
	const struct sw_options *options;
	const struct sw_available *available;
	const struct sw_programs *programs; /* NULL: none */
	const char *backend, *backend_reason;
	uint64_t start_usec;
	pid_t root_pid;
	int proc_fd;
};

/* Return 0, or -1 with *error. */
int sw_start_rows_write(const struct sw_start_rows *start,
			struct sw_writer *writer, struct sw_error *error);

#endif
