/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting the recorder, apart from the job. */
#ifndef SW_LSF_RECORDER_H
#define SW_LSF_RECORDER_H

#include "contrib/lsf/job.h"
#include "contrib/lsf/process.h"

/*
 * Have the job's shell (NULL: it was not found, which goes to the log) recorded
 * by a process that is no child of this one and has none of its descriptors.
 * Waits until it records, for seconds at most.  Cannot fail.
 */
void sw_lsf_record(const struct sw_lsf_job *job,
		   const struct sw_lsf_process *shell, const char *program);

/*
 * The same on a host of the job where its shell is not: until a process that
 * is called "stepwell-host keep ID" is told to end.
 */
void sw_lsf_record_host(const struct sw_lsf_job *job);

/* That process.  Returns when it has recorded. */
void sw_lsf_keep_host(const struct sw_lsf_job *job);

#endif
