/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compute the memory requested by an LSF job under its site's settings. */
#ifndef SW_ANALYZER_LSF_REQUEST_H
#define SW_ANALYZER_LSF_REQUEST_H

#include "analyzer/records/lsf_line.h"
#include "common/lsf_memory.h"

/* Return bytes, and per what; SW_MISSING if rusage[] is not a single number. */
struct sw_lsf_memory sw_lsf_request_memory(const struct sw_lsf_job *job,
					   const struct sw_lsf_site *site);

/* Return the bytes on each of its hosts; NAN: unknown. */
double sw_lsf_request_on_host(const struct sw_lsf_job *job,
			      const struct sw_lsf_site *site);

#endif
