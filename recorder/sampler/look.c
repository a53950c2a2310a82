/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The waits of a step's threads at one moment. */
#include "recorder/sampler/look.h"

#include <sys/syscall.h>

#include "common/missing.h"

/* The current scan. */
static struct sw_look the_look;

static void add_thread(struct sw_look *look, enum sw_wait_kind only,
		       const struct sw_process *process,
		       const struct sw_wait_thread *thread)
{
	const struct sw_wait_sight sight = { .state = thread->state,
					     .syscall = thread->call,
					     .asked = thread->asked,
					     .file_mode = thread->mode,
					     .file_magic = thread->magic,
					     .depth = 1,
					     .function = { thread->function } };
	enum sw_wait_kind kind = sw_wait_explain(&sight).kind;

	if (kind == SW_WAIT_NONE || look->waits == SW_LOOK_WAITS_MAX ||
	    (only != SW_WAIT_NONE && kind != only))
		return;
	look->wait[look->waits++] =
		(struct sw_look_wait){ .process = process,
				       .thread = *thread,
				       .threads = 1,
				       .kind = kind,
				       .object.sleep_usec = SW_MISSING,
				       .is_connecting = SW_MISSING };
}

static void visit_all(struct sw_look *look, enum sw_visit_what what)
{
	size_t i;

	for (i = 0; i < look->processes; i++)
		look->visit[i] = (struct sw_visit){
			.pid = sw_tree_process(look->tree, i)->pid,
			.what = what };
	sw_visits(look->proc_fd, look->visit, look->processes);
}

static bool has_answered(const struct sw_visit *visit)
{
	return !visit->is_stuck && visit->status == SW_READ_OK;
}

struct sw_look *sw_look_begin(const struct sw_target *target,
			      enum sw_wait_kind only)
{
	struct sw_look *look = &the_look;
	size_t i, j, count;

	sw_tree_refresh(target->tree);
	count = sw_tree_count(target->tree);
	look->proc_fd = target->proc_fd;
	look->tree = target->tree;
	look->processes = count < SW_VISITS_MAX ? count : SW_VISITS_MAX;
	look->waits = 0;
	look->sockets = 0;
	visit_all(look, SW_VISIT_THREADS);
	for (i = 0; i < look->processes; i++) {
		const struct sw_visit *visit = &look->visit[i];

		for (j = 0; has_answered(visit) && j < visit->threads.count;
		     j++)
			add_thread(look, only, sw_tree_process(look->tree, i),
				   &visit->threads.thread[j]);
	}
	return look;
}

bool sw_look_is_writing(const struct sw_look_wait *wait)
{
	switch (wait->thread.call) {
	case SYS_write:
	case SYS_writev:
	case SYS_pwrite64:
	case SYS_sendfile:
		return true;
	default:
		return false;
	}
}

static bool is_other_end(const struct sw_look_wait *wait,
			 const struct sw_end *end)
{
	return wait->inode == end->inode &&
	       (wait->kind != SW_WAIT_PIPE ||
		(sw_look_is_writing(wait) ? end->can_read : end->can_write));
}

static bool has_end(const struct sw_look_wait *wait,
		    const struct sw_visit *visit)
{
	size_t i;

	for (i = 0; i < visit->ends.count; i++) {
		if (is_other_end(wait, &visit->ends.end[i]))
			return true;
	}
	return false;
}

static bool is_held_by(const struct sw_look_wait *wait, pid_t pid)
{
	size_t i;

	for (i = 0; i < wait->holders; i++) {
		if (wait->holder[i] == pid)
			return true;
	}
	return false;
}

/* Children follow their parents, which often keep a pipe open. */
static void match_ends(struct sw_look_wait *wait,
		       const struct sw_process *process,
		       const struct sw_visit *visit)
{
	bool is_own = process->pid == wait->process->pid;

	if (!has_end(wait, visit))
		return;
	if (!wait->other || !is_own)
		wait->other = process->pid;
	if (is_own)
		return;
	wait->others += !is_held_by(wait, process->parent);
	if (wait->holders < SW_LOOK_HOLDERS)
		wait->holder[wait->holders++] = process->pid;
}

void sw_look_find_ends(struct sw_look *look)
{
	size_t i, j;
	bool is_asked = false;

	for (i = 0; i < look->waits; i++)
		is_asked |= look->wait[i].inode != 0;
	if (!is_asked)
		return;
	visit_all(look, SW_VISIT_ENDS);
	for (i = 0; i < look->processes; i++) {
		for (j = 0; has_answered(&look->visit[i]) && j < look->waits;
		     j++)
			match_ends(&look->wait[j],
				   sw_tree_process(look->tree, i),
				   &look->visit[i]);
	}
}

const struct sw_process *sw_look_process(const struct sw_look *look, pid_t pid)
{
	size_t i;

	for (i = 0; i < sw_tree_count(look->tree); i++) {
		if (sw_tree_process(look->tree, i)->pid == pid)
			return sw_tree_process(look->tree, i);
	}
	return NULL;
}
