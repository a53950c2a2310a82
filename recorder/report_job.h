/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report at the end of a job, into its error file.  A child that may do
 * nothing makes the text from a copy of the profile, this process cleans it,
 * and another child does the one write, which the user's file system may hold
 * up.  That child alone ever holds the job's file: a close(2) may hang as well.
 * Nothing is written after the hook has ceased to wait.
 */
#ifndef SW_RECORDER_REPORT_JOB_H
#define SW_RECORDER_REPORT_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "recorder/protocol.h"

enum { SW_REPORT_BYTES_MAX = 4096, SW_REPORT_LINES_MAX = 12 };

struct sw_report_job {
	pid_t pid;		/* who reports or writes; 0: free */
	int text_fd;		/* the report as it comes; -1: it is here */
	int peer_fd;		/* the hook's message lies there, with the
				 * job's error file; the caller's */
	uint64_t until_usec;
	size_t length;
	char text[2 * SW_REPORT_BYTES_MAX];
};

/*
 * Is a report wanted there?  In Slurm's default file it is, or where the user
 * asked for it, or where the error file is another than the output file.
 */
bool sw_report_job_is_wanted(int proc_fd, const struct sw_message_step *step,
			     bool is_error_apart);

/* Begin: the profile is the open file.  0, or -1 with *error. */
int sw_report_job_begin(struct sw_report_job *report, const char *reporter,
			int profile_fd, int peer_fd, struct sw_error *error);

/* What to poll() for; -1: SIGCHLD tells. */
int sw_report_job_fd(const struct sw_report_job *report);

/* Go on.  True when it is over: written, or given up. */
bool sw_report_job_turn(struct sw_report_job *report, bool is_awaited);

/* What is printable of text, in whole lines of ours; in place. */
size_t sw_report_job_clean(char *text, size_t length);

#endif
