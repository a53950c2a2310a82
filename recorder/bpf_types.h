/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few members of kernel structures that *.bpf.c read.  libbpf finds
 * their places in the running kernel by its BTF (CO-RE), so that no dump of a
 * kernel's types is needed to build.
 */
#ifndef SW_RECORDER_BPF_TYPES_H
#define SW_RECORDER_BPF_TYPES_H

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef int __s32;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

#define BPF_MAP_TYPE_HASH 1
#define BPF_MAP_TYPE_ARRAY 2
#define BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE 21
#define BPF_MAP_TYPE_RINGBUF 27
#define BPF_NOEXIST 1
#define BPF_RB_NO_WAKEUP 1
#define BPF_RB_FORCE_WAKEUP 2
#define BPF_RB_AVAIL_DATA 0

#pragma clang attribute push(__attribute__((preserve_access_index)), \
			     apply_to = record)

typedef struct {
	int counter;
} atomic_t;

struct sched_entity {
	__u64 sum_exec_runtime;
};

struct sched_info {
	unsigned long long run_delay;
};

struct task_io_accounting {
	__u64 rchar, wchar, read_bytes, write_bytes;
};

struct mm_struct;

struct signal_struct {
	atomic_t live;
	unsigned int flags;
	int group_exit_code;
	unsigned long maxrss;
	struct mm_struct *oom_mm;
};

struct task_struct {
	int pid, tgid;
	int exit_code;
	__u64 utime, stime;
	__u64 start_boottime;
	struct sched_entity se;
	struct sched_info sched_info;
	struct task_io_accounting ioac;
	struct signal_struct *signal;
	struct task_struct *group_leader;
};

struct linux_binprm {
	const char *filename;
};

#pragma clang attribute pop

#endif
