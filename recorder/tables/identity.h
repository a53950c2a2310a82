/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables "identity" and "steps": subject, place and settings. */
#ifndef SW_RECORDER_IDENTITY_H
#define SW_RECORDER_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/job_key.h"
#include "profiles/writer.h"

/* Numbers may be SW_MISSING and texts NULL; long texts are truncated. */
struct sw_identity {
	const char *origin; /* "run", "slurm" or "lsf" */
	const char *cluster, *name, *program;
	struct sw_job_key job;
	uint64_t gid, node_count;
	uint64_t start_usec;		/* of the first step */
	uint64_t period_usec;
	uint64_t node_cpus, node_memory_bytes;
	int proc_fd;
};

/* The start of a step.  Values as above. */
struct sw_step_start {
	uint64_t step;			/* its key in this profile */
	const char *step_id;		/* "run", "batch", "0", "12" */
	uint64_t start_usec;
	uint64_t root_pid;
	const char *backend, *backend_reason;
	uint64_t requested_cpus_milli, requested_memory_bytes;
	uint64_t requested_time_usec;
	uint64_t available_cpus_milli, available_memory_bytes;
	const char *programs_source;	/* "bpf", "perf", "proc" or "none" */
	const char *programs_reason;	/* why no better one; NULL, "" */
	const char *failures_source;	/* "functions"; NULL: not known */
	const char *failures_reason;	/* why not; NULL: it is, or no BPF */
	uint64_t task_count, node_task_count, node_count, node_index;
	uint64_t job_task_count;	/* requested; only for the script */
	uint64_t is_armed;		/* 1: watched before it executed */
	uint64_t gpu_count;		/* allocated to it on this node */
	const char *gpu_list;		/* "0,3"; NULL */
	uint64_t input_bytes;		/* as specified by the user */
	const char *input_reason;	/* why that was not used, or NULL */
	const char *limits_note;	/* how its request was read, or NULL */
};

/* The user's variable for input_bytes, and why one may be rejected. */
#define SW_INPUT_WORD "STEPWELL_INPUT_BYTES"
#define SW_INPUT_REASON SW_INPUT_WORD " is not a positive number of bytes"

/* Write one row.  Return 0, or -1 with *error. */
int sw_identity_write(const struct sw_identity *identity,
		      struct sw_writer *writer, struct sw_error *error);
int sw_step_start_write(const struct sw_step_start *start,
			struct sw_writer *writer, struct sw_error *error);

/*
 * Convert the name of a host or a cluster to a part of a profile's name:
 * characters that are not safe in a file name become "_", and so does "."
 * unless has_dots.
 */
void sw_identity_plain(char *out, size_t size, const char *text,
		       bool has_dots);

/* Return the last component of a path, or the path itself if it has none. */
const char *sw_identity_basename(const char *path);

#endif
