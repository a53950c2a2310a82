/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choose the job to report if several users claim it. */
#ifndef SW_ANALYZER_VERBS_REPORT_USER_H
#define SW_ANALYZER_VERBS_REPORT_USER_H

#include "analyzer/recordings/jobfiles.h"

/* uid of a user's name or number; SW_MISSING: no such user. */
uint64_t sw_uid_of_user(const char *user);

/*
 * Keep the files of the user who was named, or else of the one with verified
 * files, or else of the job's user in accounting.  user and id may be NULL.
 */
void sw_report_choose_user(const char *user, const struct sw_jobid *id,
			   struct sw_jobfiles *files);

#endif
