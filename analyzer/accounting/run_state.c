/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert between states of jobs and states of runs, of which advice has
 * fewer. */
#include "analyzer/accounting/run_state.h"

enum sw_run_state sw_run_state_of_job(enum sw_job_state state)
{
	static const enum sw_run_state of_end[SW_JOB_ENDS] = {
		[SW_JOB_END_OTHER] = SW_RUN_UNKNOWN,
		[SW_JOB_END_COMPLETED] = SW_RUN_COMPLETED,
		[SW_JOB_END_FAILED] = SW_RUN_FAILED,
		[SW_JOB_END_OUT_OF_MEMORY] = SW_RUN_OUT_OF_MEMORY,
		[SW_JOB_END_TIME] = SW_RUN_TIMEOUT,
		/* More time would not have helped it. */
		[SW_JOB_END_DEADLINE] = SW_RUN_CANCELLED,
		[SW_JOB_END_NODE] = SW_RUN_CANCELLED,
		[SW_JOB_END_CANCELLED] = SW_RUN_CANCELLED,
		[SW_JOB_END_REQUEUED] = SW_RUN_CANCELLED,
	};

	return of_end[sw_job_state_end(state)];
}

enum sw_job_state sw_job_state_of_run(enum sw_run_state state)
{
	static const enum sw_job_state of_run[] = {
		[SW_RUN_UNKNOWN] = SW_JOB_UNKNOWN,
		[SW_RUN_COMPLETED] = SW_JOB_COMPLETED,
		[SW_RUN_FAILED] = SW_JOB_FAILED,
		[SW_RUN_OUT_OF_MEMORY] = SW_JOB_OUT_OF_MEMORY,
		[SW_RUN_TIMEOUT] = SW_JOB_TIMEOUT,
		[SW_RUN_CANCELLED] = SW_JOB_CANCELLED,
	};

	return of_run[state];
}
