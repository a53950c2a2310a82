/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes of the job that no process of it has started: tasks of blaunch are
 * children of LSF's daemons.
 */
#ifndef SW_LSF_MEMBERS_H
#define SW_LSF_MEMBERS_H

#include "contrib/lsf/job.h"
#include "contrib/lsf/process.h"

/*
 * Write each to fd, "PID:TICKS" a line, until a signal to end comes, recorder
 * has ended, or for a day there was none.  With shell, none of its tree.
 */
void sw_lsf_members_watch(const struct sw_lsf_job *job,
			  const struct sw_lsf_process *shell, int fd,
			  pid_t recorder);

/* Block what ends the watch, before there is anything to end. */
void sw_lsf_members_hold(void);

#endif
