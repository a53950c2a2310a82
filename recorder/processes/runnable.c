/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs that runnable threads may use: "PID/task/TID/status". */
#include "recorder/processes/runnable.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "recorder/kernel/process.h"

enum { TEXT_SIZE = 16384 };

struct reading {
	bool is_garbled;
	int proc_fd;
	struct sw_runnable *runnable;
};

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
	runnable->looked_at++;
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

enum sw_read_status sw_runnable_read(struct sw_runnable *runnable, int proc_fd,
				     pid_t pid)
{
	struct reading reading = { .proc_fd = proc_fd, .runnable = runnable };

	memset(runnable, 0, sizeof(*runnable));
	sw_process_each_thread(proc_fd, pid, take, &reading);
	if (reading.is_garbled)
		return SW_READ_GARBAGE;
	return runnable->looked_at ? SW_READ_OK : SW_READ_GONE;
}
