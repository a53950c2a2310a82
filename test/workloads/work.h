/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pieces of work the workloads are made of: time, CPU, memory, children.
 */
#ifndef TEST_WORKLOADS_WORK_H
#define TEST_WORKLOADS_WORK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

enum {
	WORK_MIB = 1024 * 1024,
	WORK_BLOCK_SIZE = 4096,
};

uint64_t work_clock_usec(clockid_t clock);

/* Sleeps to the end, whatever signals arrive. */
void work_sleep_usec(uint64_t usec);

/* Computes until the given CPU clock shows at least usec. */
void work_burn_until(clockid_t clock, uint64_t usec);

/*
 * Anonymous memory of this many MiB, not yet touched; dies when there is
 * none.  Never of huge pages, so that it grows as it is touched and no
 * further.
 */
char *work_map_mib(uint64_t mib);

/* Writes to each page, each another value, so that none can be merged. */
void work_touch(char *memory, size_t size);

/* Fills with bytes that do not compress; the state goes on over calls. */
void work_fill_random(void *buffer, size_t size, uint64_t *state);
uint64_t work_random(uint64_t *state);

/* Dies by the signal, without a core file. */
_Noreturn void work_die_by(int number);

/* Waits for the child; its usage may be NULL.  Returns the wait status. */
int work_wait(pid_t pid, struct rusage *usage);

#endif
