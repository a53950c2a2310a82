/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time, CPU, memory and children for the workloads.
 *
 * Gives up (exit 2) where memory or a child cannot be had.
 */
#define _GNU_SOURCE 1

#include "work.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

enum { BURN_ROUNDS = 20000 };	/* some 20 to 50 us */

uint64_t work_clock_usec(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now) < 0)
		truth_die("clock_gettime");
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void work_sleep_usec(uint64_t usec)
{
	struct timespec left = {
		.tv_sec = (time_t)(usec / 1000000),
		.tv_nsec = (long)(usec % 1000000) * 1000,
	};

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

uint64_t work_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x;
	return x;
}

void work_fill_random(void *buffer, size_t size, uint64_t *state)
{
	unsigned char *to = buffer;

	while (size > 0) {
		uint64_t word = work_random(state);
		size_t step = size < sizeof(word) ? size : sizeof(word);

		memcpy(to, &word, step);
		to += step;
		size -= step;
	}
}

/* A look at a CPU clock is a system call: rare enough to stay user time. */
void work_burn_until(clockid_t clock, uint64_t usec)
{
	uint64_t state = 88172645463325252u;
	volatile uint64_t sink;

	while (work_clock_usec(clock) < usec)
		for (int i = 0; i < BURN_ROUNDS; i++)
			sink = work_random(&state);
	(void)sink;
}

char *work_map_mib(uint64_t mib)
{
	size_t size;
	void *memory;

	if (mib == 0 || mib > SIZE_MAX / WORK_MIB / 2) {
		errno = EINVAL;
		truth_die("size in MiB");
	}
	size = (size_t)mib * WORK_MIB;
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		truth_die("mmap");
	/* EINVAL: a kernel without huge pages, where there is nothing to do. */
	if (madvise(memory, size, MADV_NOHUGEPAGE) < 0 && errno != EINVAL)
		truth_die("madvise");
	return memory;
}

void work_touch(char *memory, size_t size)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < size; i += page_size)
		*(volatile uint64_t *)(void *)(memory + i) =
			(uint64_t)(uintptr_t)(memory + i) ^
			(uint64_t)getpid() << 48;
}

/*
 * A limit of one byte keeps both kinds of core away: a file would be too
 * small to begin, and a pipe to a handler takes exactly 1 as "none".
 */
_Noreturn void work_die_by(int number)
{
	const struct rlimit no_core = { .rlim_cur = 1, .rlim_max = 1 };
	sigset_t set;

	setrlimit(RLIMIT_CORE, &no_core);
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	kill(getpid(), number);
	errno = ECANCELED;	/* a signal that does not kill, such as CHLD */
	truth_die("still alive after the signal");
}

int work_wait(pid_t pid, struct rusage *usage)
{
	int status;

	while (wait4(pid, &status, 0, usage) < 0)
		if (errno != EINTR)
			truth_die("wait4");
	return status;
}
