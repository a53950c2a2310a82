/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report at the end of a job, into its error file.  A child that may do
 * nothing makes the text from a copy of the profile, this process cleans it,
 * and another child (report_write.h), which alone ever holds the job's file,
 * does the one write.  A hook may wait for that; it goes on without it.
 */
#ifndef SW_RECORDER_REPORT_JOB_H
#define SW_RECORDER_REPORT_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "common/protocol.h"
#include "recorder/delivery/report_nodes.h"
#include "recorder/delivery/report_write.h"

enum {
	SW_REPORT_LINES_MAX = 12,
	SW_REPORT_TEXT_SIZE = 2 * SW_REPORT_BYTES_MAX,
};

enum sw_report_job_state {
	SW_REPORT_JOB_GOES_ON = 0,
	SW_REPORT_JOB_WRITTEN,
	SW_REPORT_JOB_NO_FILE,	/* the job has no file to write to */
	SW_REPORT_JOB_FOREIGN,	/* it is another user's */
	SW_REPORT_JOB_UNWRITABLE,	/* it takes no more */
	SW_REPORT_JOB_FAILED,
};

struct sw_report_job {
	enum sw_report_job_state state;
	pid_t reporter;		/* 0: none */
	pid_t writer;		/* 0: none; a killed one may still hang */
	int text_fd;		/* the report as it comes; -1: it is here */
	int write_fd;		/* to the writer */
	uint32_t uid;
	uint64_t until_usec;
	char *text;		/* of SW_REPORT_TEXT_SIZE; NULL: none */
	size_t length;
};

/* Of a batch script, unless the user or the administrator wants none. */
bool sw_report_job_is_wanted(const struct sw_message_step *step);

/*
 * Begin: the profile is the open file, the hook's message with the job's error
 * file lies in the socket peer_fd, and is taken from there.  -1 with *error: it
 * was not.  0 also with *error, where it will come to nothing.  With nodes it
 * waits for the profiles of the job's other nodes; NULL: there are none.
 */
int sw_report_job_begin(struct sw_report_job *report, const char *reporter,
			int profile_fd, int peer_fd,
			const struct sw_message_step *step,
			const struct sw_report_nodes *nodes,
			struct sw_error *error);

/* No report is wanted there: have a child let go of the file in its place. */
void sw_report_job_let_go(struct sw_report_job *report, int peer_fd,
			  const struct sw_message_step *step);

/* What to poll() for; -1: SIGCHLD tells. */
int sw_report_job_fd(const struct sw_report_job *report);

/* Go on; how it is now. */
enum sw_report_job_state sw_report_job_advance(struct sw_report_job *report);

/* Give it up. */
void sw_report_job_stop(struct sw_report_job *report);

/* A child was waited for; true where it was the writer: this one is free. */
bool sw_report_job_reaped(struct sw_report_job *report, pid_t pid, int status);

#endif
