/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_hold MIB PROCESSES SECONDS [--exec]: PROCESSES children hold MIB MiB of
 * touched anonymous memory each, all at the same time, for SECONDS.  With
 * --exec each child runs this program anew, so that not even the pages of
 * libc's data are shared with the parent.
 *
 * Truth: processes; held_bytes, touched by all children (MIB x PROCESSES);
 * anonymous_bytes and pss_bytes, the sums of Anonymous and Pss of the
 * children's smaps_rollup while all held (missing without the file), larger
 * than held_bytes by some 100 KiB of libc, stack and data a process;
 * hold_begin_usec and hold_end_usec, wall clock, between which all held it
 * all.  SECONDS counts from the moment at which the last child was ready.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

enum { MAX_PROCESSES = 4096, NUMBER_SIZE = 24 };

/* What a child says, when asked, about what it holds. */
struct holding {
	uint64_t anonymous_bytes;
	uint64_t pss_bytes;
	bool is_known;
};

static uint64_t mib;
static uint64_t process_count;
static uint64_t hold_usec;
static bool has_exec;
static uint64_t holder_fd;	/* the first descriptor of the pipes below */

static const struct truth_option positionals[] = {
	{ .name = "MIB", .help = "per process",
	  .kind = TRUTH_U64, .value = &mib },
	{ .name = "PROCESSES", .help = "how many",
	  .kind = TRUTH_U64, .value = &process_count },
	{ .name = "SECONDS", .help = "for how long all hold it",
	  .kind = TRUTH_USEC, .value = &hold_usec },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = "exec", .help = "children run the program anew",
	  .kind = TRUTH_FLAG, .value = &has_exec },
	{ .name = "holder", .help = "(used by --exec)",
	  .kind = TRUTH_U64, .value = &holder_fd },
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Holds a known amount of memory in several processes.",
	.positionals = positionals,
	.required_count = 3,
	.options = options,
};

enum { READY, REPORT, ASK, LEAVE, PIPE_COUNT };

/* Each is shared by all children; a write of a holding is atomic. */
static int pipes[PIPE_COUNT][2];

static void measure(struct holding *holding)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "re");
	unsigned long long kib;
	char text[256];
	int found = 0;

	memset(holding, 0, sizeof(*holding));
	if (file == NULL)
		return;
	while (fgets(text, sizeof(text), file) != NULL) {
		if (sscanf(text, "Anonymous: %llu", &kib) == 1) {
			holding->anonymous_bytes = kib * 1024;
			found++;
		} else if (sscanf(text, "Pss: %llu", &kib) == 1) {
			holding->pss_bytes = kib * 1024;
			found++;
		}
	}
	holding->is_known = found == 2;
	fclose(file);
}

/*
 * Also ends when the parent is gone: the end of ASK and LEAVE which it
 * holds is then closed.  Closes its own ends as soon as they have served, so
 * that the parent sees the end of the pipe when a sibling was killed.
 */
static _Noreturn void hold(void)
{
	char *memory = work_map_mib(mib);
	struct holding holding;
	char byte = 0;

	work_touch(memory, mib * WORK_MIB);
	if (truth_write(pipes[READY][1], &byte, 1) < 0)
		_exit(2);
	close(pipes[READY][1]);
	if (truth_read(pipes[ASK][0], &byte, 1) != 1)
		_exit(2);
	measure(&holding);
	if (truth_write(pipes[REPORT][1], &holding, sizeof(holding)) < 0)
		_exit(2);
	close(pipes[REPORT][1]);
	(void)truth_read(pipes[LEAVE][0], &byte, 1);
	_exit(0);
}

/* By its own path: by /proc/self/exe the program would be called "exe". */
static _Noreturn void exec_holder(void)
{
	char path[PATH_MAX];
	char size[NUMBER_SIZE];
	char option[NUMBER_SIZE + 16];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length < 0)
		_exit(2);
	path[length] = '\0';
	snprintf(size, sizeof(size), "%llu", (unsigned long long)mib);
	snprintf(option, sizeof(option), "--holder=%d", pipes[0][0]);
	execl(path, "w_hold", size, "1", "0", option, (char *)NULL);
	_exit(2);
}

/* The descriptors of all pipes follow each other from holder_fd on. */
static void adopt_pipes(void)
{
	for (int i = 0; i < PIPE_COUNT; i++)
		for (int end = 0; end < 2; end++)
			pipes[i][end] = (int)holder_fd + 2 * i + end;
	close(pipes[ASK][1]);
	close(pipes[LEAVE][1]);
}

/* Copied to a row of descriptors, so that --holder needs to name but one. */
static void open_pipes(void)
{
	enum { FIRST_FD = 100 };

	for (int i = 0; i < PIPE_COUNT; i++) {
		int ends[2];

		if (pipe(ends) < 0)
			truth_die("pipe");
		for (int end = 0; end < 2; end++) {
			pipes[i][end] = FIRST_FD + 2 * i + end;
			if (dup2(ends[end], pipes[i][end]) < 0)
				truth_die("dup2");
			close(ends[end]);
		}
	}
}

static void start_children(void)
{
	char byte;

	for (uint64_t i = 0; i < process_count; i++) {
		pid_t pid = fork();

		if (pid < 0)
			truth_die("fork");
		if (pid > 0)
			continue;
		if (has_exec)
			exec_holder();
		close(pipes[ASK][1]);
		close(pipes[LEAVE][1]);
		hold();
	}
	close(pipes[READY][1]);
	close(pipes[REPORT][1]);
	for (uint64_t i = 0; i < process_count; i++)
		if (truth_read(pipes[READY][0], &byte, 1) != 1) {
			errno = ECHILD;
			truth_die("a child that should hold memory");
		}
}

static void ask_children(void)
{
	struct holding holding;
	uint64_t anonymous_bytes = 0;
	uint64_t pss_bytes = 0;
	bool is_known = true;

	for (uint64_t i = 0; i < process_count; i++) {
		if (truth_write(pipes[ASK][1], "", 1) < 0 ||
		    truth_read(pipes[REPORT][0], &holding, sizeof(holding)) !=
		    (ssize_t)sizeof(holding)) {
			errno = ECHILD;
			truth_die("a child that should report");
		}
		anonymous_bytes += holding.anonymous_bytes;
		pss_bytes += holding.pss_bytes;
		is_known = is_known && holding.is_known;
	}
	if (is_known) {
		truth_add_u64("anonymous_bytes", anonymous_bytes);
		truth_add_u64("pss_bytes", pss_bytes);
	} else {
		truth_add_text("anonymous_bytes", "missing");
		truth_add_text("pss_bytes", "missing");
	}
}

static void release_children(void)
{
	close(pipes[ASK][1]);
	close(pipes[LEAVE][1]);
	for (uint64_t i = 0; i < process_count; i++) {
		int status = work_wait(-1, NULL);

		if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
			errno = ECHILD;
			truth_die("a child that held memory");
		}
	}
}

int main(int argc, char **argv)
{
	uint64_t begin_usec;

	(void)argc;
	truth_begin(argv, &spec);
	if (holder_fd != 0) {
		adopt_pipes();
		hold();
	}
	if (process_count == 0 || process_count > MAX_PROCESSES) {
		errno = EINVAL;
		truth_die("PROCESSES");
	}
	open_pipes();
	start_children();
	begin_usec = work_clock_usec(CLOCK_REALTIME);
	truth_add_u64("processes", process_count);
	truth_add_u64("held_bytes", process_count * mib * WORK_MIB);
	ask_children();
	work_sleep_usec(hold_usec);
	truth_add_u64("hold_begin_usec", begin_usec);
	truth_add_u64("hold_end_usec", work_clock_usec(CLOCK_REALTIME));
	release_children();
	truth_end();
	return 0;
}
