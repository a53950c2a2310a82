/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory that a job of LSF requested, as its site means it. */
#ifndef SW_ANALYZER_LSF_REQUEST_H
#define SW_ANALYZER_LSF_REQUEST_H

#include "analyzer/records/lsf_line.h"
#include "common/lsf_memory.h"

/* Bytes, and of what; SW_MISSING where rusage[] does not say one number. */
struct sw_lsf_memory sw_lsf_request_memory(const struct sw_lsf_job *job,
					   const struct sw_lsf_site *site);

/* On each of its hosts; NAN: not known. */
double sw_lsf_request_on_host(const struct sw_lsf_job *job,
			      const struct sw_lsf_site *site);

#endif
