/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the subjects of series.waits are.  A name may be found late and is so
 * of all rows before it; a recorder that goes on after another counts anew,
 * from its row "all" on.
 */
#ifndef SW_ANALYZER_WAIT_ERAS_H
#define SW_ANALYZER_WAIT_ERAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/series/series.h"

enum { SW_WAIT_SUBJECTS = 256 };

/* Those of one recorder. */
struct sw_wait_era {
	size_t first, end; /* its rows of the table "subjects" */
	uint64_t end_usec; /* its rows of series.waits lie before */
};

/* The next one, in time; of a zeroed era the first.  False: none is left. */
bool sw_wait_era_next(struct sw_wait_era *era, const struct sw_series *names);

/*
 * A row of "subjects", if it is of series.waits: the number, or SW_MISSING;
 * kind is set where it is not.
 */
uint64_t sw_wait_era_subject(const struct sw_series *names, size_t row,
			     const char **kind);

#endif
