/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose job is reported, where several users say that it is theirs. */
#ifndef SW_ANALYZER_VERBS_REPORT_USER_H
#define SW_ANALYZER_VERBS_REPORT_USER_H

#include "analyzer/recordings/jobfiles.h"

/*
 * Keep the files of the user who was named, else of who is vouched for, else
 * of whom accounting names.  user and id may be NULL.
 */
void sw_report_choose_user(const char *user, const struct sw_jobid *id,
			   struct sw_jobfiles *files);

#endif
