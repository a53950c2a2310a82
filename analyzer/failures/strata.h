/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fisher's exact test over strata; sources are in failures.h. */
#ifndef SW_ANALYZER_STRATA_H
#define SW_ANALYZER_STRATA_H

#include <stddef.h>
#include <stdint.h>

/* Comparable jobs: on the node in question, and in total. */
struct sw_stratum {
	uint64_t jobs, failures;
	uint64_t node_jobs, node_failures;
};

/*
 * Return the probability that at least as many failures hit the node if any
 * jobs of a stratum could fail; 1 if most failures are elsewhere, or if there
 * are too many elsewhere to compute it.
 */
double sw_strata_chance(const struct sw_stratum *strata, size_t count);

/* Count strata with a failure on the node and a good job elsewhere. */
uint64_t sw_strata_telling(const struct sw_stratum *strata, size_t count);

#endif
