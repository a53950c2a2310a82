/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resource usage of a step's processes. */
#include "recorder/bpf/account.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/need.h"
#include "common/units.h"
#include "recorder/bpf/polls.h"

#define NSEC_PER_SEC (SW_NSEC_PER_USEC * SW_USEC_PER_SEC)

enum { FAMILIES_MIN = 64, FAMILIES_MAX = 2 * SW_FOLLOWED_MAX };

/* Processes of a pass that share one image since a fork */
struct family {
	const struct sw_account_part *of;	/* NULL: free */
	unsigned long long start_code, start_stack;
	uint64_t anon, file;	/* of the largest member */
};

static struct {
	size_t mask;
	struct family family[FAMILIES_MAX];
} families;

static struct sw_account *accounts;	/* list of open accounts */
static uint64_t pass_nsec;		/* begin of the pass, CLOCK_BOOTTIME */

/* Type of all members of struct sw_record_sums */
typedef unsigned long long counter;

enum { COUNTERS = sizeof(struct sw_record_sums) / sizeof(counter) };

void sw_sums_add(struct sw_record_sums *to,
		 const struct sw_record_sums *more)
{
	counter *into = (counter *)to;
	const counter *from = (const counter *)more;
	size_t i;

	for (i = 0; i < COUNTERS; i++)
		into[i] += from[i];
}

/* Keep the maximum: a sample misses threads that are about to exit. */
static void raise_sums(struct sw_record_sums *to,
		       const struct sw_record_sums *now)
{
	counter *into = (counter *)to;
	const counter *from = (const counter *)now;
	size_t i;

	for (i = 0; i < COUNTERS; i++)
		into[i] = from[i] > into[i] ? from[i] : into[i];
}

static void raise(uint64_t *to, uint64_t value)
{
	*to = value > *to ? value : *to;
}

int sw_account_add_task(struct sw_account *account)
{
	struct sw_account_part *tasks = reallocarray(account->tasks,
		account->task_count + 1, sizeof(*tasks));

	if (!tasks)
		return -1;
	account->tasks = tasks;
	memset(&tasks[account->task_count], 0, sizeof(*tasks));
	return (int)account->task_count++;
}

void sw_account_open(struct sw_account *account)
{
	memset(account, 0, sizeof(*account));
	account->next = accounts;
	accounts = account;
}

void sw_account_close(struct sw_account *account)
{
	struct sw_account **link = &accounts;

	while (*link && *link != account)
		link = &(*link)->next;
	if (*link)
		*link = account->next;
	free(account->tasks);
	memset(account, 0, sizeof(*account));
}

struct sw_account *sw_account_first(void)
{
	return accounts;
}

/* Reset current values before a pass; keep those of exited processes. */
static void forget_seen(struct sw_account *account)
{
	size_t i;

	account->looked_at = account->left_out = 0;
	for (i = 0; i < account->task_count; i++) {
		struct sw_account_part *part = &account->tasks[i];

		*part = (struct sw_account_part){
			.dead = part->dead,
			.sums = part->dead,
			.hiwater_max = part->hiwater_max,
			.hiwater_anon_max = part->hiwater_anon_max,
		};
	}
}

void sw_account_begin(size_t processes)
{
	struct sw_account *account;
	size_t slots = FAMILIES_MIN;

	pass_nsec = sw_clock_boottime_usec() * SW_NSEC_PER_USEC;
	while (slots < 2 * processes)
		slots *= 2;
	families.mask = slots - 1;
	memset(families.family, 0, slots * sizeof(families.family[0]));
	for (account = accounts; account; account = account->next)
		forget_seen(account);
}

static struct family *find_family(const struct sw_account_part *of,
				  const struct sw_snapshot_memory *memory)
{
	size_t slot = (memory->start_code ^ memory->start_stack >> 4) *
		      0x9e3779b97f4a7c15u >> 40;
	struct family *family;

	for (;; slot++) {
		family = &families.family[slot & families.mask];
		if (!family->of || (family->of == of &&
		    family->start_code == memory->start_code &&
		    family->start_stack == memory->start_stack))
			return family;
	}
}

/* Clamp: a number that is not summed exactly can be negative. */
static uint64_t pages(long long count)
{
	return count > 0 ? (uint64_t)count : 0;
}

/* Return the file pages beyond what a program and its libraries need. */
static uint64_t beyond_code(uint64_t file)
{
	const uint64_t code = SW_NEED_CODE_BYTES /
			      (uint64_t)sysconf(_SC_PAGESIZE);

	return file > code ? file - code : 0;
}

static void add_to_family(struct sw_account_part *part,
			  const struct sw_snapshot_memory *memory)
{
	struct family *family = find_family(part, memory);
	uint64_t anon = pages(memory->anon), file = pages(memory->file);

	if (!family->of)
		*family = (struct family){
			.of = part,
			.start_code = memory->start_code,
			.start_stack = memory->start_stack,
		};
	if (anon > family->anon) {
		part->anon_low += anon - family->anon;
		family->anon = anon;
	}
	if (file > family->file) {
		part->file_beyond += beyond_code(file) -
				     beyond_code(family->file);
		family->file = file;
	}
	raise(&part->code_max, file - beyond_code(file));
}

static void see_memory(struct sw_account_part *part,
		       struct sw_followed *followed,
		       const struct sw_snapshot_memory *memory)
{
	uint64_t anon = pages(memory->anon), file = pages(memory->file);
	uint64_t shmem = pages(memory->shmem), rss = anon + file + shmem;
	uint64_t hiwater = memory->hiwater > rss ? memory->hiwater : rss;

	part->anon += anon;
	part->file += file;
	part->swap += pages(memory->swap);
	part->rss += rss;
	raise(&part->shmem_max, shmem);
	raise(&part->hiwater_max, hiwater);
	followed->is_looked_at = true;
	raise(&followed->file_max_pages, file);
	if (hiwater > followed->file_max_pages)
		raise(&part->hiwater_anon_max,
		      hiwater - followed->file_max_pages);
	add_to_family(part, memory);
}

uint64_t sw_account_run_delay_nsec(const struct sw_followed *followed,
				   uint64_t read_nsec, uint64_t time_nsec)
{
	uint64_t most_nsec;

	if (!followed->looked_at_nsec)
		return read_nsec;
	most_nsec = sw_excess_u64(time_nsec, followed->looked_at_nsec) *
			    followed->threads +
		    followed->open_nsec;
	return followed->sums.run_delay_nsec +
	       sw_min_u64(sw_excess_u64(read_nsec,
					followed->run_delay_read_nsec),
			  most_nsec);
}

/* Return whether the usage between two samples suggests busy waiting. */
static bool may_spin(const struct sw_record_sums *before,
		     const struct sw_record_sums *now, uint64_t nsec)
{
	const uint64_t bytes_per_sec = 16384, faults_per_sec = 1000;
	uint64_t system = now->system_nsec - before->system_nsec;
	uint64_t user = now->user_nsec - before->user_nsec;
	uint64_t bytes = now->rchar - before->rchar +
			 (now->wchar - before->wchar) +
			 (now->read_bytes - before->read_bytes) +
			 (now->write_bytes - before->write_bytes);
	uint64_t faults = now->minflt - before->minflt +
			  (now->majflt - before->majflt);
	uint64_t ran = now->runtime_nsec - before->runtime_nsec;
	/* On a busy node, not running does not mean that it paused. */
	uint64_t wanted = ran + (now->run_delay_nsec - before->run_delay_nsec);

	return wanted >= nsec / 4 && ran >= nsec / 50 &&
	       system >= (user + system) / 50 &&
	       bytes <= bytes_per_sec * nsec / NSEC_PER_SEC &&
	       faults <= faults_per_sec * nsec / NSEC_PER_SEC;
}

static void see_spin(struct sw_followed *followed,
		     const struct sw_record_sums *before)
{
	const struct sw_record_sums *now = &followed->sums;

	if (followed->looked_at_nsec &&
	    may_spin(before, now, pass_nsec - followed->looked_at_nsec))
		followed->busy_nsec += now->runtime_nsec - before->runtime_nsec;
	else
		followed->busy_nsec = 0;
}

/* Same threshold as io.many_files: a third of the CPU time, or more. */
static void see_kernel(struct sw_followed *followed,
		       const struct sw_record_sums *before)
{
	const struct sw_record_sums *now = &followed->sums;
	uint64_t system = now->system_nsec - before->system_nsec;
	uint64_t user = now->user_nsec - before->user_nsec;

	if (system && system >= user / 2)
		followed->in_kernel_nsec +=
			now->runtime_nsec - before->runtime_nsec;
}

/* In a shorter interval a few waits would look like many. */
#define PACE_NSEC_MIN (NSEC_PER_SEC / 20)

/* Voluntary switches only: on a busy node, preemptions are as frequent. */
static void see_switches(struct sw_followed *followed,
			 const struct sw_record_sums *before)
{
	uint64_t switches = followed->sums.voluntary - before->voluntary;
	uint64_t nsec = pass_nsec - followed->looked_at_nsec;

	if (!followed->looked_at_nsec || nsec < PACE_NSEC_MIN)
		return;
	if (switches <= SW_POLLS_SWITCHES_MAX * nsec / NSEC_PER_SEC) {
		followed->calm_nsec += nsec;
		return;
	}
	/* MPI may wait often for a while during its initialization. */
	followed->calm_nsec = 0;
	followed->is_restless |= followed->polls_fd > 0;
}

/*
 * Update the unreported time of threads that were runnable in each sample: the
 * kernel counts a wait only at its end, which may be some samples later.
 */
static void see_open(struct sw_followed *followed,
		     const struct sw_record_sums *before, unsigned running)
{
	const struct sw_record_sums *now = &followed->sums;
	uint64_t told = now->runtime_nsec - before->runtime_nsec +
			(now->run_delay_nsec - before->run_delay_nsec);
	uint64_t nsec = pass_nsec - followed->looked_at_nsec;

	if (!running || !followed->looked_at_nsec)
		followed->open_nsec = 0;
	else
		followed->open_nsec = sw_excess_u64(
			followed->open_nsec + nsec * running, told);
}

static void see_sums(struct sw_followed *followed,
		     const struct sw_snapshot_process *seen)
{
	struct sw_record_sums sums = seen->sums, before = followed->sums;

	if (seen->threads > followed->threads)
		followed->threads = seen->threads;
	sums.run_delay_nsec = sw_account_run_delay_nsec(
		followed, seen->sums.run_delay_nsec, pass_nsec);
	raise_sums(&followed->sums, &sums);
	see_spin(followed, &before);
	see_kernel(followed, &before);
	see_switches(followed, &before);
	see_open(followed, &before, seen->running);
	followed->looked_at_nsec = pass_nsec;
	raise(&followed->run_delay_read_nsec, seen->sums.run_delay_nsec);
	followed->threads = seen->threads;
}

void sw_account_see(struct sw_followed *followed,
		    const struct sw_snapshot_process *seen)
{
	struct sw_account *account = followed->account;
	struct sw_account_part *part = &account->tasks[followed->task];

	part->processes++;
	followed->not_running = 0;
	if (seen && seen->is_there) {
		followed->not_running = seen->threads - seen->running;
		see_sums(followed, seen);
		part->threads += seen->threads;
		part->running += seen->running;
		part->blocked += seen->blocked;
		part->threads_left_out += seen->left_out;
		see_memory(part, followed, &seen->memory);
	} else if (!seen) {
		account->left_out++;
	}
	sw_sums_add(&part->sums, &followed->sums);
}

/*
 * Return the pages by which a per-CPU counter can be short: batches of max(32,
 * 2 * CPUs) on each CPU (lib/percpu_counter.c).
 */
static uint64_t lumps(void)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	const uint64_t count = cpus > 0 ? (uint64_t)cpus : 1;

	return count * (2 * count > 32 ? 2 * count : 32);
}

/*
 * Raise the anonymous high-water mark: the process's high-water mark less its
 * file pages, which are known from its exit record or from samples.  If neither
 * is available, assume that none of it was anonymous.
 */
static void bury_anon(struct sw_account_part *part,
		      const struct sw_followed *followed,
		      const struct sw_record_end *end)
{
	uint64_t file = followed->file_max_pages;

	if (end->file_pages >= 0)
		raise(&file, (uint64_t)end->file_pages + lumps());
	else if (!followed->is_looked_at)
		return;
	if (end->own_maxrss_pages > file)
		raise(&part->hiwater_anon_max, end->own_maxrss_pages - file);
}

void sw_account_bury(const struct sw_followed *followed,
		     const struct sw_record_exit *record)
{
	struct sw_account *account = followed->account;
	struct sw_record_sums last = followed->sums, sums = record->sums;
	struct sw_account_part *part;

	if (!account)
		return;
	part = &account->tasks[followed->task];
	sums.run_delay_nsec = sw_account_run_delay_nsec(
		followed, sums.run_delay_nsec, record->head.time_nsec);
	raise_sums(&last, &sums);
	sw_sums_add(&part->dead, &last);
	raise(&part->hiwater_max, record->end.maxrss_pages);
	bury_anon(part, followed, &record->end);
}

static void add_part(struct sw_account_part *sum,
		     const struct sw_account_part *part)
{
	sw_sums_add(&sum->dead, &part->dead);
	sw_sums_add(&sum->sums, &part->sums);
	sum->processes += part->processes;
	sum->threads += part->threads;
	sum->running += part->running;
	sum->blocked += part->blocked;
	sum->threads_left_out += part->threads_left_out;
	sum->anon += part->anon;
	sum->file += part->file;
	sum->swap += part->swap;
	sum->rss += part->rss;
	sum->anon_low += part->anon_low;
	sum->file_beyond += part->file_beyond;
	raise(&sum->code_max, part->code_max);
	raise(&sum->shmem_max, part->shmem_max);
	raise(&sum->hiwater_max, part->hiwater_max);
	raise(&sum->hiwater_anon_max, part->hiwater_anon_max);
}

void sw_account_sum(const struct sw_account *account,
		    struct sw_account_part *sum)
{
	size_t i;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < account->task_count; i++)
		add_part(sum, &account->tasks[i]);
}

uint64_t sw_account_running(const struct sw_account *account)
{
	uint64_t running = 0;
	size_t i;

	for (i = 0; i < account->task_count; i++)
		running += account->tasks[i].running;
	return running;
}
