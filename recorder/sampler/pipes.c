/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other ends of the pipes that the threads of a step wait for. */
#include "recorder/sampler/pipes.h"

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/sampler/look.h"
#include "recorder/tables/pipes.h"
#include "recorder/tables/privacy.h"
#include "recorder/waits/wait_tally.h"

enum { ROWS_MAX = 8 };

bool sw_pipes_is_due(const struct sw_pipes *pipes,
		     const struct sw_wait_tally *tally)
{
	uint64_t due_usec = (SW_PIPES_SECONDS * SW_USEC_PER_SEC)
			    << pipes->looks;
	size_t i;

	for (i = 0; tally && i < tally->count; i++) {
		const struct sw_wait_group *group = &tally->group[i];

		if (group->reason.kind == SW_WAIT_PIPE && group->threads &&
		    group->some_usec >= due_usec &&
		    pipes->looks < SW_PIPES_LOOKS_MAX)
			return true;
	}
	return false;
}

void sw_pipes_add(struct sw_pipes *pipes, bool is_told)
{
	pipes->tries++;
	if (!is_told && pipes->tries < SW_PIPES_TRIES)
		return;
	pipes->looks++;
	pipes->tries = 0;
}

static bool is_old(const struct sw_pipe_end *end)
{
	return end->age_usec >= SW_PIPES_AGE_SECONDS * SW_USEC_PER_SEC;
}

static void find_pipe(struct sw_look *look, struct sw_look_wait *wait)
{
	char name[SW_VISIT_PATH_SIZE];

	if (wait->thread.fd >= 0 &&
	    sw_visit_path(look->proc_fd, wait->process->pid, wait->thread.fd,
			  name, sizeof(name)))
		wait->inode = sw_end_inode(name);
}

static struct sw_pipe_end end_of(const struct sw_process *process,
				 uint64_t now_usec)
{
	return (struct sw_pipe_end){
		.program = process->comm,
		.pid = (uint64_t)process->pid,
		.cpu_usec = process->user_usec + process->system_usec +
			    process->waited_user_usec +
			    process->waited_system_usec,
		.age_usec =
			sw_excess_u64(now_usec, sw_process_start_usec(process)),
		.run_queue_wait_usec = process->run_queue_wait_usec,
	};
}

/* Return true if another of its threads has the same pair already. */
static bool is_repeated(const struct sw_look *look, size_t index)
{
	const struct sw_look_wait *wait = &look->wait[index];
	size_t i;

	for (i = 0; i < index; i++) {
		if (look->wait[i].process == wait->process &&
		    look->wait[i].holder[0] == wait->holder[0])
			return true;
	}
	return false;
}

bool sw_pipes_take(const struct sw_target *target, struct sw_writer *writer,
		   uint64_t now_usec)
{
	struct sw_pipe_row row = { .time_usec = now_usec };
	struct sw_look *look;
	bool is_told = false;
	size_t i, rows = 0;

	/* Without program names the rows would be useless. */
	if (!target->tree || !sw_privacy_has_programs())
		return false;
	look = sw_look_begin(target, SW_WAIT_PIPE);
	for (i = 0; i < look->waits; i++)
		find_pipe(look, &look->wait[i]);
	sw_look_find_ends(look);
	row.took_usec = sw_excess_u64(sw_clock_boottime_usec(), now_usec);
	for (i = 0; i < look->waits && rows < ROWS_MAX; i++) {
		const struct sw_look_wait *wait = &look->wait[i];
		const struct sw_process *other =
			sw_look_process(look, wait->holder[0]);

		if (!wait->holders || !other || is_repeated(look, i))
			continue;
		row.is_writing = sw_look_is_writing(wait);
		row.others = wait->others;
		row.waiter = end_of(wait->process, now_usec);
		row.other = end_of(other, now_usec);
		sw_pipes_write(writer, target->step, &row);
		is_told |= is_old(&row.waiter) && is_old(&row.other);
		rows++;
	}
	return is_told;
}
