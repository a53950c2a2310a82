/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one pass over processes leaves of each, in host layout: the BPF program
 * and the recorder are of one machine and one build.
 */
#ifndef SW_RECORDER_SNAPSHOT_RECORD_H
#define SW_RECORDER_SNAPSHOT_RECORD_H

#include "recorder/bpf/exec_record.h"

enum {
	/* Processes of one call, which may not take long: the kernel runs
	 * nothing else on this CPU. */
	SW_SNAPSHOT_BATCH = 256,
	/* CPUs up to which a process's pages are summed exactly: beyond it
	 * that would cost more than all else. */
	SW_SNAPSHOT_CPUS_MAX = 64,
	/* Threads that are looked at of one process. */
	SW_SNAPSHOT_THREADS_MAX = 4096,
};

struct sw_snapshot_memory {
	/* Pages; negative where what CPUs have not added yet is more. */
	long long anon, file, shmem, swap;
	unsigned long long hiwater;
	/* Where its image lies: its children share that until they execute. */
	unsigned long long start_code, start_stack;
};

struct sw_snapshot_process {
	struct sw_record_sums sums;	/* its ended threads in it */
	struct sw_snapshot_memory memory;	/* 0 where it has none */
	unsigned long long start_nsec;		/* CLOCK_BOOTTIME */
	unsigned int is_there;
	unsigned int threads;
	unsigned int running, blocked;	/* threads: to run; in state D */
	unsigned int left_out;		/* threads */
	int unused;
};

/* What iter/task tells: one thread, or no more than one. */
struct sw_snapshot_thread {
	int pid;		/* of the process */
	int unused;
	struct sw_snapshot_process thread;
};

#endif
