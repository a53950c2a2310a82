/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of one pass over processes, in host layout: the BPF program and the
 * recorder run on one machine and come from one build.
 */
#ifndef SW_RECORDER_SNAPSHOT_RECORD_H
#define SW_RECORDER_SNAPSHOT_RECORD_H

#include "recorder/bpf/exec_record.h"

enum {
	/*
	 * Processes per call.  A call must be short: the kernel runs nothing
	 * else on this CPU meanwhile.
	 */
	SW_SNAPSHOT_BATCH = 256,
	/*
	 * Maximum number of CPUs for exact page sums: with more, summing would
	 * cost more than the rest of the pass.
	 */
	SW_SNAPSHOT_CPUS_MAX = 64,
	/* Maximum number of threads sampled per process */
	SW_SNAPSHOT_THREADS_MAX = 4096,
};

struct sw_snapshot_memory {
	/* Pages; negative if the deltas not yet added by CPUs are larger. */
	long long anon, file, shmem, swap;
	unsigned long long hiwater;
	/* Identify the image, which children share until they exec */
	unsigned long long start_code, start_stack;
};

struct sw_snapshot_process {
	struct sw_record_sums sums;	/* including exited threads */
	struct sw_snapshot_memory memory;	/* 0 if it has none */
	unsigned long long start_nsec;		/* CLOCK_BOOTTIME */
	unsigned int is_there;
	unsigned int threads;
	unsigned int running, blocked;	/* threads: runnable; in state D */
	unsigned int left_out;		/* threads not sampled */
	int unused;
};

/* Record of iter/task: one thread at most */
struct sw_snapshot_thread {
	int pid;		/* process id */
	int unused;
	struct sw_snapshot_process thread;
};

#endif
