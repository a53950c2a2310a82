/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs inside a step, from perf's task events: the backend for unprivileged
 * users.  Every fork, exec and exit is recorded, and every context switch, from
 * which CPU time follows.  Memory is known for processes seen in a sample of
 * the tree, and exit statuses if the kernel reports failing processes
 * (exits.h), otherwise only for processes reaped by the recorder.  Program
 * names have 15 characters, as comm.  Losses are counted; rows are incomplete
 * after a loss, if a process changed its privileges, and if CPU time comes from
 * samples.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "common/delta.h"
#include "common/units.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/programs/exits.h"
#include "recorder/programs/perf_tasks.h"
#include "recorder/tables/events.h"

enum {
	/*
	 * Recording a switch costs the command some 0.1 us.  Above this rate it
	 * is not worth it, and CPU time comes from samples.
	 */
	SWITCHES_PER_CPU_MAX = 50000,	/* per second */
	NSEC_PER_SEC = 1000000000,
	/* Some 1800 processes can exit on a CPU before its ring is full. */
	DRAIN_NSEC = 120000000,
	/*
	 * Records appear in the ring with a delay.  Younger ones wait, so that
	 * all are processed in order of time.
	 */
	SETTLE_NSEC = 5000000,
};

struct perf {
	struct sw_programs *programs;
	struct sw_perf_events events;
	struct sw_perf_tasks tasks;
	int timer_fd;			/* readable when it is time to drain */
	bool has_lost;			/* task records ... */
	uint64_t lost;			/* ... their number, as far as known */
	uint64_t lost_told;
	uint64_t known_nsec;		/* records until then are processed */
	uint64_t tree_usec;		/* time of the last sample */
	uint64_t window_nsec;		/* start of counting switches */
	uint64_t window_switches;
};

static uint64_t now_nsec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

/* Restarted by each drain */
static void set_timer(const struct perf *perf)
{
	const struct itimerspec time = { .it_value.tv_nsec = DRAIN_NSEC };

	timerfd_settime(perf->timer_fd, 0, &time, NULL);
}

static void destroy(void *state)
{
	struct perf *perf = state;

	sw_perf_events_close(&perf->events);
	sw_perf_tasks_close(&perf->tasks);
	if (perf->timer_fd >= 0)
		close(perf->timer_fd);
	free(perf);
}

static void *create(struct sw_programs *programs, struct sw_error *error)
{
	struct perf *perf = calloc(1, sizeof(*perf));

	if (!perf)
		goto error;
	perf->programs = programs;
	perf->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (perf->timer_fd >= 0 &&
	    sw_perf_tasks_open(&perf->tasks, programs,
			       sw_programs_feeds(programs)) == 0)
		return perf;
	destroy(perf);
error:
	sw_error_errno(error, "perf: the programs cannot be followed");
	return NULL;
}

/* Append the setting that an administrator can change. */
static void add_setting(int proc_fd, struct sw_error *error)
{
	size_t length = strlen(error->text);
	struct sw_kernfile file;
	char text[16];

	if (sw_kernfile_open(&file, proc_fd,
			     "sys/kernel/perf_event_paranoid") != SW_READ_OK)
		return;
	if (sw_kernfile_read(&file, text, sizeof(text)) == SW_READ_OK) {
		text[strspn(text, "-0123456789")] = '\0';
		snprintf(error->text + length, sizeof(error->text) - length,
			 " (kernel.perf_event_paranoid is %s, 2 is enough)",
			 text);
	}
	sw_kernfile_close(&file);
}

static int attach(void *state, pid_t pid, struct sw_error *error)
{
	struct perf *perf = state;

	perf->known_nsec = perf->window_nsec = now_nsec();
	if (sw_perf_events_open(&perf->events, pid, error) < 0) {
		if (errno == EACCES || errno == EPERM)
			add_setting(perf->programs->target.proc_fd, error);
		return -1;
	}
	perf->tasks.has_all_switches = perf->events.has_switches;
	sw_perf_tasks_begin(&perf->tasks, pid, perf->known_nsec);
	return 0;
}

static int get_fd(void *state)
{
	struct perf *perf = state;

	return perf->timer_fd;
}

static bool is_of_switches(const struct perf *perf, unsigned event)
{
	return event >= perf->events.cpu_count;
}

static void note_lost(struct perf *perf, unsigned event, uint64_t count)
{
	if (is_of_switches(perf, event)) {
		perf->tasks.has_all_switches = false;
	} else {
		perf->has_lost = true;
		perf->lost += count;
	}
}

/*
 * Find the ring with the oldest next record, or NULL.  *until is the time of
 * the oldest record in the others, up to which this ring can be read.
 */
static struct sw_perf_event *find_oldest(struct perf *perf, uint64_t *until)
{
	struct sw_perf_event *oldest = NULL;
	const struct sw_perf_record *record;
	uint64_t first = UINT64_MAX;
	unsigned i;

	*until = UINT64_MAX;
	for (i = 0; i < perf->events.count; i++) {
		record = sw_perf_ring_peek(&perf->events.event[i].ring);
		if (!record)
			continue;
		if (!oldest || record->time_nsec < first) {
			*until = first;
			first = record->time_nsec;
			oldest = &perf->events.event[i];
		} else if (record->time_nsec < *until) {
			*until = record->time_nsec;
		}
	}
	return oldest;
}

static void take_from(struct perf *perf, struct sw_perf_event *event,
		      uint64_t until_nsec)
{
	unsigned index = (unsigned)(event - perf->events.event);
	const struct sw_perf_record *record;

	while ((record = sw_perf_ring_peek(&event->ring)) &&
	       record->time_nsec <= until_nsec) {
		if (record->kind == SW_PERF_LOST)
			note_lost(perf, index, record->lost);
		/* Out of order: results are a guess. */
		if (record->time_nsec < perf->known_nsec)
			note_lost(perf, index, 0);
		perf->window_switches += record->kind == SW_PERF_SWITCH;
		sw_perf_tasks_take(&perf->tasks, event->cpu, record);
		sw_perf_ring_pop(&event->ring);
	}
}

/*
 * Process records in order of time: one CPU's record may be the cause of
 * another's.  Records younger than the limit wait for the next round, since an
 * older one may still be unread.
 */
static void take_all(struct perf *perf, uint64_t limit_nsec)
{
	struct sw_perf_event *event;
	uint64_t until_nsec;

	while ((event = find_oldest(perf, &until_nsec)) &&
	       event->ring.record.time_nsec <= limit_nsec)
		take_from(perf, event,
			  until_nsec < limit_nsec ? until_nsec : limit_nsec);
}

static void note_full(struct perf *perf)
{
	unsigned i;

	for (i = 0; i < perf->events.count; i++) {
		if (sw_perf_ring_is_full(&perf->events.event[i].ring))
			note_lost(perf, i, 0);
	}
}

static void note_damage(struct perf *perf)
{
	struct sw_perf_ring *ring;
	unsigned i;

	for (i = 0; i < perf->events.count; i++) {
		ring = &perf->events.event[i].ring;
		if (ring->damaged)
			note_lost(perf, i, ring->damaged);
		ring->damaged = 0;
	}
}

/* Average over at least a second, to ignore bursts. */
static void limit_switches(struct perf *perf, uint64_t time_nsec)
{
	uint64_t elapsed = sw_excess_u64(time_nsec, perf->window_nsec);
	uint64_t rate;

	if (!perf->events.has_switches || elapsed < NSEC_PER_SEC)
		return;
	rate = perf->window_switches / (elapsed / NSEC_PER_SEC);
	perf->window_nsec = time_nsec;
	perf->window_switches = 0;
	if (rate / perf->events.cpu_count < SWITCHES_PER_CPU_MAX)
		return;
	sw_perf_events_stop_switches(&perf->events);
	perf->tasks.has_all_switches = false;
}

static void tell_lost(struct perf *perf, uint64_t now_usec)
{
	const struct sw_programs_target *target = &perf->programs->target;
	uint64_t lost = perf->lost + perf->tasks.lost;

	if (lost > perf->lost_told && target->event)
		target->event(target->context,
			      &(struct sw_event){ .time_usec = now_usec,
						  .kind = "lost",
						  .value = lost });
	perf->lost_told = lost;
}

/* Rows are complete if counts and CPU time are exact; memory is sampled. */
static void set_complete(struct perf *perf)
{
	const struct sw_perf_tasks *tasks = &perf->tasks;
	bool is_complete = !perf->has_lost && !tasks->lost &&
			   !tasks->has_unseen && tasks->has_all_switches &&
			   perf->events.has_all_cpus;

	sw_programs_set_complete(perf->programs, is_complete);
}

static void take_records(struct perf *perf, uint64_t limit_nsec)
{
	sw_perf_events_load(&perf->events);
	note_full(perf);
	take_all(perf, limit_nsec);
	note_damage(perf);
	sw_perf_events_store(&perf->events);
	/* After a lost switch, the process that seems to run may not. */
	if (perf->tasks.has_all_switches)
		sw_perf_tasks_advance(&perf->tasks, limit_nsec);
	limit_switches(perf, limit_nsec);
	perf->known_nsec = limit_nsec;
}

/* Return whether the sample is new, and no older than the records processed. */
static bool is_news(const struct perf *perf, const struct sw_tree *tree)
{
	return tree && sw_tree_time_usec(tree) != perf->tree_usec &&
	       sw_tree_time_usec(tree) >= perf->known_nsec / SW_NSEC_PER_USEC;
}

static void drain(void *state, uint64_t now_usec)
{
	struct perf *perf = state;
	const struct sw_tree *tree = perf->programs->target.tree;
	bool is_sample = is_news(perf, tree);

	if (is_sample)
		sw_perf_tasks_sample(&perf->tasks, tree, perf->known_nsec);
	take_records(perf,
		     sw_max_u64(now_nsec() - SETTLE_NSEC, perf->known_nsec));
	if (is_sample) {
		sw_perf_tasks_sampled(&perf->tasks, tree, perf->known_nsec);
		perf->tree_usec = sw_tree_time_usec(tree);
	}
	sw_exits_take(&perf->tasks.ends, perf->known_nsec,
		      sw_perf_tasks_is_living, &perf->tasks);
	set_complete(perf);
	tell_lost(perf, now_usec);
	set_timer(perf);
}

static void reaped(void *state, pid_t pid, int wait_status)
{
	struct perf *perf = state;

	take_records(perf, now_nsec());
	sw_perf_tasks_reaped(&perf->tasks, pid, wait_status, perf->known_nsec);
}

static void finish(void *state)
{
	struct perf *perf = state;

	sw_exits_finish(&perf->tasks.ends, sw_perf_tasks_is_living,
			&perf->tasks);
}

const struct sw_programs_backend sw_programs_backend_perf = {
	.name = "perf",
	.create = create,
	.follows_one = true,
	.attach = attach,
	.fd = get_fd,
	.drain = drain,
	.finish = finish,
	.reaped = reaped,
	.destroy = destroy,
};
