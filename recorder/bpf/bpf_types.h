/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few members of kernel structures read by *.bpf.c.  libbpf relocates them
 * by the BTF of the running kernel (CO-RE), so the build needs no dump of
 * kernel types.
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
#define BPF_MAP_TYPE_PERCPU_ARRAY 6
#define BPF_MAP_TYPE_LRU_HASH 9
#define BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE 21
#define BPF_MAP_TYPE_SK_STORAGE 24
#define BPF_MAP_TYPE_RINGBUF 27
#define BPF_NOEXIST 1
#define BPF_F_NO_PREALLOC 1
#define BPF_SK_STORAGE_GET_F_CREATE 1
#define BPF_RB_NO_WAKEUP 1
#define BPF_RB_FORCE_WAKEUP 2
#define BPF_RB_AVAIL_DATA 0
#define BPF_RB_PROD_POS 3

#pragma clang attribute push(__attribute__((preserve_access_index)), \
			     apply_to = record)

typedef struct {
	int counter;
} atomic_t;

struct list_head {
	struct list_head *next;
};

struct rq {
	__u64 clock, clock_task;
};

struct cfs_rq {
	struct rq *rq;
};

struct sched_entity {
	__u64 exec_start;
	struct cfs_rq *cfs_rq;
	__u64 sum_exec_runtime;
};

struct sched_info {
	unsigned long long run_delay;
};

struct task_io_accounting {
	__u64 rchar, wchar, syscr, syscw;
	__u64 read_bytes, write_bytes, cancelled_write_bytes;
};

/* Page counts of a process from 6.2 on; counters holds each CPU's delta */
struct percpu_counter {
	__s64 count;
	__s32 *counters;
};

struct bpf_array {
	void *pptrs[0];
};

/* Any structure that consists of an int */
struct refcount_struct {
	atomic_t refs;
};

struct file;
struct mm_struct;

struct vm_area_struct {
	struct mm_struct *vm_mm;
	struct file *vm_file;
};

/* Stack pointer of a sleeping thread: x86, and arm64 */
struct thread_struct {
	unsigned long sp;
};

struct cpu_context {
	unsigned long sp;
};

struct thread_struct___arm64 {
	struct cpu_context cpu_context;
};

struct mm_struct {
	unsigned long hiwater_rss;
	unsigned long start_code, start_stack;
	struct percpu_counter rss_stat[4];
};

/* mm_struct before 6.2 */
typedef struct {
	long counter;
} atomic_long_t;

struct mm_rss_stat {
	atomic_long_t count[4];
};

struct mm_struct___before_6_2 {
	struct mm_rss_stat rss_stat;
};

typedef struct {
	unsigned long __mm_flags[1];
} mm_flags_t;

struct mm_struct___6_18 {
	mm_flags_t flags;
};

struct mm_struct___before_6_18 {
	unsigned long flags;
};

typedef struct {
	__u32 val;
} kuid_t;

struct cred {
	kuid_t uid, suid, euid;
};

/* Registers at entry from user mode (call or fault): x86, and arm64 */
struct pt_regs {
	unsigned long orig_ax, di, si, dx, r10, r8, bp, ip;
};

struct pt_regs___arm64 {
	__s32 syscallno;
	__u64 regs[31];
	__u64 orig_x0, pc;
};

/* x86: flag for a system call of a 32-bit program */
struct thread_info {
	__u32 status;
};

struct super_block {
	__u32 s_dev;
	unsigned long s_magic;
};

struct inode {
	__u16 i_mode;
	unsigned long i_ino;
	long long i_size;
	struct super_block *i_sb;
};


struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct qstr {
	__u32 len;
	const unsigned char *name;
};

struct dentry {
	struct super_block *d_sb;
	struct inode *d_inode;
	struct dentry *d_parent;
	struct qstr d_name;
};

struct path {
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
};

/* Flags of an open */
struct open_flags {
	int open_flag;
};

struct in6_addr {
	__u8 bytes[16];
};

struct sock_common {
	unsigned short skc_family;
	__be16 skc_dport;
	__be32 skc_daddr;
	struct in6_addr skc_v6_daddr;
};

struct sock {
	struct sock_common __sk_common;
	int sk_err;
};

struct filename {
	const char *name;
};

/* State of a path lookup */
struct nameidata {
	struct path path;
	struct filename *name;
};

struct signal_struct {
	atomic_t live;
	int nr_threads;
	struct list_head thread_head;
	unsigned int flags;
	int group_exit_code;
	unsigned long maxrss;
	struct mm_struct *oom_mm;
};

struct sigaction {
	void *sa_handler;
};

struct k_sigaction {
	struct sigaction sa;
};

struct sighand_struct {
	struct k_sigaction action[64];
};

struct task_struct {
	struct thread_info thread_info;
	void *stack;
	struct files_struct *files;
	struct nameidata *nameidata;
	const struct cred *cred;
	unsigned int in_iowait : 1;
	struct thread_struct thread;
	int pid, tgid;
	char comm[16];
	int exit_code, exit_state, exit_signal;
	unsigned int flags;
	unsigned int __state;
	__u64 utime, stime;
	__u64 start_boottime;
	unsigned long min_flt, maj_flt, nvcsw, nivcsw;
	struct list_head thread_node;
	struct mm_struct *mm;
	struct sched_entity se;
	struct sched_info sched_info;
	struct task_io_accounting ioac;
	struct signal_struct *signal;
	struct sighand_struct *sighand;
	struct task_struct *group_leader, *real_parent;
};

/* task_struct before 5.14 */
struct task_struct___before_5_14 {
	long state;
};

/* task_struct before 5.5, and in all of RHEL 8 */
struct task_struct___before_5_5 {
	__u64 real_start_time;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__bpf_map_elem {
	struct bpf_iter_meta *meta;
	void *map, *key, *value;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

struct linux_binprm {
	const char *filename;
};

#pragma clang attribute pop

#endif
