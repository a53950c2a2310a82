/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The current job, from LSF's environment. */
#ifndef SW_LSF_JOB_H
#define SW_LSF_JOB_H

#include <stdbool.h>

#include "common/jobid.h"

/* Texts for the recorder's options; "" if not known. */
struct sw_lsf_job {
	char id[SW_JOBID_TEXT_SIZE];	/* "12", "12_3" */
	char number[24], index[24];	/* "12", "3"; "0": no array */
	char hosts[24];			/* of the whole job */
	bool has_many;			/* several hosts */
	bool is_first;			/* this host runs the script */
	char slots[24];			/* on this host */
	const char *name;		/* in the environment, untrusted */
};

/* Return false if there is no job. */
bool sw_lsf_job_read(struct sw_lsf_job *job, const char *this_host);

#endif
