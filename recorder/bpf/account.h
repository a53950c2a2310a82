/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the processes of a step have used and use, task by task, from BPF's
 * records: of the dead what was told at their ends, of the living what the
 * last look at them saw.  Counters never go back.
 */
#ifndef SW_RECORDER_ACCOUNT_H
#define SW_RECORDER_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "recorder/bpf/followed.h"
#include "recorder/bpf/snapshot_record.h"

enum {
	/* Processes of one step that are looked at in one pass. */
	SW_ACCOUNT_SHARE = 4096,
};

/* Of one task, or of all.  Memory in pages. */
struct sw_account_part {
	struct sw_record_sums dead;	/* of processes that have ended */
	struct sw_record_sums sums;	/* the dead in them */
	uint64_t processes, threads;
	uint64_t running, blocked;	/* threads */
	uint64_t threads_left_out;
	uint64_t anon, file, shmem_max, swap, rss;
	/* of each family of one image the largest */
	uint64_t anon_low;
	/* likewise, within and beyond what is taken for code */
	uint64_t code_max, file_beyond;
	uint64_t hiwater_max, hiwater_anon_max;		/* so far */
};

struct sw_wait_tally;

struct sw_account {
	struct sw_account *next;	/* of all that are open */
	size_t task_count;
	struct sw_account_part *tasks;
	uint64_t looked_at;	/* in this pass */
	uint64_t left_out;	/* processes, at the last look */
	struct sw_wait_tally *waits;	/* NULL: none is kept */
	unsigned share;		/* its number in a pass over waits */
	bool counts_opens;
};

void sw_sums_add(struct sw_record_sums *to,
		 const struct sw_record_sums *more);

void sw_account_open(struct sw_account *account);

/* Room for one more task; its index, or -1 without memory. */
int sw_account_add_task(struct sw_account *account);
void sw_account_close(struct sw_account *account);

/* The first of all that are open, which are linked; NULL: none is. */
struct sw_account *sw_account_first(void);

/* A pass over so many processes, of all accounts, begins, ... */
void sw_account_begin(size_t processes);
/* ... has seen a process (NULL: left it out, what it had stands) ... */
void sw_account_see(struct sw_followed *followed,
		    const struct sw_snapshot_process *seen);

/* A process has ended; it is removed from its table after that. */
void sw_account_bury(const struct sw_followed *followed,
		     const struct sw_record_exit *record);

/*
 * How long a process has waited for CPUs, of what was read of it at that time:
 * since the last look none of its threads waited longer than that, and than
 * those that were to run at the looks before have not told of.  Kernels
 * from 6.12 on leave a thread queued for a while when it goes to sleep
 * (kernel/sched/features.h: DELAY_DEQUEUE) and at times count all of its sleep
 * as such a wait.
 */
uint64_t sw_account_run_delay_nsec(const struct sw_followed *followed,
				   uint64_t read_nsec, uint64_t time_nsec);

/* Threads that run or could, at the last look. */
uint64_t sw_account_running(const struct sw_account *account);

/* All tasks together. */
void sw_account_sum(const struct sw_account *account,
		    struct sw_account_part *sum);

#endif
