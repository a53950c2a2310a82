/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Detection of a hanging step and what its threads wait for. */
#include "recorder/sampler/hang.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/sampler/look.h"
#include "recorder/tables/hangs.h"
#include "recorder/tables/privacy.h"
#include "recorder/tables/stacks.h"
#include "recorder/waits/file_locks.h"

enum {
	SOCKETS_MAX = 4,	/* maximum number looked up */
	IDLE_PARTS = 20,	/* up to a 20th of one CPU is no progress */
	IDLE_USEC = 50000,
	QUEUE_PARTS = 10,	/* waits for a CPU count a 10th of that */
};

/* The current scan. */
static struct sw_look *look;

/* Start a new window now. */
static void begin_window(struct sw_hang *hang, uint64_t now_usec,
			 uint64_t cpu_usec)
{
	hang->window_usec = now_usec;
	hang->cpu_usec = cpu_usec;
}

enum sw_hang_due sw_hang_check(struct sw_hang *hang, uint64_t now_usec,
			       uint64_t cpu_usec, uint64_t queue_usec)
{
	const uint64_t long_usec = SW_HANG_SECONDS * SW_USEC_PER_SEC;
	uint64_t width = sw_excess_u64(now_usec, hang->window_usec);

	if (sw_is_missing(cpu_usec))
		return SW_HANG_NOTHING;
	cpu_usec += sw_zero_if_missing(queue_usec) / QUEUE_PARTS;
	if (!hang->has_begun || sw_excess_u64(cpu_usec, hang->cpu_usec) >
				IDLE_USEC + width / IDLE_PARTS) {
		begin_window(hang, now_usec, cpu_usec);
		hang->has_begun = true;
		hang->is_told = hang->is_marked = false;
		hang->since_usec = now_usec;
		return SW_HANG_NOTHING;
	}
	if (width >= long_usec)
		begin_window(hang, now_usec, cpu_usec);
	if (hang->is_told || hang->told == SW_HANGS_MAX)
		return SW_HANG_NOTHING;
	width = sw_excess_u64(now_usec, hang->since_usec);
	if (width < long_usec) {
		if (hang->is_marked || width < long_usec / 2)
			return SW_HANG_NOTHING;
		hang->is_marked = true;
		return SW_HANG_MARK;
	}
	hang->is_told = true;
	hang->told++;
	return SW_HANG_TAKE;
}

void sw_hang_mark(struct sw_hang *hang, const struct sw_target *target,
		  uint64_t now_usec)
{
	size_t i;

	hang->marks = 0;
	hang->marked_usec = now_usec;
	if (!target->tree)
		return;
	look = sw_look_begin(target, SW_WAIT_NONE);
	for (i = 0; i < look->waits && i < SW_HANG_MARKS_MAX; i++)
		hang->mark[hang->marks++] = (struct sw_hang_mark){
			.tid = look->wait[i].thread.tid,
			.timeslices = look->wait[i].thread.timeslices };
}

/* Return how often a thread has run since its mark; missing without a mark. */
static uint64_t runs_of(const struct sw_hang *hang,
			const struct sw_wait_thread *thread)
{
	size_t i;

	for (i = 0; hang->is_marked && i < hang->marks; i++) {
		if (hang->mark[i].tid == thread->tid)
			return sw_delta_u64(thread->timeslices,
					    hang->mark[i].timeslices);
	}
	return SW_MISSING;
}

/* Set the name to the peer of a socket.  Return true if there is one. */
static bool find_peer(struct sw_look_wait *wait, uint64_t inode)
{
	struct sw_socket found = { .inode = inode };

	snprintf(wait->name, sizeof(wait->name), "socket");
	if (look->sockets == SOCKETS_MAX)
		return false;
	look->sockets++;
	if (!sw_visit_socket(look->proc_fd, wait->process->pid, &found))
		return false;
	wait->inode = found.peer_inode;
	if (found.peer[0])
		snprintf(wait->name, sizeof(wait->name), "%s", found.peer);
	if (!strchr(found.peer, ':'))
		return false;
	wait->is_connecting = found.is_connecting;
	return true;
}

/* The kind of peer that a descriptor indicates. */
enum said {
	NOBODY,		/* local to the process: a timer, an eventfd */
	SOMETHING,
	PEER,		/* on the network */
};

static bool is_own(const char *name)
{
	return !strcmp(name, "anon_inode:[eventfd]") ||
	       !strcmp(name, "anon_inode:[timerfd]");
}

static enum said look_at_descriptor(struct sw_look_wait *wait, int fd)
{
	char name[SW_VISIT_PATH_SIZE];

	if (!sw_visit_path(look->proc_fd, wait->process->pid, fd, name,
			   sizeof(name)))
		return SOMETHING;
	if (is_own(name) && wait->object.count)
		return NOBODY;
	if (!strncmp(name, "socket:", 7)) {
		wait->kind = SW_WAIT_NETWORK;
		return find_peer(wait, sw_end_inode(name)) ? PEER : SOMETHING;
	}
	if (!strncmp(name, "pipe:", 5)) {
		wait->kind = SW_WAIT_PIPE;
		wait->inode = sw_end_inode(name);
		wait->name[0] = '\0';
	} else if (wait->kind != SW_WAIT_POLL) {
		snprintf(wait->name, sizeof(wait->name), "%s", name);
	}
	return SOMETHING;
}

/* Return the descriptor of the call, or -1 if it has none or several. */
static int descriptor_of(const struct sw_look_wait *wait)
{
	const struct sw_wait_thread *thread = &wait->thread;

	if (wait->kind == SW_WAIT_NETWORK || thread->call == SYS_flock ||
	    thread->call == SYS_fcntl)
		return (int)thread->argument[0];
	return thread->fd;
}

/*
 * Use the only polled descriptor that is not local to the process, or among
 * several a peer on the network.  With too many, not all are known.
 */
static void look_at_polled(struct sw_look_wait *wait)
{
	size_t i, found = 0;

	for (i = 0; i < wait->object.count; i++) {
		switch (look_at_descriptor(wait, wait->object.descriptor[i])) {
		case PEER:
			return;
		case SOMETHING:
			found++;
			break;
		case NOBODY:
			break;
		}
	}
	if (found < 2 && i < SW_WAIT_DESCRIPTORS)
		return;
	wait->kind = SW_WAIT_POLL;
	wait->name[0] = '\0';
	wait->inode = 0;
}

static void look_at(struct sw_look_wait *wait)
{
	const struct sw_wait_thread *thread = &wait->thread;
	int fd = descriptor_of(wait);

	if (wait->kind == SW_WAIT_STOPPED)
		return;
	wait->object.call = thread->call;
	memcpy(wait->object.argument, thread->argument,
	       sizeof(thread->argument));
	if (fd < 0 || wait->kind == SW_WAIT_LOCK)
		sw_visit_object(look->proc_fd, wait->process->pid,
				&wait->object);
	wait->other = wait->object.owner;
	_Static_assert(sizeof(wait->name) == sizeof(wait->object.path), "");
	memcpy(wait->name, wait->object.path, sizeof(wait->name));
	if (fd >= 0)
		look_at_descriptor(wait, fd);
	else if (wait->kind == SW_WAIT_POLL)
		look_at_polled(wait);
	if (wait->kind == SW_WAIT_LOCK && fd >= 0)
		wait->other = sw_file_lock_holder(look->proc_fd,
						  wait->process->pid);
}

/*
 * Report only the kind of wait for a process that has other credentials than
 * the user, or has gained them meanwhile.
 */
static void look_at_own(struct sw_look_wait *wait, uid_t uid)
{
	pid_t pid = wait->process->pid;

	wait->is_of_user = sw_process_is_of(look->proc_fd, pid, uid);
	/* A step of root may see everything. */
	if (!wait->is_of_user && uid != 0)
		return;
	look_at(wait);
	if (uid == 0)
		return;
	wait->is_of_user = sw_process_is_of(look->proc_fd, pid, uid);
	if (wait->is_of_user)
		return;
	wait->object = (struct sw_wait_object){ .sleep_usec = SW_MISSING };
	wait->name[0] = '\0';
	wait->inode = 0;
	wait->other = 0;
}

/*
 * A thread whose events can only come from its own process, such as the
 * wake-ups of an event loop, waits for nothing or for a time.
 */
static void leave_own_end(struct sw_look_wait *wait)
{
	if (!wait->object.count || wait->other != wait->process->pid)
		return;
	wait->kind = sw_is_missing(wait->object.sleep_usec) ? SW_WAIT_POLL :
							      SW_WAIT_SLEEP;
	wait->name[0] = '\0';
	wait->inode = 0;
	wait->other = 0;
}

static bool is_same(const struct sw_look_wait *one, const struct sw_look_wait *two)
{
	return one->process == two->process && one->kind == two->kind &&
	       one->thread.call == two->thread.call &&
	       one->other == two->other && one->inode == two->inode &&
	       one->object.sleep_usec == two->object.sleep_usec &&
	       !strcmp(one->name, two->name);
}

/* Keep the one that ran least: a thread that never ran says more. */
static void join(struct sw_look_wait *wait, const struct sw_look_wait *other)
{
	uint64_t threads = wait->threads + other->threads;

	if (other->runs < wait->runs)
		*wait = *other;
	wait->threads = threads;
}

/* Merge the waits for the same object. */
static void join_same(void)
{
	size_t i, j, kept = 0;

	for (i = 0; i < look->waits; i++) {
		for (j = 0; j < kept && !is_same(&look->wait[j],
						 &look->wait[i]); j++)
			;
		if (j < kept)
			join(&look->wait[j], &look->wait[i]);
		else
			look->wait[kept++] = look->wait[i];
	}
	look->waits = kept;
}

/* Return the program; another thread of the same process has the same one. */
static const char *name_other(const struct sw_look_wait *wait)
{
	const struct sw_process *other;

	if (!wait->other)
		return NULL;
	other = sw_look_process(look, wait->other);
	if (other)
		return other->comm;
	return wait->object.owner ? wait->process->comm : NULL;
}

static void write_wait(const struct sw_look_wait *wait, struct sw_hang_row *row)
{
	const struct sw_wait_thread *thread = &wait->thread;

	row->program = wait->process->comm;
	row->pid = (uint64_t)wait->process->pid;
	row->tid = (uint64_t)thread->tid;
	row->threads = wait->threads;
	row->kind = sw_wait_kind_name(wait->kind);
	row->call = thread->call < 0 ? NULL : sw_wait_call_name(thread->call);
	row->function = sw_wait_function_name(thread->function);
	row->object = wait->name[0] ? wait->name : NULL;
	row->sleep_usec = wait->object.sleep_usec;
	row->runs = wait->runs;
	row->is_connecting = wait->is_connecting;
	row->other = name_other(wait);
	row->other_pid = wait->other ? (uint64_t)wait->other : SW_MISSING;
}

static void want_stack(const struct sw_look_wait *wait,
		       const struct sw_target *target, struct sw_writer *writer,
		       struct sw_capture *capture, uint64_t now_usec)
{
	const struct sw_stack_row refused = {
		.time_usec = now_usec,
		.pid = (uint64_t)wait->process->pid,
		.tid = (uint64_t)wait->thread.tid,
		.took_usec = SW_MISSING,
		.left_out = "rights",
	};

	if (!sw_privacy_has_paths())
		return;
	if (wait->is_of_user)
		sw_capture_want(capture, wait->process->pid, wait->thread.tid,
				now_usec);
	else
		sw_stacks_write(writer, target->step, &refused);
}

void sw_hang_take(const struct sw_hang *hang, const struct sw_target *target,
		  struct sw_writer *writer, struct sw_capture *capture,
		  uint64_t now_usec)
{
	struct sw_hang_row row = {
		.time_usec = now_usec,
		.still_usec = sw_excess_u64(now_usec, hang->since_usec) };
	size_t i;

	if (!target->tree)
		return;
	look = sw_look_begin(target, SW_WAIT_NONE);
	for (i = 0; i < look->waits; i++)
		look->wait[i].runs = runs_of(hang, &look->wait[i].thread);
	for (i = 0; i < look->waits; i++)
		look_at_own(&look->wait[i], target->uid);
	sw_look_find_ends(look);
	for (i = 0; i < look->waits; i++)
		leave_own_end(&look->wait[i]);
	join_same();
	row.runs_usec = hang->is_marked ? sw_excess_u64(now_usec,
							hang->marked_usec) :
					  SW_MISSING;
	row.took_usec = sw_excess_u64(sw_clock_boottime_usec(), now_usec);
	for (i = 0; i < look->waits; i++) {
		write_wait(&look->wait[i], &row);
		sw_hangs_write(writer, target->step, &row);
		want_stack(&look->wait[i], target, writer, capture, now_usec);
	}
	sw_capture_begin(capture, &(struct sw_capture_place){
		.proc_fd = target->proc_fd, .uid = target->uid,
		.gid = target->gid, .job_id = target->job_id });
}
