/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step that BPF follows, and the processes of all such steps.  Between
 * programs_bpf.c, which is the backend, and what takes its records.
 */
#ifndef SW_RECORDER_BPF_STEP_H
#define SW_RECORDER_BPF_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/bpf/account.h"
#include "recorder/bpf/followed.h"
#include "recorder/programs/polling.h"
#include "recorder/programs/programs_internal.h"
#include "recorder/waits/wait_tally.h"

struct sw_bpf_step {
	struct sw_programs *programs;
	struct sw_account account;
	struct sw_wait_tally waits;
	struct sw_polling polling;
	unsigned owner;		/* the job's number: exec_load.h */
	uint64_t lost_before, lost_told;
	uint64_t failures_lost_before, failures_lost_told;
	size_t event_count, live_count;
	bool has_gaps;		/* an end was not told */
	bool has_no_looks;	/* and will have none */
};

/* Of all steps. */
struct sw_followed_table *sw_bpf_followed(void);

/* The step of a process. */
struct sw_bpf_step *sw_bpf_step_of(const struct sw_followed *live);

/*
 * Follow a process; what had its number before has ended.  task: by number, -1
 * where it is of none.  NULL: there are too many.
 */
struct sw_followed *sw_bpf_step_add(struct sw_bpf_step *step, pid_t pid,
				    int task);
void sw_bpf_step_remove(struct sw_followed *live);

/* Its processes are looked at: now, or as soon as BPF is up. */
bool sw_bpf_step_may_sample(const struct sw_bpf_step *step);

/* By what; NULL: they are not. */
const char *sw_bpf_step_backend(const struct sw_bpf_step *step);
const char *sw_bpf_step_waits_backend(const struct sw_bpf_step *step);

#endif
