/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that users cannot change: each step with its programs, and the digest
 * of each profile, in one file per node and day.  It is written by a process of the
 * directory's owner, the system user "stepwell": neither root nor a job's user.
 */
#ifndef SW_RECORDER_SUMMARIES_H
#define SW_RECORDER_SUMMARIES_H

#include <stdint.h>

#include "common/error.h"
#include "common/limits.h"
#include "common/protocol.h"
#include "common/summary_fields.h"
#include "profiles/digest.h"
#include "recorder/delivery/summary_programs.h"

/* Job part of both kinds of rows.  Numbers may be SW_MISSING. */
struct sw_summary_job {
	char cluster[SW_MESSAGE_NAME_SIZE], job_name[SW_MESSAGE_NAME_SIZE];
	struct sw_job_key key;
};

#define SW_SUMMARY_TEXT(name, size, readers, help) char name[size];
#define SW_SUMMARY_NUMBER(name, unit, kind, readers, help) uint64_t name;

/* A step on this node: a member for each column, which has its description. */
struct sw_summary_step {
	struct sw_summary_job job;
	SW_SUMMARY_STEP_FIELDS(SW_SUMMARY_TEXT, SW_SUMMARY_NUMBER)
	uint64_t limited_usec[SW_LIMITED_BY_RESOURCES];
	SW_SUMMARY_LAST_FIELDS(SW_SUMMARY_TEXT, SW_SUMMARY_NUMBER)
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

/*
 * Send a row; it is lost if it cannot be sent immediately.  programs NULL: it
 * corrects an earlier one.  Return 0 or -1.
 */
int sw_summaries_step(int socket_fd, const struct sw_summary_step *step,
		      const struct sw_summary_programs *programs);
int sw_summaries_profile(int socket_fd,
			 const struct sw_summary_profile *profile);

#endif
