/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of threads that are not running, in host layout: the BPF program and
 * the recorder run on one machine and come from one build.
 */
#ifndef SW_RECORDER_WAITS_RECORD_H
#define SW_RECORDER_WAITS_RECORD_H

enum {
	SW_WAITS_BATCH = 128,		/* processes per call */
	SW_WAITS_THREADS = 2048,	/* maximum per call */
	SW_WAITS_STACK = 12,		/* addresses */
	SW_WAITS_CALLS = 512,		/* system call numbers covered */
	SW_WAITS_MODES = 16,		/* of files: mode >> 12 */
	SW_WAITS_KINDS = 16,
	SW_WAITS_SHARES = 256,
	SW_WAITS_NAMES = 64,		/* functions resolved per call */
	SW_WAITS_NAME_SIZE = 48,
	SW_WAITS_PATH_SIZE = 256,
	/* In place of a call's kind: the kind depends on the file. */
	SW_WAITS_BY_FILE = 255,
};

/* A thread whose wait is not explained by its system call and file alone */
struct sw_waits_thread {
	int pid, tid;
	unsigned int state;		/* bits of the kernel */
	unsigned int in_iowait;
	int call;			/* -1: none */
	int fd;				/* first argument of the call, if any */
	unsigned int mode;		/* of that file; 0: unknown */
	unsigned int magic, device;	/* of the file system */
	unsigned int depth;
	unsigned long long inode, size;	/* of that file; 0: unknown */
	unsigned long long switches;	/* number of times it began to wait */
	unsigned long long stack[SW_WAITS_STACK];
};

/* Other threads are only counted, by enum sw_wait_kind. */
struct sw_waits_process {
	unsigned int kind[SW_WAITS_KINDS];
	unsigned int left_out;
};

/* Record of iter/task: a thread, or only its kind */
struct sw_waits_told {
	unsigned int kind;		/* 0: see thread */
	int unused;
	struct sw_waits_thread thread;
};

#endif
