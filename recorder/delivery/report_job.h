/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report at the end of a job, in its error file.  An unprivileged child
 * makes the text from a copy of the profile, this process sanitizes it, and
 * another child (report_write.h), which is the only one to hold the job's file,
 * writes it at once.  A hook may wait for that; the report does not depend on
 * it.
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
	SW_REPORT_JOB_FOREIGN,	/* file of another user */
	SW_REPORT_JOB_UNWRITABLE,	/* disk full, or quota */
	SW_REPORT_JOB_FAILED,
};

struct sw_report_job {
	enum sw_report_job_state state;
	pid_t reporter;		/* 0: none */
	pid_t writer;		/* 0: none; a killed one may still hang */
	int text_fd;		/* receives the report; -1: complete */
	int write_fd;		/* to the writer */
	uint32_t uid;
	uint64_t until_usec;
	char *text;		/* SW_REPORT_TEXT_SIZE bytes; NULL: none */
	size_t length;
};

/* What makes the report's text, and histories FOLDER/UID.sqlite ("": none). */
struct sw_report_by {
	const char *reporter;
	const char *history_dir;
};

/* Return true for a batch script whose report is not disabled. */
bool sw_report_job_is_wanted(const struct sw_message_step *step);

/*
 * Begin a report.  The profile is an open file; the hook's message with the
 * job's error file is in the socket peer_fd, and is received from there.
 * Return -1 with *error if not.  Return 0 also with *error if there will be no
 * report.  With nodes, wait for the profiles of the job's other nodes; NULL:
 * none.
 */
int sw_report_job_begin(struct sw_report_job *report,
			const struct sw_report_by *by,
			int profile_fd, int peer_fd,
			const struct sw_message_step *step,
			const struct sw_report_nodes *nodes,
			struct sw_error *error);

/* No report is wanted: let a child close the file. */
void sw_report_job_let_go(struct sw_report_job *report, int peer_fd,
			  const struct sw_message_step *step);

/* Return the descriptor to poll(); -1: wait for SIGCHLD. */
int sw_report_job_fd(const struct sw_report_job *report);

/* Advance the report; return its state. */
enum sw_report_job_state sw_report_job_advance(struct sw_report_job *report);

/* Give up. */
void sw_report_job_stop(struct sw_report_job *report);

/* Handle a reaped child.  Return true if it was the writer, now done. */
bool sw_report_job_reaped(struct sw_report_job *report, pid_t pid, int status);

#endif
