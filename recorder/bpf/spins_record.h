/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What spins.bpf.c keeps of a process that is watched, in host layout: the
 * BPF program and the recorder are of one machine and one build.
 */
#ifndef SW_RECORDER_SPINS_RECORD_H
#define SW_RECORDER_SPINS_RECORD_H

enum {
	SW_SPINS_CALLS = 512,		/* system calls; a power of two */
	SW_SPINS_PATH_SIZE = 256,	/* longer ones are not compared */
};

/* What tells two questions of the same system call apart. */
enum sw_spins_object {
	SW_SPINS_OTHER,			/* it asks nothing */
	SW_SPINS_PATH_FIRST,		/* a path, its first argument */
	SW_SPINS_PATH_SECOND,
	SW_SPINS_NUMBER,		/* a descriptor, or a process */
	SW_SPINS_NOTHING,		/* all are the same */
	/* Beside it: the call opens, names, lists or removes files. */
	SW_SPINS_METADATA = 0x80,
};

/*
 * Its threads may add at once, and a sample may be lost then.  The question is
 * chosen by majority (Boyer and Moore, MJRTY, 1991): one that most samples
 * have is found for certain.
 */
struct sw_spins_seen {
	unsigned long long ticks;	/* samples */
	unsigned long long in_call;	/* that were in a system call */
	unsigned long long metadata;	/* in one about names of files */
	unsigned long long same;	/* with the question, since chosen */
	unsigned long long votes;
	unsigned long long hash, number;	/* of its object */
	int call;
	int unused;
	char path[SW_SPINS_PATH_SIZE];		/* "": it has none */
};

#endif
