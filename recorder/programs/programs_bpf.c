/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs inside a step, from BPF records of every fork, exec and exit:
 * complete, or the losses are counted.  Needs CAP_BPF and CAP_PERFMON (or root)
 * and a kernel with BTF.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/pages.h"
#include "common/units.h"
#include "recorder/bpf/bpf_up.h"
#include "recorder/bpf/exec_load.h"
#include "recorder/bpf/failures.h"
#include "recorder/bpf/snapshot.h"
#include "recorder/bpf/spins.h"
#include "recorder/bpf/waits.h"
#include "recorder/kernel/process.h"
#include "recorder/programs/bpf_records.h"
#include "recorder/programs/bpf_step.h"
#include "recorder/programs/spinning.h"
#include "recorder/programs/stall_event.h"
#include "recorder/tables/events.h"

/*
 * BPF programs and ring, shared by all steps, since each one loaded slows down
 * every fork on the node.  They stay until the process exits.
 */
static struct {
	struct exec_bpf *skeleton;	/* NULL: not loaded */
	struct ring_buffer *ring;
	bool is_looked_at;		/* since the last wake-up */
	bool has_waits;			/* the same */
} feed;

/*
 * Watch for busy waiting and for work on many files; this also turns unknown
 * into zero.
 */
static void look_at_spins(struct sw_bpf_step *step)
{
	struct sw_followed_table *followed = sw_bpf_followed();
	struct sw_programs *programs = step->programs;
	size_t i;

	if (!sw_spins_is_open())
		return;
	for (i = 0; i < programs->count; i++) {
		struct sw_program *program = &programs->program[i];

		if (sw_is_missing(program->spin.usec))
			program->spin.usec = program->sampled_usec = 0;
	}
	for (i = 0; i < followed->count; i++) {
		struct sw_followed *live = &followed->entry[i];

		if (live->owner == step && live->program != SW_NO_PROGRAM)
			sw_spinning_look(live,
					 &programs->program[live->program],
					 programs->target.proc_fd);
	}
}

static bool is_coming(void *state)
{
	return sw_bpf_step_may_sample(state) && !sw_bpf_is_done(SW_BPF_LOOKS);
}

static void settle(void *state)
{
	struct sw_bpf_step *step = state;

	step->has_no_looks |= !sw_bpf_is_done(SW_BPF_LOOKS);
}

static const char *sample_backend(void *state)
{
	return sw_bpf_step_backend(state);
}

static const char *waits_backend(void *state)
{
	return sw_bpf_step_waits_backend(state);
}

static int open_feed(struct sw_error *error)
{
	if (feed.ring)
		return 0;
	sw_bpf_await(SW_BPF_RECORDS);
	feed.skeleton = sw_bpf_records(error);
	if (!feed.skeleton)
		return -1;
	feed.ring = ring_buffer__new(bpf_map__fd(feed.skeleton->maps.records),
				     sw_bpf_record_take, NULL, NULL);
	return feed.ring ? 0
			 : sw_error_errno(error, "bpf: exec records are not "
					  "available here");
}

static void *create(struct sw_programs *programs, struct sw_error *error)
{
	struct sw_bpf_step *step;

	if (open_feed(error) < 0)
		return NULL;
	step = sw_pages_take(sizeof(*step));
	if (!step) {
		sw_error_set(error, "bpf: not enough memory");
		return NULL;
	}
	step->programs = programs;
	sw_account_open(&step->account);
	step->account.waits = &step->waits;
	step->owner = sw_exec_join(feed.skeleton, programs->target.share);
	step->lost_before = step->lost_told =
		sw_exec_lost(feed.skeleton, step->owner);
	step->failures_lost_before = step->failures_lost_told =
		sw_exec_lost_failures(feed.skeleton, step->owner);
	return step;
}

static void destroy(void *state)
{
	struct sw_followed_table *followed = sw_bpf_followed();
	struct sw_bpf_step *step = state;
	size_t i = 0;

	/* Stop following the remaining processes; the last entry moves up. */
	while (step->live_count > 0 && i < followed->count) {
		struct sw_followed *live = &followed->entry[i];

		if (live->owner != step) {
			i++;
			continue;
		}
		sw_exec_forget(feed.skeleton, live->pid);
		sw_bpf_step_remove(live);
	}
	sw_exec_leave(step->owner);
	sw_account_close(&step->account);
	sw_pages_give(step, sizeof(*step));
}

static int attach(void *state, pid_t pid, struct sw_error *error)
{
	struct sw_bpf_step *step = state;
	const struct sw_programs_target *target = &step->programs->target;
	char program[SW_PROGRAM_SIZE];
	struct sw_followed *live;
	int task;

	/* Exits of earlier processes with this pid may still be unread. */
	ring_buffer__consume(feed.ring);
	/* Late processes belong to no task: only a part of them is followed. */
	task = target->is_late ? -1 : sw_account_add_task(&step->account);
	feed.is_looked_at = false;
	live = sw_bpf_step_add(step, pid, task);
	if (live) {
		live->is_by_hand = true;
		live->since_nsec = sw_clock_boottime_usec() * SW_NSEC_PER_USEC;
	}
	if (!live)
		goto error;
	if (sw_exec_follow(feed.skeleton, step->owner, pid) < 0) {
		sw_bpf_step_remove(live);
		goto error;
	}
	if (sw_process_has_exited(target->proc_fd, pid)) {
		/* Its exit would not be recorded, and its pid can be reused. */
		sw_exec_forget(feed.skeleton, pid);
		sw_bpf_step_remove(live);
		errno = ESRCH;
		goto error;
	}
	if (!target->is_late)
		return 0;
	sw_process_read_comm(target->proc_fd, pid, program, sizeof(program));
	if (program[0])
		sw_programs_belong(step->programs, &live->program, program,
				   sw_clock_boottime_usec());
	return 0;
error:
	return sw_error_errno(error, "bpf: the command cannot be followed");
}

static int get_fd(void *state)
{
	(void)state;
	return ring_buffer__epoll_fd(feed.ring);
}

/* Complete as long as nothing was lost; a loss affects all rows. */
static void check_lost(struct sw_bpf_step *step, uint64_t now_usec)
{
	const struct sw_programs_target *target = &step->programs->target;
	uint64_t lost = sw_exec_lost(feed.skeleton, step->owner);

	sw_programs_set_complete(step->programs,
				 !target->is_late && lost == step->lost_before &&
					 !step->has_gaps);
	if (lost > step->lost_told && target->event)
		target->event(target->context, &(struct sw_event){
			.time_usec = now_usec, .kind = "lost",
			.value = lost - step->lost_before });
	step->lost_told = lost;
}

/* Emit a new event each time, with the total. */
static void check_lost_failures(struct sw_bpf_step *step, uint64_t now_usec)
{
	const struct sw_programs_target *target = &step->programs->target;
	uint64_t lost = sw_exec_lost_failures(feed.skeleton, step->owner);

	if (lost > step->failures_lost_told && target->event)
		target->event(target->context, &(struct sw_event){
			.time_usec = now_usec, .kind = "failures_lost",
			.value = lost - step->failures_lost_before });
	step->failures_lost_told = lost;
}

static void drain(void *state, uint64_t now_usec)
{
	ring_buffer__consume(feed.ring);
	check_lost(state, now_usec);
	check_lost_failures(state, now_usec);
}

static void expire(void)
{
	feed.is_looked_at = feed.has_waits = false;
}

static const struct sw_account *sample(void *state)
{
	struct sw_bpf_step *step = state;

	if (!sample_backend(state))
		return NULL;
	if (!feed.is_looked_at) {
		ring_buffer__consume(feed.ring);
		if (sw_snapshot_take(sw_bpf_followed()) < 0)
			return NULL;
		feed.is_looked_at = true;
		sw_exec_compare_clocks(feed.skeleton);
	}
	sw_polling_look(&step->polling, sw_bpf_followed(), step);
	look_at_spins(step);
	step->account.counts_opens = sw_failures_counts_opens();
	return &step->account;
}

/* Add a thread's wait for I/O, as estimated from samples. */
static void add_io_wait(struct sw_followed *live, uint64_t usec)
{
	struct sw_bpf_step *step = sw_bpf_step_of(live);
	struct sw_program *program;

	if (live->program == SW_NO_PROGRAM)
		return;
	program = &step->programs->program[live->program];
	program->io_wait_usec = sw_sum_u64(program->io_wait_usec, usec);
	program->is_changed = true;
}

static void tell_stall(struct sw_bpf_step *step, const struct sw_stall *stall)
{
	const struct sw_programs_target *target = &step->programs->target;
	const struct sw_followed *live =
		sw_followed_find(sw_bpf_followed(), stall->waiter.pid);
	const char *program = NULL;

	if (live && live->owner == step && live->program != SW_NO_PROGRAM)
		program = step->programs->program[live->program].name;
	sw_stall_event_add(stall, target, program);
}

static const struct sw_wait_tally *waits(void *state)
{
	struct sw_bpf_step *step = state;
	struct sw_stall stall;

	if (!waits_backend(state) || !sample(state))
		return NULL;
	if (!feed.has_waits &&
	    sw_waits_take(sw_bpf_followed(), sw_clock_boottime_usec(),
			  add_io_wait) < 0)
		return NULL;
	feed.has_waits = true;
	while (sw_wait_tally_stall(&step->waits, &stall)) {
		if (step->programs->target.event)
			tell_stall(step, &stall);
	}
	return &step->waits;
}

static void adopt_waits(void *state, const struct sw_wait_tally *tally)
{
	((struct sw_bpf_step *)state)->waits = *tally;
}

static void prepare(unsigned int nap_msec)
{
	sw_bpf_begin(SW_BPF_LOOKS, nap_msec);
}

static void await(void)
{
	sw_bpf_await(SW_BPF_RECORDS);
}

const struct sw_programs_backend sw_programs_backend_bpf = {
	.name = "bpf",
	.limit = sw_exec_limit,
	.prepare = prepare,
	.is_preparing = sw_bpf_is_coming_up,
	.news_fd = sw_bpf_fd,
	.await = await,
	.create = create,
	.attach = attach,
	.fd = get_fd,
	.drain = drain,
	.expire = expire,
	.is_coming = is_coming,
	.settle = settle,
	.sample = sample,
	.sample_backend = sample_backend,
	.waits = waits,
	.waits_backend = waits_backend,
	.adopt_waits = adopt_waits,
	.failures_source = sw_failures_source,
	.failures_reason = sw_failures_reason,
	.probe = open_feed,
	.leave = sw_failures_leave,
	.destroy = destroy,
};
