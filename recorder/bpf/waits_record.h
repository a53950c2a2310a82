/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pass tells of threads that do not run, in host layout: the BPF
 * program and the recorder are of one machine and one build.
 */
#ifndef SW_RECORDER_WAITS_RECORD_H
#define SW_RECORDER_WAITS_RECORD_H

enum {
	SW_WAITS_BATCH = 128,		/* processes of one call */
	SW_WAITS_THREADS = 2048,	/* told of one call, at most */
	SW_WAITS_STACK = 12,		/* addresses */
	SW_WAITS_CALLS = 512,		/* system calls that may be known */
	SW_WAITS_MODES = 16,		/* of files: mode >> 12 */
	SW_WAITS_KINDS = 16,
	SW_WAITS_SHARES = 256,
	SW_WAITS_NAMES = 64,		/* functions named by one call */
	SW_WAITS_NAME_SIZE = 48,
	SW_WAITS_PATH_SIZE = 256,
	/* In place of the kind of a call: its file says it. */
	SW_WAITS_BY_FILE = 255,
};

/* A thread of which the system call and the file do not say it all. */
struct sw_waits_thread {
	int pid, tid;
	unsigned int state;		/* the kernel's bits */
	unsigned int in_iowait;
	int call;			/* -1: none */
	int fd;				/* its first argument, if it has */
	unsigned int mode;		/* of the file there; 0: unknown */
	unsigned int magic, device;	/* of its file system, or the path's */
	unsigned int depth;
	unsigned long long inode, size;	/* of the file there; 0: unknown */
	unsigned long long switches;	/* how often it has begun to wait */
	unsigned long long stack[SW_WAITS_STACK];
};

/* The others are only counted, by enum sw_wait_kind. */
struct sw_waits_process {
	unsigned int kind[SW_WAITS_KINDS];
	unsigned int left_out;
};

/* What iter/task tells: a thread, or the kind of one. */
struct sw_waits_told {
	unsigned int kind;		/* 0: the thread says it */
	int unused;
	struct sw_waits_thread thread;
};

#endif
