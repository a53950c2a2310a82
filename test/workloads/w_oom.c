/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_oom MIB [--child] [--hold-ms N] [--pace-ms N]: touches MIB MiB of
 * anonymous memory, one by one and --pace-ms apart (0 by default), and holds
 * it for --hold-ms: to be killed when a limit is smaller.  With --child a
 * forked child does it and the parent exits 0, whatever became of the child.
 *
 * Truth: wanted_bytes; touched_bytes, how far it came; and with --child
 * child_pid, child_maxrss_kib and signal, by which the child died (missing
 * where it lived).  Without --child nobody is left to write it after the kill,
 * so a line is written after every MiB: the last one is the truth, short by
 * less than 1 MiB.  Those lines are page cache of some 400 bytes per MiB.
 */
#define _GNU_SOURCE 1

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

static uint64_t mib;
static uint64_t hold_ms;
static uint64_t pace_ms;
static bool has_child;

static const struct truth_option positionals[] = {
	{ .name = "MIB", .help = "how much it wants",
	  .kind = TRUTH_U64, .value = &mib },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = "child", .help = "a forked child does it",
	  .kind = TRUTH_FLAG, .value = &has_child },
	{ .name = "hold-ms", .help = "N: how long it holds it",
	  .kind = TRUTH_U64, .value = &hold_ms },
	{ .name = "pace-ms", .help = "N: pause after each MiB",
	  .kind = TRUTH_U64, .value = &pace_ms },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Eats memory until it is killed or has had enough.",
	.positionals = positionals,
	.required_count = 1,
	.options = options,
};

static void add_progress(uint64_t touched_bytes)
{
	truth_add_u64("wanted_bytes", mib * WORK_MIB);
	truth_add_u64("touched_bytes", touched_bytes);
}

static void eat(_Atomic uint64_t *touched_bytes)
{
	char *memory = work_map_mib(mib);

	for (uint64_t i = 0; i < mib; i++) {
		work_touch(memory + i * WORK_MIB, WORK_MIB);
		atomic_store(touched_bytes, (i + 1) * WORK_MIB);
		if (!has_child) {
			add_progress((i + 1) * WORK_MIB);
			truth_end();
		}
		work_sleep_usec(pace_ms * 1000);
	}
	work_sleep_usec(hold_ms * 1000);
}

static void eat_in_child(_Atomic uint64_t *touched_bytes)
{
	struct rusage usage;
	pid_t pid = fork();
	int status;

	if (pid < 0)
		truth_die("fork");
	if (pid == 0) {
		eat(touched_bytes);
		_exit(0);
	}
	status = work_wait(pid, &usage);
	add_progress(atomic_load(touched_bytes));
	truth_add_u64("child_pid", (uint64_t)pid);
	truth_add_u64("child_maxrss_kib", (uint64_t)usage.ru_maxrss);
	if (WIFSIGNALED(status))
		truth_add_u64("signal", (uint64_t)WTERMSIG(status));
	else
		truth_add_text("signal", "missing");
	truth_end();
}

int main(int argc, char **argv)
{
	_Atomic uint64_t *touched_bytes;

	(void)argc;
	truth_begin(argv, &spec);
	touched_bytes = mmap(NULL, sizeof(*touched_bytes),
			     PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (touched_bytes == MAP_FAILED)
		truth_die("mmap");
	if (has_child)
		eat_in_child(touched_bytes);
	else
		eat(touched_bytes);
	return 0;
}
