/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A step that BPF follows, and the processes of all such steps. */
#include "recorder/programs/bpf_step.h"

#include "recorder/bpf/bpf_up.h"
#include "recorder/bpf/snapshot.h"
#include "recorder/bpf/waits.h"
#include "recorder/programs/spinning.h"

static struct sw_followed_table followed;

struct sw_followed_table *sw_bpf_followed(void)
{
	return &followed;
}

struct sw_bpf_step *sw_bpf_step_of(const struct sw_followed *live)
{
	return live->owner;
}

void sw_bpf_step_remove(struct sw_followed *live)
{
	struct sw_bpf_step *step = sw_bpf_step_of(live);

	sw_polling_end(&step->polling, live);
	sw_spinning_end(live, NULL);
	step->live_count--;
	sw_followed_remove(&followed, live);
}

struct sw_followed *sw_bpf_step_add(struct sw_bpf_step *step, pid_t pid,
				    int task)
{
	struct sw_followed *live = sw_followed_find(&followed, pid);

	/* The exit of an earlier process with this pid was lost. */
	if (live) {
		sw_bpf_step_of(live)->has_gaps = true;
		sw_bpf_step_remove(live);
	}
	live = sw_followed_add(&followed, pid);
	if (!live)
		return NULL;
	live->program = SW_NO_PROGRAM;
	live->owner = step;
	if (task >= 0) {
		live->task = (unsigned)task;
		live->account = &step->account;
	}
	step->live_count++;
	return live;
}

/* Return false if none is followed from its start, or BPF was too late. */
bool sw_bpf_step_may_sample(const struct sw_bpf_step *step)
{
	return step->account.task_count && !step->has_no_looks &&
	       !step->programs->target.is_late;
}

const char *sw_bpf_step_backend(const struct sw_bpf_step *step)
{
	return sw_bpf_step_may_sample(step) && sw_bpf_is_done(SW_BPF_LOOKS)
		       ? sw_snapshot_backend()
		       : NULL;
}

const char *sw_bpf_step_waits_backend(const struct sw_bpf_step *step)
{
	return sw_bpf_step_backend(step) ? sw_waits_backend() : NULL;
}
