/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "summary": exit of the command, and gaps of the recording. */
#ifndef SW_RECORDER_SUMMARY_H
#define SW_RECORDER_SUMMARY_H

#include <stdint.h>
#include <sys/resource.h>

#include "profiles/writer.h"

struct sw_summary {
	uint64_t step;			/* its key in the profile */
	uint64_t end_usec;
	int wait_status;		/* -1: not known */
	const struct rusage *usage;	/* NULL: reaped by another process */
	uint64_t reaped_user_usec, reaped_system_usec;
	const char *final_source;	/* source of the last sample */
	uint64_t samples, lost_samples;
	uint64_t leftover_processes;
	uint64_t cpu_before_usec;	/* of earlier recordings */
	uint64_t restart_count;
	const char *sluid;		/* may be NULL */
	/* Start of the job and end of its time limit; 0: not known. */
	uint64_t job_start_seconds, job_limit_seconds;
	int proc_fd;
};

void sw_summary_write(const struct sw_summary *summary,
		      struct sw_writer *writer);

#endif
