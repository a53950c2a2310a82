/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_spawn COUNT [--live-ms N] [PROGRAM [ARGUMENT...]]: runs COUNT short
 * children one after another by posix_spawn(3); PROGRAM is /bin/true by
 * default and is looked up in PATH.  With --live-ms the children are the
 * w_child beside this program, and live for N ms each.
 *
 * Truth: spawned; exited_zero, exited_nonzero and signaled, how they ended;
 * spawned_cpu_usec, the sum of the CPU time wait4(2) gave for each;
 * spawned_maxrss_kib, the largest of them; first_pid and last_pid;
 * shortest_usec and longest_usec, wall time from spawn to wait.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

struct tally {
	uint64_t exited_zero;
	uint64_t exited_nonzero;
	uint64_t signaled;
	uint64_t cpu_usec;
	uint64_t maxrss_kib;
	uint64_t shortest_usec;
	uint64_t longest_usec;
	uint64_t first_pid;
	uint64_t last_pid;
};

static uint64_t count;
static uint64_t live_ms;
static char default_program[] = "/bin/true";
static char *default_command[] = { default_program, NULL };
static char **command = default_command;

static const struct truth_option positionals[] = {
	{ .name = "COUNT", .help = "how many children",
	  .kind = TRUTH_U64, .value = &count },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = "live-ms", .help = "N: runs w_child, which lives so long",
	  .kind = TRUTH_U64, .value = &live_ms },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Runs a known number of children, one after another.",
	.positionals = positionals,
	.required_count = 1,
	.options = options,
	.rest = &command,
};

/* Beside this program, wherever that was built or installed. */
static void use_own_child(void)
{
	static char path[PATH_MAX + sizeof("w_child")];
	static char option[] = "--live-ms";
	static char number[24];
	static char *own_command[] = { path, option, number, NULL };
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);

	while (length > 0 && path[length - 1] != '/')
		length--;
	if (length <= 0)
		truth_die("/proc/self/exe");
	memcpy(path + length, "w_child", sizeof("w_child"));
	snprintf(number, sizeof(number), "%llu", (unsigned long long)live_ms);
	command = own_command;
}

static void add_child(struct tally *tally, int status,
		      const struct rusage *usage, uint64_t wall_usec)
{
	if (WIFSIGNALED(status))
		tally->signaled++;
	else if (WEXITSTATUS(status) != 0)
		tally->exited_nonzero++;
	else
		tally->exited_zero++;
	tally->cpu_usec += (uint64_t)usage->ru_utime.tv_sec * 1000000 +
		(uint64_t)usage->ru_utime.tv_usec +
		(uint64_t)usage->ru_stime.tv_sec * 1000000 +
		(uint64_t)usage->ru_stime.tv_usec;
	if ((uint64_t)usage->ru_maxrss > tally->maxrss_kib)
		tally->maxrss_kib = (uint64_t)usage->ru_maxrss;
	if (wall_usec < tally->shortest_usec)
		tally->shortest_usec = wall_usec;
	if (wall_usec > tally->longest_usec)
		tally->longest_usec = wall_usec;
}

static void run_child(struct tally *tally)
{
	uint64_t begin_usec = work_clock_usec(CLOCK_MONOTONIC);
	struct rusage usage;
	pid_t pid;
	int status;

	errno = posix_spawnp(&pid, command[0], NULL, NULL, command, environ);
	if (errno != 0)
		truth_die(command[0]);
	if (tally->first_pid == 0)
		tally->first_pid = (uint64_t)pid;
	tally->last_pid = (uint64_t)pid;
	status = work_wait(pid, &usage);
	add_child(tally, status, &usage,
		  work_clock_usec(CLOCK_MONOTONIC) - begin_usec);
}

static void add_truth(const struct tally *tally)
{
	truth_add_u64("spawned", tally->exited_zero + tally->exited_nonzero +
		      tally->signaled);
	truth_add_u64("exited_zero", tally->exited_zero);
	truth_add_u64("exited_nonzero", tally->exited_nonzero);
	truth_add_u64("signaled", tally->signaled);
	truth_add_u64("spawned_cpu_usec", tally->cpu_usec);
	truth_add_u64("spawned_maxrss_kib", tally->maxrss_kib);
	truth_add_u64("first_pid", tally->first_pid);
	truth_add_u64("last_pid", tally->last_pid);
	if (tally->last_pid == 0) {
		truth_add_text("shortest_usec", "missing");
		truth_add_text("longest_usec", "missing");
		return;
	}
	truth_add_u64("shortest_usec", tally->shortest_usec);
	truth_add_u64("longest_usec", tally->longest_usec);
}

int main(int argc, char **argv)
{
	struct tally tally = { .shortest_usec = UINT64_MAX };

	(void)argc;
	truth_begin(argv, &spec);
	if (live_ms > 0 && command != default_command) {
		errno = EINVAL;
		truth_die("both --live-ms and PROGRAM");
	}
	if (live_ms > 0)
		use_own_child();
	for (uint64_t i = 0; i < count; i++)
		run_child(&tally);
	add_truth(&tally);
	truth_end();
	return 0;
}
