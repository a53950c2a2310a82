/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Table of the live processes of all steps that BPF reports on, by pid and
 * without gaps.
 */
#ifndef SW_RECORDER_FOLLOWED_H
#define SW_RECORDER_FOLLOWED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/bpf/exec_record.h"

struct sw_account;

/* Reason for a process to be watched by spinning.h */
enum sw_suspicion {
	SW_SUSPECT_NOTHING,
	SW_SUSPECT_SPINS = 1,	/* may be waiting in a busy loop */
	SW_SUSPECT_FILES = 2,	/* may be working on many files */
};

enum { SW_FOLLOWED_MAX = 32768, SW_FOLLOWED_SLOTS = 2 * SW_FOLLOWED_MAX };

struct sw_followed {
	pid_t pid;
	unsigned program;
	unsigned task;		/* index in its step, in order of attachment */
	bool is_by_hand;	/* start not seen by BPF */
	bool is_fork;		/* fork seen, no exec yet */
	void *owner;		/* the follower of the step */
	struct sw_account *account;	/* of the step; NULL: none kept */
	uint64_t since_nsec;	/* earlier records are about another process */
	uint64_t file_max_pages;	/* maximum over samples */
	bool is_looked_at;
	unsigned not_running;	/* threads, in the last sample */
	struct sw_record_sums sums;	/* in the last sample */
	/* In the last sample; run delay not capped.  0: not sampled. */
	uint64_t looked_at_nsec;	/* CLOCK_BOOTTIME */
	uint64_t run_delay_read_nsec;
	uint64_t open_nsec; /* runnable, but not reported yet */
	unsigned threads;
	/*
	 * CPU time since the last sample in which the process paused, did I/O,
	 * or hardly called the kernel: grows for busy waiting, and perhaps for
	 * others.
	 */
	uint64_t busy_nsec;
	/* CPU time of samples in which much of it was system time */
	uint64_t in_kernel_nsec;
	unsigned char suspect;	/* slot in spinning.h; 0: none */
	unsigned cleared_of;	/* enum sw_suspicion: not confirmed */
	int polls_fd;	/* from polls.h; 0: none */
	uint64_t polls_from_nsec;	/* CPU time used before the watch */
	bool wants_polls;	/* once possible and calm */
	uint64_t calm_nsec;	/* time with few enough switches */
	bool is_restless;	/* was watched, but switched too often */
};

struct sw_followed_table {
	size_t count;
	struct sw_followed entry[SW_FOLLOWED_MAX];
	uint16_t slot[SW_FOLLOWED_SLOTS];	/* index + 1; 0: free */
};

/* Return the process or NULL.  Valid until an entry is removed. */
struct sw_followed *sw_followed_find(struct sw_followed_table *table,
				     pid_t pid);

/* Add a pid not in the table, zeroed.  Return NULL if the table is full. */
struct sw_followed *sw_followed_add(struct sw_followed_table *table,
				    pid_t pid);

/* Remove an entry; the last entry takes its place. */
void sw_followed_remove(struct sw_followed_table *table,
			struct sw_followed *followed);

#endif
