/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/bench_row: cost of a step's row in the node's summaries, beyond its
 * samples: CPU time of a sample, of accounting for it, and of the queries at
 * the step's end.  The step is this process.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/measure.h"
#include "common/clock.h"
#include "recorder/jobs/step_account.h"
#include "recorder/jobs/step_stall.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/failed.h"
#include "recorder/sampler/sampler.h"

enum { ROUNDS = 2000, PAUSE_USEC = 200 };

static struct {
	struct sw_target target;
	struct sw_writer *writer;
	struct sw_events events;
	struct sw_sampler *sampler;
	struct sw_step_account account;
	const struct sw_wait_tally *waits;
} bench;

static int begin(const char *folder, struct sw_error *error)
{
	int dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	bench.target = (struct sw_target){
		.cgroup_fd = -1, .root_pid = getpid(),
		.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.sys_fd = open("/sys", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.is_late = true, .waits = &bench.waits,
	};
	bench.target.tree = sw_tree_create_of(bench.target.proc_fd, getpid(),
					      error);
	bench.writer = sw_writer_create(dirfd, "row", true, error);
	if (!bench.target.tree || !bench.writer ||
	    sw_events_open(&bench.events, bench.writer, error) < 0)
		return -1;
	bench.sampler = sw_sampler_create(sw_sources, &bench.target,
					  bench.writer, &bench.events, error);
	return bench.sampler ? 0 : -1;
}

int main(void)
{
	char folder[] = "/var/tmp/bench_row.XXXXXX", command[64];
	uint64_t at, sample = 0, account = 0, end = 0;
	uint64_t usec[SW_LIMITED_BY_RESOURCES];
	struct sw_step_given given = { .cpus = NAN, .gpu_count = SW_MISSING,
				       .gpu_list = "" };
	struct sw_step_stall stall;
	struct sw_failed failed;
	struct sw_error error;
	int i;

	if (!mkdtemp(folder) || begin(folder, &error) < 0) {
		fprintf(stderr, "bench_row: %s\n", error.text);
		return 1;
	}
	for (i = 0; i < ROUNDS; i++) {
		given.asked_usec = sw_clock_boottime_usec();
		at = measure_cpu_nsec();
		sw_tree_refresh(bench.target.tree);
		sw_sampler_take(bench.sampler, NULL, false);
		sample += measure_cpu_nsec() - at;
		at = measure_cpu_nsec();
		sw_step_account_take(&bench.account, bench.sampler, NULL,
				     bench.waits, &given);
		account += measure_cpu_nsec() - at;
		usleep(PAUSE_USEC);
	}
	at = measure_cpu_nsec();
	for (i = 0; i < ROUNDS; i++) {
		sw_step_account_end(&bench.account, usec);
		sw_step_stall_find(&stall, bench.waits, bench.target.proc_fd);
		sw_failed_find(&failed, NULL, 1, 1);
	}
	end = measure_cpu_nsec() - at;
	printf("CPU time, %d rounds, one process:\n"
	       "  a sample                         %8.2f us\n"
	       "  the account of it                %8.2f us   %.1f %%\n"
	       "  at the step's end, once          %8.2f us\n",
	       ROUNDS, (double)sample / ROUNDS / 1e3,
	       (double)account / ROUNDS / 1e3,
	       100.0 * (double)account / (double)sample,
	       (double)end / ROUNDS / 1e3);
	sw_sampler_destroy(bench.sampler);
	sw_writer_destroy(bench.writer);
	sw_tree_destroy(bench.target.tree);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command) == 0 ? 0 : 1;
}
