/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Number of runnable threads of a step, and of the CPUs that they may use
 * together: threads bound to fewer CPUs than there are threads wait for each
 * other, regardless of other load.  Also how the busiest ones share the CPU
 * time: threads of one process, or single-threaded processes.
 */
#include <string.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/bpf/account.h"
#include "recorder/processes/tree.h"
#include "recorder/processes/visits.h"
#include "recorder/programs/programs.h"
#include "recorder/sources/source.h"
#include "recorder/waits/wait_tally.h"

enum {
	THREADS, CPUS, WORKERS, WORKERS_CPU, BUSIEST_CPU, WORKER_PROCESSES,
	WORKERS_RAN, SKIPPED,
	COLUMNS,
	LOOK_THREADS = 1024,	/* total per sample, about */
	FIRST_LOOKS = 4,	/* a short run needs some, too */
	/* A fiftieth of a CPU counts as having run. */
	RAN_PART = 50,
};

/* Interval between samples: of the first ones, and of the others */
#define FIRST_USEC (1 * SW_USEC_PER_SEC)
#define LOOK_USEC (10 * SW_USEC_PER_SEC)

static const struct sw_column columns[COLUMNS] = {
	[THREADS] = { "threads", "count", SW_KIND_GAUGE,
		      "Threads that run or could run." },
	[CPUS] = { "cpus", "count", SW_KIND_GAUGE,
		   "CPUs that these may use, together; missing where they are "
		   "fewer than two." },
	[WORKERS] = { "workers", "count", SW_KIND_GAUGE,
		      "Threads of the busiest process that have a tenth of "
		      "the CPU time of its busiest thread, or more, and its "
		      "name but for numbers; or processes of one thread that "
		      "have so much, if they have used more." },
	[WORKERS_CPU] = { "workers_cpu_usec", "usec", SW_KIND_GAUGE,
			  "CPU time of these so far, summed." },
	[BUSIEST_CPU] = { "busiest_cpu_usec", "usec", SW_KIND_GAUGE,
			  "CPU time of the busiest one so far." },
	[WORKER_PROCESSES] = { "worker_processes", "count", SW_KIND_GAUGE,
			       "Processes that these are of." },
	[WORKERS_RAN] = { "workers_ran", "count", SW_KIND_GAUGE,
			  "How many of these used a fiftieth of a CPU or more "
			  "since the sample before; 0 in the first." },
	[SKIPPED] = { "skipped_threads", "count", SW_KIND_GAUGE,
		      "Threads and processes that were not sampled." },
};

struct state {
	bool has_seen;		/* process seen */
	uint64_t looks, last_usec;
	/* Workers in the previous sample, and its time; 0: none */
	uint64_t workers_usec;
	size_t worker_count;
	struct sw_worker worker[SW_RUNNABLE_THREADS];
};

/* For the current sample */
static struct sw_visit visits[SW_VISITS_MAX];

/* Totals of a sample */
struct sum {
	size_t looked_at, left_out, count;
	struct sw_cpus cpus;
	struct sw_workers threads;	/* in the busiest process */
	struct sw_worker thread[SW_RUNNABLE_THREADS];
	size_t process_count;
	struct sw_worker process[LOOK_THREADS];	/* single-threaded */
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	state->last_usec = sw_clock_boottime_usec();
	return target->tree ? SW_READ_OK : SW_READ_ABSENT;
}

/* Visit as many processes as one call allows, beginning with first. */
static size_t visit(const struct sw_target *target, size_t first)
{
	size_t i, count = sw_tree_count(target->tree) - first;

	if (count > SW_VISITS_MAX)
		count = SW_VISITS_MAX;
	for (i = 0; i < count; i++)
		visits[i] = (struct sw_visit){
			.pid = sw_tree_process(target->tree, first + i)->pid,
			.what = SW_VISIT_RUNNABLE };
	sw_visits(target->proc_fd, visits, count);
	return count;
}

static void add_workers(struct sum *sum, const struct sw_runnable *one)
{
	if (one->workers.usec > sum->threads.usec) {
		sum->threads = one->workers;
		memcpy(sum->thread, one->thread, sizeof(sum->thread));
	}
	if (one->looked_at != 1 || one->left_out ||
	    sum->process_count == LOOK_THREADS)
		return;
	sum->process[sum->process_count] = one->thread[0];
	/* Processes of a pool may run different programs. */
	sum->process[sum->process_count++].kind = 0;
}

static enum sw_read_status add(struct sum *sum, const struct sw_visit *visit)
{
	const struct sw_runnable *one = &visit->runnable;

	if (visit->is_stuck)
		sum->left_out++;
	else if (visit->status == SW_READ_GARBAGE)
		return SW_READ_GARBAGE;
	else if (visit->status == SW_READ_OK) {
		sum->looked_at += one->looked_at;
		sum->left_out += one->left_out;
		sum->count += one->count;
		sw_cpus_add(&sum->cpus, &one->cpus);
		add_workers(sum, one);
	}
	return SW_READ_OK;
}

/* Count workers that ran since the previous sample; keep them for the next. */
static uint64_t count_ran(struct state *state, const struct sw_worker *workers,
			  size_t count)
{
	uint64_t ran = 0, now = sw_clock_boottime_usec();

	if (count > SW_RUNNABLE_THREADS)
		count = SW_RUNNABLE_THREADS;
	if (state->workers_usec)
		ran = sw_workers_ran(workers, count, state->worker,
				     state->worker_count,
				     (now - state->workers_usec) / RAN_PART);
	state->workers_usec = now;
	state->worker_count = count;
	memcpy(state->worker, workers, count * sizeof(workers[0]));
	return ran;
}

static void put_workers(struct state *state, uint64_t *values, struct sum *sum)
{
	struct sw_workers processes = sw_workers_of(sum->process,
						    sum->process_count);
	bool are_processes = processes.usec > sum->threads.usec;
	const struct sw_workers *workers =
		are_processes ? &processes : &sum->threads;

	if (!workers->count)
		return;
	values[WORKERS] = workers->count;
	values[WORKERS_CPU] = workers->usec;
	values[BUSIEST_CPU] = workers->busiest_usec;
	values[WORKER_PROCESSES] = are_processes ? workers->count : 1;
	values[WORKERS_RAN] = count_ran(state, are_processes ? sum->process :
							       sum->thread,
					workers->count);
}

static enum sw_read_status look(struct state *state,
				const struct sw_target *target,
				uint64_t *values)
{
	static struct sum sum;
	size_t i, all = sw_tree_count(target->tree), done = 0, count;

	memset(&sum, 0, sizeof(sum));
	while (done < all && sum.looked_at < LOOK_THREADS) {
		count = visit(target, done);
		for (i = 0; i < count; i++) {
			if (add(&sum, &visits[i]) != SW_READ_OK)
				return SW_READ_GARBAGE;
		}
		done += count;
	}
	values[THREADS] = sum.count;
	values[SKIPPED] = sum.left_out + (all - done);
	if (sum.count >= 2)
		values[CPUS] = sw_cpus_count(&sum.cpus);
	put_workers(state, values, &sum);
	return SW_READ_OK;
}

/*
 * Return whether all processes are single-threaded, at most one is runnable,
 * and none waits for a lock.
 */
static bool is_plain(const struct sw_account *account)
{
	struct sw_account_part all;

	sw_account_sum(account, &all);
	return all.running < 2 && all.threads <= all.processes &&
	       !(account->waits &&
		 sw_wait_tally_threads(account->waits, SW_WAIT_LOCK));
}

/* If BPF shows that there is nothing to find, read no files. */
static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	struct state *state = memory;
	const struct sw_account *account =
		target->programs ? sw_programs_sample(target->programs) : NULL;

	state->looks++;
	state->last_usec = sw_clock_boottime_usec();
	/* With several workers, find out which ones are still running. */
	if (account && is_plain(account) && state->worker_count < 2) {
		values[THREADS] = sw_account_running(account);
		values[SKIPPED] = 0;
		return SW_READ_OK;
	}
	if (account)
		sw_tree_refresh(target->tree);
	state->has_seen |= sw_tree_count(target->tree) > 0;
	if (!state->has_seen)
		return SW_READ_ABSENT;
	return look(state, target, values);
}

/* Independent of the period, which may be long */
static bool is_due(void *memory)
{
	const struct state *state = memory;
	uint64_t usec = sw_clock_boottime_usec() - state->last_usec;

	return usec >= (state->looks < FIRST_LOOKS ? FIRST_USEC : LOOK_USEC);
}

const struct sw_source sw_src_runnable = {
	.name = "runnable",
	.backend = "proc",
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.read = read_source,
	.is_due = is_due,
	.absence = "the command's processes were not followed",
};
