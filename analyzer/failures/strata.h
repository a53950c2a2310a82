/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fisher's exact test over strata: failures.h has the sources. */
#ifndef SW_ANALYZER_STRATA_H
#define SW_ANALYZER_STRATA_H

#include <stddef.h>
#include <stdint.h>

/* Jobs that are alike: on the node in question, and in all. */
struct sw_stratum {
	uint64_t jobs, failures;
	uint64_t node_jobs, node_failures;
};

/*
 * The probability that at least so many of the failures come to the node as
 * did, if any of a stratum's jobs could be the ones that fail; 1 where most of
 * them did not, or where elsewhere there are too many for it to be worked out.
 */
double sw_strata_chance(const struct sw_stratum *strata, size_t count);

/* In how many there is a job elsewhere that did not fail beside one here. */
uint64_t sw_strata_telling(const struct sw_stratum *strata, size_t count);

#endif
