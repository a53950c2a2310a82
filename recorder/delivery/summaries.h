/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that users cannot change: a row per step and the digest of each
 * profile, in one file per node and day.  It is written by a process of the
 * directory's owner, the system user "stepwell": neither root nor a job's user.
 */
#ifndef SW_RECORDER_SUMMARIES_H
#define SW_RECORDER_SUMMARIES_H

#include <stdint.h>

#include "common/error.h"
#include "common/limits.h"
#include "common/protocol.h"
#include "profiles/digest.h"

/* Job part of both kinds of rows.  Numbers may be SW_MISSING. */
struct sw_summary_job {
	char cluster[SW_MESSAGE_NAME_SIZE], name[SW_MESSAGE_NAME_SIZE];
	struct sw_job_key key;
};

/* A step on this node; times are CLOCK_REALTIME. */
struct sw_summary_step {
	struct sw_summary_job job;
	char step_id[32], backend[32], final_source[16];
	uint64_t start_usec, end_usec;
	uint64_t task_count, node_task_count, node_count, node_index;
	uint64_t requested_cpus_milli, requested_memory_bytes, input_bytes;
	uint64_t wait_status, is_armed, samples, lost_samples;
	uint64_t usage_usec, user_usec, system_usec, throttled_usec;
	uint64_t peak_cores_milli;
	uint64_t need_bytes, floor_bytes, peak_bytes, oom_kills;
	uint64_t read_bytes, written_bytes;
	uint64_t cpu_some_usec, memory_full_usec, io_full_usec;
	uint64_t gpu_count, gpu_seen_usec, gpu_busy_usec, gpu_memory_bytes;
	/* Its largest wait; "": none */
	uint64_t stall_usec, stall_idle_usec, stall_intervals;
	char stall_kind[16], stall_fs[16], stall_mount[128];
	/* What limited it: see STEP_FIELDS. */
	uint64_t limited_usec[SW_LIMITED_BY_RESOURCES];
	uint64_t disk_bytes_per_sec, net_bytes_per_sec;
	char failed_program[64], failed_cause[16];
};

/* Set all numbers to missing, all strings to "". */
void sw_summary_step_init(struct sw_summary_step *step);

/* A finished profile */
struct sw_summary_profile {
	struct sw_summary_job job;
	char file[256];
	char digest[SW_DIGEST_SIZE];
	uint64_t bytes, end_usec;
};

/*
 * Fork the writer for the directory, which must be owned by a user other than
 * root and not be writable by others.  Return this end of its socket, or -1
 * with *error.  The writer ends with this process; the next one of the day
 * continues its file.
 */
int sw_summaries_start(const char *folder, struct sw_error *error);

/* Send a row; it is lost if it cannot be sent immediately.  Return 0 or -1. */
int sw_summaries_step(int socket_fd, const struct sw_summary_step *step);
int sw_summaries_profile(int socket_fd,
			 const struct sw_summary_profile *profile);

#endif
