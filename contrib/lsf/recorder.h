/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting the recorder, apart from the job. */
#ifndef SW_LSF_RECORDER_H
#define SW_LSF_RECORDER_H

#include "contrib/lsf/job.h"
#include "contrib/lsf/shell.h"

/*
 * Have the job's shell (NULL: it was not found, which goes to the log) recorded
 * by a process that is no child of this one and has none of its descriptors.
 * Waits until it records, for seconds at most.  Cannot fail.
 */
void sw_lsf_record(const struct sw_lsf_job *job,
		   const struct sw_lsf_shell *shell, const char *program);

#endif
