/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Slurm's accounting keeps of one run of a job: a requeued job has one
 * record for each of its runs.  Numbers that Slurm does not have, and those
 * that cannot be, are SW_MISSING; texts are never NULL, and hold whatever users
 * wrote.
 */
#ifndef SW_ANALYZER_RECORDS_JOB_RECORD_H
#define SW_ANALYZER_RECORDS_JOB_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/accounting/sacct_text.h"
#include "common/job_key.h"
#include "common/job_state.h"

struct sw_record_end {
	enum sw_job_state state;
	uint64_t cancelled_by_uid;	/* SW_MISSING: Slurm does not say */
	uint64_t exit_code;		/* 0 to 255 */
	uint64_t signal;		/* 0: none; 125 marks an OOM kill */
	const char *text;		/* the state as it was printed; NULL */
};

enum sw_record_limit {
	SW_TIME_LIMIT_UNKNOWN, SW_TIME_LIMIT_SET, SW_TIME_LIMIT_UNLIMITED,
	SW_TIME_LIMIT_OF_PARTITION,	/* the partition's, as it was then */
};

struct sw_record_tres {
	uint64_t cpus, memory_bytes, nodes, gpus;
	const char *text;		/* "cpu=4,mem=8G,gres/gpu:a100=2" */
};

/* What was used: a step's; of the job itself mostly the CPU time alone. */
struct sw_record_usage {
	uint64_t cpu_usec;		/* user and system */
	uint64_t task_rss_bytes;	/* largest sampled RSS of one task */
	uint64_t read_bytes, written_bytes;	/* as Slurm counts "fs/disk" */
	uint64_t energy_joules;
	uint64_t average_rss_bytes;	/* of its tasks, of each the largest */
	/* More than its CPUs have in the time: nothing may rest on it. */
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
	struct sw_job_key key;		/* its numbers */
	/* Elements "120_[4-9]" that never started, in one record. */
	bool is_rest_of_array;
	const char *cluster, *user, *account, *partition, *qos, *node_list;
	struct sw_record_end end;
	uint64_t derived_exit_code, derived_signal;	/* worst of its steps */
	/* Since the Epoch; the time limit of the job. */
	uint64_t submit_seconds, eligible_seconds, start_seconds, end_seconds;
	uint64_t elapsed_seconds;
	enum sw_record_limit limit_kind;
	uint64_t limit_seconds;		/* SW_TIME_LIMIT_SET */
	uint64_t requested_bytes;	/* ReqMem, of each what "of" says */
	enum sw_acct_memory_of requested_of;
	struct sw_record_tres requested, allocated;
	uint64_t node_count, task_count;
	struct sw_record_usage used;
	struct sw_step_record *steps;	/* in Slurm's order */
	size_t step_count;
	/* Last, as on the line: only these hold any character. */
	const char *comment, *work_dir, *name;
};

#endif
