/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State that spins.bpf.c keeps of a watched process, in host layout: the BPF
 * program and the recorder run on one machine and come from one build.
 */
#ifndef SW_RECORDER_SPINS_RECORD_H
#define SW_RECORDER_SPINS_RECORD_H

enum {
	SW_SPINS_CALLS = 512,		/* system calls; a power of two */
	SW_SPINS_PATH_SIZE = 256,	/* longer paths are not compared */
};

/* Object that distinguishes two requests of the same system call */
enum sw_spins_object {
	SW_SPINS_OTHER,			/* not a request */
	SW_SPINS_PATH_FIRST,		/* a path in the first argument */
	SW_SPINS_PATH_SECOND,
	SW_SPINS_NUMBER,		/* a descriptor, or a process */
	SW_SPINS_NOTHING,		/* all requests are the same */
	/* Flag: the call opens, names, lists or removes files. */
	SW_SPINS_METADATA = 0x80,
};

/*
 * Threads may update this concurrently, which can lose a sample.  The request
 * is chosen by majority vote (Boyer and Moore, MJRTY, 1991), which is certain
 * to find one that most samples have.
 */
struct sw_spins_seen {
	unsigned long long ticks;	/* samples */
	unsigned long long in_call;	/* samples in a system call */
	unsigned long long metadata;	/* samples in a call about file names */
	/* Samples with the request, since it was chosen */
	unsigned long long same;
	unsigned long long votes;
	unsigned long long hash, number;	/* of the object */
	int call;
	int unused;
	char path[SW_SPINS_PATH_SIZE];		/* "": none */
};

#endif
