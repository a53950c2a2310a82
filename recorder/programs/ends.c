/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determine the exit statuses of a step's processes. */
#include "recorder/programs/ends.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "common/delta.h"
#include "common/units.h"
#include "recorder/programs/killed_event.h"

enum {
	QUIET_SLOTS = 8192, /* at most half of them are used */
	QUIET_MANY = QUIET_SLOTS / 4,
};

#define NSEC_PER_SEC	   (SW_USEC_PER_SEC * SW_NSEC_PER_USEC)
#define PATIENCE_NSEC	   (1 * NSEC_PER_SEC)
/* Used when the map is filling up: if full, later exit statuses are lost. */
#define PATIENCE_MANY_NSEC (NSEC_PER_SEC / 5)
#define DOUBT_NSEC	   (10 * NSEC_PER_SEC)
/* Time counted for a pass, at most */
#define PASS_NSEC	   (NSEC_PER_SEC / 5)
/*
 * If messages of other threads were lost, the first thread's status is taken
 * for all if the last thread exited this soon after it.
 */
#define TOGETHER_NSEC	   (1 * NSEC_PER_SEC)

int sw_ends_open(struct sw_ends *ends, struct sw_programs *programs,
		 const struct sw_exit_feeds *feeds)
{
	size_t i;

	memset(ends, 0, sizeof(*ends));
	ends->programs = programs;
	ends->feeds = feeds;
	if (!feeds)
		return 0;
	for (i = 0; i <= SW_EXIT_OTHER_THREADS; i++)
		ends->reader[i].at = feeds->of[i].count;
	return sw_pid_map_open(&ends->quiet, QUIET_SLOTS,
			       sizeof(struct sw_end));
}

void sw_ends_close(struct sw_ends *ends)
{
	sw_pid_map_close(&ends->quiet);
}

void sw_told_add(struct sw_told *told, const struct sw_exit *exit)
{
	/* Only one thread of the process is reported with a core dump. */
	int status = exit->wait_status & ~WCOREFLAG;
	bool is_signal = WIFSIGNALED(status);

	if (exit->tid == exit->pid)
		told->has_first = true;
	else
		told->has_other = true;
	told->last_tid = exit->tid;
	told->time_nsec = exit->time_nsec;
	/* A fatal signal ends all threads, even if some exited before. */
	if (!told->wait_status ||
	    (is_signal && !WIFSIGNALED(told->wait_status))) {
		told->wait_status = status;
		told->is_mixed = false;
	} else if (is_signal || !WIFSIGNALED(told->wait_status)) {
		told->is_mixed |= status != told->wait_status;
	}
}

/* Return whether the messages determine the exit status of the process. */
static bool is_known(const struct sw_end *end)
{
	const struct sw_told *told = &end->told;

	if (!told->wait_status || told->is_mixed)
		return false;
	if (WIFSIGNALED(told->wait_status))
		return true;
	if (end->last_tid)
		return told->last_tid == end->last_tid;
	if (!end->has_threads)
		return told->has_first;
	/* A single thread may have exited by itself. */
	return told->has_other && (told->has_first || end->has_left);
}

static void count(struct sw_ends *ends, const struct sw_end *end)
{
	struct sw_program *ended = &ends->programs->program[end->program];
	int wait_status = end->told.wait_status;

	sw_program_count_end(
		ended,
		&(struct sw_program_end){
			.wait_status = wait_status,
			.executed = end->executed,
			.start_usec = end->start_nsec / SW_NSEC_PER_USEC,
			.end_usec = end->until_nsec / SW_NSEC_PER_USEC,
		});
	/* The status of a mere fork is a reply to its parent. */
	if (end->executed != SW_ONLY_FORKED || WIFSIGNALED(wait_status))
		sw_program_count_loss(
			ended,
			&(struct sw_program_loss){
				.wait_status = wait_status,
				.start_usec =
					end->start_nsec / SW_NSEC_PER_USEC,
				.cpu_usec = end->cpu_usec,
				.read_bytes = SW_MISSING,
				.written_bytes = SW_MISSING,
			});
	if (WIFSIGNALED(wait_status))
		sw_killed_event_add(
			&(struct sw_killed){
				.program = ended->name,
				.pid = end->pid,
				.signal = WTERMSIG(wait_status),
				.time_usec = end->told.time_nsec /
					     SW_NSEC_PER_USEC,
			},
			&ends->programs->target, &ends->killed_count);
}

void sw_ends_add(struct sw_ends *ends, const struct sw_end *end)
{
	struct sw_end *quiet;

	if (is_known(end)) {
		count(ends, end);
		return;
	}
	if (!ends->feeds)
		return;
	/* If the map is full, this exit status remains unknown. */
	quiet = sw_pid_map_add(&ends->quiet, end->pid);
	if (!quiet)
		return;
	*quiet = *end;
	quiet->added_nsec = ends->waited_nsec;
	/* Force the next pass to examine it. */
	if (end->since_nsec <= ends->settled_blind_nsec)
		ends->settled_blind_nsec = 0;
	if (ends->quiet.count == 1 || end->until_nsec < ends->oldest_nsec)
		ends->oldest_nsec = end->until_nsec;
}

void sw_ends_reaped(struct sw_ends *ends, pid_t pid, int wait_status)
{
	struct sw_end *quiet = NULL;

	if (ends->feeds)
		quiet = sw_pid_map_find(&ends->quiet, pid);
	if (!quiet)
		return;
	quiet->told = (struct sw_told){ .wait_status = wait_status,
					.time_nsec = quiet->until_nsec };
	count(ends, quiet);
	sw_pid_map_remove(&ends->quiet, pid);
}

static void take(struct sw_ends *ends, const struct sw_exit *exit)
{
	struct sw_end *quiet = sw_pid_map_find(&ends->quiet, exit->pid);

	if (!quiet || exit->time_nsec < quiet->begin_nsec)
		return;
	sw_told_add(&quiet->told, exit);
	if (!is_known(quiet))
		return;
	count(ends, quiet);
	sw_pid_map_remove(&ends->quiet, exit->pid);
}

/* Return the time until which messages of these threads may have been lost. */
static uint64_t blind_nsec(const struct sw_ends *ends,
			   enum sw_exit_threads threads)
{
	return sw_max_u64(ends->feeds->of[threads].blind_nsec,
			  ends->reader[threads].blind_nsec);
}

/* Return the time until which messages have been processed. */
static uint64_t heard_nsec(const struct sw_ends *ends)
{
	const struct sw_exit_feed *feed = ends->feeds->of;

	return sw_min_u64(ends->taken_nsec,
			  sw_min_u64(feed[SW_EXIT_FIRST_THREADS].read_nsec,
				     feed[SW_EXIT_OTHER_THREADS].read_nsec));
}

/* Return the time until which all reports have come that ever will. */
static uint64_t complete_nsec(const struct sw_ends *ends,
			      uint64_t patience_nsec)
{
	uint64_t heard = heard_nsec(ends);
	uint64_t idle = sw_min_u64(ends->feeds->idle_nsec, heard);

	return sw_max_u64(sw_excess_u64(heard, patience_nsec), idle);
}

/* Return whether a thread other than the first may have exited last. */
static bool needs_others(const struct sw_end *end)
{
	return end->last_tid != end->pid;
}

/* No more messages will come: decide on the status. */
static void conclude(struct sw_ends *ends, const struct sw_end *end)
{
	const struct sw_told *told = &end->told;
	bool is_blind = needs_others(end) &&
			end->since_nsec <=
				blind_nsec(ends, SW_EXIT_OTHER_THREADS);

	if (!is_blind && !told->wait_status)
		count(ends, end);
	else if (is_blind && told->has_first && !told->is_mixed &&
		 !end->has_left &&
		 end->until_nsec - end->since_nsec <= TOGETHER_NSEC)
		count(ends, end);
}

/* Return true if the exit is settled or never will be, false if pending. */
static bool is_settled(struct sw_ends *ends, const struct sw_end *end,
		       uint64_t patience_nsec)
{
	const struct sw_exit_feed *feed =
		&ends->feeds->of[SW_EXIT_FIRST_THREADS];

	if (end->since_nsec <= blind_nsec(ends, SW_EXIT_FIRST_THREADS))
		return true;
	if (end->until_nsec > complete_nsec(ends, patience_nsec) ||
	    end->until_nsec >= feed->proof_nsec)
		return false;
	if (end->until_nsec > ends->feeds->idle_nsec &&
	    ends->waited_nsec - end->added_nsec < patience_nsec)
		return false;
	conclude(ends, end);
	return true;
}

/* Return whether any could be decided since the last pass. */
static bool is_due(struct sw_ends *ends, uint64_t patience_nsec)
{
	const struct sw_exit_feed *feed =
		&ends->feeds->of[SW_EXIT_FIRST_THREADS];
	uint64_t blind = blind_nsec(ends, SW_EXIT_FIRST_THREADS);
	bool is_blinder = blind > ends->settled_blind_nsec;

	ends->settled_blind_nsec = blind;
	return ends->quiet.count > 0 &&
	       (is_blinder || (ends->oldest_nsec < feed->proof_nsec &&
			       ends->oldest_nsec <=
				       complete_nsec(ends, patience_nsec)));
}

void sw_ends_settle(struct sw_ends *ends, uint64_t patience_nsec)
{
	uint64_t oldest_nsec = UINT64_MAX;
	const struct sw_end *end;
	size_t slot = 0;

	if (!is_due(ends, patience_nsec))
		return;
	while ((end = sw_pid_map_next(&ends->quiet, &slot))) {
		if (is_settled(ends, end, patience_nsec)) {
			/* Another entry may have moved into this slot. */
			sw_pid_map_remove(&ends->quiet, end->pid);
			slot--;
		} else {
			oldest_nsec = sw_min_u64(oldest_nsec, end->until_nsec);
		}
	}
	ends->oldest_nsec = oldest_nsec;
}

void sw_ends_take(struct sw_ends *ends, uint64_t until_nsec,
		  sw_ends_living_f *is_living, void *context)
{
	const struct sw_exit *exit;
	size_t i;

	if (!ends->feeds)
		return;
	for (i = 0; i <= SW_EXIT_OTHER_THREADS; i++) {
		while ((exit = sw_exit_feed_next(&ends->feeds->of[i],
						 &ends->reader[i].at, until_nsec,
						 &ends->reader[i].blind_nsec))) {
			if (!is_living(context, exit))
				take(ends, exit);
		}
	}
	ends->waited_nsec += sw_min_u64(
		sw_excess_u64(until_nsec, ends->taken_nsec), PASS_NSEC);
	ends->taken_nsec = until_nsec;
	sw_ends_settle(ends, ends->quiet.count < QUIET_MANY ?
				     PATIENCE_NSEC :
				     PATIENCE_MANY_NSEC);
}

bool sw_ends_need_proof(const struct sw_ends *ends, uint64_t now_nsec)
{
	return ends->quiet.count > 0 &&
	       ends->feeds->of[SW_EXIT_FIRST_THREADS].proof_nsec <=
		       ends->oldest_nsec &&
	       (ends->quiet.count >= QUIET_MANY ||
		sw_excess_u64(now_nsec, ends->oldest_nsec) >= DOUBT_NSEC);
}

uint64_t sw_ends_last_nsec(const struct sw_ends *ends)
{
	const struct sw_end *end;
	uint64_t last = SW_MISSING;
	size_t slot = 0;

	while (ends->quiet.count > 0 &&
	       (end = sw_pid_map_next(&ends->quiet, &slot)))
		last = sw_max_u64(last, end->until_nsec);
	return last;
}
