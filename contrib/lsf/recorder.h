/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts the recorder, detached from the job. */
#ifndef SW_LSF_RECORDER_H
#define SW_LSF_RECORDER_H

#include "contrib/lsf/job.h"
#include "contrib/lsf/process.h"

/*
 * Record the job's shell (NULL: not found, which is logged) in a process that
 * is not a child of this one and has none of its descriptors.  Waits some
 * seconds at most until it is recording.  Cannot fail.
 */
void sw_lsf_record(const struct sw_lsf_job *job,
		   const struct sw_lsf_process *shell, const char *program);

/*
 * Likewise on a host of the job without its shell: until the process
 * "stepwell-host keep ID" is terminated.
 */
void sw_lsf_record_host(const struct sw_lsf_job *job);

/* Run that process.  Returns when it has finished recording. */
void sw_lsf_keep_host(const struct sw_lsf_job *job);

#endif
