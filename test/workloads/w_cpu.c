/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_cpu SECONDS THREADS [--on CPU]: burns SECONDS of CPU in all, in equal
 * shares, in THREADS threads besides the main one, which waits; all of them
 * on one CPU where it is named.
 *
 * Truth: threads; burned_usec, the sum of the threads' CPU clocks as each
 * read its own last; longest_usec and shortest_usec, the largest and the
 * smallest of them.  burned_usec is at least SECONDS and is what to compare
 * with: a step takes some 50 us, but where a hypervisor takes the CPU away in
 * the last one, the guest's clock charges that to the thread (60 ms were
 * seen).  cpu_usec is the whole process.  waited_usec is what the threads
 * waited for a CPU (/proc/thread-self/schedstat), 0 where that is not there.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "truth.h"
#include "work.h"

enum { MAX_THREADS = 4096 };

struct burner {
	pthread_t thread;
	uint64_t wanted_usec;
	uint64_t burned_usec;
	uint64_t waited_usec;
};

static uint64_t total_usec;
static uint64_t thread_count;
static uint64_t only_cpu = UINT64_MAX;

static const struct truth_option positionals[] = {
	{ .name = "SECONDS", .help = "CPU time of all threads together",
	  .kind = TRUTH_USEC, .value = &total_usec },
	{ .name = "THREADS", .help = "how many share it",
	  .kind = TRUTH_U64, .value = &thread_count },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = "on", .help = "the only CPU to run on",
	  .kind = TRUTH_U64, .value = &only_cpu },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Burns a known amount of CPU time in threads.",
	.positionals = positionals,
	.required_count = 2,
	.options = options,
};

static void bind_all(void)
{
	cpu_set_t set;

	if (only_cpu == UINT64_MAX)
		return;
	CPU_ZERO(&set);
	if (only_cpu < CPU_SETSIZE)
		CPU_SET(only_cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		truth_die("--on");
}

static uint64_t waited_usec(void)
{
	FILE *file = fopen("/proc/thread-self/schedstat", "re");
	unsigned long long used, waited_nsec = 0;

	if (file == NULL)
		return 0;
	if (fscanf(file, "%llu %llu", &used, &waited_nsec) != 2)
		waited_nsec = 0;
	fclose(file);
	return waited_nsec / 1000;
}

static void *burn(void *data)
{
	struct burner *burner = data;

	work_burn_until(CLOCK_THREAD_CPUTIME_ID, burner->wanted_usec);
	burner->burned_usec = work_clock_usec(CLOCK_THREAD_CPUTIME_ID);
	burner->waited_usec = waited_usec();
	return NULL;
}

static void start_all(struct burner *burners)
{
	uint64_t share_usec = total_usec / thread_count;

	for (size_t i = 0; i < thread_count; i++) {
		burners[i].wanted_usec = share_usec;
		if (i == 0)
			burners[i].wanted_usec += total_usec % thread_count;
		errno = pthread_create(&burners[i].thread, NULL, burn,
				       &burners[i]);
		if (errno != 0)
			truth_die("pthread_create");
	}
}

static void join_all(struct burner *burners)
{
	uint64_t sum_usec = 0;
	uint64_t sum_waited_usec = 0;
	uint64_t longest_usec = 0;
	uint64_t shortest_usec = UINT64_MAX;

	for (size_t i = 0; i < thread_count; i++) {
		errno = pthread_join(burners[i].thread, NULL);
		if (errno != 0)
			truth_die("pthread_join");
		sum_usec += burners[i].burned_usec;
		sum_waited_usec += burners[i].waited_usec;
		if (burners[i].burned_usec > longest_usec)
			longest_usec = burners[i].burned_usec;
		if (burners[i].burned_usec < shortest_usec)
			shortest_usec = burners[i].burned_usec;
	}
	truth_add_u64("threads", thread_count);
	truth_add_u64("burned_usec", sum_usec);
	truth_add_u64("longest_usec", longest_usec);
	truth_add_u64("shortest_usec", shortest_usec);
	truth_add_u64("waited_usec", sum_waited_usec);
}

int main(int argc, char **argv)
{
	struct burner *burners;

	(void)argc;
	truth_begin(argv, &spec);
	if (thread_count == 0 || thread_count > MAX_THREADS) {
		errno = EINVAL;
		truth_die("THREADS");
	}
	burners = calloc(thread_count, sizeof(*burners));
	if (burners == NULL)
		truth_die("calloc");
	bind_all();
	start_all(burners);
	join_all(burners);
	free(burners);
	truth_end();
	return 0;
}
