/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of CPUs (or of other small numbers) as the kernel lists them. */
#ifndef SW_COMMON_CPUS_H
#define SW_COMMON_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SW_CPUS_MAX = 4096, SW_CPUS_WORDS = SW_CPUS_MAX / 64 };

struct sw_cpus {
	uint64_t word[SW_CPUS_WORDS];
};

/*
 * Parse a list like "0-3,8", as in Cpus_allowed_list of /proc/PID/status, with
 * or without a final newline; an empty list is an empty set.  Returns -1 for
 * anything else, or a number that is not below SW_CPUS_MAX.
 */
int sw_cpus_parse(struct sw_cpus *cpus, const char *text);

size_t sw_cpus_count(const struct sw_cpus *cpus);
bool sw_cpus_has(const struct sw_cpus *cpus, uint64_t cpu);
void sw_cpus_add(struct sw_cpus *cpus, const struct sw_cpus *more);

/* Is part a subset of whole? */
bool sw_cpus_is_within(const struct sw_cpus *part,
		       const struct sw_cpus *whole);

/* Return the lowest CPU; SW_MISSING if there is none. */
uint64_t sw_cpus_first(const struct sw_cpus *cpus);

#endif
