/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's history of past runs, for the report at the end of a job. */
#ifndef SW_RECORDER_REPORT_HISTORY_H
#define SW_RECORDER_REPORT_HISTORY_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Return true if the user can read a history, in the own home or at
 * FOLDER/UID.sqlite (folder "": none), and set the home.  A process of the user
 * looks; if it takes too long, as on a file server that does not answer, there
 * is none.  Blocks: for a child of the recorder.
 */
bool sw_report_has_history(uid_t uid, gid_t gid, const char *folder,
			   char home[PATH_MAX]);

#endif
