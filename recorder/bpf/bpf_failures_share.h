/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Failures of all processes, and each job's share; for *.bpf.c only. */
#ifndef SW_RECORDER_BPF_FAILURES_SHARE_H
#define SW_RECORDER_BPF_FAILURES_SHARE_H

#include "recorder/bpf/bpf_types.h"

#include <bpf/bpf_helpers.h>

#include "recorder/bpf/failures_record.h"

/*
 * Failed calls, added by failures.bpf.c.  For a process that exits with a
 * failure, they stay until the recorder takes them.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, SW_FAILURES_PROCESSES);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct sw_failures);
} failures SEC(".maps");

/* In its own section, shared by both objects */
struct sw_failures_shares shares SEC(".data.shares") = {
	.room = SW_FAILURES_PROCESSES,
};

static struct sw_failures_owner *share_of(__u32 number)
{
	return &shares.owner[number & (SW_RECORD_OWNERS - 1)];
}

/* Return whether the job can keep those of one more process; see share.h. */
static int has_room(__u32 number)
{
	const struct sw_failures_owner *owner = share_of(number);
	int left = shares.room - shares.all;

	if (!number)
		return left > 0;
	return owner->kept + shares.users[owner->user &
					  (SW_RECORD_OWNERS - 1)] < left;
}

static void count_kept(__u32 number, int more)
{
	struct sw_failures_owner *owner = share_of(number);

	__sync_fetch_and_add(&shares.all, more);
	__sync_fetch_and_add(&owner->kept, more);
	__sync_fetch_and_add(
		&shares.users[owner->user & (SW_RECORD_OWNERS - 1)], more);
}

static void drop_failures(int tgid)
{
	const struct sw_failures *kept = bpf_map_lookup_elem(&failures, &tgid);
	__u32 owner;

	if (!kept)
		return;
	owner = kept->owner;
	if (bpf_map_delete_elem(&failures, &tgid) == 0)
		count_kept(owner, -1);
}

#endif
