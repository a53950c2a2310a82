/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watch MPI ranks that wait by polling. */
#include "recorder/programs/polling.h"

#include <unistd.h>

#include "common/delta.h"
#include "common/mpi_launcher.h"
#include "common/units.h"
#include "recorder/bpf/polls.h"

/* Per step, and in total: each takes a file descriptor. */
enum { POLLS_MAX = 128, POLLS_ALL_MAX = 512 };

/* Too few samples are not representative. */
enum { TICKS_MIN = 20 };

static unsigned count_of_all;

/* Watch processes of MPI launchers, and tasks of steps with several. */
void sw_polling_exec(struct sw_polling *polling, struct sw_followed *live,
		     const char *program, bool has_tasks)
{
	if (sw_is_mpi_launcher(program))
		polling->has_ranks = true;
	else if ((polling->has_ranks || has_tasks) &&
		 !live->polls_fd && !live->wants_polls && !live->is_restless)
		polling->wants_some = live->wants_polls = true;
}

void sw_polling_end(struct sw_polling *polling, struct sw_followed *live)
{
	if (!live->polls_fd)
		return;
	close(live->polls_fd);
	live->polls_fd = 0;
	polling->count--;
	count_of_all--;
}

/* Polling is loaded last; the first ranks may start before. */
static void begin(struct sw_polling *polling, struct sw_followed *live)
{
	int fd = -1;

	live->wants_polls = false;
	if (polling->count < POLLS_MAX && count_of_all < POLLS_ALL_MAX)
		fd = sw_polls_watch(live->pid);
	if (fd > 0) {
		live->polls_fd = fd;
		live->polls_from_nsec = live->sums.runtime_nsec;
		polling->count++;
		count_of_all++;
	}
}

/* A process that waits often does not poll, and would pay for each switch. */
void sw_polling_look(struct sw_polling *polling,
		     struct sw_followed_table *followed, const void *owner)
{
	bool wants_polls = false;
	size_t i;

	if (!polling->wants_some && !polling->count)
		return;
	for (i = 0; i < followed->count; i++) {
		struct sw_followed *live = &followed->entry[i];

		if (live->owner != owner)
			continue;
		if (live->is_restless) {
			live->wants_polls = false;
			sw_polling_end(polling, live);
		} else if (live->wants_polls &&
			   live->calm_nsec >= SW_POLLS_CALM_NSEC) {
			begin(polling, live);
		}
		wants_polls |= live->wants_polls;
	}
	polling->wants_some = wants_polls;
}

/*
 * Estimate the time spent polling, from the CPU time since the watch began and
 * the share of samples in MPI.  Ignore processes whose watch ended early.
 */
void sw_polling_add(struct sw_program *program, const struct sw_followed *live,
		    const struct sw_record_sums *sums)
{
	uint64_t watched_nsec =
		sw_excess_u64(sums->runtime_nsec, live->polls_from_nsec);
	uint64_t usec;

	if (sums->ticks < TICKS_MIN || live->is_restless)
		return;
	usec = (uint64_t)((double)watched_nsec / SW_NSEC_PER_USEC *
			  (double)sums->mpi_ticks / (double)sums->ticks);
	program->polled++;
	program->mpi_usec += usec;
	if (program->polled == 1 || usec < program->mpi_least_usec)
		program->mpi_least_usec = usec;
}
