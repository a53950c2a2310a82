/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The evidence that no user can change: of each step a row, of each profile
 * its digest, in one file per node and day.  A process of the folder's owner
 * writes it, the system user "stepwell": neither root's nor a job's user.
 */
#ifndef SW_RECORDER_SUMMARIES_H
#define SW_RECORDER_SUMMARIES_H

#include <stdint.h>

#include "common/error.h"
#include "common/limits.h"
#include "common/protocol.h"
#include "profiles/digest.h"

/* Of a job: part of both kinds of rows.  Numbers may be SW_MISSING. */
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
	/* Most of what it waited for; "" likewise. */
	uint64_t stall_usec, stall_idle_usec, stall_intervals;
	char stall_kind[16], stall_fs[16], stall_mount[128];
	/* What limited it: see STEP_FIELDS. */
	uint64_t limited_usec[SW_LIMITED_BY_RESOURCES];
	uint64_t disk_bytes_per_sec, net_bytes_per_sec;
	char failed_program[64], failed_cause[16];
};

/* All numbers missing, no texts. */
void sw_summary_step_init(struct sw_summary_step *step);

/* A profile that is finished. */
struct sw_summary_profile {
	struct sw_summary_job job;
	char file[256];
	char digest[SW_DIGEST_SIZE];
	uint64_t bytes, end_usec;
};

/*
 * Fork the writer for the folder, which has to be owned by a user that is not
 * root and closed to others' writes.  Returns this end of its socket, or -1
 * with *error.  The writer ends when this process does; what it has is gone on
 * with by the next one of the day.
 */
int sw_summaries_start(const char *folder, struct sw_error *error);

/* Hand over a row; what cannot be taken at once is lost.  0 or -1. */
int sw_summaries_step(int socket_fd, const struct sw_summary_step *step);
int sw_summaries_profile(int socket_fd,
			 const struct sw_summary_profile *profile);

#endif
