/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_spike MIB MS [--child] [--before-ms N] [--after-ms N]: is quiet for
 * --before-ms (0 by default), touches MIB MiB of anonymous memory, holds it
 * for MS, frees it, and is quiet for --after-ms (1000 by default).  With
 * --child a forked child does the spike and is waited for; the parent stays
 * small.
 *
 * Truth: spike_bytes, touched; grow_usec, hold_usec and shrink_usec, how long
 * it took to touch, was held in full, and to free; spike_begin_usec and
 * spike_end_usec, wall clock, from the first page to the last; spike_hwm_kib,
 * the high-water mark of the process that did it, as getrusage(2) has it
 * (wait4(2) with --child).
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

/* In memory shared with the child. */
struct spike {
	uint64_t begin_usec;
	uint64_t end_usec;
	uint64_t grow_usec;
	uint64_t hold_usec;
	uint64_t shrink_usec;
};

static uint64_t mib;
static uint64_t hold_ms;
static uint64_t before_ms;
static uint64_t after_ms = 1000;
static bool has_child;

static const struct truth_option positionals[] = {
	{ .name = "MIB", .help = "how much",
	  .kind = TRUTH_U64, .value = &mib },
	{ .name = "MS", .help = "for how long, in full",
	  .kind = TRUTH_U64, .value = &hold_ms },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = "child", .help = "a forked child does it",
	  .kind = TRUTH_FLAG, .value = &has_child },
	{ .name = "before-ms", .help = "N: quiet before",
	  .kind = TRUTH_U64, .value = &before_ms },
	{ .name = "after-ms", .help = "N: quiet after, 1000 by default",
	  .kind = TRUTH_U64, .value = &after_ms },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Needs a known amount of memory for a short time.",
	.positionals = positionals,
	.required_count = 2,
	.options = options,
};

static void do_spike(struct spike *spike)
{
	uint64_t begin_usec = work_clock_usec(CLOCK_MONOTONIC);
	uint64_t full_usec;
	uint64_t free_usec;
	char *memory;

	spike->begin_usec = work_clock_usec(CLOCK_REALTIME);
	memory = work_map_mib(mib);
	work_touch(memory, mib * WORK_MIB);
	full_usec = work_clock_usec(CLOCK_MONOTONIC);
	work_sleep_usec(hold_ms * 1000);
	free_usec = work_clock_usec(CLOCK_MONOTONIC);
	if (munmap(memory, mib * WORK_MIB) < 0)
		truth_die("munmap");
	spike->end_usec = work_clock_usec(CLOCK_REALTIME);
	spike->grow_usec = full_usec - begin_usec;
	spike->hold_usec = free_usec - full_usec;
	spike->shrink_usec = work_clock_usec(CLOCK_MONOTONIC) - free_usec;
}

static void spike_in_child(struct spike *spike, struct rusage *usage)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		truth_die("fork");
	if (pid == 0) {
		do_spike(spike);
		_exit(0);
	}
	status = work_wait(pid, usage);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		errno = ECHILD;
		truth_die("the child");
	}
}

static void add_truth(const struct spike *spike, const struct rusage *usage)
{
	truth_add_u64("spike_bytes", mib * WORK_MIB);
	truth_add_u64("grow_usec", spike->grow_usec);
	truth_add_u64("hold_usec", spike->hold_usec);
	truth_add_u64("shrink_usec", spike->shrink_usec);
	truth_add_u64("spike_begin_usec", spike->begin_usec);
	truth_add_u64("spike_end_usec", spike->end_usec);
	truth_add_u64("spike_hwm_kib", (uint64_t)usage->ru_maxrss);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	struct spike *spike;

	(void)argc;
	truth_begin(argv, &spec);
	spike = mmap(NULL, sizeof(*spike), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (spike == MAP_FAILED)
		truth_die("mmap");
	work_sleep_usec(before_ms * 1000);
	if (has_child) {
		spike_in_child(spike, &usage);
	} else {
		do_spike(spike);
		getrusage(RUSAGE_SELF, &usage);
	}
	work_sleep_usec(after_ms * 1000);
	add_truth(spike, &usage);
	truth_end();
	return 0;
}
