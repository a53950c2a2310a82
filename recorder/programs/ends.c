/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a step's processes ended. */
#include "recorder/programs/ends.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "common/delta.h"
#include "common/units.h"
#include "recorder/programs/killed_event.h"

enum {
	QUIET_SLOTS = 4096, /* half of these can be taken */
	QUIET_MANY = QUIET_SLOTS / 4,
};

#define NSEC_PER_SEC  (SW_USEC_PER_SEC * SW_NSEC_PER_USEC)
#define PATIENCE_NSEC (1 * NSEC_PER_SEC)
#define DOUBT_NSEC    (10 * NSEC_PER_SEC)

struct quiet {
	pid_t pid;
	unsigned program;
	uint64_t since_nsec, until_nsec; /* it ended between these */
};

int sw_ends_open(struct sw_ends *ends, struct sw_programs *programs,
		 const struct sw_exit_feed *feed)
{
	memset(ends, 0, sizeof(*ends));
	ends->programs = programs;
	ends->feed = feed;
	if (!feed)
		return 0;
	ends->at = feed->count;
	return sw_pid_map_open(&ends->quiet, QUIET_SLOTS, sizeof(struct quiet));
}

void sw_ends_close(struct sw_ends *ends)
{
	sw_pid_map_close(&ends->quiet);
}

void sw_ends_add(struct sw_ends *ends, pid_t pid, unsigned program,
		 uint64_t since_nsec, uint64_t until_nsec)
{
	struct quiet *quiet;

	if (!ends->feed)
		return;
	/* Where it is full, how this one ended is not known. */
	quiet = sw_pid_map_add(&ends->quiet, pid);
	if (!quiet)
		return;
	quiet->program = program;
	quiet->since_nsec = since_nsec;
	quiet->until_nsec = until_nsec;
	/* It is to be looked at in any case. */
	if (since_nsec <= ends->settled_blind_nsec)
		ends->settled_blind_nsec = 0;
	if (ends->quiet.count == 1 || until_nsec < ends->oldest_nsec)
		ends->oldest_nsec = until_nsec;
}

void sw_ends_count(struct sw_ends *ends, unsigned program,
		   const struct sw_exit *exit)
{
	struct sw_program *ended = &ends->programs->program[program];

	sw_program_count_end(ended, exit->wait_status);
	if (WIFSIGNALED(exit->wait_status))
		sw_killed_event_add(
			&(struct sw_killed){
				.program = ended->name,
				.pid = exit->pid,
				.signal = WTERMSIG(exit->wait_status),
				.time_usec = exit->time_nsec / SW_NSEC_PER_USEC,
			},
			&ends->programs->target, &ends->killed_count);
}

static void take(struct sw_ends *ends, const struct sw_exit *exit)
{
	struct quiet *quiet = sw_pid_map_find(&ends->quiet, exit->pid);

	if (!quiet || exit->time_nsec < quiet->since_nsec)
		return;
	sw_ends_count(ends, quiet->program, exit);
	sw_pid_map_remove(&ends->quiet, exit->pid);
}

/* It ended with 0, or nobody can know.  False: it may be told yet. */
static bool is_settled(struct sw_ends *ends, const struct quiet *quiet,
		       uint64_t patience_nsec)
{
	const struct sw_exit_feed *feed = ends->feed;
	uint64_t heard_nsec = sw_min_u64(feed->read_nsec, ends->taken_nsec);

	if (quiet->since_nsec <= sw_max_u64(feed->blind_nsec, ends->blind_nsec))
		return true;
	if (quiet->until_nsec + patience_nsec > heard_nsec ||
	    quiet->until_nsec >= feed->proof_nsec)
		return false;
	sw_program_count_end(&ends->programs->program[quiet->program], 0);
	return true;
}

/* Can any be settled that could not the last time? */
static bool is_due(struct sw_ends *ends, uint64_t patience_nsec)
{
	const struct sw_exit_feed *feed = ends->feed;
	uint64_t blind_nsec = sw_max_u64(feed->blind_nsec, ends->blind_nsec);
	bool is_blinder = blind_nsec > ends->settled_blind_nsec;

	ends->settled_blind_nsec = blind_nsec;
	return ends->quiet.count > 0 &&
	       (is_blinder ||
		(ends->oldest_nsec < feed->proof_nsec &&
		 ends->oldest_nsec + patience_nsec <=
			 sw_min_u64(feed->read_nsec, ends->taken_nsec)));
}

static void settle(struct sw_ends *ends, uint64_t patience_nsec)
{
	uint64_t oldest_nsec = UINT64_MAX;
	const struct quiet *quiet;
	size_t slot = 0;

	if (!is_due(ends, patience_nsec))
		return;
	while ((quiet = sw_pid_map_next(&ends->quiet, &slot))) {
		if (is_settled(ends, quiet, patience_nsec)) {
			/* Another one may move up. */
			sw_pid_map_remove(&ends->quiet, quiet->pid);
			slot--;
		} else {
			oldest_nsec =
				sw_min_u64(oldest_nsec, quiet->until_nsec);
		}
	}
	ends->oldest_nsec = oldest_nsec;
}

void sw_ends_take(struct sw_ends *ends, uint64_t until_nsec,
		  sw_ends_living_f *is_living, void *context)
{
	const struct sw_exit *exit;

	if (!ends->feed)
		return;
	while ((exit = sw_exit_feed_next(ends->feed, &ends->at, until_nsec,
					 &ends->blind_nsec))) {
		if (!is_living(context, exit))
			take(ends, exit);
	}
	ends->taken_nsec = until_nsec;
	settle(ends, ends->quiet.count < QUIET_MANY ? PATIENCE_NSEC
						    : SW_ENDS_LATE_NSEC);
}

bool sw_ends_need_proof(const struct sw_ends *ends, uint64_t now_nsec)
{
	return ends->quiet.count > 0 &&
	       ends->feed->proof_nsec <= ends->oldest_nsec &&
	       (ends->quiet.count >= QUIET_MANY ||
		sw_excess_u64(now_nsec, ends->oldest_nsec) >= DOUBT_NSEC);
}

uint64_t sw_ends_last_nsec(const struct sw_ends *ends)
{
	const struct quiet *quiet;
	uint64_t last = SW_MISSING;
	size_t slot = 0;

	while (ends->quiet.count > 0 &&
	       (quiet = sw_pid_map_next(&ends->quiet, &slot)))
		last = sw_max_u64(last, quiet->until_nsec);
	return last;
}

void sw_ends_settle(struct sw_ends *ends)
{
	settle(ends, SW_ENDS_LATE_NSEC);
}
