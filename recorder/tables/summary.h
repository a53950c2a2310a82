/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "summary": how the command ended, what the recording missed. */
#ifndef SW_RECORDER_SUMMARY_H
#define SW_RECORDER_SUMMARY_H

#include <stdint.h>
#include <sys/resource.h>

#include "profiles/writer.h"

struct sw_summary {
	uint64_t step;			/* its key in the profile */
	uint64_t end_usec;
	int wait_status;		/* -1: not known */
	const struct rusage *usage;	/* NULL: somebody else waited for it */
	uint64_t reaped_user_usec, reaped_system_usec;
	const char *final_source;	/* where the last sample came from */
	uint64_t samples, lost_samples;
	uint64_t leftover_processes;
	uint64_t cpu_before_usec;	/* the recorder's, of other recordings */
	uint64_t restart_count;
	const char *sluid;		/* NULL */
	/* When the job began and when its time limit ends it; 0: unknown. */
	uint64_t job_start_seconds, job_limit_seconds;
	int proc_fd;
};

void sw_summary_write(const struct sw_summary *summary,
		      struct sw_writer *writer);

#endif
