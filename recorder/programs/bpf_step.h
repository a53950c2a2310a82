/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step that BPF follows, and the processes of all such steps; used by the
 * backend programs_bpf.c and by the code that processes its records.
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
	unsigned owner;		/* number of the job: exec_load.h */
	uint64_t lost_before, lost_told;
	uint64_t failures_lost_before, failures_lost_told;
	size_t event_count, live_count;
	bool has_gaps;		/* an exit was not recorded */
	bool has_no_looks;	/* and will never be sampled */
};

/* Return the table of processes of all steps. */
struct sw_followed_table *sw_bpf_followed(void);

/* Return the step of a process. */
struct sw_bpf_step *sw_bpf_step_of(const struct sw_followed *live);

/*
 * Follow a process; an earlier one with its pid has exited.  task is its index,
 * or -1.  Return NULL if there are too many.
 */
struct sw_followed *sw_bpf_step_add(struct sw_bpf_step *step, pid_t pid,
				    int task);
void sw_bpf_step_remove(struct sw_followed *live);

/* Return whether its processes are sampled, now or once BPF is loaded. */
bool sw_bpf_step_may_sample(const struct sw_bpf_step *step);

/* Return the name of the backend, or NULL if they are not sampled. */
const char *sw_bpf_step_backend(const struct sw_bpf_step *step);
const char *sw_bpf_step_waits_backend(const struct sw_bpf_step *step);

#endif
