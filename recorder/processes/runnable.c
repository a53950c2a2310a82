/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads by "PID/task/TID/status" and "PID/task/TID/schedstat". */
#include "recorder/processes/runnable.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/missing.h"
#include "recorder/kernel/process.h"

enum { TEXT_SIZE = 16384, WORKER_PART = 10, NSEC_PER_USEC = 1000 };

struct reading {
	bool is_garbled;
	int proc_fd;
	struct sw_runnable *runnable;
};

/* Return the first number of its schedstat, which is in nanoseconds. */
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

/* Return the kind in the first line; the kernel escapes newlines in names. */
static uint32_t kind_of(const char *status)
{
	static const char key[] = "Name:\t";

	return strncmp(status, key, strlen(key)) == 0 ?
		       sw_worker_kind(status + strlen(key)) : 0;
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
	runnable->thread[runnable->looked_at++] = (struct sw_worker){
		.tid = (pid_t)strtol(name, NULL, 10),
		.kind = kind_of(text),
		.cpu_usec = read_cpu_usec(reading->proc_fd, pid, name),
	};
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

uint32_t sw_worker_kind(const char *name)
{
	const uint32_t basis = 2166136261, prime = 16777619;	/* FNV-1a */
	uint32_t kind = basis;

	for (; *name && *name != '\n'; name++) {
		if (*name < '0' || *name > '9')
			kind = (kind ^ (unsigned char)*name) * prime;
	}
	return kind;
}

struct sw_workers sw_workers_of(struct sw_worker *threads, size_t count)
{
	struct sw_workers workers = { 0 };
	struct sw_worker other;
	uint32_t kind = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (threads[i].cpu_usec <= workers.busiest_usec)
			continue;
		workers.busiest_usec = threads[i].cpu_usec;
		kind = threads[i].kind;
	}
	for (i = 0; i < count; i++) {
		if (!threads[i].cpu_usec || threads[i].kind != kind ||
		    threads[i].cpu_usec < workers.busiest_usec / WORKER_PART)
			continue;
		workers.usec += threads[i].cpu_usec;
		other = threads[workers.count];
		threads[workers.count++] = threads[i];
		threads[i] = other;
	}
	return workers;
}

size_t sw_workers_ran(const struct sw_worker *now, size_t count,
		      const struct sw_worker *before, size_t count_before,
		      uint64_t least_usec)
{
	size_t i, j, ran = 0;

	for (i = 0; i < count; i++) {
		for (j = 0; j < count_before; j++) {
			if (before[j].tid == now[i].tid)
				break;
		}
		ran += j < count_before &&
		       now[i].cpu_usec >= before[j].cpu_usec + least_usec;
	}
	return ran;
}

enum sw_read_status sw_runnable_read(struct sw_runnable *runnable, int proc_fd,
				     pid_t pid)
{
	struct reading reading = { .proc_fd = proc_fd, .runnable = runnable };

	memset(runnable, 0, sizeof(*runnable));
	sw_process_each_thread(proc_fd, pid, take, &reading);
	if (reading.is_garbled)
		return SW_READ_GARBAGE;
	runnable->workers = sw_workers_of(runnable->thread,
					  runnable->looked_at);
	return runnable->looked_at ? SW_READ_OK : SW_READ_GONE;
}
