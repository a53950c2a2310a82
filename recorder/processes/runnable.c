/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads by "PID/task/TID/status" and "PID/task/TID/schedstat". */
#include "recorder/processes/runnable.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/missing.h"
#include "recorder/kernel/process.h"

enum { TEXT_SIZE = 16384, WORKER_PART = 10, NSEC_PER_USEC = 1000 };

struct reading {
	bool is_garbled;
	int proc_fd;
	struct sw_runnable *runnable;
	uint64_t cpu_usec[SW_RUNNABLE_THREADS];	/* 0: not known */
};

/* The first number of its schedstat, in nanoseconds. */
static uint64_t read_cpu_usec(int proc_fd, pid_t pid, const char *name)
{
	char path[64], text[128];
	const char *p = text;
	uint64_t nsec;

	snprintf(path, sizeof(path), "%d/task/%.16s/schedstat", (int)pid,
		 name);
	if (sw_kernfile_slurp(proc_fd, path, text, sizeof(text)) !=
		    SW_READ_OK || sw_kern_parse_u64(&p, &nsec) < 0)
		return 0;
	return nsec / NSEC_PER_USEC;
}

static void take(void *context, pid_t pid, const char *name)
{
	static const char state_key[] = "\nState:\t";
	static const char cpus_key[] = "\nCpus_allowed_list:\t";
	struct reading *reading = context;
	struct sw_runnable *runnable = reading->runnable;
	char path[64], text[TEXT_SIZE], *state, *list;
	struct sw_cpus cpus;

	if (runnable->looked_at == SW_RUNNABLE_THREADS) {
		runnable->left_out++;
		return;
	}
	snprintf(path, sizeof(path), "%d/task/%.16s/status", (int)pid, name);
	if (sw_kernfile_slurp(reading->proc_fd, path, text, sizeof(text)) !=
	    SW_READ_OK)
		return;
	reading->cpu_usec[runnable->looked_at++] =
		read_cpu_usec(reading->proc_fd, pid, name);
	state = strstr(text, state_key);
	list = strstr(text, cpus_key);
	if (!state || !list) {
		reading->is_garbled = true;
		return;
	}
	if (state[strlen(state_key)] != 'R')
		return;
	list += strlen(cpus_key);
	list[strcspn(list, "\n")] = '\0';
	if (sw_cpus_parse(&cpus, list) < 0) {
		reading->is_garbled = true;
		return;
	}
	runnable->count++;
	sw_cpus_add(&runnable->cpus, &cpus);
}

struct sw_workers sw_workers_of(const uint64_t *cpu_usec, size_t count)
{
	struct sw_workers workers = { 0 };
	size_t i;

	for (i = 0; i < count; i++)
		workers.busiest_usec = sw_max_u64(workers.busiest_usec,
						  cpu_usec[i]);
	for (i = 0; i < count; i++) {
		if (!cpu_usec[i] ||
		    cpu_usec[i] < workers.busiest_usec / WORKER_PART)
			continue;
		workers.count++;
		workers.usec += cpu_usec[i];
	}
	return workers;
}

enum sw_read_status sw_runnable_read(struct sw_runnable *runnable, int proc_fd,
				     pid_t pid)
{
	struct reading reading = { .proc_fd = proc_fd, .runnable = runnable };

	memset(runnable, 0, sizeof(*runnable));
	sw_process_each_thread(proc_fd, pid, take, &reading);
	if (reading.is_garbled)
		return SW_READ_GARBAGE;
	runnable->workers = sw_workers_of(reading.cpu_usec,
					  runnable->looked_at);
	return runnable->looked_at ? SW_READ_OK : SW_READ_GONE;
}
