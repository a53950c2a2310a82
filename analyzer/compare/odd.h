/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one of several runs is alone with. */
#ifndef SW_ANALYZER_ODD_H
#define SW_ANALYZER_ODD_H

#include "analyzer/compare/compare_internal.h"

/* Called for each; a nonzero result stops and is returned. */
typedef int (*sw_odd_f)(void *context, const struct sw_difference *odd);

/*
 * Find what run number index did and no other, or all others and not it.  Runs
 * whose programs are not completely known do not prove that nothing happened.
 */
int sw_odd_each(const struct sw_fingerprint *const *runs, size_t count,
		size_t index, sw_odd_f found, void *context);

#endif
