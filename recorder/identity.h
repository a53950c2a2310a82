/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables "identity" and "steps": who is recorded, where, and how. */
#ifndef SW_RECORDER_IDENTITY_H
#define SW_RECORDER_IDENTITY_H

#include <sys/types.h>

#include "profiles/writer.h"
#include "recorder/cgroup.h"
#include "recorder/limits.h"
#include "recorder/options.h"

struct sw_identity {
	const struct sw_options *options;
	const struct sw_limits *limits;
	const struct sw_cgroup *cgroup;
	int proc_fd;
	pid_t root_pid;
	uint64_t start_usec;		/* of the step */
	uint64_t period_usec;
	const char *tools_source;	/* "bpf", "perf", "proc" or "none" */
	const char *tools_reason;	/* why no better one; NULL or "": none */
};

/* Write both rows.  Returns 0, or -1 with *error. */
int sw_identity_write(const struct sw_identity *identity,
		      struct sw_writer *writer, struct sw_error *error);

/* What a path's last component is; the path itself if it has none. */
const char *sw_identity_basename(const char *path);

#endif
