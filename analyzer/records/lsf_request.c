/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compute the memory requested by an LSF job under its site's settings. */
#include "analyzer/records/lsf_request.h"

#include <math.h>

#include "common/missing.h"

struct sw_lsf_memory sw_lsf_request_memory(const struct sw_lsf_job *job,
					   const struct sw_lsf_site *site)
{
	uint64_t unit = site && site->unit_bytes ? site->unit_bytes
						 : SW_LSF_UNIT_DEFAULT;
	struct sw_lsf_memory memory = { .bytes = SW_MISSING };

	/* Only the effective request includes the queue's. */
	if (job->effective_res_req)
		memory = sw_lsf_memory_read(job->effective_res_req, unit);
	if (sw_is_missing(memory.bytes) && !memory.is_bad && job->res_req)
		memory = sw_lsf_memory_read(job->res_req, unit);
	if (memory.per == SW_LSF_PER_SITE)
		memory.per = site && site->reserves_per_task ? SW_LSF_PER_TASK
							     : SW_LSF_PER_HOST;
	return memory;
}

double sw_lsf_request_on_host(const struct sw_lsf_job *job,
			      const struct sw_lsf_site *site)
{
	struct sw_lsf_memory memory = sw_lsf_request_memory(job, site);
	double nodes = job->run.nodes > 1 ? job->run.nodes : 1;

	if (sw_is_missing(memory.bytes))
		return NAN;
	if (memory.per == SW_LSF_PER_HOST)
		return (double)memory.bytes;
	if (memory.per == SW_LSF_PER_TASK)
		return (double)memory.bytes *
		       ceil(job->run.requested_cores / nodes);
	return (double)memory.bytes / nodes;
}
