/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_child [--live-ms N] [--burn-ms N] [--hold-mib N] [--exit N] [--signal S]:
 * one process of known life: touches memory, burns CPU, sleeps for what is
 * left of its time, then exits with a status or dies by a signal it sends to
 * itself.
 *
 * Truth, written before the end: burn_ms, as asked for (cpu_usec is at least
 * that and includes the program's start); held_bytes, touched and held to the
 * end; lived_usec, from main() on; exit and signal, what wait(2) must show,
 * one of them missing.
 */
#define _GNU_SOURCE 1

#include <errno.h>

#include "truth.h"
#include "work.h"

static uint64_t live_ms;
static uint64_t burn_ms;
static uint64_t hold_mib;
static uint64_t exit_status;
static int signal_number;

static const struct truth_option options[] = {
	{ .name = "live-ms", .help = "N: at least so long",
	  .kind = TRUTH_U64, .value = &live_ms },
	{ .name = "burn-ms", .help = "N: CPU time",
	  .kind = TRUTH_U64, .value = &burn_ms },
	{ .name = "hold-mib", .help = "N: memory",
	  .kind = TRUTH_U64, .value = &hold_mib },
	{ .name = "exit", .help = "N: exit status",
	  .kind = TRUTH_U64, .value = &exit_status },
	{ .name = "signal", .help = "NAME: dies by it instead",
	  .kind = TRUTH_SIGNAL, .value = &signal_number },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Lives, burns, holds and ends as told.",
	.options = options,
};

static void live(uint64_t begin_usec)
{
	uint64_t lived_usec;

	if (hold_mib > 0)
		work_touch(work_map_mib(hold_mib), hold_mib * WORK_MIB);
	if (burn_ms > 0)
		work_burn_until(CLOCK_PROCESS_CPUTIME_ID, burn_ms * 1000);
	lived_usec = work_clock_usec(CLOCK_MONOTONIC) - begin_usec;
	if (lived_usec < live_ms * 1000)
		work_sleep_usec(live_ms * 1000 - lived_usec);
}

int main(int argc, char **argv)
{
	uint64_t begin_usec = work_clock_usec(CLOCK_MONOTONIC);

	(void)argc;
	truth_begin(argv, &spec);
	if (exit_status > 255) {
		errno = EINVAL;
		truth_die("--exit");
	}
	live(begin_usec);
	truth_add_u64("burn_ms", burn_ms);
	truth_add_u64("held_bytes", hold_mib * WORK_MIB);
	truth_add_u64("lived_usec",
		      work_clock_usec(CLOCK_MONOTONIC) - begin_usec);
	if (signal_number > 0) {
		truth_add_text("exit", "missing");
		truth_add_u64("signal", (uint64_t)signal_number);
	} else {
		truth_add_u64("exit", exit_status);
		truth_add_text("signal", "missing");
	}
	truth_end();
	if (signal_number > 0)
		work_die_by(signal_number);
	return (int)exit_status;
}
