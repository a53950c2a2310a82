/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Last failures of each process, and what makes them good; for *.bpf.c only. */
#ifndef SW_RECORDER_BPF_FAILURES_H
#define SW_RECORDER_BPF_FAILURES_H

#include "recorder/bpf/bpf_types.h"

#include <bpf/bpf_helpers.h>

#include "recorder/bpf/bpf_failures_share.h"
#include "recorder/bpf/bpf_task.h"
#include "recorder/bpf/exec_record.h"

enum { NAME_MAX_BYTES = 64 };	/* significant bytes of a name */

/* Shared with exec.bpf.c */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, struct sw_record_process);
} processes SEC(".maps");

__u32 followed[SW_RECORD_GROUPS] SEC(".data.followed");

struct process_id {
	__u64 start_nsec;
	int tgid, unused;
};

/*
 * Buffers for a failure until it is stored: too large for the stack.  Each
 * program has its own: it can be interrupted by another, but never by itself.
 */
enum { OPENS, ACCESSES, EXECUTES, WRITES, WRITEVS, COPIES, SYNCS, MAPS, CLONES, STATES,
       PROGRAMS };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PROGRAMS);
	__type(key, int);
	__type(value, struct sw_failure);
} scratch SEC(".maps");

const struct sw_failures none = { 0 };

/* Count each process once, except when threads fail concurrently. */
static void count_without(struct sw_record_process *process)
{
	if (process->has_lost_failures)
		return;
	process->has_lost_failures = 1;
	__sync_fetch_and_add(&share_of(process->owner)->lost, 1);
}

static struct sw_failures *make(const struct process_id *process)
{
	int tgid = process->tgid;
	struct sw_record_process *followed_one =
		bpf_map_lookup_elem(&processes, &tgid);
	struct sw_failures *kept;

	if (!followed_one)
		return 0;
	/* Failures left by an earlier process with this pid */
	drop_failures(tgid);
	if (!has_room(followed_one->owner) ||
	    bpf_map_update_elem(&failures, &tgid, &none, BPF_NOEXIST) < 0) {
		count_without(followed_one);
		return 0;
	}
	count_kept(followed_one->owner, 1);
	kept = bpf_map_lookup_elem(&failures, &tgid);
	if (kept) {
		kept->owner = followed_one->owner;
		kept->start_nsec = process->start_nsec;
	}
	return kept;
}

static struct sw_failures *find(const struct process_id *process)
{
	struct sw_failures *kept =
		bpf_map_lookup_elem(&failures, &process->tgid);

	return kept && kept->start_nsec == process->start_nsec ? kept : 0;
}

/* Get the caller.  Return 0 if it is not followed. */
static __always_inline int get_caller(struct process_id *process)
{
	struct task_struct *task = bpf_get_current_task_btf();

	process->tgid = task->tgid;
	if (!followed[(__u32)process->tgid % SW_RECORD_GROUPS])
		return 0;
	process->start_nsec = start_of(task->group_leader);
	process->unused = 0;
	return 1;
}

/*
 * Return whether the caller has the rights of the job's user and no others, as
 * checked by sw_process_is_of().  The user must not learn paths and peers of
 * others.  For root's jobs there is no restriction.
 */
static int has_users_rights(const struct process_id *process)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	const struct sw_record_process *followed_one =
		bpf_map_lookup_elem(&processes, &process->tgid);
	const struct cred *cred = task->cred;
	__u32 uid;

	if (!followed_one)
		return 0;
	uid = share_of(followed_one->owner)->uid;
	return !uid || (cred->uid.val == uid && cred->euid.val == uid &&
			cred->suid.val == uid && is_dumpable(task));
}

static struct sw_failure *get_scratch(int program)
{
	struct sw_failure *found = bpf_map_lookup_elem(&scratch, &program);

	if (found) {
		found->times = 1;
		found->family = 0;
		found->number = 0;
		found->time_nsec = bpf_ktime_get_boot_ns();
	}
	return found;
}

/* Set the name from the last component of the path; size includes the NUL. */
static void set_name(struct sw_failure *failure, long size)
{
	const char *text = failure->text;
	__u64 hash = 14695981039346656037ull;	/* FNV-1a, backwards */
	int i;

	for (i = 0; i < NAME_MAX_BYTES; i++) {
		__u64 at = (__u64)(size - 2 - i);

		barrier_var(at);	/* for the verifier */
		if (at >= SW_FAILURE_TEXT_SIZE || text[at] == '/')
			break;
		hash = (hash ^ (__u8)text[at]) * 1099511628211ull;
	}
	failure->name = hash;
	failure->length = i < NAME_MAX_BYTES ? i : 0;
}

static __always_inline long read_text(char *text, const char *from,
				      int is_users)
{
	return is_users ? bpf_probe_read_user_str(text, SW_FAILURE_TEXT_SIZE,
						  from)
			: bpf_probe_read_kernel_str(text, SW_FAILURE_TEXT_SIZE,
						    from);
}

/* Read the last bytes of a string.  Return the number of bytes read. */
static __always_inline long read_tail_of(char *text, const char *from,
					 int is_users)
{
	long size = read_text(text, from, is_users);
	long whole = size;
	int i;

	for (i = 0; i < 4096 / SW_FAILURE_TEXT_SIZE; i++) {
		if (size != SW_FAILURE_TEXT_SIZE)
			break;
		size = read_text(text, from + whole - 1, is_users);
		whole += size - 1;
	}
	if (whole > SW_FAILURE_TEXT_SIZE)
		size = read_text(text, from + whole - SW_FAILURE_TEXT_SIZE,
				 is_users);
	return size;
}

/* The same, from kernel memory */
static long read_tail(char *text, const char *from)
{
	return read_tail_of(text, from, 0);
}

static void count_open_ones(struct sw_failures *kept)
{
	int i, count = 0;

	for (i = 0; i < SW_FAILURES_KEPT; i++)
		count += kept->failure[i].kind != SW_FAILURE_NONE;
	kept->open_ones = count;
}

/* Store a failure in the entry of an earlier one, or replace the oldest. */
static void keep(struct sw_failures *kept, struct sw_failure *failure)
{
	__u64 oldest_nsec = ~0ull;
	__u32 place = 0;
	int i;

	failure->opened = kept->opened;
	for (i = 0; i < SW_FAILURES_KEPT; i++) {
		struct sw_failure *other = &kept->failure[i];

		if (other->kind == failure->kind &&
		    other->name == failure->name) {
			failure->times = other->times + 1;
			/* Programs that get no memory retry with less. */
			if (failure->number < other->number)
				failure->number = other->number;
			place = i;
			break;
		}
		if (other->time_nsec < oldest_nsec) {
			oldest_nsec = other->time_nsec;
			place = i;
		}
	}
	kept->failure[place % SW_FAILURES_KEPT] = *failure;
	count_open_ones(kept);
}

/* Drop failures of this kind and name, up to that number: it works now. */
static void make_good(struct sw_failures *kept, int kind, __u64 name,
		      __u64 number)
{
	int i;

	for (i = 0; i < SW_FAILURES_KEPT; i++) {
		struct sw_failure *failure = &kept->failure[i];

		if (failure->kind != kind || failure->name != name ||
		    failure->number > number)
			continue;
		failure->kind = SW_FAILURE_NONE;
		failure->time_nsec = 0;
	}
	count_open_ones(kept);
}

static void note(const struct process_id *process, struct sw_failure *failure,
		 int kind, int error)
{
	struct sw_failures *kept = find(process);

	if (!kept)
		kept = make(process);
	if (!kept)
		return;
	failure->kind = (unsigned short)kind;
	failure->error = (unsigned short)error;
	keep(kept, failure);
}

static void note_path(const struct process_id *process, int program,
		      const char *path, int kind, int error)
{
	struct sw_failure *failure = get_scratch(program);

	if (!failure)
		return;
	set_name(failure, read_tail(failure->text, path));
	note(process, failure, kind, error);
}

#endif
