/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the workloads share: options, and the truth each leaves behind.
 *
 * A workload appends one line "key=value key=value ..." to the file given by
 * --truth; a test reads the last line.  The line begins with the workload's
 * own keys and ends with the same keys for all of them, each about this
 * process alone unless it says children:
 *
 *	pid, begin_usec, end_usec	wall clock since the epoch
 *	wall_usec			monotonic, from main() to the line
 *	cpu_usec			CLOCK_PROCESS_CPUTIME_ID
 *	user_usec, sys_usec		getrusage(RUSAGE_SELF)
 *	children_cpu_usec		getrusage(RUSAGE_CHILDREN)
 *	children_maxrss_kib		the largest child that was waited for
 *	maxrss_kib			ru_maxrss; execve() carries it over
 *	hwm_kib				VmHWM; of this program alone
 *	rchar_bytes, wchar_bytes	what /proc/PID/io shows at the end,
 *					without waited-for children: what it
 *					showed at the start (dynamic loading,
 *					and what the process did before its
 *					execve) plus own counting since,
 *					this line included
 *
 * A value that cannot be had is the word "missing".
 */
#ifndef TEST_WORKLOADS_TRUTH_H
#define TEST_WORKLOADS_TRUTH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum truth_kind {
	TRUTH_FLAG,	/* bool, no value */
	TRUTH_U64,	/* uint64_t */
	TRUTH_USEC,	/* uint64_t, given in seconds, as in 0.25 */
	TRUTH_STRING,	/* const char * */
	TRUTH_SIGNAL,	/* int, given as KILL, SIGKILL or 9 */
};

/* One row per option, or per positional argument in the order expected. */
struct truth_option {
	const char *name;
	const char *help;
	enum truth_kind kind;
	void *value;
};

struct truth_spec {
	const char *summary;
	const struct truth_option *positionals;	/* ends with a NULL name */
	size_t required_count;			/* of the positionals */
	const struct truth_option *options;	/* ends with a NULL name */
	/*
	 * Where not NULL, what follows the last positional is a command of
	 * somebody else, untouched by the parser, and ends up here; NULL
	 * when there is none.
	 */
	char ***rest;
};

/*
 * Parses the arguments and starts the clocks.  Explains itself and exits 2
 * when the arguments are wrong.
 */
void truth_begin(char **argv, const struct truth_spec *spec);

void truth_add_u64(const char *key, uint64_t value);
void truth_add_text(const char *key, const char *value);

/*
 * Writes the line, where --truth was given.  May be called again after more
 * work; keys added before are then forgotten.  Exits 2 when it cannot write:
 * a test must never go on with the truth of an earlier run.
 */
void truth_end(void);

/* read(2) and write(2) that count; write repeats until all is written. */
ssize_t truth_read(int fd, void *buffer, size_t size);
int truth_write(int fd, const void *buffer, size_t size);

/* For bytes that went by another way (pread, a signal handler). */
void truth_count(uint64_t read_bytes, uint64_t written_bytes);

/* Says what failed, with errno, and exits 2. */
_Noreturn void truth_die(const char *what);

#endif
