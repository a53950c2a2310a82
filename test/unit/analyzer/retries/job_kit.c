/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of jobs for tests. */
#include "test/unit/analyzer/retries/job_kit.h"

#include <string.h>

#include "common/units.h"

struct sw_job_record kit_job(uint64_t id, uint64_t submit, uint64_t end,
			     enum sw_job_state state)
{
	const struct sw_record_tres tres = {
		.cpus = 4,
		.memory_bytes = 4 * SW_GIB,
		.nodes = 1,
		.gpus = 0,
		.text = "cpu=4,mem=4G,node=1",
	};
	struct sw_job_record job = {
		.key = SW_JOB_KEY_MISSING,
		.cluster = "c",
		.user = "alice",
		.account = "lab",
		.partition = "short",
		.qos = "normal",
		.node_list = "n1",
		.end = { state, SW_MISSING, state == SW_JOB_FAILED, 0,
			 NULL },
		.derived_exit_code = 0,
		.derived_signal = 0,
		.submit_seconds = submit,
		.eligible_seconds = submit,
		.start_seconds = submit + 10,
		.end_seconds = end,
		.elapsed_seconds = end - submit - 10,
		.limit_kind = SW_TIME_LIMIT_SET,
		.limit_seconds = 36000,
		.requested_bytes = 4 * SW_GIB,
		.requested_of = SW_ACCT_OF_NODE,
		.requested = tres,
		.allocated = tres,
		.node_count = 1,
		.comment = "",
		.work_dir = "/home/alice",
		.name = "align",
	};

	job.key.job_id = id;
	job.key.uid = 1000;
	return job;
}

struct sw_job_record kit_with_gib(struct sw_job_record job, uint64_t gib)
{
	job.requested.memory_bytes = gib * SW_GIB;
	job.allocated.memory_bytes = gib * SW_GIB;
	return job;
}

struct sw_job_record kit_exit(struct sw_job_record job, uint64_t code)
{
	job.end.state = SW_JOB_FAILED;
	job.end.exit_code = code;
	return job;
}

struct sw_job_record kit_element(struct sw_job_record job, uint64_t array,
				 uint64_t element)
{
	job.key.array_job_id = array;
	job.key.array_task_id = element;
	return job;
}

struct sw_job_record kit_on_node(struct sw_job_record job, const char *node)
{
	job.node_list = node;
	return job;
}
