/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that BPF's records tell of and that have not ended, by pid and
 * without gaps, of all steps of the recorder.
 */
#ifndef SW_RECORDER_FOLLOWED_H
#define SW_RECORDER_FOLLOWED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/bpf/exec_record.h"

struct sw_account;

/* Why a process is watched by spinning.h. */
enum sw_suspicion {
	SW_SUSPECT_NOTHING,
	SW_SUSPECT_SPINS = 1,	/* it may wait without a pause */
	SW_SUSPECT_FILES = 2,	/* it may work on many files */
};

enum { SW_FOLLOWED_MAX = 32768, SW_FOLLOWED_SLOTS = 2 * SW_FOLLOWED_MAX };

struct sw_followed {
	pid_t pid;
	unsigned program;
	unsigned task;		/* of its step, in the order of attachment */
	bool is_by_hand;	/* BPF has not seen it begin */
	bool is_fork;		/* it was seen to begin, and not to execute */
	void *owner;		/* whoever follows the step */
	struct sw_account *account;	/* the step's; NULL: none is kept */
	uint64_t since_nsec;	/* what was told before is another's */
	uint64_t file_max_pages;	/* as far as looks saw */
	bool is_looked_at;
	unsigned not_running;	/* threads, when last looked at */
	struct sw_record_sums sums;	/* when last looked at */
	/* Likewise, and as read; 0: it has never been looked at. */
	uint64_t looked_at_nsec;	/* CLOCK_BOOTTIME */
	uint64_t run_delay_read_nsec;
	uint64_t open_nsec; /* it may have waited so, untold */
	unsigned threads;
	/*
	 * CPU time since a look found that it had paused, read, written, or
	 * called the kernel hardly ever: of who waits without a pause, and
	 * perhaps of others.
	 */
	uint64_t busy_nsec;
	/* CPU time of those looks that found much of it to be the kernel's. */
	uint64_t in_kernel_nsec;
	unsigned char suspect;	/* of spinning.h; 0: it is none */
	unsigned cleared_of;	/* enum sw_suspicion: watched, and it is not so */
	int polls_fd;	/* of polls.h; 0: none */
	uint64_t polls_from_nsec;	/* CPU time that it had used before */
	bool wants_polls;	/* as soon as it can be watched, and is calm */
	uint64_t calm_nsec;	/* since looks saw it wait seldom enough */
	bool is_restless;	/* it was watched, and waited too often */
};

struct sw_followed_table {
	size_t count;
	struct sw_followed entry[SW_FOLLOWED_MAX];
	uint16_t slot[SW_FOLLOWED_SLOTS];	/* index + 1; 0: free */
};

/* NULL: there is none.  Valid until one is removed, as are the others. */
struct sw_followed *sw_followed_find(struct sw_followed_table *table,
				     pid_t pid);

/* A new one, all zero but for its pid, which is not there; NULL: full. */
struct sw_followed *sw_followed_add(struct sw_followed_table *table,
				    pid_t pid);

/* The last one moves to its place. */
void sw_followed_remove(struct sw_followed_table *table,
			struct sw_followed *followed);

#endif
