/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes of the job that were not started by its other processes: tasks of
 * blaunch are children of LSF's daemons.
 */
#ifndef SW_LSF_MEMBERS_H
#define SW_LSF_MEMBERS_H

#include "contrib/lsf/job.h"
#include "contrib/lsf/process.h"

/*
 * Write a line "PID:TICKS" to fd for each of them, until SIGTERM arrives, the
 * recorder exits, or there was none for a day.  With shell, its tree is
 * omitted.
 */
void sw_lsf_members_watch(const struct sw_lsf_job *job,
			  const struct sw_lsf_process *shell, int fd,
			  pid_t recorder);

/* Block the signals that end the watch, before it begins. */
void sw_lsf_members_hold(void);

#endif
