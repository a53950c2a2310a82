/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits for a CPU of all threads of a step, read from /proc. */
#include "recorder/processes/run_queue.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/kernel/share.h"

enum { ROOM_FIRST = 16 };

/* Read "cpu-time run-queue-wait slices", in nanoseconds. */
static bool read_numbers(struct sw_run_queue_thread *now, int proc_fd,
			 pid_t pid)
{
	char path[64], text[128];
	const char *p = text;

	snprintf(path, sizeof(path), "%d/task/%d/schedstat", (int)pid,
		 (int)now->thread);
	return sw_kernfile_slurp(proc_fd, path, text, sizeof(text)) ==
		       SW_READ_OK &&
	       sw_kern_parse_u64(&p, &now->cpu_nsec) == 0 && *p++ == ' ' &&
	       sw_kern_parse_u64(&p, &now->read_nsec) == 0;
}

void sw_run_queue_begin(struct sw_run_queue *queue)
{
	struct sw_run_queue_thread *before = queue->before;

	queue->before = queue->now;
	queue->count_before = queue->count;
	queue->now = before;
	queue->count = 0;
	queue->begun_before_usec = queue->begun_usec;
	queue->begun_usec = sw_clock_boottime_usec();
}

static size_t bytes_of(size_t room)
{
	return 2 * room * sizeof(struct sw_run_queue_thread);
}

static bool grow(struct sw_run_queue_thread **threads, size_t room)
{
	struct sw_run_queue_thread *grown =
		realloc(*threads, room * sizeof(*grown));

	if (grown)
		*threads = grown;
	return grown != NULL;
}

/* Grow both arrays together, so that a pass never fails for lack of room. */
static bool has_room(struct sw_run_queue *queue)
{
	size_t room = queue->room ? 2 * queue->room : ROOM_FIRST;
	uint64_t bytes = bytes_of(room - queue->room);

	if (queue->count < queue->room)
		return true;
	if (room > SW_RUN_QUEUE_THREADS_MAX ||
	    !sw_share_take(queue->share, bytes))
		return false;
	if (!grow(&queue->now, room) || !grow(&queue->before, room)) {
		sw_share_give(queue->share, bytes);
		return false;
	}
	queue->room = room;
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct sw_run_queue_thread *one = a, *two = b;

	return (one->thread > two->thread) - (one->thread < two->thread);
}

static const struct sw_run_queue_thread *
find_before(const struct sw_run_queue *queue, pid_t thread)
{
	const struct sw_run_queue_thread key = { .thread = thread };

	return queue->count_before
		       ? bsearch(&key, queue->before, queue->count_before,
				 sizeof(key), compare)
		       : NULL;
}

/* The kernel accounts a wait for a CPU only once the thread runs. */
static void see_open(struct sw_run_queue_thread *now,
		     const struct sw_run_queue_thread *before,
		     uint64_t most_nsec, bool is_to_run)
{
	uint64_t ran_nsec = sw_excess_u64(now->cpu_nsec, before->cpu_nsec);
	uint64_t told_nsec = now->wait_nsec - before->wait_nsec;

	if (is_to_run)
		now->open_nsec = sw_excess_u64(before->open_nsec + most_nsec,
					       ran_nsec + told_nsec);
}

/* A value that decreased belongs to a new thread with a reused id. */
static void believe(const struct sw_run_queue *queue,
		    struct sw_run_queue_thread *now, bool is_to_run)
{
	const struct sw_run_queue_thread *before;
	uint64_t most_nsec;

	now->wait_nsec = now->read_nsec;
	if (!queue->begun_before_usec)
		return;
	most_nsec = SW_NSEC_PER_USEC *
		    sw_excess_u64(sw_clock_boottime_usec(),
				  queue->begun_before_usec);
	before = find_before(queue, now->thread);
	if (!before || before->read_nsec > now->read_nsec) {
		now->wait_nsec = sw_min_u64(now->read_nsec, most_nsec);
		return;
	}
	now->wait_nsec = before->wait_nsec +
			 sw_min_u64(now->read_nsec - before->read_nsec,
				    most_nsec + before->open_nsec);
	see_open(now, before, most_nsec, is_to_run);
}

uint64_t sw_run_queue_sample(struct sw_run_queue *queue, int proc_fd, pid_t pid,
			     pid_t thread, bool is_to_run)
{
	struct sw_run_queue_thread now = { .thread = thread };

	if (queue->is_incomplete)
		return SW_MISSING;
	if (!has_room(queue)) {
		queue->is_incomplete = true;
		return SW_MISSING;
	}
	if (!read_numbers(&now, proc_fd, pid))
		return SW_MISSING;
	believe(queue, &now, is_to_run);
	queue->now[queue->count++] = now;
	return now.wait_nsec / SW_NSEC_PER_USEC;
}

static void add_ended(struct sw_run_queue *queue)
{
	size_t i, j = 0;

	for (i = 0; i < queue->count_before; i++) {
		const struct sw_run_queue_thread *gone = &queue->before[i];

		while (j < queue->count &&
		       queue->now[j].thread < gone->thread)
			j++;
		if (j < queue->count && queue->now[j].thread == gone->thread &&
		    queue->now[j].read_nsec >= gone->read_nsec)
			continue;
		queue->ended_nsec += gone->wait_nsec;
	}
}

void sw_run_queue_end(struct sw_run_queue *queue)
{
	uint64_t sum_nsec;
	size_t i;

	if (queue->count)
		qsort(queue->now, queue->count, sizeof(*queue->now), compare);
	add_ended(queue);
	sum_nsec = queue->ended_nsec;
	for (i = 0; i < queue->count; i++)
		sum_nsec += queue->now[i].wait_nsec;
	queue->total_usec = SW_MISSING;
	if (!queue->is_incomplete && (queue->count || queue->ended_nsec))
		queue->total_usec = sum_nsec / SW_NSEC_PER_USEC;
}

void sw_run_queue_fini(struct sw_run_queue *queue)
{
	sw_share_give(queue->share, bytes_of(queue->room));
	free(queue->now);
	free(queue->before);
	*queue = (struct sw_run_queue){ 0 };
}
