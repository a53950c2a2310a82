/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sample the system call of a process and its object, once per fixed amount of
 * CPU time: a process that always makes the same request waits in a busy loop,
 * and one that is mostly in calls about file names works on many files.
 */
#include "recorder/bpf/bpf_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "recorder/bpf/spins_record.h"

enum {
	PROCESSES_MAX = 256,
	PATH_WORDS = SW_SPINS_PATH_SIZE / sizeof(__u64),
	/* arch/x86/include/asm/thread_info.h: TS_COMPAT */
	IS_COMPAT = 2,
};

/* By process id; entries added by the recorder are watched. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PROCESSES_MAX);
	__type(key, int);
	__type(value, struct sw_spins_seen);
} watched SEC(".maps");

/* By system call number: enum sw_spins_object, with flag METADATA */
const volatile unsigned char about[SW_SPINS_CALLS] = { 0 };

struct question {
	int call;
	__u64 first, second;	/* arguments */
};

static __always_inline int find_call(struct question *question,
				     struct task_struct *task)
{
	const struct pt_regs *registers =
		(const struct pt_regs *)bpf_task_pt_regs(task);
	const struct pt_regs___arm64 *arm64 = (const void *)registers;

	if (bpf_core_field_exists(registers->orig_ax)) {
		if (bpf_core_field_exists(task->thread_info.status) &&
		    (task->thread_info.status & IS_COMPAT))
			return -1;
		question->call = (int)registers->orig_ax;
		question->first = registers->di;
		question->second = registers->si;
	} else if (bpf_core_field_exists(arm64->syscallno)) {
		question->call = arm64->syscallno;
		question->first = arm64->orig_x0;
		question->second = arm64->regs[1];
	} else {
		return -1;
	}
	return question->call < 0 ? -1 : 0;
}

/* FNV-1a over words (Fowler, Noll, Vo). */
static __always_inline __u64 hash_of(const __u64 *words)
{
	__u64 hash = 0xcbf29ce484222325;
	unsigned i;

	for (i = 0; i < PATH_WORDS; i++)
		hash = (hash ^ words[i]) * 0x100000001b3;
	return hash;
}

static __always_inline void vote(struct sw_spins_seen *seen,
				 const struct question *question, __u64 hash,
				 const void *path)
{
	if (seen->votes && seen->call == question->call &&
	    seen->hash == hash) {
		seen->votes++;
		seen->same++;
	} else if (seen->votes) {
		seen->votes--;
	} else {
		seen->votes = seen->same = 1;
		seen->call = question->call;
		seen->hash = hash;
		seen->number = question->first;
		__builtin_memcpy(seen->path, path, sizeof(seen->path));
	}
}

SEC("perf_event")
int on_tick(void *unused)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 path[PATH_WORDS] = { 0 };
	struct question question = { 0 };
	struct sw_spins_seen *seen;
	int pid = task->tgid;
	unsigned char object;
	const void *from;
	long length;

	(void)unused;
	seen = bpf_map_lookup_elem(&watched, &pid);
	if (!seen)
		return 0;
	seen->ticks++;
	if (find_call(&question, task) < 0)
		return 0;
	seen->in_call++;
	object = about[question.call & (SW_SPINS_CALLS - 1)];
	if (question.call >= SW_SPINS_CALLS)
		return 0;
	if (object & SW_SPINS_METADATA)
		seen->metadata++;
	object &= ~SW_SPINS_METADATA;
	if (object == SW_SPINS_OTHER)
		return 0;
	if (object == SW_SPINS_NUMBER || object == SW_SPINS_NOTHING) {
		vote(seen, &question,
		     object == SW_SPINS_NUMBER ? question.first << 1 | 1 : 1,
		     path);
		return 0;
	}
	from = (const void *)(object == SW_SPINS_PATH_FIRST ? question.first :
							      question.second);
	length = bpf_probe_read_user_str(path, sizeof(path), from);
	/* "" means a descriptor: fstat() of the C library. */
	if (length > 1 && length < (long)sizeof(path))
		vote(seen, &question, hash_of(path), path);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
