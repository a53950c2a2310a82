/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resource usage of a step's processes, per task, from BPF's records: final
 * values of processes that have exited, last sampled values of those that run.
 * Counters never decrease.
 */
#ifndef SW_RECORDER_ACCOUNT_H
#define SW_RECORDER_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "recorder/bpf/followed.h"
#include "recorder/bpf/snapshot_record.h"

enum {
	/* Maximum number of processes of one step sampled per pass */
	SW_ACCOUNT_SHARE = 4096,
};

/* Usage of one task, or of all tasks.  Memory in pages. */
struct sw_account_part {
	struct sw_record_sums dead;	/* of exited processes */
	struct sw_record_sums sums;	/* including dead */
	uint64_t processes, threads;
	uint64_t running, blocked;	/* threads */
	uint64_t threads_left_out;
	uint64_t anon, file, shmem_max, swap, rss;
	/* Sum over families (processes of one image) of the largest member */
	uint64_t anon_low;
	/* Largest code part of a process; sum of other file pages. */
	uint64_t code_max, file_beyond;
	uint64_t hiwater_max, hiwater_anon_max;		/* maximum so far */
};

struct sw_wait_tally;

struct sw_account {
	struct sw_account *next;	/* list of open accounts */
	size_t task_count;
	struct sw_account_part *tasks;
	uint64_t looked_at;	/* processes sampled in this pass */
	uint64_t left_out;	/* processes skipped in the last pass */
	struct sw_wait_tally *waits;	/* NULL: no tally */
	unsigned share;		/* index of this account in a pass over waits */
	bool counts_opens;
};

void sw_sums_add(struct sw_record_sums *to,
		 const struct sw_record_sums *more);

void sw_account_open(struct sw_account *account);

/* Add a task.  Return its index, or -1 if out of memory. */
int sw_account_add_task(struct sw_account *account);
void sw_account_close(struct sw_account *account);

/* Return the head of the list of open accounts, or NULL. */
struct sw_account *sw_account_first(void);

/* Begin a pass over that many processes of all accounts. */
void sw_account_begin(size_t processes);
/* Account for a process of the pass (NULL: skipped, keep its old values). */
void sw_account_see(struct sw_followed *followed,
		    const struct sw_snapshot_process *seen);

/* Account for an exited process before it is removed from its table. */
void sw_account_bury(const struct sw_followed *followed,
		     const struct sw_record_exit *record);

/*
 * Return the time a process has waited for CPUs, given the value read at
 * time_nsec.  It is capped: since the last sample no thread can have waited
 * longer than the elapsed time, plus the unreported wait of threads that were
 * runnable in earlier samples.  Kernels from 6.12 on leave a thread queued for
 * a while when it goes to sleep (kernel/sched/features.h: DELAY_DEQUEUE) and at
 * times count all of its sleep as such a wait.
 */
uint64_t sw_account_run_delay_nsec(const struct sw_followed *followed,
				   uint64_t read_nsec, uint64_t time_nsec);

/* Return the number of threads runnable or running in the last sample. */
uint64_t sw_account_running(const struct sw_account *account);

/* Sum up all tasks. */
void sw_account_sum(const struct sw_account *account,
		    struct sw_account_part *sum);

#endif
