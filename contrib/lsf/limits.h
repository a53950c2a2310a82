/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The job's request, as far as LSF reports it, and how it was interpreted. */
#ifndef SW_LSF_LIMITS_H
#define SW_LSF_LIMITS_H

#include "contrib/lsf/job.h"

enum { SW_LSF_NOTE_SIZE = 512 };

/* "" if not known, or if there is nothing to note. */
struct sw_lsf_limits {
	char memory[24];	     /* on this host, for the recorder */
	char note[SW_LSF_NOTE_SIZE]; /* sentences */
};

/* May block on the file system of lsf.conf. */
void sw_lsf_limits_read(struct sw_lsf_limits *limits,
			const struct sw_lsf_job *job);

#endif
