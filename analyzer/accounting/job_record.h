/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's accounting record of one run of a job: a requeued job has one for
 * each run.  Numbers that are absent or impossible are SW_MISSING; texts are
 * never NULL, and hold anything that users wrote.
 */
#ifndef SW_ANALYZER_ACCOUNTING_JOB_RECORD_H
#define SW_ANALYZER_ACCOUNTING_JOB_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/accounting/sacct_text.h"
#include "common/job_key.h"
#include "common/job_state.h"

struct sw_record_end {
	enum sw_job_state state;
	uint64_t cancelled_by_uid;	/* SW_MISSING: unknown */
	uint64_t exit_code;		/* 0 to 255 */
	uint64_t signal;		/* 0: none; 125 marks an OOM kill */
	const char *text;		/* the state as printed; NULL */
};

enum sw_record_limit {
	SW_TIME_LIMIT_UNKNOWN, SW_TIME_LIMIT_SET, SW_TIME_LIMIT_UNLIMITED,
	SW_TIME_LIMIT_OF_PARTITION,	/* the partition's at that time */
};

struct sw_record_tres {
	uint64_t cpus, memory_bytes, nodes, gpus;
	const char *text;		/* "cpu=4,mem=8G,gres/gpu:a100=2" */
};

/* Usage of a step; of the job itself mostly only the CPU time */
struct sw_record_usage {
	uint64_t cpu_usec;		/* user and system */
	uint64_t task_rss_bytes;	/* largest sampled RSS of one task */
	uint64_t read_bytes, written_bytes;	/* as Slurm counts "fs/disk" */
	uint64_t energy_joules;		/* of whole nodes; 0: not measured */
	uint64_t average_rss_bytes;	/* mean over its tasks of their largest
					 * RSS */
	/* More than its CPUs can use in that time: do not rely on it. */
	bool is_cpu_impossible;
};

struct sw_step_record {
	struct sw_jobid id;		/* of its array element, with its step */
	const char *name, *node_list;
	struct sw_record_end end;
	uint64_t submit_seconds, start_seconds, end_seconds, elapsed_seconds;
	uint64_t node_count, task_count;
	struct sw_record_tres allocated;
	struct sw_record_usage used;
};

struct sw_job_record {
	struct sw_jobid id;		/* as people write it: "120_3" */
	struct sw_job_key key;		/* Slurm's numbers of the job */
	/* Elements "120_[4-9]" that never started share one record. */
	bool is_rest_of_array;
	const char *cluster, *user, *account, *partition, *qos, *node_list;
	struct sw_record_end end;
	uint64_t derived_exit_code, derived_signal;	/* worst of its steps */
	/* Seconds since the Epoch; the limit is the job's. */
	uint64_t submit_seconds, eligible_seconds, start_seconds, end_seconds;
	uint64_t elapsed_seconds;
	enum sw_record_limit limit_kind;
	uint64_t limit_seconds;		/* SW_TIME_LIMIT_SET */
	uint64_t requested_bytes;	/* ReqMem, per unit in requested_of */
	enum sw_acct_memory_of requested_of;
	struct sw_record_tres requested, allocated;
	uint64_t node_count, task_count;
	struct sw_record_usage used;
	struct sw_step_record *steps;	/* in Slurm's order */
	size_t step_count;
	/* Last, as on the line: only these can hold any character. */
	const char *comment, *work_dir, *name;
};

#endif
