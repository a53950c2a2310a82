/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sample what the threads of a step wait for, from /proc.  Processes whose
 * files do not answer are skipped, and so are those beyond SW_VISITS_MAX.
 */
#include "recorder/sources/step/wait_proc.h"

#include "common/clock.h"
#include "common/delta.h"
#include "common/pages.h"
#include "recorder/processes/tree.h"
#include "recorder/processes/visits.h"

/* Processes sampled per period on average; at least each tenth period. */
enum { EACH_PERIOD = 8, PERIODS_MAX = 10 };

struct sw_wait_proc {
	struct sw_wait_tally tally;
	bool has_seen;		/* process seen */
	enum sw_read_status status;	/* of the last sample */
	uint64_t periods;	/* until the next sample */
	size_t first;		/* index in the tree, of this sample */
};

/* For the current sample */
static struct sw_visit visits[SW_VISITS_MAX];

struct sw_wait_proc *sw_wait_proc_create(void)
{
	return sw_pages_take(sizeof(struct sw_wait_proc));
}

void sw_wait_proc_destroy(struct sw_wait_proc *proc)
{
	sw_pages_give(proc, sizeof(*proc));
}

/* Add the threads of a process.  Return the number of running ones. */
static uint64_t see(struct sw_wait_tally *tally, const struct sw_visit *visit)
{
	const struct sw_wait_threads *threads = &visit->threads;
	uint64_t running = 0;
	size_t i;

	for (i = 0; i < threads->count; i++) {
		const struct sw_wait_thread *thread = &threads->thread[i];
		struct sw_wait_seen seen = {
			.sight = {
				.state = thread->state,
				.syscall = thread->call,
				.asked = thread->asked,
				.file_mode = thread->mode,
				.file_magic = thread->magic,
				.depth = 1,
				.function = { thread->function },
			},
			.pid = visit->pid, .tid = thread->tid,
			.fd = thread->fd, .device = thread->device,
			.inode = thread->inode,
			.file_bytes = thread->position,
			.switches = thread->timeslices,
		};

		running += thread->state == 'R';
		sw_wait_tally_see(tally, &seen);
	}
	tally->left_out += threads->left_out;
	return running;
}

/* With more processes than a visit allows, choose others in each sample. */
static size_t choose(struct sw_wait_proc *proc, const struct sw_tree *tree)
{
	size_t i, all = sw_tree_count(tree);
	size_t count = all < SW_VISITS_MAX ? all : SW_VISITS_MAX;

	for (i = 0; i < count; i++)
		visits[i] = (struct sw_visit){
			.pid = sw_tree_process(tree, (proc->first + i) %
					       all)->pid,
			.what = SW_VISIT_THREADS };
	if (all > count)
		proc->first = (proc->first + count) % all;
	proc->tally.left_out += all - count;
	return count;
}

static enum sw_read_status look(struct sw_wait_proc *proc,
				const struct sw_target *target)
{
	size_t i, count = choose(proc, target->tree);
	enum sw_read_status status = SW_READ_OK;
	uint64_t running = 0;

	sw_visits(target->proc_fd, visits, count);
	sw_wait_tally_begin(&proc->tally, sw_clock_boottime_usec());
	for (i = 0; i < count; i++) {
		const struct sw_visit *visit = &visits[i];

		if (visit->is_stuck)
			proc->tally.left_out++;
		else if (visit->status == SW_READ_OK)
			running += see(&proc->tally, visit);
		else if (visit->status == SW_READ_GARBAGE)
			status = SW_READ_GARBAGE;
	}
	sw_wait_tally_end(&proc->tally, running);
	return status;
}

static uint64_t periods_between(size_t count)
{
	uint64_t periods = (count + EACH_PERIOD - 1) / EACH_PERIOD;

	return periods < PERIODS_MAX ? periods : PERIODS_MAX;
}

enum sw_read_status sw_wait_proc_sample(struct sw_wait_proc *proc,
					const struct sw_target *target,
					bool is_each)
{
	size_t count = sw_tree_count(target->tree);

	proc->has_seen |= count > 0;
	if (!proc->has_seen)
		return sw_tree_garbled(target->tree) ? SW_READ_GARBAGE :
						       SW_READ_ABSENT;
	if (count > 0 && (proc->periods == 0 || is_each)) {
		proc->status = look(proc, target);
		proc->periods = periods_between(count);
	}
	proc->periods = sw_excess_u64(proc->periods, 1);
	return proc->status;
}

const struct sw_wait_tally *sw_wait_proc_tally(const struct sw_wait_proc *proc)
{
	return &proc->tally;
}
