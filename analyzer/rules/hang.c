/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the wait that explains why a step stood still. */
#include "analyzer/rules/hang.h"

#include <string.h>

#include "common/delta.h"
#include "common/missing.h"
#include "common/mpi_launcher.h"
#include "common/units.h"

/* A thread that sleeps for less has a heartbeat, or polls.  The recorder
 * samples a step after as long without CPU time (SW_HANG_SECONDS). */
#define HEARTBEAT_USEC (10 * SW_USEC_PER_SEC)

/* Grades of how well a wait explains that the step stands still. */
enum weight {
	NOTHING,	/* waits for a child, rank or waiting process */
	BEAT,		/* a short sleep */
	SPARE,		/* idle threads wait like this */
	SIGNAL,		/* waits for a signal, perhaps that of a child */
	SEVERAL,	/* waits for one of several things */
	LOCK,		/* in the main thread; the holder is not known */
	SLEEP,
	NAMED,		/* the object of the wait is known */
};

static bool is(const struct sw_view_hang *hang, const char *kind)
{
	return !strcmp(hang->kind, kind);
}

static bool is_main(const struct sw_view_hang *hang)
{
	return hang->tid == hang->pid;
}

static bool is_of_one_sample(const struct sw_view_hang *one,
			     const struct sw_view_hang *two)
{
	return one->time_usec == two->time_usec;
}

/*
 * Return the first thread of a sample, and the number of its threads: all that
 * may depend on each other.  Rows of hangs are in the order of their samples.
 */
static const struct sw_view_hang *sample_of(const struct sw_view *view,
					    const struct sw_view_hang *hang,
					    size_t *count)
{
	const struct sw_view_hang *first = hang, *last = hang;
	const struct sw_view_hang *end = view->hangs + view->hang_count;

	while (first > view->hangs && is_of_one_sample(first - 1, hang))
		first--;
	while (last + 1 < end && is_of_one_sample(last + 1, hang))
		last++;
	*count = (size_t)(last - first) + 1;
	return first;
}

/* For a lock between threads of one process, other_pid is a thread id. */
static bool is_waiting_for(const struct sw_view_hang *one,
			   const struct sw_view_hang *two)
{
	return one != two && is_of_one_sample(one, two) &&
	       !sw_is_missing(one->other_pid) &&
	       one->other_pid ==
		       (one->pid == two->pid ? two->tid : two->pid);
}

/* Return true if no other thread of its process could run instead. */
static bool is_alone(const struct sw_view *view,
		     const struct sw_view_hang *hang)
{
	size_t count, i;
	const struct sw_view_hang *all = sample_of(view, hang, &count);

	for (i = 0; i < count; i++) {
		const struct sw_view_hang *other = &all[i];

		if (other != hang && other->pid == hang->pid &&
		    is_of_one_sample(other, hang))
			return false;
	}
	return hang->threads == 1;
}

/* Idle workers and the thread that gives them work also wait for each other. */
static bool can_none_go_on(const struct sw_view *view,
			   const struct sw_view_hang *one,
			   const struct sw_view_hang *two)
{
	if (one->pid == two->pid)
		return is(one, "lock") && is(two, "lock");
	return is_alone(view, one) && is_alone(view, two);
}

const struct sw_view_hang *sw_hang_partner(const struct sw_view *view,
					   const struct sw_view_hang *hang)
{
	size_t count, i;
	const struct sw_view_hang *all = sample_of(view, hang, &count);

	for (i = 0; i < count; i++) {
		const struct sw_view_hang *other = &all[i];

		if (is_waiting_for(hang, other) &&
		    is_waiting_for(other, hang) &&
		    can_none_go_on(view, hang, other))
			return other;
	}
	return NULL;
}

const struct sw_view_hang *sw_hang_victim(const struct sw_view *view,
					  const struct sw_view_hang *hang)
{
	size_t count, i;
	const struct sw_view_hang *all = sample_of(view, hang, &count);

	for (i = 0; i < count; i++) {
		if (is_waiting_for(&all[i], hang))
			return &all[i];
	}
	return NULL;
}

static bool has_cause(const struct sw_view *view,
		      const struct sw_view_hang *hang)
{
	size_t count, i;
	const struct sw_view_hang *all = sample_of(view, hang, &count);

	for (i = 0; i < count; i++) {
		if (is_waiting_for(hang, &all[i]))
			return true;
	}
	return false;
}

/* Return true for a wait for signals without timeout; timeout(1) waits for its
 * child in this way.  Older recordings call it a sleep. */
static bool is_for_signal(const struct sw_view_hang *hang)
{
	return is(hang, "signal") ||
	       (is(hang, "sleep") && hang->call &&
		(!strncmp(hang->call, "rt_sig", 6) ||
		 !strcmp(hang->call, "pause")));
}

static bool is_long_sleep(const struct sw_view_hang *hang)
{
	return is(hang, "sleep") && !is_for_signal(hang) &&
	       (sw_is_missing(hang->sleep_usec) ||
		hang->sleep_usec >= HEARTBEAT_USEC);
}

/* True if the main thread sleeps: the threads are idle on purpose. */
static bool is_process_asleep(const struct sw_view *view,
			      const struct sw_view_hang *hang)
{
	size_t count, i;
	const struct sw_view_hang *all = sample_of(view, hang, &count);

	for (i = 0; i < count; i++) {
		const struct sw_view_hang *other = &all[i];

		if (is_of_one_sample(hang, other) && hang->pid == other->pid &&
		    is_main(other) && is_long_sleep(other))
			return true;
	}
	return false;
}

static enum weight weigh(const struct sw_view *view,
			 const struct sw_view_hang *hang)
{
	if (is(hang, "child") ||
	    (hang->program && sw_is_mpi_launcher(hang->program)))
		return NOTHING;
	if (is(hang, "io") || is(hang, "stopped") ||
	    sw_hang_partner(view, hang))
		return NAMED;
	if (has_cause(view, hang))
		return NOTHING;
	if (is_for_signal(hang))
		return SIGNAL;
	if (is(hang, "sleep"))
		return is_long_sleep(hang) ? SLEEP : BEAT;
	if (is_process_asleep(view, hang))
		return SPARE;
	if (is(hang, "lock") && !hang->object &&
	    sw_is_missing(hang->other_pid))
		return is_main(hang) ? LOCK : SPARE;
	if (is(hang, "poll") || is(hang, "other"))
		return SEVERAL;
	return NAMED;
}

const struct sw_view_hang *sw_hang_find(const struct sw_view *view,
					uint64_t start_usec, uint64_t end_usec)
{
	const struct sw_view_hang *found = NULL;
	enum weight weight, most = NOTHING;
	size_t i;

	for (i = 0; i < view->hang_count; i++) {
		const struct sw_view_hang *hang = &view->hangs[i];

		/* Hangs are sampled a moment after everything else. */
		if (hang->time_usec < start_usec ||
		    sw_excess_u64(hang->time_usec, sw_zero_if_missing(
				  hang->still_usec)) > end_usec)
			continue;
		weight = weigh(view, hang);
		if (found && is_of_one_sample(found, hang) && weight <= most)
			continue;
		found = hang;
		most = weight;
	}
	return most == NOTHING ? NULL : found;
}

bool sw_hang_is_sleep(const struct sw_view_hang *hang)
{
	return is(hang, "sleep") || is_for_signal(hang);
}

bool sw_hang_is_stuck(const struct sw_view_hang *hang)
{
	return is(hang, "io") && hang->timeslices == 0;
}

/* "port 80" is a number, not a name that somebody chose. */
static bool is_port(const char *object)
{
	static const char port[] = "port ";
	const char *number = object + sizeof(port) - 1;

	return !strncmp(object, port, sizeof(port) - 1) && *number &&
	       !number[strspn(number, "0123456789")];
}

bool sw_hang_is_server(const struct sw_view_hang *hang)
{
	return is(hang, "network") &&
	       ((hang->call && !strncmp(hang->call, "accept", 6)) ||
		(hang->object && is_port(hang->object)));
}

static bool is_for_answer(const struct sw_view_hang *hang)
{
	return is(hang, "network") && !sw_hang_is_server(hang);
}

bool sw_hang_is_certain(const struct sw_view *view,
			const struct sw_view_hang *hang)
{
	if (sw_hang_partner(view, hang) || sw_hang_is_stuck(hang))
		return true;
	if (!hang->object && sw_is_missing(hang->other_pid))
		return false;
	return is(hang, "lock") || is_for_answer(hang);
}

bool sw_hang_is_named(const struct sw_view *view,
		      const struct sw_view_hang *hang)
{
	const struct sw_view_hang *victim = sw_hang_victim(view, hang);

	if (victim && victim->pid != hang->pid)
		return true;
	if (is(hang, "lock"))
		return hang->object || !sw_is_missing(hang->other_pid);
	return is(hang, "io") || is(hang, "pipe") || is(hang, "terminal") ||
	       is_for_answer(hang);
}

/*
 * The kernel wakes some threads that wait for I/O by itself, to retry.  A
 * thread woken more than once a second was woken by answers.
 */
static bool has_answers(const struct sw_view_hang *hang)
{
	return !sw_is_missing(hang->timeslices_usec) &&
	       (double)hang->timeslices * SW_USEC_PER_SEC >
		       (double)hang->timeslices_usec;
}

bool sw_hang_goes_on(const struct sw_view_hang *hang)
{
	double limits = 0;

	if (sw_is_missing(hang->timeslices) || sw_hang_is_sleep(hang) ||
	    is(hang, "stopped"))
		return false;
	if (is(hang, "io"))
		return has_answers(hang);
	if (!sw_is_missing(hang->sleep_usec) &&
	    !sw_is_missing(hang->timeslices_usec))
		limits = (double)hang->timeslices_usec /
			 (double)(hang->sleep_usec ? hang->sleep_usec : 1);
	return (double)hang->timeslices > 1.5 * limits;
}

/*
 * Return true if the thread waits for events and repeatedly wakes up by
 * timeout: it has nothing to do, or polls.
 */
static bool is_paced(const struct sw_view_hang *hang)
{
	return is(hang, "poll") && !sw_is_missing(hang->sleep_usec) &&
	       !sw_is_missing(hang->timeslices) && hang->timeslices &&
	       !sw_hang_goes_on(hang);
}

bool sw_hang_is_idle(const struct sw_view *view,
		     const struct sw_view_hang *hang)
{
	return !sw_hang_is_named(view, hang) &&
	       (is_paced(hang) || sw_hang_is_server(hang));
}

const struct sw_view_hang *sw_hang_open(const struct sw_view *view,
					uint64_t start_usec, uint64_t end_usec)
{
	const struct sw_view_hang *hang = sw_hang_find(view, start_usec,
						       end_usec);

	return hang && !sw_hang_is_sleep(hang) && !sw_hang_goes_on(hang)
		       ? hang
		       : NULL;
}
